// Draws a position on an SVG board, for the report's page and the playing page. It knows no rules and no words:
// each page has its own (words.js).

const SVG = 'http://www.w3.org/2000/svg';
const LETTERS = 'abcdefgh';    // of the files

/** Map from square to 'P' or 'p', of a FEN. */
function placement(fen) {
  const pawns = new Map();
  const rows = fen.split(' ')[0].split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter === 'P' || letter === 'p') pawns.set(LETTERS[file++] + (rows.length - index), letter);
      else file += Number(letter);
    }
  });
  return pawns;
}

/** The first field of the FEN of such a Map, on a board of so many files and ranks. */
function placed(pawns, {files, ranks}) {
  const rows = [];
  for (let rank = ranks; rank > 0; rank--) {
    const row = [...LETTERS.slice(0, files)].map(file => pawns.get(file + rank) ?? '.').join('');
    rows.push(row.replace(/\.+/g, gap => gap.length));
  }
  return rows.join('/');
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const moving = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The names of the squares of White's and Black's pawns, each as one text. */
const listedPawns = pawns => ['P', 'p'].map(letter => [...pawns].filter(([, other]) => other === letter).map(([name]) => name).sort().join(', '));

class DrawnBoard {
  /** svg: an empty element, whose <use> find #pawn in the document; measures: {square, margin} in its units. */
  constructor(svg, {square, margin}) {
    Object.assign(this, {svg, square, margin, board: null, flipped: false, drawn: new Map()});
    this.title = svg.querySelector('title');
    const group = (name, place) => { this[name] = place.appendChild(element('g', {class: `board-${name}`})); };
    group('ground', svg);
    for (const name of ['squares', 'marked', 'coordinates']) group(name, this.ground);
    for (const name of ['pawns', 'arrows']) group(name, svg);
  }

  /** The upper left corner of a square. */
  corner(name) {
    const [column, row] = [LETTERS.indexOf(name[0]), this.board.ranks - Number(name[1])];
    const places = this.flipped ? [this.board.files - 1 - column, this.board.ranks - 1 - row] : [column, row];
    return places.map(count => this.margin + this.square * count);
  }

  /**
   * Draw a position {pawns, black, from, to} on a board {files, ranks, backdrops}; from and to are the last move's.
   * title: what the picture shows, in words; over: the game ends with it; slide: the pawn that moved may be seen to move; flipped: Black is below.
   * marks: {square: class}; arrows: [{from, to, kind, label}], the first above the others.
   * The side to move is shown where there is a margin. A board is drawn anew only if it is another object.
   */
  draw(board, position, {title = '', over = false, slide = false, flipped = false, marks = {}, arrows = []} = {}) {
    const fresh = board !== this.board || flipped !== this.flipped;
    Object.assign(this, {board, flipped});
    if (fresh) this.drawSquares();
    const last = position.to ? {[position.from]: 'from', [position.to]: 'to'} : {};
    this.marked.replaceChildren(...[...Object.entries(last), ...Object.entries(marks)].map(([name, kind]) => this.mark(name, kind)));
    this.drawPawns(position.pawns, slide && moving());
    this.turn?.remove();
    this.turn = this.margin && !over ? this.pawns.appendChild(this.drawTurn(position.black)) : null;
    this.arrows.replaceChildren(...arrows.toReversed().map(arrow => this.arrow(arrow)));
    if (this.title) this.title.textContent = title;
  }

  /** Put an empty board in place. */
  drawSquares() {
    const {board, square, margin} = this;
    const [width, height] = [board.files, board.ranks].map(count => square * count + 2 * margin);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.squares.innerHTML = board.backdrops[Number(this.flipped)];
    this.coordinates.replaceChildren(this.squares.lastElementChild);    // above the marks
    this.pawns.replaceChildren();
    this.drawn.clear();
  }

  /** Draw the pawns. A pawn keeps its element, so that nothing flickers, and slides and drags go on. */
  drawPawns(pawns, slide) {
    const before = this.drawn;
    const stays = ([name, letter]) => before.get(name)?.letter === letter;
    this.drawn = new Map([...pawns].filter(stays).map(([name]) => [name, before.get(name)]));
    const left = [...before.keys()].filter(name => !this.drawn.has(name));
    for (const [name, letter] of pawns) {
      if (this.drawn.has(name)) continue;
      const from = left.find(other => before.get(other).letter === letter);
      if (from) left.splice(left.indexOf(from), 1);
      this.drawn.set(name, {letter, use: this.placePawn(before.get(from)?.use, letter, name)});
      if (from && slide) this.slide(from, name);
    }
    for (const name of left) before.get(name).use.remove();
  }

  /** Put a pawn on a square, above the others; use: its element, if it has one. */
  placePawn(use = element('use', {href: '#pawn'}), letter, name) {
    const [x, y] = this.corner(name);
    for (const [key, value] of Object.entries({x, y, class: letter === 'P' ? 'white-pawns' : 'black-pawns', 'data-at': name})) use.setAttribute(key, value);
    return this.pawns.appendChild(use);
  }

  slide(from, to) {
    const [[fromX, fromY], [x, y]] = [from, to].map(name => this.corner(name));
    this.drawn.get(to).use.animate([{transform: `translate(${fromX - x}px, ${fromY - y}px)`}, {transform: 'none'}], {duration: 120, easing: 'ease-out'});
  }

  /** A dot on the side that is to move, in its colour. */
  drawTurn(black) {
    const {board, square, margin} = this;
    return element('circle', {
      cx: margin * 1.5 + square * board.files, cy: black !== this.flipped ? margin + 7 : margin + square * board.ranks - 7,
      r: 5, 'stroke-width': 1.5, class: black ? 'black-pawns' : 'white-pawns'});
  }

  /** A square that is marked: `target` by a dot, `prey` by a ring, all else by its colour. */
  mark(name, kind) {
    const {square} = this;
    const [x, y] = this.corner(name);
    if (kind === 'target' || kind === 'prey') {
      return element('circle', {cx: x + square / 2, cy: y + square / 2, r: kind === 'prey' ? square * .45 : square * .14, class: kind});
    }
    return element('rect', {x, y, width: square, height: square, class: kind});
  }

  /** An arrow from beside the head of the pawn on its first square to the middle of its last square. */
  arrow({from, to, kind, label}) {
    const half = this.square / 2;
    const [[x, y], [toX, toY]] = [from, to].map(name => this.corner(name).map(place => place + half));
    const length = Math.hypot(toX - x, toY - y);
    const [dx, dy] = [(toX - x) / length, (toY - y) / length];
    const outline = [[12, 3], [length - 17, 3], [length - 17, 8.5], [length - 1, 0], [length - 17, -8.5], [length - 17, -3], [12, -3]];
    const points = outline.map(([along, across]) => `${x + dx * along - dy * across},${y + dy * along + dx * across}`).join(' ');
    const made = element('g', {class: `arrow ${kind}`, 'data-move': from + to});
    made.append(element('polygon', {points, 'stroke-width': .8}));
    if (!label) return made;
    const [cx, cy] = [x + 10 * dx, y + 10 * dy];
    const text = element('text', {x: cx, y: cy + 3.6, 'font-size': 10, 'font-weight': 'bold', 'text-anchor': 'middle'});
    text.textContent = label;
    made.append(element('circle', {cx, cy, r: 7.5, 'stroke-width': .8}), text);
    return made;
  }
}
