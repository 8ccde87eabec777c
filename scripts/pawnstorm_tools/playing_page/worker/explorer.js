// Finds the results of a position, of each of its moves, and of the replies to the moves that lose: first by the board, the book, the
// opening and the solver's table, then by the solver, in rounds with growing limits.

const FIRST_LIMIT = 1000;     // positions expanded for each open result, in the first round
const LIMIT_GROWTH = 3;
const REPLY_SHARE = 1 / 4;    // effort on open replies, as a share of the effort on open moves in a round
const PROVE_NODES = 10000;    // positions expanded between two checks for messages
const TELL = 500;             // milliseconds between two reports without news
const TELL_NEWS = 100;        // milliseconds between two reports with news; the page draws each of them

class Explorer {
  /**
   * tell({facts, nodes, line, ended, looked}) gets the reports. facts: [{moves, value, plies, how}], what is new since the last report about
   * the position after some moves: [] for the position itself, [move] for the position after a move, [move, reply] for the position
   * after a reply to a losing move. value: 1 if the side to move there wins, -1 if it loses; plies: an upper bound on the plies to the
   * end of the game, or null; how: 'board', 'book', 'opening' or 'solver'. nodes: positions expanded so far. line: how the winner
   * wins, [] until the winner is known. looked: true once, in the report that completes what is known about the position and its moves
   * without a proof.
   *
   * Facts about replies come after those about moves that are known without a proof. In each round, the solver works on replies after
   * the open moves. Only losing moves get facts about replies: after a winning move each reply loses.
   */
  constructor(engine, control, position, tell) {
    const {core} = engine;
    Object.assign(this, {engine, core, control, tell, prover: engine.memory.prover, news: [], nodes: 0, told: control.elapsed});
    this.root = {moves: [], position, value: 0};
    this.children = this.after(this.root);
  }

  /** What is found out about the positions after each move of a position: [{moves, position, value}]; value: 0 while it is open. */
  after({moves, position}) {
    return this.core.moves(position).map(move => ({moves: [...moves, move], position: this.core.push(position, move), value: 0}));
  }

  async run() {
    await this.lookUp([this.root, ...this.children], {atOnce: true});
    await this.report({looked: true});
    for (let limit = FIRST_LIMIT; !await this.control.halted(); limit *= LIMIT_GROWTH) {
      const moves = this.openMoves();
      await this.prove(this.root, limit * moves.length);
      for (const child of moves) await this.prove(child, limit);
      const replies = await this.openReplies();
      if (!moves.length && !replies.length) break;
      const part = moves.length ? REPLY_SHARE * moves.length / replies.length : 1;
      for (const reply of replies) await this.prove(reply, Math.ceil(limit * Math.min(1, part)));
    }
    await this.report({ended: true});
  }

  /** Record the results that need no proof. subjects: the root, children or replies; atOnce: whether to report after each source. */
  async lookUp(subjects, {atOnce = false} = {}) {
    for await (const [how, look] of this.sources()) {
      for (const subject of subjects) {
        if (await this.control.halted()) return;
        const found = how === 'solver' && subject.value ? null : look(subject.position);
        if (found?.value) this.learn(subject, found, how);
        await this.reportNow();
      }
      if (atOnce && this.news.length) await this.report();
    }
  }

  /** The sources of results without a proof: [how, look], where look(position) returns {value, plies, move}, or null if it is unknown. */
  async *sources() {
    const {engine, core, prover, root: {position: {rules}}} = this;
    yield ['board', position => core.over(position) ? {value: -1, plies: 0} : null];
    for (const how of ['book', 'opening']) {
      const table = await engine[how](rules);
      if (table) yield [how, position => table.look(position)];
    }
    yield ['solver', position => prover.known(position)];
  }

  /** The open moves, sorted by the effort that a proof of a win needs, the least first. */
  openMoves() {
    const open = this.children.filter(({value}) => !value);
    const efforts = new Map(open.map(child => [child, this.prover.known(child.position).delta ?? Infinity]));
    return open.sort((one, two) => efforts.get(one) < efforts.get(two) ? -1 : Number(efforts.get(one) > efforts.get(two)));
  }

  /** The open replies to all losing moves. The replies to a move that is newly known to lose are looked up first. */
  async openReplies() {
    const losing = this.children.filter(({value}) => value > 0);
    for (const child of losing) {
      if (child.replies) continue;
      child.replies = this.after(child);
      await this.lookUp(child.replies);
    }
    return losing.flatMap(({replies}) => replies).filter(({value}) => !value);
  }

  /** Try to prove a position if its result is still open. limit: about how many positions the solver may expand. */
  async prove(subject, limit) {
    for (let left = limit; left > 0 && !subject.value && !await this.control.halted(); left -= PROVE_NODES) {
      const proof = this.prover.prove(subject.position, Math.min(left, PROVE_NODES));
      this.nodes += this.prover.nodes;
      if (proof.value) this.learnProof(subject, proof);
      await this.reportNow();
    }
  }

  /** Record a proof, and the results of other moves that it has left in the solver's table. */
  learnProof(subject, proof) {
    for (const child of this.children) {
      const found = child.value ? null : this.prover.known(child.position);
      if (found?.value) this.learn(child, found, 'solver');
    }
    this.learn(subject, proof, 'solver');
  }

  /** Record a result and what follows from it. best: the best move, if the source names one. */
  learn(subject, {value, plies, move: best}, how) {
    const {root, children} = this;
    subject.value = value;
    this.news.push({moves: subject.moves, value, plies, how});
    const before = plies === null ? null : plies - 1;
    if (children.includes(subject)) {
      if (value < 0) root.value = 1;
      else if (children.every(child => child.value > 0)) root.value = -1;
    } else if (subject === root) {
      const followed = children.filter(child => value > 0 ? child.moves[0] === best : !child.value);
      for (const child of followed) this.learn(child, {value: -value, plies: before}, how);
    }
  }

  /** Report if a report is due. */
  async reportNow() {
    if (this.control.elapsed - this.told >= (this.news.length ? TELL_NEWS : TELL)) await this.report();
  }

  async report(more = {}) {
    const {news: facts, nodes} = this;
    this.news = [];
    this.told = this.control.elapsed;
    this.tell({facts, nodes, line: this.root.value ? await this.line() : [], ended: false, ...more});
  }

  /** The line by which the winner wins, or the part of it that the book and the solver have. */
  async line() {
    const {engine, root: {position}, prover, children} = this;
    const line = (await engine.book(position.rules))?.line(position) ?? [];
    if (line.length) return line;
    const winning = children.find(child => child.value < 0 && prover.known(child.position).value < 0);
    return prover.known(position).value || !winning ? prover.line(position) : [...winning.moves, ...prover.line(winning.position)];
  }
}
