// What is on the screen: a game, one position of it, and the board with it.

const shown = {core: null, game: null, ply: 0, mode: 'play', flipped: false, board: null, squares: null, selected: null, arrows: [],
  marks: {}, names: ['You', 'Pawnstorm'], clocks: null, listeners: [], telling: null};

const byId = id => document.getElementById(id);

/** The position that is shown. */
const here = () => shown.game.positions[shown.ply];

/** Show a game at a ply. slide: its last move may be seen. */
function showGame(game, ply = game.last, {slide = false} = {}) {
  const other = game !== shown.game || game.moves.join() !== shown.listed;
  Object.assign(shown, {game, ply: Math.max(0, Math.min(game.last, ply)), selected: null, arrows: [], marks: {}});
  if (other) listMoves();
  say('');    // a hint is about the position before
  redraw(slide);
  byId('position').textContent = described();
  pointAt(document.querySelector(`#moves a[data-ply="${shown.ply}"]`));
  tellAddress(shown, () => addressOf(shown.game, shown.ply, shown.mode));
  for (const listener of shown.listeners) listener();
}

const showPly = ply => showGame(shown.game, ply, {slide: ply === shown.ply + 1});

/** Draw what is shown. */
function redraw(slide = false) {
  const {game, ply, flipped} = shown;
  const position = drawable(here(), game.lastMove(ply));
  const over = ply === game.last && game.over;
  const marks = {...shown.marks};
  if (over && game.decided && game.lastMove(ply).to) marks[game.lastMove(ply).to] = 'won';
  for (const move of shown.selected ? movesFrom(shown.selected) : []) {
    const {to} = squaresOf(here(), move);
    marks[to] = takes(here(), move) ? 'prey' : 'target';
  }
  if (shown.selected) marks[shown.selected] = 'selected';
  shown.board.draw(boardOf(game.rules), position, {over, slide, flipped, marks, arrows: shown.arrows});
  shown.squares.describe(position, marks);
  byId('words').textContent = worded(position);
  const losses = game.losses(ply);
  [['player-above', !flipped], ['player-below', flipped]].forEach(([id, black]) => {
    const index = Number(black);
    const place = byId(id);
    place.classList.toggle('turn', !over && here().black === black);
    const taken = losses[1 - index] ? `, took ${losses[1 - index]}` : '';
    place.querySelector('.who').textContent = `${side(black)}: ${shown.names[index]}${taken}`;
    place.querySelector('.clock').textContent = shown.clocks ? clockText(shown.clocks[index]) : '';
  });
}

/** Whether a move takes a pawn, also in passing. */
const takes = (position, move) => ((position.opp | position.ep) >> BigInt(move >> 6 & 63) & 1n) === 1n;

const movesFrom = name => shown.core.moves(here()).filter(move => squaresOf(here(), move).from === name);

/** The board of a game as the component draws it. */
const boardOf = rules => ({files: rules.files, ranks: rules.ranks, called: calledBoard(rules),
  svg: shown.backdrops[`${rules.files}x${rules.ranks}`]});

/** The position for a screen reader, and everybody else. */
function described() {
  const {game, ply} = shown;
  const parts = [];
  if (ply) {
    const before = game.positions[ply - 1];
    parts.push(`${before.fullmove}. ${side(before.black)}: ${moveText(before, game.moves[ply - 1])}${takes(before, game.moves[ply - 1]) ? ', takes' : ''}.`);
  }
  parts.push(ply === game.last && game.over ? `${game.ending}.` : `${side(here().black)} to move.`);
  return parts.join(' ');
}

/** List the moves; each is a link that opens its position. */
function listMoves() {
  const {game} = shown;
  shown.listed = game.moves.join();
  const rows = [];
  game.moves.forEach((move, index) => {
    const position = game.positions[index];
    if (!rows.length || !position.black) rows.push(moveRow(position.fullmove));
    const link = rows.at(-1).children[position.black ? 2 : 1].appendChild(document.createElement('a'));
    link.href = addressOf(game, index + 1, 'analyse');    // for another tab
    link.dataset.ply = index + 1;
    link.textContent = moveSan(position, move);
  });
  byId('moves').replaceChildren(...rows);
}

/** Have Black below, or White. */
function turnBoard(flipped) {
  shown.flipped = flipped;
  byId('flip').setAttribute('aria-pressed', String(flipped));
}

function flip() {
  turnBoard(!shown.flipped);
  redraw();
}

/** Say what is wrong, or "" for nothing. */
function trouble(text) {
  const place = byId('trouble');
  place.textContent = text;
  place.hidden = !text;
}
