// The user's own arrows and marks. They are kept with the position that they were drawn on, as {squares: colour}: "d2d4" is an arrow,
// "d4" a mark; a colour is the letter that lichess has for it in the comments of a PGN.

const COLOURS = {G: 'green', R: 'red', B: 'blue', Y: 'yellow'};
const drawings = new WeakMap();
const NO_DRAWINGS = new Map();

/** The Map of a position's drawings. Callers do not change it. */
const drawingsOf = position => drawings.get(position) ?? NO_DRAWINGS;

/** The colour that modifier keys choose. Ctrl counts as Shift: Firefox uses Shift and the right button for its own menu. */
const colourOf = ({shiftKey, ctrlKey, altKey}) => 'GRBY'[Number(shiftKey || ctrlKey) + 2 * Number(altKey)];

/** Draw an arrow, or a mark if `from` is `to`; remove it if it is there in the same colour. Returns whether it is there now. */
function toggleDrawing(position, from, to, colour) {
  const squares = from === to ? from : from + to;
  const found = new Map(drawingsOf(position));
  const there = found.get(squares) !== colour;
  if (there) found.set(squares, colour);
  else found.delete(squares);
  drawings.set(position, found);
  return there;
}

const clearDrawings = position => drawings.delete(position);

/** A position's drawings as in the comment of a PGN: "[%csl Rd4][%cal Gd2d4,Be7e5]", "" if there are none. */
function drawingsText(position) {
  const words = length => [...drawingsOf(position)].filter(([squares]) => squares.length === length).map(([squares, colour]) => colour + squares);
  return [['csl', words(2)], ['cal', words(4)]].map(([name, found]) => found.length ? `[%${name} ${found.join(',')}]` : '').join('');
}

/** The Map of drawings in a comment, for drawings.set(); those outside a board {files, ranks} are left out. */
function drawingsFrom(comment, {files, ranks}) {
  const found = new Map();
  const there = name => LETTERS.indexOf(name[0]) < files && Number(name[1]) <= ranks;
  for (const [, words] of comment.matchAll(/\[%c[sa]l ([^\]]*)\]/g)) {
    for (const word of words.split(',')) {
      const [, colour, from, to] = /^([GRBY])([a-h][1-8])([a-h][1-8])?$/.exec(word.trim()) ?? [];
      if (from && there(from) && there(to ?? from)) found.set(from + (to ?? ''), colour);
    }
  }
  return found;
}

class DrawingLayer {
  /** The layer of drawings, above all else on a DrawnBoard. */
  constructor(board) {
    this.board = board;
    this.place = board.svg.appendChild(element('g', {class: 'board-drawings'}));
  }

  /** Draw a position's drawings, and one that is just being drawn, {from, to, colour}. */
  draw(position, begun = null) {
    const found = [...drawingsOf(position)].map(([squares, colour]) => this.shape(squares, colour));
    if (begun) found.push(this.shape(begun.from === begun.to ? begun.from : begun.from + begun.to, begun.colour, 'begun'));
    if (found.length || this.place.firstChild) this.place.replaceChildren(...found);
  }

  shape(squares, colour, kind = '') {
    const {square} = this.board;
    const [from, to] = [squares.slice(0, 2), squares.slice(2)].map(name => name && this.board.corner(name).map(place => place + square / 2));
    const made = element('g', {class: `drawing ${COLOURS[colour]} ${kind}`, 'data-drawing': colour + squares});
    if (!to) {
      made.append(element('circle', {cx: from[0], cy: from[1], r: square / 2 - 2}));
      return made;
    }
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const [dx, dy] = [0, 1].map(axis => (to[axis] - from[axis]) / length);
    const place = (along, across) => [from[0] + dx * along - dy * across, from[1] + dy * along + dx * across];
    const [[x1, y1], [x2, y2]] = [place(8, 0), place(length - 14, 0)];
    const head = [place(length - 16, -9), place(length, 0), place(length - 16, 9)].map(point => point.join()).join(' ');
    made.append(element('line', {x1, y1, x2, y2}), element('polygon', {points: head}));
    return made;
  }
}
