// A position on an SVG board: the component of the report's page and of the page that plays. The rules are not here.

const SVG = 'http://www.w3.org/2000/svg';

/** Map from square to 'P' or 'p', of a FEN. */
function placement(fen) {
  const pawns = new Map();
  const rows = fen.split(' ')[0].split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter === 'P' || letter === 'p') pawns.set('abcdefgh'[file++] + (rows.length - index), letter);
      else file += Number(letter);
    }
  });
  return pawns;
}

/** The first field of the FEN of such a Map, on a board of so many files and ranks. */
function placed(pawns, {files, ranks}) {
  const rows = [];
  for (let rank = ranks; rank > 0; rank--) {
    const row = [...'abcdefgh'.slice(0, files)].map(file => pawns.get(file + rank) ?? '.').join('');
    rows.push(row.replace(/\.+/g, gap => gap.length));
  }
  return rows.join('/');
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const side = black => black ? 'Black' : 'White';
const moving = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** A position in words, for those who do not see it. */
function worded({pawns, from, to}) {
  const listed = letter => [...pawns].filter(([, other]) => other === letter).map(([name]) => name).sort().join(', ') || 'none';
  return `White pawns: ${listed('P')}. Black pawns: ${listed('p')}.${to ? ` Last move: ${from} to ${to}.` : ''}`;
}

class DrawnBoard {
  /** svg: an empty element, whose <use> find #pawn in the document; measures: {square, margin} in its units. */
  constructor(svg, {square, margin}) {
    Object.assign(this, {svg, square, margin, board: null, flipped: false});
    this.title = svg.querySelector('title');
    for (const name of ['squares', 'marked', 'pawns', 'arrows']) {
      this[name] = svg.appendChild(element('g', {class: `board-${name}`}));
    }
  }

  /** The upper left corner of a square. */
  corner(name) {
    const [column, row] = ['abcdefgh'.indexOf(name[0]), this.board.ranks - Number(name[1])];
    const places = this.flipped ? [this.board.files - 1 - column, this.board.ranks - 1 - row] : [column, row];
    return places.map(count => this.margin + this.square * count);
  }

  /**
   * Draw a position {pawns, black, from, to} on a board {files, ranks, called, svg}; from and to are the last move's.
   * over: the game ends with it; slide: its last move may be seen; flipped: Black is below.
   * marks: {square: class}; arrows: [{from, to, kind, label}], the first above the others.
   */
  draw(board, position, {over = false, slide = false, flipped = false, marks = {}, arrows = []} = {}) {
    const {square, margin} = this;
    const fresh = board !== this.board || flipped !== this.flipped;
    Object.assign(this, {board, flipped});
    if (fresh) this.drawSquares();
    const last = position.to ? {[position.from]: 'from', [position.to]: 'to'} : {};
    this.marked.replaceChildren(...[...Object.entries(last), ...Object.entries(marks)].map(([name, kind]) => this.mark(name, kind)));
    const pawns = [...position.pawns].map(([name, letter]) => {
      const [x, y] = this.corner(name);
      const drawn = element('use', {href: '#pawn', x, y, class: letter === 'P' ? 'white-pawns' : 'black-pawns', 'data-at': name});
      if (slide && name === position.to && moving()) {
        const [fromX, fromY] = this.corner(position.from);
        drawn.animate([{transform: `translate(${fromX - x}px, ${fromY - y}px)`}, {transform: 'none'}], {duration: 120, easing: 'ease-out'});
      }
      return drawn;
    });
    const turn = element('circle', {
      cx: margin * 1.5 + square * board.files, cy: position.black !== flipped ? margin + 7 : margin + square * board.ranks - 7,
      r: 5, 'stroke-width': 1.5, class: position.black ? 'black-pawns' : 'white-pawns'});
    this.pawns.replaceChildren(...pawns, ...over ? [] : [turn]);
    this.arrows.replaceChildren(...arrows.toReversed().map(arrow => this.arrow(arrow)));
    if (this.title) this.title.textContent = `${board.called}: ${over ? 'the game is over' : `${side(position.black)} to move`}`;
  }

  /** Put an empty board in place. Turned by half, its squares look the same, and its letters and numbers change places. */
  drawSquares() {
    const {board, square, margin} = this;
    const [width, height] = [board.files, board.ranks].map(count => square * count + 2 * margin);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.squares.innerHTML = board.svg;
    if (!this.flipped) return;
    const labels = [...this.squares.querySelectorAll('text')];
    for (const part of [labels.slice(0, board.files), labels.slice(board.files)]) {
      const texts = part.map(label => label.textContent).reverse();
      part.forEach((label, index) => { label.textContent = texts[index]; });
    }
  }

  /** A square that is marked: `target` by a dot, `prey` by a ring, all else by its colour. */
  mark(name, kind) {
    const {square} = this;
    const [x, y] = this.corner(name);
    if (kind === 'target' || kind === 'prey') {
      return element('circle', {cx: x + square / 2, cy: y + square / 2, r: kind === 'prey' ? square * .45 : square * .14, class: kind});
    }
    return element('rect', {x: x + 1, y: y + 1, width: square - 2, height: square - 2, class: kind});
  }

  /** An arrow beside the head of the pawn on its first square to the middle of its last. */
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
