// How long a move may take: engine/pawnstorm/search/time_budget.py, whose docstrings say why. Whole milliseconds.

const Time = numbers.timeBudget;
const div = (one, two) => Math.floor(one / two);

/** Own moves still to come that are expected to need thought. */
function movesAhead(position, core) {
  const record = core.at(position);
  const [pieces, army, squares] = [countBits(position.own | position.opp), 2 * position.rules.army, countBits(record.get('board'))];
  const excess = Math.max(0, 2 * Math.min(pieces, army) - army);
  const diagonals = record.get('quiet_diagonals') !== 0n;
  return Time.MIN_MOVES_AHEAD + (diagonals ? div(Time.EXTRA_MOVES_AHEAD * squares * excess * excess, 64 * army * army) : 0);
}

/** [soft, hard] on a clock. */
function clockBudget(time, increment, overhead, ahead) {
  if (time <= 0) return [1, 1];
  increment = Math.max(0, increment);
  overhead = Math.max(overhead, Time.LATENCY);
  const usable = Math.max(1, time - overhead);
  const later = Math.max(0, Time.OVERHEAD_MOVES - ahead);
  const pool = Math.max(1, time + (ahead - 1) * increment - ahead * overhead - later * Math.max(0, overhead - increment));
  const share = div(pool, ahead);
  const hard = Math.max(1, Math.min(share * 4, Math.max(div(usable, 3), Math.min(share, div(usable * 4, 5)))));
  return [Math.max(1, Math.min(share, hard)), hard];
}

/** [soft, hard] for a fixed time. */
function fixedBudget(movetime, overhead) {
  overhead = Math.max(overhead, Time.LATENCY);
  const hard = movetime > 2 * overhead ? Math.max(1, movetime - overhead) : Math.max(1, div(movetime, 2));
  return [hard, hard];
}

/** Per cent of the soft limit that a position deserves. */
function softScale(stable, drop) {
  return div(Math.max(200 - 25 * stable, 40) * (100 + Math.max(-20, Math.min(100, 2 * drop))), 100);
}

class TimeManager {
  constructor() {
    Object.assign(this, {best: null, stable: 0, scores: [], ends: [0]});
  }

  update(best, score, elapsed) {
    this.stable = best === this.best ? this.stable + 1 : 0;
    this.best = best;
    this.scores.push(score);
    this.ends.push(elapsed);
  }

  shouldStop(soft, left) {
    const deserved = soft * softScale(this.stable, this.scores.length > 2 ? this.scores.at(-3) - this.scores.at(-1) : 0);
    const [now, one, two] = [this.ends.at(-1), this.ends.at(-2), this.ends.at(-3) ?? 0];
    const [last, before] = [now - one, one - two];
    const expected = Math.min(3 * last, Math.max(last, div(last * last, Math.max(1, before))));
    return 100 * (now + div(expected, 2)) >= deserved || expected > left;
  }
}
