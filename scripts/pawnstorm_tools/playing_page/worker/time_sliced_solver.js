// The solver beside the search: engine/pawnstorm/proof/time_sliced_solver.py. Nanoseconds there, milliseconds here.

const Beside = numbers.beside;
const NANOSECONDS = 1e6;

class TimeSlicedSolver {
  constructor(prover, core, position, moves, headStart, bookLeaf) {
    const diagonals = core.at(position).get('quiet_diagonals') !== 0n;
    Object.assign(this, {
      prover, position, headStart, bookLeaf, share: diagonals ? Beside.SHARE_DIAGONAL : Beside.SHARE_STRAIGHT,
      ramp: (diagonals ? Beside.RAMP_DIAGONAL : Beside.RAMP_STRAIGHT) / NANOSECONDS,
      children: new Map(moves.map(move => [move, core.push(position, move)])), spent: 0, last: 1, started: performance.now(),
      slices: 0, proof: prover.known(position), losing: new Set(), nodes: 0, reported: false});
  }

  /** Spend the solver's share of the time so far. stopped(): called between slices; it may let the worker read messages. */
  async work(best, stopped) {
    if (this.headStart && !this.slices && !this.proof.value) {
      this.firstSlice();
      this.spent += performance.now() - this.started;
    }
    while (!this.proof.value && !await stopped()) {
      const now = performance.now();
      const passed = now - this.started;
      const due = Math.max(this.headStart, this.share * passed * passed / (passed + this.ramp));
      if (this.spent + this.last > due) break;
      this.slice(best);
      this.last = performance.now() - now;
      this.spent += this.last;
    }
  }

  firstSlice() {
    this.slices++;
    const first = Math.max(Beside.FIRST_SLICE, this.bookLeaf);
    for (let left = first; left > 0 && !this.proof.value; left -= Beside.FIRST_STEP) {
      if (left < first && this.proof.phi > Math.max(left, this.bookLeaf)) break;
      this.prove(this.position, Beside.FIRST_STEP);
    }
  }

  slice(best) {
    this.slices++;
    const answer = this.slices % Beside.REPLY_INTERVAL === 0 && !this.losing.has(best);
    this.prove(answer ? this.children.get(best) : this.position, Beside.SLICE);
  }

  prove(position, nodes) {
    this.prover.prove(position, nodes);
    this.nodes += this.prover.nodes;
    this.proof = this.prover.known(this.position);
    if (this.proof.value) return;
    for (const [move, child] of this.children) if (this.prover.known(child).value > 0) this.losing.add(move);
  }
}
