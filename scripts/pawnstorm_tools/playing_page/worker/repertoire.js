// The opening book of a game, as engine/pawnstorm/openings/repertoire.py reads it.

const {MOVE, ENTRY} = numbers.repertoire;

class Repertoire extends PositionTable {
  constructor(core, bytes) {
    super(core, bytes, ENTRY);
  }

  /** [{move, weight, score}] of a position, the best first; [] if the book has none. */
  choices(position) {
    const legal = this.core.moves(position);
    const symmetric = [position.own, position.opp, position.ep].every(word => mirrored(word, position.rules) === word);
    const found = new Map();
    for (const entry of this.entries(position)) {
      const [move, weight, score] = [seenFrom(position, entry & MOVE), entry >> 12 & 15, entry >> 16];
      for (const image of symmetric ? [move, mirroredMove(move, position.rules)] : [move]) {
        if (!legal.includes(image) || !weight) continue;
        found.set(image, {move: image, weight, score: bounded(score)});
      }
    }
    return [...found.values()].sort((one, other) => other.score - one.score);
  }

  /** {line, score} of a random choice of a position, with probabilities in proportion to the weights; the line continues with the
   *  book's best moves. null if there are no choices.
   */
  pick(position) {
    const choices = this.choices(position);
    if (!choices.length) return null;
    let left = Math.random() * choices.reduce((sum, choice) => sum + choice.weight, 0);
    const {move, score} = choices.find(choice => (left -= choice.weight) < 0) ?? choices[0];
    const line = [move];
    position = this.core.push(position, move);
    for (let [best] = this.choices(position); best; [best] = this.choices(position)) {
      line.push(best.move);
      position = this.core.push(position, best.move);
    }
    return {line, score};
  }
}
