// Reads tables of positions, and the strategy of a solved game, which is such a table, as engine/pawnstorm/games/position_table.py
// and engine/pawnstorm/proof/book.py do.

const PRIME = (1n << 64n) - 59n;
const Tables = numbers.tables;
const {PLIES_BITS} = numbers.book;

class PositionTable {
  /** core: for the legal moves; bytes: of the file; width: bytes of an entry. */
  constructor(core, bytes, width) {
    const header = bytes.indexOf(10) + 1;
    const words = new TextDecoder().decode(bytes.subarray(0, header)).split(' ');
    const [count, leaf] = ['entries', 'leaf'].map(name => Number(words[words.indexOf(name) + 1]));
    const bits = Math.max(0, count.toString(2).length - Tables.BUCKET);
    Object.assign(this, {core, width, count, leaf, bits, keys: Tables.KEY << bits});
    this.data = new DataView(bytes.buffer, bytes.byteOffset + header);
  }

  /** The entries of a position, as numbers from 0. */
  entries(position) {
    const [own, opp, ep] = position.canonical();
    const key = (own * 0x9E3779B97F4A7C15n + opp * 0xC2B2AE3D27D4EB4Fn + ep * 0xD6E8FEB86659FD93n) % PRIME;
    const bucket = Number(key >> BigInt(64 - this.bits));
    const wanted = Number(key >> BigInt(32 - this.bits) & 0xFFFFFFFFn);
    const found = [];
    for (let place = this.place(bucket); place < this.place(bucket + 1); place++) {
      if (this.data.getUint32(this.keys + Tables.KEY * place, true) === wanted) found.push(this.entry(place));
    }
    return found;
  }

  /** The number of entries before a bucket. */
  place(bucket) {
    return Tables.KEY * bucket < this.keys ? this.data.getUint32(Tables.KEY * bucket, true) : this.count;
  }

  entry(place) {
    const at = this.keys + Tables.KEY * this.count + this.width * place;
    let entry = 0;
    for (let byte = this.width - 1; byte >= 0; byte--) entry = 256 * entry + this.data.getUint8(at + byte);
    return entry;
  }
}

class Book extends PositionTable {
  constructor(core, bytes) {
    super(core, bytes, numbers.book.ENTRY);
  }

  /** {move, plies, value} of a position, seen by its side to move; null if the strategy does not reach it. */
  look(position) {
    const [entry] = this.entries(position);
    if (entry === undefined) return null;
    const plies = entry & (1 << PLIES_BITS) - 1;
    const moves = this.core.moves(position).map(move => seenFrom(position, move)).sort((one, other) => one - other);
    const chosen = moves[(entry >> PLIES_BITS) - 1];  // an opening names no move
    return chosen === undefined ? null : {move: seenFrom(position, chosen), plies, value: plies & 1 ? 1 : -1};
  }

  line(position) {
    return lineOf(this, position);
  }
}

/** The Book or LineBook in a file's bytes. Throws Unusable, RangeError. */
async function readBook(core, parts, rules, bytes) {
  const isLines = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(10))).startsWith(numbers.lineBook.MAGIC);
  return isLines ? LineBook.make(parts, rules, bytes) : new Book(core, bytes);
}

/** The moves of a book's strategy from a position on. */
function lineOf(book, position) {
  const line = [];
  for (let entry = book.look(position); entry; entry = book.look(position)) {
    line.push(entry.move);
    position = book.core.push(position, entry.move);
  }
  return line;
}

/** A move of the canonical position as a move of `position`, which is the canonical position or its mirror image. */
function seenFrom(position, move) {
  const [own, opp, ep] = position.canonical();
  const image = own !== position.own || opp !== position.opp || ep !== position.ep;
  return image ? mirroredMove(move, position.rules) : move;
}

function mirroredMove(move, rules) {
  const last = rules.files - 1;
  return move & ~0x1C7 | last - (move & 7) | last - (move >> 6 & 7) << 6;
}
