// The solver, as engine/pawnstorm/proof/prover.py drives it, in this one thread.

const {COARSE, COARSE_SHIFT, CODE_MASK, NO_LIMIT} = numbers.state;
const UNPROVEN = {value: 0, plies: null, move: null, phi: null, delta: null};

/** The phi or delta that a code in a word stands for. */
const decoded = code => code < COARSE ? code : COARSE + (code - COARSE) * 2 ** COARSE_SHIFT;

/** The proof that a word of the solver's table holds. */
function proofOf(word) {
  if (!word) return UNPROVEN;
  const [phi, delta] = [Number(word >> 40n), Number(word >> 16n & BigInt(CODE_MASK))];
  if (phi && delta) return {...UNPROVEN, phi: decoded(phi), delta: decoded(delta)};
  const number = phi || delta;
  return {value: phi ? -1 : 1, plies: number & 0xFF, move: number >> 8 & 0xFFF || null, phi: null, delta: null};
}

class Prover {
  /** table: a Table of its own. */
  constructor(core, table) {
    Object.assign(this, {core, table, state: core.record(), query: core.record(), rules: null, nodes: 0});
  }

  /** The proof of a position, found by expanding at most about `nodes` positions. */
  prove(position, nodes) {
    const proof = this.solve(this.state, position, nodes);
    this.nodes = this.state.nodes;
    return proof.value ? proof : this.known(position);
  }

  /** What is known of a position, statically or from the table. */
  known(position) {
    return this.solve(this.query, position, 0);
  }

  /** The moves of a proven position to the end of the game, or until the table has no more. */
  line(position) {
    if (!this.known(position).value) return [];
    this.set(this.query, position, 0);
    return this.query.line(this.core.functions.core_line(this.query.address, this.table.address));
  }

  solve(record, position, nodes) {
    this.set(record, position, nodes);
    return proofOf(BigInt.asUintN(64, this.core.functions.core_solve(record.address, this.table.address)));
  }

  set(record, position, nodes) {
    if (position.rules !== this.rules) {
      if (this.rules) this.table.clear();
      this.rules = position.rules;
    }
    if (record.rules !== position.rules) {
      this.core.setGame(record, position.rules);
      const network = BigInt(this.core.networks[position.rules.solver] ?? 0);
      record.set(network ? {network, solver_network: network} : {solver_network: network});
    }
    record.place(position);
    record.set({buckets: BigInt(this.table.buckets), nodes: 0n, stop: 0, ply_limit: NO_LIMIT, thread_count: 1, thread_number: 1});
    record.limit(nodes);
  }
}
