// One game: its positions and moves, and how it ended. And its address.

const STRANGERS = ['a player', 'a player'];

class Game {
  /** core: for the rules; start: the first Position. names: of White and Black, as far as they are known. */
  constructor(core, start) {
    const date = new Date();
    Object.assign(this, {core, start, moves: [], positions: [start], ended: null, names: STRANGERS,
      date: [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('.')});
  }

  static new(core, name) {
    const rules = numbers.games.find(row => row.name === name);
    return new Game(core, positionFrom(rules, rules.start));
  }

  get rules() {
    return this.start.rules;
  }

  get last() {
    return this.positions.length - 1;
  }

  /** Add a legal move after ply `ply`; what came after it is forgotten. */
  play(move, ply = this.last) {
    this.moves.length = ply;
    this.positions.length = ply + 1;
    this.ended = null;
    this.moves.push(move);
    this.positions.push(this.core.push(this.positions[ply], move));
  }

  /** Whether the board has decided the game. */
  get decided() {
    return this.core.over(this.positions.at(-1));
  }

  /** End it in another way: the side loses by `words`. */
  end(black, words) {
    this.ended = {black, words};
  }

  get over() {
    return Boolean(this.ended) || this.decided;
  }

  /** Whether Black has lost; null while nobody has. */
  get blackLost() {
    if (this.ended) return this.ended.black;
    return this.decided ? this.positions.at(-1).black : null;
  }

  get result() {
    return this.over ? this.blackLost ? '1-0' : '0-1' : null;
  }

  /** How it ended, in words; "" while it goes on. */
  get ending() {
    if (!this.over) return '';
    const winner = side(!this.blackLost);
    return `${winner} wins: ${this.ended ? this.ended.words : this.reason()}`;
  }

  reason() {
    const {own, opp, rules} = this.positions.at(-1);
    if (opp & (1n << BigInt(rules.files)) - 1n) return 'far rank reached';
    return own ? 'no move left' : 'last pawn taken';
  }

  /** The squares {from, to} of the move to a ply, {} for the first position. */
  lastMove(ply) {
    return ply ? squaresOf(this.positions[ply - 1], this.moves[ply - 1]) : {};
  }

  /** How many pawns each side has lost since the first position, at a ply: [White, Black]. */
  losses(ply) {
    const [before, now] = [this.start, this.positions[ply]].map(position => pawnsOf(position).map(countBits));
    return before.map((count, index) => count - now[index]);
  }
}

const FAMILY_NAMES = {twoflags: 'Two Flags', pawnsonly: 'Two Flags', breakthrough: 'Breakthrough', hexapawn: 'Hexapawn'};
const FAMILIES = Object.keys(FAMILY_NAMES);
const calledBoard = ({family, files, ranks}) => `${FAMILY_NAMES[family] ?? family}, ${files} by ${ranks}`;
const MODES = ['play', 'analyse', 'learn'];

/** The part of the address that names a game, and one of its positions. */
function addressOf(game, ply, mode) {
  const words = {game: game.rules.name};
  if (fenOf(game.start) !== game.rules.start) words.fen = fenOf(game.start);
  if (game.moves.length) words.moves = game.moves.map((move, index) => moveText(game.positions[index], move).slice(0, 4)).join('');
  if (game.ended) Object.assign(words, {lost: game.ended.black ? 'black' : 'white', ending: game.ended.words});
  if (ply !== game.last) words.ply = ply;
  words.mode = mode;
  return `#${new URLSearchParams(words).toString()}`;
}

/** {game, ply, mode} of an address, null where it names none. Throws Unreadable. */
function addressed(core, hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  if (!words.has('game')) return null;
  const rules = rulesNamed(words.get('game'));
  if (!rules) throw new Unreadable(`The address names an unknown game, “${shortened(words.get('game'))}”.`);
  const game = words.has('fen') ? new Game(core, positionFrom(rules, words.get('fen'))) : Game.new(core, rules.name);
  for (const text of (words.get('moves') ?? '').match(/.{1,4}/g) ?? []) game.play(moveFrom(core, game.positions.at(-1), text));
  if (!game.over && /^(white|black)$/.test(words.get('lost'))) game.end(words.get('lost') === 'black', shortened(words.get('ending') ?? 'as the address says'));
  const ply = words.has('ply') ? Number(words.get('ply')) : game.last;
  if (!Number.isInteger(ply) || ply < 0) throw new Unreadable(`The address names a bad ply, “${shortened(words.get('ply'))}”.`);
  return {game, ply: Math.min(ply, game.last), mode: MODES.includes(words.get('mode')) ? words.get('mode') : null};
}
