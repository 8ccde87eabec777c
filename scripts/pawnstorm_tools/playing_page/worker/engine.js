// The engine of the page (engine/pawnstorm/search/engine.py): searches a position within limits, reports, and gives the best move.

class Engine {
  static async make(parts, mebibytes, share = SEARCH_SHARE) {
    const engine = new Engine();
    const files = new Map(numbers.games.flatMap(game => [[game.network, game.files], [game.solver, game.files]]));
    const kept = Object.keys(parts).filter(name => files.has(name));
    const networks = await Promise.all(kept.map(async name => {
      const bytes = await unpacked(name, parts[name]);
      const outputs = {network: 1, solver: numbers.state.SOLVER_OUTPUTS}[name.split('.').at(-1)];
      return [name, outputs ? networkRows(bytes, files.get(name), outputs) : bytes];
    }));
    const bytes = networks.reduce((sum, [, network]) => sum + network.length + ALIGNMENT, 0);
    engine.core = await Core.make(parts, bytes + mebibytes * 1048576);
    for (const [name, network] of networks) engine.core.keepNetwork(name, network);
    engine.memory = new Memory(engine.core, mebibytes, share);
    Object.assign(engine, {control: null, parts, books: {}, openings: {}, repertoires: {}, games: 0});
    return engine;
  }

  newGame() {
    this.memory.newGame();
    this.games++;
  }

  /** The Book or LineBook of a game, or null if it has none. Throws Unusable, RangeError. */
  async book(rules) {
    if (!rules.book) return null;
    this.books[rules.book] ??= await readBook(this.core, this.parts, rules, await unpacked(rules.book, this.parts[rules.book]));
    return this.books[rules.book];
  }

  /** The Opening of a game, or null if it has none. Throws Unusable. */
  async opening(rules) {
    if (!rules.opening) return null;
    this.openings[rules.opening] ??= await Opening.make(this.core, rules, await unpacked(rules.opening, this.parts[rules.opening]));
    return this.openings[rules.opening];
  }

  /** The Repertoire of a game, or null if it has none. Throws Unusable. */
  async repertoire(rules) {
    const name = rules.repertoire;
    if (!name) return null;
    this.repertoires[name] ??= new Repertoire(this.core, await unpacked(name, this.parts[name]));
    return this.repertoires[name];
  }

  /** Search; returns the line to play, [] if the game is over. settings: {multipv, overhead, elo, seed}. */
  async go(position, limits, settings, onInfo) {
    settings = {multipv: 1, overhead: 10, elo: null, seed: this.games, ...settings};
    const control = this.control = new SearchControl(this, position, limits, settings, onInfo);
    const {core, memory} = this;
    const known = await this.known(control);
    if (known) return known;
    const moves = core.moves(position).filter(move => !limits.searchmoves?.length || limits.searchmoves.includes(move));
    if (!moves.length) {
      onInfo({depth: 0, seldepth: 0, nodes: 0, milliseconds: control.elapsed, lines: [[-WIN, []]]});
      return [];
    }
    const carriesOn = control.unrestricted && settings.elo === null;
    if (carriesOn) control.knownWin = memory.provenWin.recall(position);
    const lines = settings.elo === null ? await new Deepening(control, moves).run() : await skillSearch(control, moves);
    const [score, line] = lines[0];
    memory.proven = memory.winningBook || Boolean(control.solver?.proof.value);
    if (carriesOn) memory.provenWin.remember(position, score, line);
    return line;
  }

  /** Report and return a line of a solved game's strategy or of the opening book; null if there is none to use. */
  async known(control) {
    const {position, budget, settings} = control;
    if (!budget || !control.unrestricted || settings.elo !== null) return null;
    const tell = (score, line) => {
      control.onInfo({depth: 1, seldepth: line.length, nodes: 0, milliseconds: control.elapsed, lines: [[score, line]]});
      return line;
    };
    const book = await this.book(position.rules);
    control.startClock();  // the first reading of a book may take seconds
    const entry = book?.look(position);
    if (entry) {
      this.memory.proven = true;
      if (entry.value > 0) this.memory.winningBook = true;
      this.memory.bookLeaf = book.leaf;
      return tell(entry.value * (WIN - entry.plies), book.line(position));
    }
    if (this.memory.provenWin.recall(position)[0] !== null) return null;
    const opening = (await this.repertoire(position.rules))?.pick(position);
    return opening ? tell(opening.score, opening.line) : null;
  }

  stop() {
    this.control?.stop();
  }

  /** Prove who wins, until that is known or stop() is called; tell({value, plies, line, nodes}) now and then, and at the end. */
  async prove(position, tell) {
    const {prover} = this.memory;
    const control = this.control = new SearchControl(this, position, {infinite: true}, {overhead: 0, multipv: 1}, tell);
    const known = (await this.book(position.rules))?.look(position);
    let [proof, nodes, told] = [known ?? prover.known(position), 0, 0];
    while (!proof.value && !await control.halted()) {
      proof = prover.prove(position, PROVE_NODES);
      nodes += prover.nodes;
      if (control.elapsed - told >= TELL) {
        told = control.elapsed;
        tell({...proof, line: [], nodes});
      }
    }
    const line = known ? this.books[position.rules.book].line(position) : prover.line(position);
    tell({...proof, line, nodes, ended: true});
  }

  /** Find the results of a position, its moves and the replies, until all are known or stop() is called; tell: as for Explorer. */
  async explore(position, tell) {
    this.control = new SearchControl(this, position, {infinite: true}, {overhead: 0, multipv: 1}, tell);
    await new Explorer(this, this.control, position, tell).run();
  }
}
