// Weaker play: what a player of a given Elo sees, and how it errs (engine/pawnstorm/strength/levels.py and skill.py, which say why).

const {SURE_ELO, LOWEST, LAPSE, NOISE, REPLY} = numbers.levels;

/** 64 random bits that belong to a game, a position and a question. */
function draw(seed, position, what) {
  let key = BigInt(seed);
  for (const word of [position.own, position.opp, position.ep, BigInt(position.black), BigInt(what)]) {
    key = ((key ^ word) + 0x9E3779B97F4A7C15n) * 0xBF58476D1CE4E5B9n & ALL_ONES;
    key ^= key >> 29n;
  }
  key = key * 0x94D049BB133111EBn & ALL_ONES;
  return key ^ key >> 31n;
}

const chance = (seed, position, what) => Number(draw(seed, position, what)) / 2 ** 64;

/** Centipawns by which a level thinks too well of the move that led to `child`. */
function misjudgement(level, seed, child) {
  const random = draw(seed, child, NOISE);
  const total = [0n, 16n, 32n, 48n].reduce((sum, shift) => sum + Number(random >> shift & 0xFFFFn), 0);
  return Math.round((total / 0xFFFF - 2) * Math.sqrt(3) * level.noise);
}

const pliesToEnd = score => Math.abs(score) > MIN_WIN_SCORE ? WIN - Math.abs(score) : 0;

/** The chance that a lapse overlooks what follows the first move of a line; child: the position after that move. */
function oversightChance(level, child, line, score) {
  const plies = pliesToEnd(score);
  if (plies > 0 && plies <= 2) return .3 * Math.max(0, SURE_ELO - level.elo) / (SURE_ELO - LOWEST);
  if (line.length < 2) return .75;
  const [move, reply] = line;
  const takes = (1n << BigInt(reply >> 6) & (child.opp | child.ep)) !== 0n;
  const near = Math.abs((reply >> 6 & 7) - (move >> 6 & 7)) <= 1;
  return [.75, .5, .25][Number(takes) + Number(near)];
}

const bounded = score => Math.max(-MIN_WIN_SCORE, Math.min(MIN_WIN_SCORE, score));
const judged = (score, error) => pliesToEnd(score) ? score : bounded(score + error);
const unjudged = (score, error) => pliesToEnd(score) ? score : bounded(score - error);

/** The views [score, line] that a level holds of a position's moves. */
class Skill {
  constructor(core, level, seed, position, moves, count) {
    this.children = new Map(moves.map(move => [move, core.push(position, move)]));
    this.errors = new Map([...this.children].map(([move, child]) => [move, misjudgement(level, seed, child)]));
    this.views = new Map([...this.children].map(([move, child]) =>
      [move, [judged(-core.evaluate(child), this.errors.get(move)), [move]]]));
    this.lapse = chance(seed, position, LAPSE) < level.lapse;
    this.exact = this.lapse ? moves.length : Math.max(1, count);
    Object.assign(this, {level, seed, position, found: []});
  }

  firstViews() {
    return [...this.views.values()].sort(byScore);
  }

  /** The bound above which the score of a move must be exact. */
  alpha(move) {
    return this.found.length < this.exact ? -WIN : unjudged(this.found[this.exact - 1][0], this.errors.get(move));
  }

  /** Record what the search has found about a move; the level may overlook it. */
  update(move, score, line) {
    if (this.sees(move, score, line)) this.views.set(move, [judged(score, this.errors.get(move)), line]);
    this.found.push(this.views.get(move));
    this.found.sort(byScore);
  }

  sees(move, score, line) {
    if (pliesToEnd(score) > Math.max(2, this.level.sight)) return false;
    if (!this.lapse) return true;
    const reply = line.length > 1 ? line[1] : 0;
    return chance(this.seed, this.position, REPLY + reply) >= oversightChance(this.level, this.children.get(move), line, score);
  }
}

const byScore = ([one], [two]) => two - one;

/** The search of a weaker player (engine/pawnstorm/strength/skill.py): [[score, line]] as it sees them, best first. */
async function skillSearch(control, moves) {
  const {limits, settings, memory, core} = control;
  control.prepare(moves);
  const {state} = memory;
  const level = numbers.levels.rows[control.position.rules.learned][settings.elo];
  const skill = new Skill(core, level, settings.seed, control.position, moves, settings.multipv);
  let [lines, reached] = [skill.firstViews(), 1];
  control.limit = FIRST_ITERATION_NODES;
  for (let depth = 1; depth <= Math.min(limits.depth || MAX_DEPTH, MAX_DEPTH); depth++) {
    if (depth === 2) {
      control.allowStop(limits.nodes);
      control.limit = Math.min(control.limit, skill.level.nodes);
    }
    skill.found = [];
    for (const [index, [, [move]]] of lines.entries()) {
      state.set({root_first: index, root_count: index + 1});
      state.array('moves')[index] = move;
      const alpha = skill.alpha(move);
      const beta = alpha === -WIN ? WIN : alpha + 1;
      let [score, line] = await control.search(depth, alpha, beta);
      if (!control.stopped && score > alpha && beta < WIN) [score, line] = await control.search(depth, alpha, WIN);
      if (control.stopped) break;
      skill.update(move, score, line);
    }
    if (control.stopped) break;
    [lines, reached] = [skill.found, depth];
    if (await control.halted() || state.nodes >= control.limit || control.budget && control.elapsed >= control.budget[0]) break;
  }
  control.report(reached, lines.slice(0, Math.max(1, settings.multipv)));
  return lines;
}
