// What is known of positions, what follows from it for moves, and the order of moves by it.

class Knowledge {
  /** core: for the rules. */
  constructor(core) {
    Object.assign(this, {core, facts: new Map()});
  }

  /** {value, plies, how} of a position: value 1 or -1, seen by its side to move; plies to the end of the game at the latest, null if unknown. */
  of(position) {
    return this.facts.get(keyOf(position));
  }

  /** Learn a fact; of two bounds the tighter one stays. */
  learn(position, {value, plies, how}) {
    const known = this.of(position);
    if (!known || bound(plies) < bound(known.plies)) this.facts.set(keyOf(position), {value, plies, how});
  }

  /** Learn the facts that a worker tells of a position and its moves (worker/explorer.js), and what follows from them. */
  take(position, facts) {
    for (const fact of facts) this.learn(fact.move === null ? position : this.core.push(position, fact.move), fact);
    const marks = this.marks(position).sort(byKnowledge);
    const [{value, plies, how}] = marks;
    // The last one resists longest, if the bounds of all are known.
    if (value > 0) this.learn(position, {value, plies, how});
    else if (value < 0) this.learn(position, {value, plies: marks.every(mark => mark.plies) ? plies : null, how});
  }

  /** [{move, value, plies, how}] of the legal moves: value 1 wins, -1 loses, 0 open, for the side that makes it. */
  marks(position) {
    const own = this.of(position);
    return this.core.moves(position).map(move => {
      const after = this.core.push(position, move);
      if (this.core.over(after)) return {move, value: 1, plies: 1, how: 'board'};
      const fact = this.of(after);
      if (fact) return {move, value: -fact.value, plies: fact.plies === null ? null : fact.plies + 1, how: fact.how};
      return own?.value < 0 ? {...own, move} : {move, value: 0, plies: null, how: null};
    });
  }
}

const keyOf = position => [position.rules.name, ...position.canonical()].join();
const bound = plies => plies ?? Infinity;

/** The order of two marks: wins, the quickest first; open ones; losses, the longest first. Among equals the proof's line first, then by score. */
function byKnowledge(one, two) {
  if (one.value !== two.value) return two.value - one.value;
  const [first, second] = one.value > 0 ? [bound(one.plies), bound(two.plies)] : [two.plies ?? 0, one.plies ?? 0];
  if (first !== second) return first < second ? -1 : 1;
  return Number(two.proven ?? 0) - Number(one.proven ?? 0) || (two.score ?? -Infinity) - (one.score ?? -Infinity) || 0;
}

/**
 * Marks in their order, each with {score, line} where a line begins with its move. lines: the search's, [[score, line]]; proven: the
 * proof's line, which stands above these. A score that proves who wins counts for the order of moves that are open.
 */
function ranked(marks, lines, proven = []) {
  const found = new Map(lines.map(([score, line]) => [line[0], {score, line}]));
  if (proven.length) found.set(proven[0], {...found.get(proven[0]), line: proven, proven: true});
  const rank = ({value, score = 0}) => value || (mateIn(score) === null ? 0 : Math.sign(score));
  return marks.map(mark => ({...mark, ...found.get(mark.move)})).sort((one, two) => rank(two) - rank(one) || byKnowledge(one, two));
}

/**
 * The moves that do not lose, where the search has a line for a losing move and none for one of these: it should look at them instead.
 * null where it need not.
 */
function worthSearching(marks) {
  const alive = marks.filter(({value}) => value >= 0);
  const searched = ({score}) => score !== undefined;
  return alive.every(searched) || !marks.some(mark => mark.value < 0 && searched(mark)) ? null : alive.map(({move}) => move);
}

/** The first `count` of ranked marks that have a line, or are known to win. */
const rankedLines = (marks, count) => marks.filter(({line, value}) => line || value > 0).slice(0, count);

/** Those of some ranked marks that deserve an arrow: losing moves only where all moves lose. */
const advised = (chosen, all) => chosen.filter(({value}) => value >= 0 || all.every(mark => mark.value < 0));
