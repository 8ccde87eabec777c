// Finds the results of a position and of each of its moves. First it looks at the board, the book and the opening. Then the solver
// works on what is still open, in rounds with growing limits: first on the position, then on its moves.

const FIRST_LIMIT = 1000;     // positions expanded for each open move, in the first round
const LIMIT_GROWTH = 3;
const PROVE_NODES = 10000;    // positions expanded between two checks for messages
const TELL = 500;             // milliseconds between two reports without news

class Explorer {
  /**
   * tell({facts, nodes, line, ended}) gets the reports. facts: [{move, value, plies, how}], what is new since the last report, about
   * the position after a move, or about the position itself if move is null. value: 1 if the side to move there wins, -1 if it loses;
   * plies: an upper bound on the plies to the end of the game, or null; how: 'board', 'book', 'opening' or 'solver'. nodes: positions
   * expanded so far. line: how the winner wins, [] until the winner is known.
   */
  constructor(engine, control, position, tell) {
    const {core} = engine;
    Object.assign(this, {engine, core, control, position, tell, prover: engine.memory.prover, values: new Map(), news: [], nodes: 0});
    Object.assign(this, {children: core.moves(position).map(move => [move, core.push(position, move)]), told: control.elapsed});
  }

  async run() {
    await this.lookUp();
    for (let limit = FIRST_LIMIT; !this.settled && !await this.control.halted(); limit *= LIMIT_GROWTH) {
      const open = this.openMoves();
      await this.prove(null, this.position, limit * open.length);
      for (const [move, child] of open) await this.prove(move, child, limit);
    }
    await this.report(true);
  }

  /** Whether the results of the position and of all its moves are known. */
  get settled() {
    return this.values.size > this.children.length;
  }

  /** Record the results that need no proof. */
  async lookUp() {
    const {engine, position, children, core} = this;
    for (const [move, child] of children) if (core.over(child)) this.learn(move, {value: -1, plies: 0}, 'board');
    for (const how of ['book', 'opening']) {
      const table = await engine[how](position.rules);
      for (const [move, found] of table ? [[null, position], ...children] : []) {
        const entry = table.look(found);
        if (entry) this.learn(move, entry, how);
      }
      if (this.news.length) await this.report();
    }
  }

  /** The open moves, those that need the least effort to prove a win first. */
  openMoves() {
    const open = this.children.filter(([move]) => !this.values.has(move));
    const efforts = new Map(open.map(([move, child]) => [move, this.prover.known(child).delta ?? Infinity]));
    return open.sort(([one], [two]) => efforts.get(one) < efforts.get(two) ? -1 : Number(efforts.get(one) > efforts.get(two)));
  }

  /** Try to prove a position if its result is still open. limit: about how many positions the solver may expand. */
  async prove(move, position, limit) {
    for (let left = limit; left > 0 && !this.values.has(move) && !await this.control.halted(); left -= PROVE_NODES) {
      const proof = this.prover.prove(position, Math.min(left, PROVE_NODES));
      this.nodes += this.prover.nodes;
      if (proof.value) this.learnProof(move, proof);
      if (this.control.elapsed - this.told >= (this.news.length ? BUSY : TELL)) await this.report();
    }
  }

  /** Record a proof, and the results of other moves that it has left in the solver's table. */
  learnProof(move, proof) {
    for (const [one, child] of this.children) {
      const found = this.prover.known(child);
      if (found.value && !this.values.has(one)) this.learn(one, found, 'solver');
    }
    this.learn(move, proof, 'solver');
  }

  /** Record a result and what follows from it. best: the best move, if the source names one. */
  learn(move, {value, plies, move: best}, how) {
    this.values.set(move, value);
    this.news.push({move, value, plies, how});
    const before = plies === null ? null : plies - 1;
    if (move !== null) {
      if (value < 0) this.values.set(null, 1);
      else if (this.children.every(([one]) => this.values.get(one) > 0)) this.values.set(null, -1);
    } else if (value > 0 && best) this.learn(best, {value: -1, plies: before}, how);
    else if (value < 0) {
      for (const [one] of this.children) if (!this.values.has(one)) this.learn(one, {value: 1, plies: before}, how);
    }
  }

  async report(ended = false) {
    const {news: facts, nodes} = this;
    this.news = [];
    this.told = this.control.elapsed;
    this.tell({facts, nodes, line: this.values.has(null) ? await this.line() : [], ended});
  }

  /** The line by which the winner wins, as far as the book and the solver have it. */
  async line() {
    const {engine, position, prover, children, values} = this;
    const line = (await engine.book(position.rules))?.line(position) ?? [];
    if (line.length) return line;
    const winning = children.find(([move, child]) => values.get(move) < 0 && prover.known(child).value < 0);
    return prover.known(position).value || !winning ? prover.line(position) : [winning[0], ...prover.line(winning[1])];
  }
}
