// The strategy of a solved game, as engine/pawnstorm/proof/book.py reads it.

const PRIME = (1n << 64n) - 59n;
const KEY_BYTES = 8;
const ENTRY_BYTES = 3;

class Book {
  /** core: for the legal moves; bytes: of the file. */
  constructor(core, bytes) {
    const header = bytes.indexOf(10) + 1;
    this.core = core;
    this.count = (bytes.length - header) / (KEY_BYTES + ENTRY_BYTES);
    this.data = new DataView(bytes.buffer, bytes.byteOffset + header);
  }

  /** {move, plies, value} of a position, seen by its side to move; null if the strategy does not reach it. */
  look(position) {
    const canonical = position.canonical();
    const [own, opp, ep] = canonical;
    const place = this.find((own * 0x9E3779B97F4A7C15n + opp * 0xC2B2AE3D27D4EB4Fn + ep * 0xD6E8FEB86659FD93n) % PRIME);
    if (place < 0) return null;
    const at = KEY_BYTES * this.count + ENTRY_BYTES * place;
    const entry = this.data.getUint16(at, true) | this.data.getUint8(at + 2) << 16;
    const image = own !== position.own || opp !== position.opp || ep !== position.ep;
    const move = image ? mirroredMove(entry & 0xFFF, position.rules) : entry & 0xFFF;
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

  find(wanted) {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = low + high >> 1;
      const found = this.data.getBigUint64(KEY_BYTES * middle, true);
      if (found === wanted) return middle;
      if (found < wanted) low = middle + 1;
      else high = middle;
    }
    return -1;
  }
}

function mirroredMove(move, rules) {
  const last = rules.files - 1;
  return move & ~0x1C7 | last - (move & 7) | last - (move >> 6 & 7) << 6;
}
