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

/** Draw a position on a board {files, ranks, called, svg}. over: the game ends with it; slide: its last move may be seen. */
function draw(board, position, over, slide) {
  const {square, margin} = report;
  const [width, height] = [square * board.files + 2 * margin, square * board.ranks + 2 * margin];
  const corner = name => [margin + square * 'abcdefgh'.indexOf(name[0]), margin + square * (board.ranks - Number(name[1]))];
  const svg = document.getElementById('board');
  if (svg.dataset.board !== board.called) {
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    document.getElementById('squares').innerHTML = board.svg;
    svg.dataset.board = board.called;
  }
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
    cx: margin * 1.5 + square * board.files, cy: position.black ? margin + 7 : margin + square * board.ranks - 7, r: 5, 'stroke-width': 1.5,
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
