// What is on the screen: a game, one position of it, and the board with it.

const shown = {core: null, game: null, node: null, mode: 'play', flipped: false, board: null, squares: null, selected: null, arrows: [],
  marks: {}, pawns: new Map(), over: false, dropped: false, names: ['', ''], clocks: null, listeners: [], telling: null};

const byId = id => document.getElementById(id);

/** The position that is shown. */
const here = () => shown.node.position;

/** Show a game at a node. */
function showGame(game, node = game.end) {
  shown.game = game;
  showNode(node);
}

/** Show a node of the game. slide: whether the move to it, or back from it, is animated. */
function showNode(node, {slide = node.parent === shown.node || node === shown.node?.parent} = {}) {
  Object.assign(shown, {node, selected: null, arrows: [], marks: {}});
  say('');    // a hint is about the position before
  redraw(slide);
  byId('position').textContent = described();
  byId('position').classList.toggle('over', shown.game.over(node));
  showChanges();
  for (const listener of shown.listeners) listener();
}

/** Show the game's tree after it has changed, and say in the address what is shown. */
function showChanges() {
  listMoves();
  tellAddress(shown, addressHere);
}

/** The part of the address that names what is shown. */
const addressHere = () => shown.mode === 'learn' ? puzzleAddress() : addressOf(shown.game, shown.node, shown.mode);

/** Draw what is shown. */
function redraw(slide = false) {
  const {game, node, flipped} = shown;
  const position = drawable(here(), node.lastMove);
  const over = game.over(node);
  const marks = {...shown.marks};
  Object.assign(shown, {pawns: position.pawns, over});
  if (game.core.over(here()) && node.parent) marks[node.lastMove.to] = 'won';
  for (const name of Object.values(premove.move ?? {})) marks[name] = 'premove';
  if (shown.selected) Object.assign(marks, targetsFrom(shown.selected), {[shown.selected]: 'selected'});
  shown.board.draw(boardOf(game.rules), position, {
    title: boardTitle(game.rules, here().black, over), over, slide: slide && !shown.dropped, flipped, marks, arrows: shown.arrows});
  shown.squares.drawings.draw(here());
  shown.squares.describe(position, marks);
  byId('words').textContent = worded(position);
  const losses = game.losses(node);
  [['player-above', !flipped], ['player-below', flipped]].forEach(([id, black]) => {
    const index = Number(black);
    const place = byId(id);
    place.classList.toggle('turn', !over && here().black === black);
    place.classList.toggle('black', black);
    const count = losses[1 - index];
    place.querySelector('.who').textContent = text(count ? 'player-took' : 'player', {side: side(black), name: shown.names[index], count});
    showClock(place, shown.clocks ? shown.clocks[index] : NaN);
  });
}

const movesFrom = name => shown.core.moves(here()).filter(move => squaresOf(here(), move).from === name);

/** The board of a game for the DrawnBoard, which redraws a board only if it is another object. */
const boardOf = rules => boards[rules.name] ??= {files: rules.files, ranks: rules.ranks,
  backdrops: shown.backdrops[`${rules.files}x${rules.ranks}`]};
const boards = {};

/** Describe the position, for screen readers and everybody else. */
function described() {
  const {game, node} = shown;
  const parts = [];
  if (node.parent) {
    const {position} = node.parent;
    parts.push(text('moved', {
      number: String(position.fullmove), side: side(position.black), move: moveShown(position, node.move) + node.glyph}));
  }
  parts.push(game.over(node) ? text('over', {ending: endingText(game, node)}) : text('to-move', {side: side(here().black)}));
  return parts.join(' ');
}

/** Show the board with Black at the bottom if `flipped`, else with White. */
function turnBoard(flipped) {
  shown.flipped = flipped;
  byId('flip').setAttribute('aria-pressed', String(flipped));
}

function flip() {
  turnBoard(!shown.flipped);
  redraw();
}

/** Say what is wrong, or "" for nothing. */
function trouble(words) {
  const place = byId('trouble');
  place.textContent = words;
  place.hidden = !words;
}
