// The known results of positions, the marks that they give to moves, and the order of moves.

const MOST_FACTS = 200_000;    // of some 200 bytes each; hundreds of analysed positions

class Knowledge {
  /** core: for the rules; most: how many results are kept at most. */
  constructor(core, most = MOST_FACTS) {
    Object.assign(this, {core, most, facts: new Map(), families: new WeakMap(), keys: new WeakMap()});
  }

  /**
   * The known result of a position, {value, plies, how}, or undefined. value: 1 if the side to move wins, -1 if it loses; plies: an
   * upper bound on the plies to the end of the game, null if unknown.
   */
  of(position) {
    return this.facts.get(this.key(position));
  }

  /** Keep the result of a position, unless a bound at least as tight is known. If there are too many, the oldest result is forgotten. */
  learn(position, {value, plies, how}) {
    const known = this.of(position);
    if (known && bound(plies) >= bound(known.plies)) return;
    this.facts.set(this.key(position), {value, plies, how});
    if (this.facts.size > this.most) this.facts.delete(this.facts.keys().next().value);
  }

  /** Keep the facts that a worker reports about a position, its moves and the replies (worker/explorer.js), and what follows from them. */
  take(position, facts) {
    for (const fact of facts) this.learn(fact.moves.reduce((before, move) => this.after(before, move), position), fact);
    const marks = this.marks(position).sort(byKnowledge);
    const [{value, plies, how}] = marks;
    // If all moves lose, the first mark has the largest bound, which holds if the bounds of all moves are known.
    if (value > 0) this.learn(position, {value, plies, how});
    else if (value < 0) this.learn(position, {value, plies: marks.every(mark => mark.plies) ? plies : null, how});
  }

  /**
   * The marks of the legal moves, [{move, value, plies, how, replies}]. value: 1 if the move wins, -1 if it loses, 0 if it is open;
   * replies: as replies() has them, null if the move is open or ends the game.
   */
  marks(position) {
    const own = this.of(position);
    return this.family(position).map(({move, position: after, over}) => {
      if (over) return {move, value: 1, plies: 1, how: 'board', replies: null};
      const fact = this.of(after);
      if (!fact && !(own?.value < 0)) return {move, value: 0, plies: null, how: null, replies: null};
      const {value, plies, how} = fact ? {value: -fact.value, plies: fact.plies === null ? null : fact.plies + 1, how: fact.how} : own;
      return {move, value, plies, how, replies: this.replies(after, value)};
    });
  }

  /**
   * How many replies to a move there are, how many of them are known to win, and how many are open: {count, winning, open}.
   * after: the position after the move; value: of the move, 1 or -1. A move that loses has at least one winning reply.
   */
  replies(after, value) {
    const family = this.family(after);
    const count = family.length;
    if (value > 0) return {count, winning: 0, open: 0};
    const values = family.map(({position, over}) => over ? -1 : this.of(position)?.value ?? 0);
    const [winning, open] = [-1, 0].map(wanted => values.filter(found => found === wanted).length);
    if (winning) return {count, winning, open};
    return {count, winning: 1, open: open === 1 ? 0 : open};
  }

  /** The position after a move. */
  after(position, move) {
    return this.family(position).find(found => found.move === move).position;
  }

  /** The legal moves and where they lead, [{move, position, over}]. Each call with the same Position returns the same objects. */
  family(position) {
    return remembered(this.families, position, () => this.core.moves(position).map(move => {
      const after = this.core.push(position, move);
      return {move, position: after, over: this.core.over(after)};
    }));
  }

  /** A text that only a position and its mirror image have. */
  key(position) {
    return remembered(this.keys, position, () => [position.rules.name, ...position.canonical()].join());
  }
}

/** The value of a key in a map; if there is none, make() makes it. */
function remembered(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

const bound = plies => plies ?? Infinity;

/**
 * Compare two marks for sorting: wins with the smallest bound first, then open moves, then losses with the largest bound first. Among
 * equals the move of the proof's line comes first, then the higher score.
 */
function byKnowledge(one, two) {
  if (one.value !== two.value) return two.value - one.value;
  const [first, second] = one.value > 0 ? [bound(one.plies), bound(two.plies)] : [two.plies ?? 0, one.plies ?? 0];
  if (first !== second) return first < second ? -1 : 1;
  return Number(two.proven ?? 0) - Number(one.proven ?? 0) || (two.score ?? -Infinity) - (one.score ?? -Infinity) || 0;
}

/**
 * Sort marks; a mark whose move begins a line also gets {score, line}. lines: the search's lines, [[score, line]]; proven: the proof's
 * line, which replaces the search's line of the same move. Among open moves, those whose score proves a win come first, and those
 * whose score proves a loss come last.
 */
function ranked(marks, lines, proven = []) {
  const found = new Map(lines.map(([score, line]) => [line[0], {score, line}]));
  if (proven.length) found.set(proven[0], {...found.get(proven[0]), line: proven, proven: true});
  const rank = ({value, score = 0}) => value || (mateIn(score) === null ? 0 : Math.sign(score));
  return marks.map(mark => ({...mark, ...found.get(mark.move)})).sort((one, two) => rank(two) - rank(one) || byKnowledge(one, two));
}

/**
 * The moves to which the search should be restricted; null for all. If the search has a line for a losing move, but none for some move
 * that does not lose, these are the moves that do not lose.
 */
function worthSearching(marks) {
  const alive = marks.filter(({value}) => value >= 0);
  const searched = ({score}) => score !== undefined;
  return alive.every(searched) || !marks.some(mark => mark.value < 0 && searched(mark)) ? null : alive.map(({move}) => move);
}

/** The first `count` ranked marks that have a line or are known to win. */
const rankedLines = (marks, count) => marks.filter(({line, value}) => line || value > 0).slice(0, count);

/** The chosen marks that get an arrow: losing moves only if all moves lose. */
const advised = (chosen, all) => chosen.filter(({value}) => value >= 0 || all.every(mark => mark.value < 0));
