// Text <-> positions, moves and games: FEN, coordinates and PGN, as the engine reads and writes them.

/** Text that is not what it should be; the message says what was expected. */
class Unreadable extends Error {}

const LETTERS = 'abcdefgh';
const squareName = square => LETTERS[square & 7] + ((square >> 3) + 1);
const shortened = text => text.length > 60 ? `${text.slice(0, 57)}...` : text;

/** A square's number as seen by the side to move, of its name; or the other way round: its own inverse. */
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
function positionFrom(rules, text) {
  const fields = text.trim().split(/\s+/, 7);
  const [placed, turn = 'w', third = '-', passed = '-', half = '0', full = '1'] = fields;
  const rows = placed.split('/');
  if (fields.length > 6) throw new Unreadable(`A FEN has 1 to 6 fields: “${shortened(text)}” has more.`);
  if (rows.length !== rules.ranks) throw new Unreadable(`“${shortened(placed)}”: expected ${rules.ranks} ranks (${rules.name}), found ${rows.length}.`);
  const sets = {P: 0n, p: 0n};
  rows.forEach((row, index) => {
    let file = 0;
    if (row.length > 8) throw new Unreadable(`Rank “${shortened(row)}” has ${row.length} letters: ${rules.name} is ${rules.files} wide.`);
    for (const letter of row) {
      if (letter === 'P' || letter === 'p') sets[letter] |= 1n << BigInt(8 * (rules.ranks - 1 - index) + file++);
      else if (/[1-8]/.test(letter)) file += Number(letter);
      else throw new Unreadable(`Bad letter “${letter}” in rank “${shortened(row)}”: expected P, p or a digit.`);
    }
    if (file !== rules.files) throw new Unreadable(`Rank “${shortened(row)}”: expected a width of ${rules.files} (${rules.name}), found ${file}.`);
  });
  if (turn !== 'w' && turn !== 'b') throw new Unreadable(`Bad side to move “${shortened(turn)}”: expected w or b.`);
  if (third !== '-') throw new Unreadable(`Bad third field “${shortened(third)}”: expected -, nobody castles.`);
  if (!/^\d{1,9}$/.test(half) || !/^\d{1,9}$/.test(full)) throw new Unreadable(`Bad counter in “${shortened(text)}”: expected a whole number.`);
  const black = turn === 'b';
  const [own, opp] = black ? [turned(sets.p, rules), turned(sets.P, rules)] : [sets.P, sets.p];
  if (!opp) throw new Unreadable(`The side that has moved has no pawn in “${shortened(placed)}”.`);
  const top = (1n << BigInt(rules.files)) - 1n << BigInt(8 * (rules.ranks - 1));
  if (own & top) throw new Unreadable(`The side to move already stands on its far rank in “${shortened(placed)}”.`);
  const position = new Position(rules, own, opp, 0n, black, Number(half), Math.max(1, Number(full)));
  return passed === '-' ? position : passing(position, passed);
}

/** The position with the right to take the pawn that has just passed a square. Throws Unreadable. */
function passing(position, passed) {
  const {rules, own, opp} = position;
  const fault = new Unreadable(`Bad en passant square “${shortened(passed)}”: no pawn has just passed it by a double step.`);
  if (!/^[a-h][1-8]$/.test(passed) || !rules.passing) throw fault;
  const square = seenSquare(position, numberOf(passed));
  const bit = 1n << BigInt(square);
  const rank = square >> 3;
  if (rank !== rules.ranks - 3 || !(opp & bit >> 8n) || (own | opp) & (bit | bit << 8n)) throw fault;
  const beside = [square - 9, square - 7].some(from => from >> 3 === rank - 1 && own >> BigInt(from) & 1n);
  return new Position(rules, own, opp, beside ? bit : 0n, position.black, position.halfmove, position.fullmove);
}

// PGN. A text of any length is read in linear time: no expression repeats a group without a bound, since browsers keep a stack for
// each repetition and give up when that is full.

const LONGEST_WORD = 30;
const MOST_MOVES = 8 * 8 * 8;    // no game has so many: a pawn on each square of the largest board would make 7 moves

const MOVE = /^P?([a-h]?)([1-8]?)[-x]?([a-h][1-8])(=?[qQ])?(?:[+#]|e\.p\.)*[!?]*$/;
const TOKEN = /\[(\w+)\s+"([^"\\\n]*(?:\\.[^"\\\n]*){0,9999})"\s*\]|\{[^}]*\}?|;[^\n]*|^%[^\n]*|([()])|\$\d+|\d+\.+|(1-0|0-1|1\/2-1\/2|\*)(?![^\s{;()])|([^\s{};()]+)/gm;

/** A move as PGN has it: as in chess where the board is chess's. */
function moveSan(position, move) {
  const {from, to} = squaresOf(position, move);
  if (!position.rules.chess) return moveText(position, move);
  return `${from[0] === to[0] ? '' : `${from[0]}x`}${to}${/[18]/.test(to[1]) ? '=Q' : ''}`;
}

/** The legal move that a word names, in coordinates or as in chess. Throws Unreadable. */
function moveFrom(core, position, text) {
  const found = text.length <= LONGEST_WORD && MOVE.exec(text);
  if (!found) throw new Unreadable(`“${shortened(text)}” is not a move: expected one such as e4, exd5 or e2e4.`);
  const [, file, rank, target] = found;
  let fitting = core.moves(position).filter(move => {
    const {from, to} = squaresOf(position, move);
    return to === target && from.startsWith(file) && (!rank || from[1] === rank);
  });
  const straight = file ? [] : fitting.filter(move => (move & 7) === (move >> 6 & 7));
  if (straight.length) fitting = straight;
  if (fitting.length !== 1) {
    throw new Unreadable(`${fitting.length ? 'Ambiguous' : 'Illegal'} move “${shortened(text)}” in ${fenOf(position)}.`);
  }
  return fitting[0];
}

/** {tags, words} of the first game of a PGN; words: as many as a game can have moves, and one more. */
function pgnWords(text) {
  const [tags, words] = [{}, []];
  let depth = 0;
  for (const [, tag, value, bracket, result, word] of text.matchAll(TOKEN)) {
    if (tag) {
      if (words.length) break;
      tags[tag] = value.replace(/\\(.)/g, '$1');
    } else if (bracket) depth = Math.max(0, depth + (bracket === '(' ? 1 : -1));
    else if (depth) continue;
    else if (result || words.length > MOST_MOVES) break;
    else if (word && !/^e\.?p\.?$/.test(word)) words.push(word);    // "exd6 e.p."
  }
  return {tags, words};
}

/** The PGN of a Game. tags: {White, Black}. */
function pgnOf(game, tags) {
  const {start, moves, positions} = game;
  const result = game.result ?? '*';
  const all = {
    Event: 'Pawnstorm', Site: '?', Date: game.date, Round: '-', ...tags, Variant: start.rules.name, SetUp: '1', FEN: fenOf(start),
    Result: result};
  const words = [];
  moves.forEach((move, index) => {
    const position = positions[index];
    if (!position.black) words.push(`${position.fullmove}.`);
    else if (!index) words.push(`${position.fullmove}...`);
    words.push(moveSan(position, move));
  });
  if (game.ending) words.push(`{${game.ending}}`);
  const lines = Object.entries(all).map(([name, value]) => pgnTag(name, value));
  return `${lines.join('\n')}\n\n${wrapped([...words, result])}\n`;
}
