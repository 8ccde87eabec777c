// The results of the first positions of a solved game: a byte for each, in the order of playing_page/opening.py.

const WORDS = 6;    // of a position: own, opp and ep, each as two words of 32 bits, the lower one first
const BUSY = 30;    // milliseconds between two checks for messages

class Opening {
  /** Find the positions that the bytes belong to. This takes about a second, during which the worker still reads its messages. */
  static async make(core, rules, bytes) {
    const opening = new Opening(core, rules, bytes);
    let heard = performance.now();
    for (let index = 0; opening.count < bytes.length; index++) {
      opening.expand(index);
      if (performance.now() - heard < BUSY) continue;
      await breathe();
      heard = performance.now();
    }
    return opening;
  }

  constructor(core, rules, bytes) {
    const size = 2 ** Math.ceil(Math.log2(2 * bytes.length));
    Object.assign(this, {rules, bytes, core, record: core.scratch, count: 0, image: new Uint32Array(WORDS)});
    Object.assign(this, {words: new Uint32Array(WORDS * bytes.length), slots: new Int32Array(size).fill(-1), mask: size - 1});
    this.memory = new Uint32Array(core.memory.buffer);
    // Where each word of a position is in `memory`.
    this.places = ['own', 'opp', 'ep'].map(name => (this.record.address + numbers.layout.fields[name][0]) / 4).flatMap(place => [place, place + 1]);
    const pawns = BigInt(rules.pawns);
    this.write(halves([pawns, turned(pawns, rules), 0n]), 0);
    this.find(true);
  }

  /**
   * The result of a position, {value, plies}. value: 1 if the side to move wins, -1 if it loses; plies: an upper bound on the plies to
   * the end of the game, null for a won position whose moves lead out of the table. Returns null if the position is not in the table.
   */
  look(position) {
    const half = this.half(position);
    if (half === null) return null;
    if (half) return {value: -1, plies: 2 * half};
    const replies = this.core.moves(position).map(move => this.half(this.core.push(position, move))).filter(Boolean);
    return {value: 1, plies: replies.length ? 2 * Math.min(...replies) + 1 : null};
  }

  /** The byte of a position, or null. */
  half({own, opp, ep, rules}) {
    this.core.setGame(this.record, rules);
    this.write(halves([own, opp, ep]), 0);
    const index = this.find(false);
    return index < 0 ? null : this.bytes[index];
  }

  /** Add the positions that one move leads to from the position at `index`. */
  expand(index) {
    const {record, words, core} = this;
    core.setGame(record, this.rules);
    this.write(words, WORDS * index);
    for (const move of record.array('moves').slice(0, core.functions.core_moves(record.address))) {
      this.write(words, WORDS * index);
      core.functions.core_make(BigInt(move), record.address);
      this.find(true);
    }
  }

  /** Set the record to a position. */
  write(words, from) {
    for (let word = 0; word < WORDS; word++) this.memory[this.places[word]] = words[from + word];
  }

  /** The index of the record's position or of its mirror image. If neither is in the table, -1, and the position is added if `adding`. */
  find(adding) {
    const {image, words, slots, mask} = this;
    this.canonical();
    let hash = 0;
    for (let word = 0; word < WORDS; word++) hash = Math.imul(hash ^ image[word], 0x9E3779B1) ^ hash >>> 15;
    let slot = (hash ^ hash >>> 16) & mask;
    for (; slots[slot] >= 0; slot = slot + 1 & mask) {
      const at = WORDS * slots[slot];
      let word = 0;
      while (word < WORDS && words[at + word] === image[word]) word++;
      if (word === WORDS) return slots[slot];
    }
    if (!adding || this.count === this.bytes.length) return -1;
    words.set(image, WORDS * this.count);
    slots[slot] = this.count++;
    return -1;
  }

  /** Put the record's position or its mirror image, whichever is smaller, into `image`. */
  canonical() {
    const {image, places, memory, rules} = this;
    for (let word = 0; word < WORDS; word++) image[word] = mirroredHalf(memory[places[word]], rules.files);
    let word = 0;
    while (word < WORDS && image[word ^ 1] === memory[places[word ^ 1]]) word++;    // the upper half of a bitboard decides
    if (word < WORDS && image[word ^ 1] < memory[places[word ^ 1]]) return;
    for (word = 0; word < WORDS; word++) image[word] = memory[places[word]];
  }
}

/** The words of bitboards. */
const halves = sets => sets.flatMap(set => [Number(set & 0xFFFFFFFFn), Number(set >> 32n)]);

/** Four rows of a bitboard with left and right exchanged. */
function mirroredHalf(word, files) {
  word = word >>> 1 & 0x55555555 | (word & 0x55555555) << 1;
  word = word >>> 2 & 0x33333333 | (word & 0x33333333) << 2;
  word = word >>> 4 & 0x0F0F0F0F | (word & 0x0F0F0F0F) << 4;
  return word >>> 8 - files;
}
