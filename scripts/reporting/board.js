// A position on the page's SVG board. The rules are not here: each step of a game says which pawn goes where and which one is taken.

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

/** All positions of a game: {pawns, from, to, black}, where black says whose turn it is. The first has no from and to. */
function positions(game) {
  let pawns = placement(game.fen);
  let black = game.fen.split(' ')[1] === 'b';
  const found = [{pawns, black}];
  for (const step of game.steps ? game.steps.split(' ') : []) {
    const [from, to, taken] = [step.slice(0, 2), step.slice(2, 4), step.slice(5)];
    pawns = new Map(pawns);
    if (taken) pawns.delete(taken);
    pawns.set(to, pawns.get(from));
    pawns.delete(from);
    black = !black;
    found.push({pawns, from, to, black});
  }
  return found;
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Put an empty board in place. Turned by half, its squares look the same, and its letters and numbers change places. */
function drawSquares(board, flipped) {
  const svg = document.getElementById('board');
  if (svg.dataset.board === `${board.called} ${flipped}`) return;
  svg.dataset.board = `${board.called} ${flipped}`;
  const [width, height] = [board.files, board.ranks].map(count => report.square * count + 2 * report.margin);
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const squares = document.getElementById('squares');
  squares.innerHTML = board.svg;
  if (!flipped) return;
  const labels = [...squares.querySelectorAll('text')];
  for (const part of [labels.slice(0, board.files), labels.slice(board.files)]) {
    const texts = part.map(label => label.textContent).reverse();
    part.forEach((label, index) => { label.textContent = texts[index]; });
  }
}

/**
 * Draw a position on a board {files, ranks, called, svg}.
 * over: the game ends with it; slide: its last move may be seen; flipped: Black is below.
 */
function draw(board, position, over, slide, flipped) {
  const {square, margin} = report;
  const corner = name => {
    const [column, row] = ['abcdefgh'.indexOf(name[0]), board.ranks - Number(name[1])];
    return (flipped ? [board.files - 1 - column, board.ranks - 1 - row] : [column, row]).map(count => margin + square * count);
  };
  drawSquares(board, flipped);
  const marked = position.to ? [position.from, position.to] : [];
  document.getElementById('marked').replaceChildren(...marked.map((name, index) => {
    const [x, y] = corner(name);
    return element('rect', {x: x + 1, y: y + 1, width: square - 2, height: square - 2, class: index ? 'to' : 'from'});
  }));
  const pawns = [...position.pawns].map(([name, letter]) => {
    const [x, y] = corner(name);
    const drawn = element('use', {href: '#pawn', x, y, class: letter === 'P' ? 'white-pawns' : 'black-pawns'});
    if (slide && name === position.to && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const [fromX, fromY] = corner(position.from);
      drawn.animate([{transform: `translate(${fromX - x}px, ${fromY - y}px)`}, {transform: 'none'}], {duration: 120, easing: 'ease-out'});
    }
    return drawn;
  });
  const turn = element('circle', {
    cx: margin * 1.5 + square * board.files, cy: position.black !== flipped ? margin + 7 : margin + square * board.ranks - 7,
    r: 5, 'stroke-width': 1.5,
    class: position.black ? 'black-pawns' : 'white-pawns'});
  document.getElementById('pawns').replaceChildren(...pawns, ...over ? [] : [turn]);
  document.getElementById('board-title').textContent = `${board.called}: ${over ? 'the game is over' : `${side(position.black)} to move`}`;
  const words = `White pawns: ${listed(position, 'P')}. Black pawns: ${listed(position, 'p')}.`
    + (position.to ? ` Last move: ${position.from} to ${position.to}.` : '');
  for (const place of document.querySelectorAll('.words')) place.textContent = words;
}

const side = black => black ? 'Black' : 'White';

function listed(position, letter) {
  return [...position.pawns].filter(([, other]) => other === letter).map(([name]) => name).sort().join(', ') || 'none';
}
