// Reads tables of positions, and the strategy of a solved game, which is such a table, as engine/pawnstorm/games/position_table.py
// and engine/pawnstorm/proof/book.py do.

const PRIME = (1n << 64n) - 59n;
const KEY_BYTES = 8;
const MOVE_BITS = 0xFFF;

class PositionTable {
  /** core: for the legal moves; bytes: of the file; width: bytes of an entry. */
  constructor(core, bytes, width) {
    const header = bytes.indexOf(10) + 1;
    Object.assign(this, {core, width, count: (bytes.length - header) / (KEY_BYTES + width)});
    this.data = new DataView(bytes.buffer, bytes.byteOffset + header);
  }

  /** The entries of a position, as numbers from 0. */
  entries(position) {
    const [own, opp, ep] = position.canonical();
    const wanted = (own * 0x9E3779B97F4A7C15n + opp * 0xC2B2AE3D27D4EB4Fn + ep * 0xD6E8FEB86659FD93n) % PRIME;
    const found = [];
    for (let place = this.first(wanted); place < this.count && this.key(place) === wanted; place++) found.push(this.entry(place));
    return found;
  }

  /** The number of keys smaller than `wanted`. */
  first(wanted) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = low + high >> 1;
      if (this.key(middle) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  key(place) {
    return this.data.getBigUint64(KEY_BYTES * place, true);
  }

  entry(place) {
    const at = KEY_BYTES * this.count + this.width * place;
    let entry = 0;
    for (let byte = this.width - 1; byte >= 0; byte--) entry = 256 * entry + this.data.getUint8(at + byte);
    return entry;
  }
}

class Book extends PositionTable {
  constructor(core, bytes) {
    super(core, bytes, 3);
  }

  /** {move, plies, value} of a position, seen by its side to move; null if the strategy does not reach it. */
  look(position) {
    const [entry] = this.entries(position);
    if (entry === undefined) return null;
    const move = seenFrom(position, entry & MOVE_BITS);
    const plies = entry >> 12;
    return this.core.moves(position).includes(move) ? {move, plies, value: plies & 1 ? 1 : -1} : null;
  }

  /** The moves of the strategy from a position on. */
  line(position) {
    const line = [];
    for (let entry = this.look(position); entry; entry = this.look(position)) {
      line.push(entry.move);
      position = this.core.push(position, entry.move);
    }
    return line;
  }
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
