// The engine's core, as WebAssembly: its memory, its functions, and the records that they work on (engine/pawnstorm/core/state.py).
// It also unpacks the binary parts of the page; the core is one of them.

const PAGE = 65536;
const ALIGNMENT = 64;
const UNLIMITED = Infinity;
const ALL_ONES = (1n << 64n) - 1n;

/** A fault with which the page cannot be used, such as a damaged part. The message is for people: it names the fault and the remedy. */
class Unusable extends Error {}

/** The names of the texts about damaged parts, by the part's name or its last component. */
const DAMAGED = {core: 'damaged-core', records: 'damaged-records', network: 'damaged-network', ntuple: 'damaged-network', solver: 'damaged-network',
  book: 'damaged-book', opening: 'damaged-opening'};

/** The bytes of a part of the page, compressed with a checksum by zlib, and in base64. Throws Unusable. */
async function unpacked(name, part) {
  try {
    const letters = atob(part.trim());
    const packed = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place++) packed[place] = letters.charCodeAt(place);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    const kind = name.split('.').at(-1);
    throw new Unusable(text(DAMAGED[kind] ?? 'damaged-part', {name}));
  }
}

/** One record: numbers by the names of its fields, 64-bit ones as BigInt; arrays by array(name). */
class Record {
  constructor(core, address) {
    Object.assign(this, {core, address, view: new DataView(core.memory.buffer, address, numbers.layout.size)});
  }

  get(name) {
    const [offset, code] = numbers.layout.fields[name];
    return READ[code].call(this.view, offset, true);
  }

  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const [offset, code] = numbers.layout.fields[name];
      WRITE[code].call(this.view, offset, value, true);
    }
  }

  /** The numbers of an array field, in place. */
  array(name) {
    const [offset, code, length] = numbers.layout.fields[name];
    return new ARRAYS[code](this.core.memory.buffer, this.address + offset, length);
  }

  /** Set how many nodes a search may visit. */
  limit(nodes) {
    this.set({node_limit: nodes === UNLIMITED ? ALL_ONES : BigInt(Math.max(0, Math.floor(nodes)))});
  }

  get nodes() {
    return Number(this.get('nodes'));
  }

  /** The line that the core has left in the record. */
  line(length = this.array('pv_length')[0]) {
    return [...this.array('pv').subarray(0, length)];
  }

  place({own, opp, ep, black}) {
    this.set({own, opp, ep, side: Number(black)});
  }
}

const {getInt16, getInt32, getUint16, getBigUint64, getBigInt64} = DataView.prototype;
const {setInt16, setInt32, setUint16, setBigUint64, setBigInt64} = DataView.prototype;
const READ = {i2: getInt16, i4: getInt32, u2: getUint16, u8: getBigUint64, i8: getBigInt64};
const WRITE = {i2: setInt16, i4: setInt32, u2: setUint16, u8: setBigUint64, i8: setBigInt64};
const ARRAYS = {i2: Int16Array, i4: Int32Array, u2: Uint16Array, u8: BigUint64Array, i8: BigInt64Array};

/** The module of a core. Throws Unusable. */
async function compiled(code) {
  if (!WebAssembly.validate(code)) throw new Unusable(text('too-old'));
  return WebAssembly.compile(code).catch(error => { throw new Unusable(text('code-refused', {reason: error.message})); });
}

class Core {
  /** The core with memory for its records and `extra` bytes of tables. parts: {name: text}. Throws Unusable, RangeError. */
  static async make(parts, extra = 0) {
    const core = new Core();
    const [code, records] = await Promise.all(['core', 'records'].map(name => unpacked(name, parts[name])));
    const module = await compiled(code);
    // The core says how much it needs for its stack and constants only once it runs.
    const bytes = numbers.stack + 4 * numbers.layout.size + extra + 4 * PAGE;
    core.memory = new WebAssembly.Memory({initial: Math.ceil(bytes / PAGE)});
    core.functions = (await WebAssembly.instantiate(module, {env: {memory: core.memory}})).exports;
    core.free = core.functions.__heap_base.value;
    core.blocks = records;
    core.networks = {};
    core.scratch = core.record();
    return core;
  }

  /** The address of new memory of this size, all zeros. It is never freed: a core that needs other tables is made anew. */
  allocate(bytes) {
    const address = Math.ceil(this.free / ALIGNMENT) * ALIGNMENT;
    this.free = address + bytes;
    if (this.free > this.memory.buffer.byteLength) throw new RangeError('the memory of the core is used up');
    return address;
  }

  record() {
    return new Record(this, this.allocate(numbers.layout.size));
  }

  /** Keep a network, which evaluates its game from now on, or which the solver uses. name: as in numbers.games. */
  keepNetwork(name, bytes) {
    const address = this.allocate(bytes.length);
    new Uint8Array(this.memory.buffer).set(bytes, address);
    this.networks[name] = address;
  }

  /** Set a record to a game: its rules and its evaluation. */
  setGame(record, rules) {
    if (record.rules === rules) return;
    record.rules = rules;
    let at = numbers.games.indexOf(rules) * numbers.block;
    const bytes = new Uint8Array(this.memory.buffer);
    for (const [name, length] of numbers.blocks) {
      bytes.set(this.blocks.subarray(at, at + length), record.address + numbers.layout.fields[name][0]);
      at += length;
    }
    for (const kind of numbers.networkKinds) {
      record.set({[kind]: BigInt(rules.network?.endsWith(`.${kind}`) && this.networks[rules.network] || 0)});
    }
  }

  /** The scratch record, set to a position. */
  at(position) {
    this.setGame(this.scratch, position.rules);
    this.scratch.place(position);
    return this.scratch;
  }

  moves(position) {
    const record = this.at(position);
    return [...record.array('moves').subarray(0, this.functions.core_moves(record.address))];
  }

  push(position, move) {
    const record = this.at(position);
    this.functions.core_make(BigInt(move), record.address);
    const {black, rules, fullmove} = position;
    return new Position(rules, record.get('own'), record.get('opp'), record.get('ep'), !black, 0, fullmove + Number(black));
  }

  /** Whether the game is finished; then the side to move has lost. */
  over(position) {
    return !this.functions.core_moves(this.at(position).address);
  }

  perft(position, depth) {
    return BigInt.asUintN(64, this.functions.core_perft(depth, this.at(position).address));
  }

  evaluate(position) {
    return this.functions.core_evaluate(this.at(position).address);
  }

  race(position) {
    return this.functions.core_race(this.at(position).address);
  }
}
