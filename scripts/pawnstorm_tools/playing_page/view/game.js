// One game: a tree of positions, and how it ended.

/** A position of a game and the move that led to it. */
class Node {
  /**
   * parent, move: null at the root. id: its number in its game, in the order in which nodes were added.
   * children: the positions after it, first the one with which the line goes on. glyph: one of GLYPHS, or "". ply: from the root.
   */
  constructor(id, parent, move, position) {
    Object.assign(this, {id, parent, move, position, children: [], comment: '', glyph: '', ply: parent ? parent.ply + 1 : 0});
  }

  /** The squares {from, to} of the move that led here, {} at the root. */
  get lastMove() {
    return this.parent ? squaresOf(this.parent.position, this.move) : {};
  }
}

class Game {
  /** core: for the rules; start: the first Position. names: the known names of White and Black. */
  constructor(core, start) {
    const date = new Date();
    // revision: a number that changes whenever the tree does.
    // ended: {node, black, words} if the board did not end the game; black: whether Black lost.
    Object.assign(this, {core, root: new Node(0, null, null, start), count: 1, revision: 0, ended: null, names: strangers(), tags: {},
      date: [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('.')});
  }

  static new(core, name) {
    const rules = numbers.games.find(row => row.name === name);
    return new Game(core, positionFrom(rules, rules.start));
  }

  get start() {
    return this.root.position;
  }

  get rules() {
    return this.start.rules;
  }

  /** The nodes from the root through a node to the end of its line. */
  line(node) {
    const found = [];
    for (let before = node; before; before = before.parent) found.push(before);
    found.reverse();
    for (let [next] = node.children; next; [next] = next.children) found.push(next);
    return found;
  }

  get main() {
    return this.line(this.root);
  }

  /** The last node of the main line. */
  get end() {
    let node = this.root;
    while (node.children.length) [node] = node.children;
    return node;
  }

  /** All nodes in the order in which they are written: after a move its alternatives, then what follows it. */
  * written(node = this.root) {
    if (!node.parent) yield node;
    for (let [next, ...others] = node.children; next; [next, ...others] = next.children) {
      yield next;
      for (const other of others) {
        yield other;
        yield* this.written(other);
      }
    }
  }

  // Changes.

  /** The node after a legal move. If it does not exist, it is added as the last variation. */
  add(node, move) {
    const found = node.children.find(child => child.move === move);
    if (found) return found;
    const made = new Node(this.count++, node, move, this.core.push(node.position, move));
    node.children.push(made);
    this.revision++;
    return made;
  }

  /** Move the variation that contains a node one place forward among its alternatives. */
  promote(node) {
    this.putForward(branch(node), 1);
  }

  /** Make the main line lead through a node. */
  toMain(node) {
    for (let at = node; at.parent; at = at.parent) this.putForward(at, Infinity);
  }

  /** Move a node a number of places forward among its siblings. */
  putForward(node, places) {
    const siblings = node?.parent?.children ?? [];
    const index = siblings.indexOf(node);
    if (index < 1) return;
    siblings.splice(index, 1);
    siblings.splice(Math.max(0, index - places), 0, node);
    this.revision++;
  }

  /** Remove a node that is not the root, with all that follows it; returns its parent. */
  remove(node) {
    const {parent} = node;
    parent.children = parent.children.filter(child => child !== node);
    if (this.ended && within(this.ended.node, node)) this.ended = null;
    this.revision++;
    return parent;
  }

  /** Set the comment or the glyph of a node. */
  annotate(node, {comment = node.comment, glyph = node.glyph}) {
    if (comment === node.comment && glyph === node.glyph) return;
    Object.assign(node, {comment, glyph});
    this.revision++;
  }

  /** End the game at a node at which the board does not end it: the side loses, for the reason in `words`. */
  finish(node, black, words) {
    this.ended = {node, black, words};
  }

  // How it ended.

  /** Whether the game is over at a node. */
  over(node = this.end) {
    return this.ended?.node === node || this.core.over(node.position);
  }

  /** Whether Black has lost at a node; null if neither side has. */
  blackLost(node = this.end) {
    if (this.ended?.node === node) return this.ended.black;
    return this.core.over(node.position) ? node.position.black : null;
  }

  /** How the game ended at a node, {blackLost, words}, with the words of a PGN; null while it goes on. */
  ending(node = this.end) {
    if (!this.over(node)) return null;
    return {blackLost: this.blackLost(node), words: this.ended?.node === node ? this.ended.words : endedBoard(node.position)};
  }

  /** The result of the main line, even if moves follow a resignation or a loss on time there; null if it has none. */
  get result() {
    const lost = this.blackLost(this.ended && this.main.includes(this.ended.node) ? this.ended.node : this.end);
    return lost === null ? null : lost ? '1-0' : '0-1';
  }

  /** How many pawns each side has lost since the first position, at a node: [White, Black]. */
  losses(node) {
    const [before, now] = [this.start, node.position].map(position => pawnsOf(position).map(countBits));
    return before.map((count, index) => count - now[index]);
  }
}

/** The first node of the variation that contains a node; null in the main line. */
function branch(node) {
  let at = node;
  while (at.parent && at.parent.children[0] === at) at = at.parent;
  return at.parent ? at : null;
}

/** Whether a node is the other one or follows it. */
function within(node, other) {
  let at = node;
  while (at && at !== other) at = at.parent;
  return Boolean(at);
}
