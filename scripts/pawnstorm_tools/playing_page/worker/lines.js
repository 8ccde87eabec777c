// Proven scores: what they say, and their lines to the end of the game (engine/pawnstorm/search/limits.py, engine/pawnstorm/proof/pv_completion.py,
// engine/pawnstorm/search/memory.py).

const {WIN, MIN_WIN_SCORE, MAX_DEPTH} = numbers.state;

/** Moves that end the game in exactly `plies` plies, by a race in which only the winner runs; [] if none are found. */
function playOut(core, position, plies, budget, early = false) {
  const winning = plies % 2 === 1;
  const replies = [];
  for (const move of plies > 0 && budget.left > 0 ? core.moves(position) : []) {
    budget.left--;
    const child = core.push(position, move);
    if (core.over(child)) {
      if (plies === 1 || early && winning) return [move];
      continue;
    }
    const bound = winning ? -core.race(child) : core.race(child);
    if (bound > 0 && bound <= plies - 1) replies.push([plies - 1 - bound, move, child]);
  }
  replies.sort(([one], [two]) => one - two);
  for (const [, move, child] of replies) {
    const rest = playOut(core, child, plies - 1, budget, early);
    if (rest.length) return [move, ...rest];
  }
  return [];
}

/** A line that proves a win or a loss within `plies` plies, continued to the end of the game. */
function completed(core, position, line, plies) {
  for (const move of line) position = core.push(position, move);
  const rest = plies - line.length;
  const left = numbers.completion.MAX_POSITIONS;
  const found = playOut(core, position, rest, {left});
  return [...line, ...found.length ? found : playOut(core, position, rest, {left}, true)];
}

/** Carries a proven win, and its line while it is followed, into the next search. */
class ProvenWin {
  constructor(core) {
    Object.assign(this, {core, after: null, plies: 0, line: []});
  }

  remember(position, score, line) {
    if (score > MIN_WIN_SCORE) {
      Object.assign(this, {after: this.core.push(position, line[0]), plies: WIN - score - 1, line: line.slice(1)});
    }
  }

  /** [plies, line], or [null, []]. */
  recall(position) {
    const {after} = this;
    if (!after || position.black === after.black || position.rules !== after.rules) return [null, []];
    for (const move of this.core.moves(after)) {
      if (this.core.push(after, move).same(position)) {
        return [this.plies - 1, this.line[0] === move ? this.line.slice(1) : []];
      }
    }
    return [null, []];
  }
}
