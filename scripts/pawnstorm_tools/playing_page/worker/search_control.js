// One search from go to its best move: its limits and clock, what stops it, and its reports
// (engine/pawnstorm/search/search_control.py).

const {FIRST_ITERATION_NODES} = numbers.searchControl;
const SLICE = 60;    // milliseconds of search between two looks at the clock and at the messages
const LISTEN = 30;   // milliseconds of the solver's work between two such looks

class SearchControl {
  /**
   * engine: the Engine; limits: {depth, nodes, movetime, clock: [time, increment], infinite, searchmoves}, all optional.
   *
   * A search whose only limits are nodes or depth runs without a pause, so that it finds the same as the executable.
   */
  constructor(engine, position, limits, settings, onInfo) {
    const {core, memory} = engine;
    Object.assign(this, {core, memory, position, limits, settings, onInfo});
    this.budget = this.budgeted();
    const hard = this.budget?.[1] ?? Infinity;
    this.nodeBudget = hard <= Time.LATENCY && limits.movetime === undefined ? Time.NODES_PER_MS * hard : 0;
    this.timeManager = new TimeManager();
    this.sliced = Boolean(this.budget || limits.infinite) && !limits.nodes;
    Object.assign(this, {solver: null, knownWin: [null, []], stopping: false, stoppable: false, stopped: false, limit: UNLIMITED});
    this.speed = Time.NODES_PER_MS;
    this.startClock();
  }

  startClock() {
    this.started = this.heard = performance.now();
  }

  budgeted() {
    const {limits, settings} = this;
    if (limits.infinite) return null;
    if (limits.movetime !== undefined) return fixedBudget(limits.movetime, settings.overhead);
    if (limits.clock) return clockBudget(...limits.clock, settings.overhead, movesAhead(this.position, this.core));
    return null;
  }

  /** Whether one best move is wanted, with no limit but time. Only then book and solver take part. */
  get unrestricted() {
    const {limits, settings} = this;
    return !(settings.multipv > 1 || limits.depth || limits.nodes || limits.searchmoves?.length);
  }

  get elapsed() {
    return Math.floor(performance.now() - this.started);
  }

  get nodes() {
    return this.memory.state.nodes + (this.solver?.nodes ?? 0);
  }

  prepare(moves) {
    const {memory, position, core} = this;
    const {state} = memory;
    memory.generation = memory.generation + 1 & 63;
    core.setGame(state, position.rules);
    state.place(position);
    state.set({
      buckets: BigInt(memory.table.buckets), generation: memory.generation, stop: 0, nodes: 0n, seldepth: 0, full_width: 0,
      root_first: 0, root_count: moves.length});
    state.array('moves').set(moves);
  }

  /** From here on the search may be cut short. nodes: 0 for any number. */
  allowStop(nodes) {
    this.stoppable = true;
    this.limit = Math.min(nodes || UNLIMITED, this.nodeBudget || UNLIMITED);
  }

  /** Whether the search must end; lets the worker read messages first if it has not for a while. */
  async halted() {
    if (this.sliced && performance.now() - this.heard >= LISTEN) await this.listen();
    if (this.budget && this.elapsed >= this.budget[1]) this.stopping = true;
    return this.stopping;
  }

  async listen() {
    await breathe();
    this.heard = performance.now();
  }

  /**
   * One iteration of the core, in slices. Returns [score, line].
   *
   * After each slice the worker reads its messages and begins the iteration again; the table has what it has found so far.
   * Sets `stopped` if the iteration was cut short. Then `line` begins with a better move than the first one, or is [].
   */
  async search(depth, alpha, beta) {
    const {state} = this.memory;
    let better = [0, []];
    for (;;) {
      const [before, begun] = [state.nodes, performance.now()];
      state.set({stop: 0});
      state.limit(Math.min(this.limit, this.sliced && this.stoppable ? before + this.slice() : UNLIMITED));
      const score = this.core.functions.core_search(depth, alpha, beta, state.address, this.memory.table.address);
      if (!state.get('stop')) return [score, state.line()];
      const line = state.line();
      if (line.length && state.get('root_score') > alpha) better = [state.get('root_score'), line];
      const taken = performance.now() - begun;
      if (taken > 5) this.speed = (state.nodes - before) / taken;
      if (this.sliced) await this.listen();
      if (await this.halted() || state.nodes >= this.limit) {
        this.stopped = true;
        return better;
      }
    }
  }

  /** How many nodes to search before the next look at the clock, so that the hard limit is not passed. */
  slice() {
    const left = this.budget ? this.budget[1] - this.elapsed : Infinity;
    return Math.max(1000, this.speed * Math.min(SLICE, left > 4 ? .8 * left : left));
  }

  stop() {
    this.stopping = true;
  }

  // Reports.

  /** Report [[score, line]], best first. A proven line is continued to the end of the game. */
  report(depth, lines) {
    if (this.solver?.proof.value < 0 && lines[0][0] > -MIN_WIN_SCORE) {
      const best = lines[0][1][0];
      const rest = this.memory.prover.line(this.core.push(this.position, best));
      lines = [[this.solver.proof.plies - WIN, [best, ...rest]]];
    }
    this.tell(depth, lines.map(([score, line]) =>
      [score, Math.abs(score) > MIN_WIN_SCORE ? completed(this.core, this.position, line, WIN - Math.abs(score)) : line]));
  }

  tell(depth, lines) {
    const seldepth = Math.max(depth, this.memory.state.get('seldepth'));
    this.onInfo({depth, seldepth, nodes: this.nodes, milliseconds: this.elapsed, lines});
  }
}
