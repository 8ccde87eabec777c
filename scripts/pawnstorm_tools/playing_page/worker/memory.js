// What the engine keeps from one search to the next (engine/pawnstorm/search/memory.py, engine/pawnstorm/core/hashtable.py).

const BUCKET = numbers.hashtable.BUCKET_BYTES;
const SYSTEM_PAGE = 4096;    // bytes; on a system with such pages the engine's tables have as many buckets
const {SEARCH_SHARE} = numbers.memory;

/** The size in bytes of a table that gets a share (0 to 1) of a memory in MiB. */
const tableBytes = (mebibytes, share) => div(mebibytes * 1048576 * share, SYSTEM_PAGE) * SYSTEM_PAGE;

class Table {
  constructor(core, size) {
    Object.assign(this, {core, size, address: core.allocate(size), buckets: div(size, BUCKET)});
  }

  clear() {
    new Uint8Array(this.core.memory.buffer, this.address, this.size).fill(0);
  }
}

class Memory {
  /** share: the part of the memory that the search's table gets; the solver's table gets the rest. */
  constructor(core, mebibytes, share) {
    this.core = core;
    this.table = new Table(core, tableBytes(mebibytes, share));
    this.prover = new Prover(core, new Table(core, tableBytes(mebibytes, 1 - share)));
    this.state = core.record();
    this.forget();
  }

  /** Forget everything: a new game begins. */
  newGame() {
    this.table.clear();
    this.prover.table.clear();
    new Uint8Array(this.core.memory.buffer, this.state.address, numbers.layout.size).fill(0);
    this.state.rules = null;
    this.forget();
  }

  forget() {
    Object.assign(this, {generation: 0, proven: false, winningBook: false, bookLeaf: 0, provenWin: new ProvenWin(this.core)});
  }
}
