// Text that a user pastes -> a Game, and which game that is: a FEN, a PGN, a list of moves, a link of this page.

const FAMILIES = ['twoflags', 'breakthrough', 'hexapawn'];    // in the order in which they are tried

/** {reading, found}: rows of numbers.games that read a FEN, and those of them whose play can lead to its position.

    The same in Python: engine/pawnstorm/games/detection.py. Throws Unreadable if no game reads it. */
function gamesOf(fen) {
  const rows = fen.trim().split(/\s/, 1)[0].split('/');
  const files = [...rows[0].slice(0, 64)].reduce((sum, letter) => sum + (/[1-8]/.test(letter) ? Number(letter) : 1), 0);
  const fitting = numbers.games.filter(row => row.family !== 'pawnsonly' && row.files === files && row.ranks === rows.length)
    .sort((one, two) => FAMILIES.indexOf(one.family) - FAMILIES.indexOf(two.family));
  if (!fitting.length) throw new Unreadable(text('no-game-size', {files, ranks: rows.length, found: shortened(rows.join('/'))}));
  const read = fitting.map(rules => attempt(() => positionFrom(rules, fen)));
  const positions = read.flatMap(({value}) => value ?? []);
  if (!positions.length) throw read[0].fault;
  const started = positions.filter(position => !position.black && position.same(positionFrom(position.rules, position.rules.start)));
  const found = started.length ? started : positions.filter(canBeReached);
  return {reading: positions.map(({rules}) => rules), found: found.map(({rules}) => rules)};
}

/** Whether a position can arise in a game. It cannot if a side has more pawns than at the start, or a pawn behind its first row. */
function canBeReached({rules, own, opp}) {
  const behind = (1n << BigInt(8 * rules.first)) - 1n;
  return [own, turned(opp, rules)].every(pawns => countBits(pawns) <= rules.army && !(pawns & behind));
}

/** The row of a game by any of its names, or of a family's size; null if there is none. */
function rulesNamed(name) {
  const given = name.replace(/\s/g, '').toLowerCase();
  const wanted = Object.hasOwn(numbers.aliases, given) ? numbers.aliases[given] : given;
  return numbers.games.find(row => row.name === wanted || row.full === wanted) ?? null;
}

/**
 * {game, told, others, node} of a text. told: what was understood, in sentences; others: the rows of the other games that can
 * read the text; node: the position to show.
 * open: the rules of the open game, which a text may mean without naming it; named: rules that the user has chosen, or null.
 * Throws Unreadable.
 */
function textRead(core, written, open, named = null) {
  const line = written.trim();
  if (!line) throw new Unreadable(text('nothing-to-read'));
  if (line.includes('#game=') && !/\s/.test(line)) {
    const {game, node} = addressed(core, line.slice(line.indexOf('#game=')));
    return {game, told: counted(game), others: [], node};
  }
  const pgn = isFen(line) ? {tags: {FEN: line}, words: [], moves: 0, cut: false} : pgnWords(written);
  const {tags} = pgn;
  if (!pgn.moves && !Object.keys(tags).length) throw new Unreadable(text('no-move', {found: shortened(line)}));
  if (tags.Variant) named = variant(tags.Variant);
  else if (!named && LITTLE_GOLEM.test(tags.Site)) named = variant(littleGolemGame(tags.Event ?? ''));
  if (named || !tags.FEN) {
    const {game, faults} = named ? gameFromPgn(core, named, pgn) : gameOfMoves(core, open, pgn);
    return {game, told: counted(game) + leftOut(pgn, faults), others: [], node: game.end};
  }
  return detected(core, open, pgn);
}

const LITTLE_GOLEM = /little ?golem/i;    // its records name no game: engine/pawnstorm/pgn/replaying.py

/** The name of the game that an Event of Little Golem has; another server's game, too. */
function littleGolemGame(event) {
  const other = /^\s*tournament\s+(?!null\b)(\w+)\./i.exec(event);
  const size = /\b(\d{1,2})x(\d{1,2})\b|\bsize\W?(\d{1,2})\b/i.exec(event);
  if (other && !/^breakthrough/i.test(other[1])) return other[1];
  return `breakthrough${size ? `${size[1] ?? size[3]}x${size[2] ?? size[3]}` : ''}`;
}

/** As gameFromPgn(), for moves from the start of a game that is not named. The open game is tried first, then those of 8x8. */
function gameOfMoves(core, open, pgn) {
  const others = ['twoflags', 'breakthrough'].map(rulesNamed).filter(rules => rules !== open);
  return firstReadable([open, ...others], rules => gameFromPgn(core, rules, pgn));
}

/** read(row) of the first row that it can read. Throws the Unreadable with the greatest ply if there is none. */
function firstReadable(rows, read) {
  let latest = null;
  for (const row of rows) {
    const {value, fault} = attempt(() => read(row));
    if (value) return value;
    if (!latest || (fault.ply ?? -1) > (latest.ply ?? -1)) latest = fault;
  }
  throw latest;
}

/** Whether a text begins as a FEN does. */
const isFen = line => /^[^\s[{/]+(\/[^\s/]+){2,}/.test(line.slice(0, 200));

function variant(name) {
  const rules = rulesNamed(name);
  if (!rules) throw new Unreadable(text('unknown-game', {found: shortened(name), games: numbers.listed.slice(0, 3).join(', ')}));
  return rules;
}

/** A sentence that says what was read: the moves of the main line, or a position. */
function counted(game) {
  const {ply: count} = game.end;
  return text(count ? 'moves-read' : 'position-read', {count, game: calledBoard(game.rules)});
}

/** Sentences that say what was not read, or is wrong. */
function leftOut({cut}, faults) {
  return [cut ? text('variations-cut', {count: MOST_WORDS}) : '', ...faults].filter(Boolean).map(sentence => ` ${sentence}`).join('');
}

/** textRead() for a FEN whose game is not named. If several games fit, the open one is taken if it is among them. */
function detected(core, open, pgn) {
  const {reading, found} = gamesOf(pgn.tags.FEN);
  const isOpen = row => offeredFamily(row) === offeredFamily(open);
  const likely = found.length ? found : reading;
  const order = [...likely, ...reading.filter(row => !likely.includes(row))].sort((one, two) =>
    likely.includes(two) - likely.includes(one) || isOpen(two) - isOpen(one));
  return firstReadable(order, row => {
    const rules = isOpen(row) && row.files === open.files && row.ranks === open.ranks ? open : row;
    const {game, faults} = gameFromPgn(core, rules, pgn);
    const told = `${counted(game)}${leftOut(pgn, faults)} ${reason(found, row, isOpen)}`;
    return {game, told, others: reading.filter(other => other !== row), node: game.end};
  });
}

/** Why a FEN is read as a position of the game `row`. */
function reason(found, row, isOpen) {
  if (!found.includes(row)) return text('reason-unreachable');
  if (found.length === 1) return text('reason-board');
  return text(isOpen(row) ? 'reason-open' : 'reason-several');
}
