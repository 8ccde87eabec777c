// Iterative deepening: engine/pawnstorm/search/deepening.py, for one thread and without `go mate`. That file explains the steps.

const {ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW, ASPIRATION_GROWTH, ASPIRATION_LIMIT} = numbers.parameters;
const {HEAD_START, SEARCHED_FIRST} = numbers.deepening;

class Deepening {
  constructor(control, moves) {
    const {memory, limits, settings} = control;
    Object.assign(this, {
      control, moves, memory, state: memory.state, maxDepth: Math.min(limits.depth || MAX_DEPTH, MAX_DEPTH),
      count: Math.max(1, Math.min(settings.multipv, moves.length)), lines: [], searchedFirst: 0});
  }

  /** Returns [[score, line]], best first. */
  async run() {
    const {control} = this;
    control.prepare(this.moves);
    control.solver = this.newSolver();
    let depth = 1;
    for (; ; depth++) {
      if (depth === 1) control.limit = FIRST_ITERATION_NODES;
      else if (!control.stoppable && !this.searchedFirst) control.allowStop(control.limits.nodes);
      await this.iterate(depth);
      const finished = await this.isFinished(depth);
      if (this.solverIsDue(finished) && await this.isSolved(depth) || finished || depth === this.maxDepth) break;
    }
    this.keepKnownWin(depth);
    return this.lines;
  }

  /** Whether the solver works after this iteration: at least once, even if the time is over. */
  solverIsDue(finished) {
    if (this.searchedFirst && this.state.nodes < this.searchedFirst && !finished) return false;
    const due = this.searchedFirst !== null || !finished;
    this.searchedFirst = null;
    return due;
  }

  async iterate(depth) {
    const {control, state, count} = this;
    let found = [];
    for (let index = 0; index < count; index++) {
      state.set({root_first: index});
      const [score, line] = await this.searchLine(depth, this.lines[index]?.[0] ?? null, index);
      if (control.stopped) {
        if (line.length && (!this.lines.length || index === 0 && line[0] !== this.lines[0][1][0])) found.push([score, line]);
        break;
      }
      found.push([score, line]);
    }
    if (!found.length && !this.lines.length) found = [[control.core.functions.core_evaluate(state.address), this.moves.slice(0, 1)]];
    if (found.length === count || !this.lines.length) {
      this.lines = found.sort(([one], [two]) => two - one);
      const [score, line] = this.lines[0];
      control.timeManager.update(line[0], score, control.elapsed);
      state.array('moves').set(this.lines.map(([, [move]]) => move));
      control.report(depth, this.lines);
    } else if (found.length) {
      const others = this.lines.filter(([, [move]]) => move !== found[0][1][0]);
      this.lines = [found[0], ...others.slice(0, count - 1)];
      control.report(depth, this.lines.slice(0, 1));
    }
  }

  /** [score, line] of the best move from root move `index` on, in an aspiration window that widens until the score lies inside. */
  async searchLine(depth, guess, index) {
    const {control, state} = this;
    let half = ASPIRATION_WINDOW;
    const open = guess === null || depth < ASPIRATION_MIN_DEPTH || Math.abs(guess) > MIN_WIN_SCORE;
    let [alpha, beta] = open ? [-WIN, WIN] : [guess - half, guess + half];
    for (;;) {
      const before = state.array('moves')[index];
      const [score, line] = await control.search(depth, alpha, beta);
      if (control.stopped) return line.length && (guess === null || line[0] !== before) ? [score, line] : [0, []];
      if (alpha < score && score < beta || alpha <= -WIN && beta >= WIN) return [score, line];
      half *= ASPIRATION_GROWTH;
      if (score <= alpha) alpha = half > ASPIRATION_LIMIT ? -WIN : Math.max(-WIN, score - half);
      else beta = half > ASPIRATION_LIMIT ? WIN : Math.min(WIN, score + half);
    }
  }

  // When it is enough.

  async isFinished(depth) {
    const {control} = this;
    if (control.stopped || await control.halted()) return true;
    if (control.limits.nodes && control.nodes >= control.limits.nodes) return true;
    return control.budget !== null && this.shouldStop(depth, this.lines[0][0]);
  }

  shouldStop(depth, score) {
    const {control} = this;
    const mate = mateIn(score);
    if (mate !== null) {
      const [shortest] = control.knownWin;
      if (mate > 0 ? shortest === null || WIN - score <= shortest : depth > WIN + score) return true;
    }
    if (control.limits.movetime !== undefined) return false;
    if (this.moves.length === 1 && depth >= 6) return true;
    let [soft, hard] = control.budget;
    if (score < -MIN_WIN_SCORE) soft = Math.max(1, div(soft, 4));
    return control.timeManager.shouldStop(soft, hard - control.elapsed);
  }

  // What is proven.

  newSolver() {
    const {control} = this;
    if (!control.unrestricted || control.nodeBudget) return null;
    const headStart = this.memory.proven ? HEAD_START / NANOSECONDS * (control.budget?.[0] ?? 1000) : 0;
    this.searchedFirst = headStart && SEARCHED_FIRST;
    return new TimeSlicedSolver(
      this.memory.prover, control.core, control.position, this.moves, headStart, this.memory.bookLeaf);
  }

  async isSolved(depth) {
    const {control, state} = this;
    const {solver} = control;
    if (!solver) return false;
    const best = this.lines[0][1][0];
    await solver.work(best, () => control.halted());
    const {proof} = solver;
    if (proof.value > 0 && this.lines[0][0] < MIN_WIN_SCORE) {
      const line = this.memory.prover.line(control.position);
      this.lines = [[WIN - proof.plies, line.length ? line : [proof.move || best]]];
    }
    if (proof.value && !solver.reported) {
      solver.reported = true;
      control.report(depth, this.lines);
    }
    const left = [...state.array('moves').subarray(0, state.get('root_count'))].filter(move => !solver.losing.has(move));
    if (left.length) {
      state.set({root_count: left.length});
      state.array('moves').set(left);
      if (solver.losing.has(this.lines[0][1][0])) this.lines = [[this.lines[0][0], left.slice(0, 1)]];
    }
    return proof.value > 0;
  }

  /** Report a win that is proven, or known from before, if the lines have none or a longer one. */
  keepKnownWin(depth) {
    const {control} = this;
    let [plies, line] = control.knownWin;
    const proven = !line.length && control.solver?.proof.value > 0;
    if (proven) ({plies} = control.solver.proof);
    if (!line.length && !proven || this.lines[0][0] >= WIN - plies) return;
    if (!line.length) line = this.memory.prover.line(control.position);
    if (!line.length) return;
    this.lines = [[WIN - plies, line]];
    control.report(depth, this.lines);
  }
}
