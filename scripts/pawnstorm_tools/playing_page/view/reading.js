// Text that a user pastes -> a Game, and which game that is: a FEN, a PGN, a list of moves, a link of this page.

/** {reading, found}: rows of numbers.games that read a FEN, and those of them whose play can lead to its position.

    What engine/pawnstorm/games/detection.py says in Python. Throws Unreadable if no game reads it. */
function gamesOf(fen) {
  const rows = fen.trim().split(/\s/, 1)[0].split('/');
  const files = [...rows[0].slice(0, 64)].reduce((sum, letter) => sum + (/[1-8]/.test(letter) ? Number(letter) : 1), 0);
  const fitting = numbers.games.filter(row => row.family !== 'pawnsonly' && row.files === files && row.ranks === rows.length)
    .sort((one, two) => FAMILIES.indexOf(one.family) - FAMILIES.indexOf(two.family));
  if (!fitting.length) throw new Unreadable(`No game is played on a board ${files} wide and ${rows.length} high, as in “${shortened(rows.join('/'))}”.`);
  const positions = [];
  let fault = null;
  for (const rules of fitting) {
    try {
      positions.push(positionFrom(rules, fen));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      fault ??= error;
    }
  }
  if (!positions.length) throw fault;
  const started = positions.filter(position => !position.black && position.same(positionFrom(position.rules, position.rules.start)));
  const found = started.length ? started : positions.filter(canBeReached);
  return {reading: positions.map(({rules}) => rules), found: found.map(({rules}) => rules)};
}

/** Whether neither side has more pawns than at the start of its game, or one behind its first row. */
function canBeReached({rules, own, opp}) {
  const behind = (1n << BigInt(8 * rules.first)) - 1n;
  return [own, turned(opp, rules)].every(pawns => countBits(pawns) <= rules.army && !(pawns & behind));
}

/** The row of a game by any of its names, or of a family's size; null where there is none. */
function rulesNamed(name) {
  const given = name.trim().toLowerCase();
  const wanted = Object.hasOwn(numbers.aliases, given) ? numbers.aliases[given] : given;
  return numbers.games.find(row => row.name === wanted || row.full === wanted) ?? null;
}

/**
 * {game, told, others, ply} of a text. told: what was understood, in sentences; others: the rows of games as which the text can
 * be read too; ply: the position to show.
 * open: the rules of the game that is open, for what a text does not say; named: rules that the user has chosen, or null.
 * Throws Unreadable.
 */
function textRead(core, text, open, named = null) {
  const line = text.trim();
  if (!line) throw new Unreadable('Nothing to read: expected a FEN, a PGN, a list of moves or a link.');
  if (line.includes('#game=') && !/\s/.test(line)) {
    const {game, ply} = addressed(core, line.slice(line.indexOf('#game=')));
    return {game, told: counted(game), others: [], ply};
  }
  const {tags, words} = isFen(line) ? {tags: {FEN: line}, words: []} : pgnWords(text);
  if (!words.length && !Object.keys(tags).length) throw new Unreadable(`No move in “${shortened(line)}”: expected a FEN, a PGN or a list of moves.`);
  if (tags.Variant) named = variant(tags.Variant);
  if (named || !tags.FEN) {
    const game = replayed(core, named ?? open, tags, words);
    return {game, told: counted(game), others: [], ply: game.last};
  }
  return detected(core, open, tags, words);
}

/** Whether a text begins as a FEN does. */
const isFen = line => /^[^\s[{/]+(\/[^\s/]+){2,}/.test(line.slice(0, 200));

function variant(name) {
  const rules = rulesNamed(name);
  if (!rules) throw new Unreadable(`Unknown game “${shortened(name)}”: expected one such as ${numbers.listed.slice(0, 3).join(', ')}.`);
  return rules;
}

const counted = game => game.moves.length
  ? `${game.moves.length} ${game.moves.length === 1 ? 'move' : 'moves'} of ${calledBoard(game.rules)} read.`
  : `A position of ${calledBoard(game.rules)} read.`;

/** As textRead(), for a FEN whose game nobody has named: the game that is open, if it can be that one. */
function detected(core, open, tags, words) {
  const {reading, found} = gamesOf(tags.FEN);
  const family = row => row.family === 'pawnsonly' ? 'twoflags' : row.family;
  const isOpen = row => family(row) === family(open);
  const likely = found.length ? found : reading;
  const order = [...likely, ...reading.filter(row => !likely.includes(row))].sort((one, two) =>
    likely.includes(two) - likely.includes(one) || isOpen(two) - isOpen(one));
  let fault = null;
  for (const row of order) {
    const rules = isOpen(row) && row.files === open.files && row.ranks === open.ranks ? open : row;
    try {
      const game = replayed(core, rules, tags, words);
      return {game, told: `${counted(game)} ${reason(found, row, isOpen)}`, others: reading.filter(other => other !== row), ply: game.last};
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      fault ??= error;
    }
  }
  throw fault;
}

/** Why a FEN is read as a position of the game `row`. */
function reason(found, row, isOpen) {
  if (!found.includes(row)) return 'No game leads to this position: it was set up by hand.';
  if (found.length === 1) return 'Its board and pawns tell the game.';
  return isOpen(row) ? 'A FEN does not name its game: this is the one that was open.' : 'A FEN does not name its game: several lead to this position.';
}

/** The Game of a PGN's tags and words. Throws Unreadable. */
function replayed(core, rules, tags, words) {
  const game = tags.FEN ? new Game(core, positionFrom(rules, tags.FEN)) : Game.new(core, rules.name);
  for (const word of words) game.play(moveFrom(core, game.positions.at(-1), word));
  if (!game.over && /^(1-0|0-1)$/.test(tags.Result ?? '')) game.end(tags.Result === '1-0', shortened(tags.Termination ?? 'as the PGN says'));
  if (tags.White || tags.Black) game.names = [tags.White, tags.Black].map(name => shortened(name || '?'));
  return game;
}
