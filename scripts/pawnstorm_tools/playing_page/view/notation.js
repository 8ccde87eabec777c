// Text <-> positions and moves: FEN, coordinates and SAN, as the engine reads and writes them.

/** Text that cannot be read; the message says what was expected. */
class Unreadable extends Error {}

/** {value} of what read() returns, or {fault}, the Unreadable that it throws. */
function attempt(read) {
  try {
    return {value: read()};
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return {fault: error};
  }
}

const squareName = square => LETTERS[square & 7] + ((square >> 3) + 1);
const shortened = words => words.length > 60 ? `${words.slice(0, 57)}...` : words;

/** A square's number as seen by White -> as seen by the side to move, and back: it is its own inverse. */
const seenSquare = (position, square) => position.black ? square & 7 | position.rules.ranks - 1 - (square >> 3) << 3 : square;
const numberOf = name => LETTERS.indexOf(name[0]) + 8 * (Number(name[1]) - 1);

/** {from, to} of a move as names of squares. */
function squaresOf(position, move) {
  const [from, to] = [move & 63, move >> 6 & 63].map(square => squareName(seenSquare(position, square)));
  return {from, to};
}

/** A move in coordinates. */
function moveText(position, move) {
  const {from, to} = squaresOf(position, move);
  return from + to + (move >> 9 === position.rules.ranks - 1 ? position.rules.promotion : '');
}

/** The two sides' pawns seen by White: [white, black]. */
function pawnsOf({own, opp, black, rules}) {
  return black ? [turned(opp, rules), turned(own, rules)] : [own, opp];
}

/** What the board draws of a position. last: {from, to} of the move before. */
function drawable(position, last = {}) {
  const pawns = new Map();
  pawnsOf(position).forEach((set, index) => {
    for (let square = 0; square < 64; square++) if (set >> BigInt(square) & 1n) pawns.set(squareName(square), index ? 'p' : 'P');
  });
  return {pawns, black: position.black, ...last};
}

function fenOf(position) {
  const {rules, ep, black, halfmove, fullmove} = position;
  const passed = ep ? squareName(seenSquare(position, ep.toString(2).length - 1)) : '-';
  return `${placed(drawable(position).pawns, rules)} ${black ? 'b' : 'w'} - ${passed} ${halfmove} ${fullmove}`;
}

/** The position of a FEN of one to six fields. Throws Unreadable. */
function positionFrom(rules, fen) {
  const fields = fen.trim().split(/\s+/, 7);
  const [placed, turn = 'w', third = '-', passed = '-', half = '0', full = '1'] = fields;
  const rows = placed.split('/');
  const [game, found] = [rules.name, shortened(placed)];
  if (fields.length > 6) throw new Unreadable(text('fen-fields', {found: shortened(fen)}));
  if (rows.length !== rules.ranks) throw new Unreadable(text('fen-ranks', {found, game, ranks: rules.ranks, count: rows.length}));
  const sets = {P: 0n, p: 0n};
  rows.forEach((row, index) => {
    let file = 0;
    if (row.length > 8) throw new Unreadable(text('fen-rank-long', {rank: shortened(row), game, files: rules.files, count: row.length}));
    for (const letter of row) {
      if (letter === 'P' || letter === 'p') sets[letter] |= 1n << BigInt(8 * (rules.ranks - 1 - index) + file++);
      else if (/[1-8]/.test(letter)) file += Number(letter);
      else throw new Unreadable(text('fen-letter', {letter, rank: shortened(row)}));
    }
    if (file !== rules.files) throw new Unreadable(text('fen-rank-width', {rank: shortened(row), game, files: rules.files, count: file}));
  });
  if (turn !== 'w' && turn !== 'b') throw new Unreadable(text('fen-turn', {found: shortened(turn)}));
  if (third !== '-') throw new Unreadable(text('fen-third', {found: shortened(third)}));
  if (!/^\d{1,9}$/.test(half) || !/^\d{1,9}$/.test(full)) throw new Unreadable(text('fen-counter', {found: shortened(fen)}));
  const black = turn === 'b';
  const [own, opp] = black ? [turned(sets.p, rules), turned(sets.P, rules)] : [sets.P, sets.p];
  if (!opp) throw new Unreadable(text('fen-no-pawn', {found}));
  const top = (1n << BigInt(rules.files)) - 1n << BigInt(8 * (rules.ranks - 1));
  if (own & top) throw new Unreadable(text('fen-far-rank', {found}));
  const position = new Position(rules, own, opp, 0n, black, Number(half), Math.max(1, Number(full)));
  return passed === '-' ? position : passing(position, passed);
}

/** The position with the right to take the pawn that has just passed a square. Throws Unreadable. */
function passing(position, passed) {
  const {rules, own, opp} = position;
  const fault = new Unreadable(text('fen-passed', {found: shortened(passed)}));
  if (!/^[a-h][1-8]$/.test(passed) || !rules.passing) throw fault;
  const square = seenSquare(position, numberOf(passed));
  const bit = 1n << BigInt(square);
  const rank = square >> 3;
  if (rank !== rules.ranks - 3 || !(opp & bit >> 8n) || (own | opp) & (bit | bit << 8n)) throw fault;
  const beside = [square - 9, square - 7].some(from => from >> 3 === rank - 1 && own >> BigInt(from) & 1n);
  return new Position(rules, own, opp, beside ? bit : 0n, position.black, position.halfmove, position.fullmove);
}

const LONGEST_WORD = 30;
const MOVE = /^P?([a-h]?)([1-8]?)[-x]?([a-h][1-8])(=?[qQ])?(?:[+#]|e\.p\.)*[!?]*$/;
const SQUARES = /[a-h][1-8][-x]?[a-h][1-8]/i;    // both squares of a move, also in upper case; with one, Bxc5 would be a bishop's move

/** A move as PGN has it: as in chess if rules.chess, otherwise in coordinates. */
function moveSan(position, move) {
  const {from, to} = squaresOf(position, move);
  if (!position.rules.chess) return moveText(position, move);
  return `${from[0] === to[0] ? '' : `${from[0]}x`}${to}${/[18]/.test(to[1]) ? '=Q' : ''}`;
}

/** A move as the page shows it: `exd5` or `a6xb7` if it takes, without a promotion on the far rank. */
function moveShown(position, move) {
  if (position.rules.chess) return moveSan(position, move).replace('=Q', '');
  const {from, to} = squaresOf(position, move);
  return `${from}${takes(position, move) ? 'x' : ''}${to}`;
}

/** Whether a move takes a pawn, en passant included. */
const takes = (position, move) => ((position.opp | position.ep) >> BigInt(move >> 6 & 63) & 1n) === 1n;

/** The legal move that a word names, in coordinates or as in chess. Throws Unreadable. */
function moveFrom(core, position, word) {
  const found = word.length <= LONGEST_WORD && MOVE.exec(word.replace(SQUARES, squares => squares.toLowerCase()));
  if (!found) throw new Unreadable(text('no-move-word', {found: shortened(word)}));
  const [, file, rank, target] = found;
  let fitting = core.moves(position).filter(move => {
    const {from, to} = squaresOf(position, move);
    return to === target && from.startsWith(file) && (!rank || from[1] === rank);
  });
  const straight = file ? [] : fitting.filter(move => (move & 7) === (move >> 6 & 7));
  if (straight.length) fitting = straight;
  if (fitting.length !== 1) {
    throw new Unreadable(text(fitting.length ? 'ambiguous-move' : 'illegal-move', {found: shortened(word), fen: fenOf(position)}));
  }
  return fitting[0];
}
