// The neural networks of a game, as engine/pawnstorm/evaluation/networks.py reads them.

/** The bytes that the core reads, from those of a file. files: of the game's board; outputs: of the network. */
function networkRows(stored, files, outputs) {
  const {HIDDEN_WIDTH, INPUTS, OUTPUT_BUCKETS, OUTPUT_ROW, PAWN_KINDS} = numbers.state;
  const half = HIDDEN_WIDTH / 2, kind = 64 * half, colour = PAWN_KINDS * kind;
  const rows = OUTPUT_ROW + 2 * OUTPUT_BUCKETS * outputs, count = stored.length / 2;
  const values = new Int16Array(count);
  for (let place = 0; place < count; place++) values[place] = stored[place] | stored[count + place] << 8;
  for (const first of [0, colour]) {
    for (let number = 1; number < PAWN_KINDS; number++) {
      const [to, from] = [number, number - (1 << 31 - Math.clz32(number))].map(one => first + one * kind);
      for (let place = 0; place < kind; place++) values[to + place] += values[from + place];
    }
  }
  const found = new Int16Array(count + rows * half);
  for (let row = 0; row < rows; row++) {
    // Protected from the left means protected from the right on a mirrored board.
    const sides = row & ~192 | row << 1 & 128 | row >> 1 & 64;
    const mirrored = row < INPUTS ? Math.max(0, (sides ^ 7) - 8 + files) : row; // below 0 only for squares beside the board
    [row, mirrored].forEach((from, which) => {
      found.set(values.subarray(from * half, (from + 1) * half), (2 * row + which) * half);
    });
  }
  found.set(values.subarray(rows * half), 2 * rows * half);
  return new Uint8Array(found.buffer);
}
