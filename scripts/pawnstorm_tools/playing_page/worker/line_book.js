// The line book of a solved game, as engine/pawnstorm/proof/line_book.py reads it.

const Layout = numbers.lineBook;

class LineBook {
  /** The book in a file's bytes. It has a core of its own, whose memory its table needs. Throws Unusable, RangeError. */
  static async make(parts, rules, bytes) {
    const end = bytes.indexOf(10) + 1;
    const words = new TextDecoder().decode(bytes.subarray(0, end)).split(' ');
    const [plies, count, leaf] = ['plies', 'positions', 'leaf'].map(name => Number(words[words.indexOf(name) + 1]));
    const [data, slots] = [bytes.subarray(end), 2 ** Math.floor((4 * count) / 3).toString(2).length];
    const size = 8 * (Layout.SLOTS + slots) + data.length + 8;
    const core = await Core.make(parts, size + ALIGNMENT);
    const address = core.allocate(size);
    const table = new BigUint64Array(core.memory.buffer, address, Layout.SLOTS);
    table[Layout.END] = BigInt(data.length);
    table[Layout.MASK] = BigInt(slots - 1);
    table[Layout.LEFT] = BigInt(count);
    new Uint8Array(core.memory.buffer).set(data, address + 8 * (Layout.SLOTS + slots));
    postMessage({kind: 'reading'});  // it takes seconds, in which the worker answers nothing
    const own = BigInt(rules.pawns);
    core.functions.core_read_line_book(plies, core.at(new Position(rules, own, turned(own, rules), 0n, false)).address, address);
    return Object.assign(new LineBook(), {core, address, leaf});
  }

  /** {move, plies, value} of a position; null if the book's lines do not lead to it. */
  look(position) {
    const word = Number(this.core.functions.core_look_up_line_book(this.core.at(position).address, this.address));
    const [move, plies] = [word >> 8 & 0xFFF, word & 0xFF];
    return move ? {move, plies, value: plies & 1 ? 1 : -1} : null;
  }

  line(position) {
    return lineOf(this, position);
  }
}
