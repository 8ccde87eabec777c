// A position and its side to move, as the engine's Board has it: bitboards seen by the side to move, which moves up the board.
// A move is from | to << 6, seen by the mover.

class Position {
  /** rules: a row of numbers.games; own, opp, ep: BigInt; black: whether Black is to move. Immutable by custom. */
  constructor(rules, own, opp, ep, black, halfmove = 0, fullmove = 1) {
    Object.assign(this, {rules, own, opp, ep, black, halfmove, fullmove});
  }

  same(other) {
    return this.own === other.own && this.opp === other.opp && this.ep === other.ep;
  }

  /** [own, opp, ep] of this position and its mirror image, the lesser first: equal for both. */
  canonical() {
    const images = [[this.own, this.opp, this.ep], [this.own, this.opp, this.ep].map(word => mirrored(word, this.rules))];
    const [one, two] = images;
    const place = one.findIndex((word, index) => word !== two[index]);
    return place >= 0 && two[place] < one[place] ? two : one;
  }
}

const ODD = 0x5555555555555555n;
const PAIRS = 0x3333333333333333n;
const NIBBLES = 0x0F0F0F0F0F0F0F0Fn;

/** A bitboard with left and right exchanged. */
function mirrored(word, rules) {
  word = (word >> 1n & ODD) | (word & ODD) << 1n;
  word = (word >> 2n & PAIRS) | (word & PAIRS) << 2n;
  word = (word >> 4n & NIBBLES) | (word & NIBBLES) << 4n;
  return word >> BigInt(8 - rules.files);
}

/** How many squares a bitboard has. */
const countBits = set => set.toString(2).replaceAll('0', '').length;

/** A bitboard seen from the other side of the board. */
function turned(word, rules) {
  let found = 0n;
  for (let rank = 0; rank < rules.ranks; rank++) found = found << 8n | word >> BigInt(8 * rank) & 0xFFn;
  return found;
}

/** Moves to the end of the game that a score proves, negative if the side to move loses; null for a score that proves nothing. */
function mateIn(score) {
  const {WIN, MIN_WIN_SCORE} = numbers.state;
  if (Math.abs(score) <= MIN_WIN_SCORE) return null;
  return score > 0 ? Math.floor((WIN - score + 1) / 2) : -Math.floor((WIN + score) / 2);
}
