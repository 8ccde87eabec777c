// What the engine keeps from one search to the next (engine/pawnstorm/search/memory.py, engine/pawnstorm/core/hashtable.py).

const BUCKET = numbers.hashtable.BUCKET_BYTES;
const SYSTEM_PAGE = 4096;    // the tables of an engine on this size of pages have as many buckets
const {SEARCH_SHARE} = numbers.memory;

/** Bytes of a table that has a share of so many MiB. */
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
  /** share: of the tables, the search's; the rest is the solver's. */
  constructor(core, mebibytes, share) {
    this.core = core;
    this.table = new Table(core, tableBytes(mebibytes, share));
    this.prover = new Prover(core, new Table(core, tableBytes(mebibytes, 1 - share)));
    this.state = core.record();
    this.forget();
  }

  /** A new game: nothing is known any more. */
  newGame() {
    this.table.clear();
    this.prover.table.clear();
    new Uint8Array(this.core.memory.buffer, this.state.address, numbers.layout.size).fill(0);
    this.state.rules = null;
    this.forget();
  }

  forget() {
    Object.assign(this, {generation: 0, proven: false, provenWin: new ProvenWin(this.core)});
  }
}
