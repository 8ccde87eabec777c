// Shows one position of one game. The address keeps it as #game=12&ply=7, so that each position has a link.

const shown = {game: null, positions: [], ply: 0, flipped: false, view: null, telling: null, board: null};

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

/** {index, ply} of an address, or {fault}; null if it names no game. A ply beyond the end means the last one. */
function addressed(hash) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  if (!words.has('game')) return null;
  const index = report.games.findIndex(game => String(game.number) === words.get('game'));
  if (index < 0) return {fault: `This report has no game ${words.get('game').slice(0, 20)}: expected one of the list.`};
  const ply = words.get('ply') ?? '0';
  if (/^\d{1,6}$/.test(ply)) return {index, ply: Number(ply)};
  return {fault: `No ply ${ply.slice(0, 20)}: expected a number from 0 to ${report.games[index].scores.length}.`};
}

const address = (game, ply) => `#game=${game.number}&ply=${ply}`;

/** The part of the playing page's address that names the game and this position. */
function analysed(game, ply) {
  const moves = game.steps.split(' ').map(step => step.slice(0, 4)).join('');
  return `#${new URLSearchParams({game: game.variant, fen: game.fen, moves, ply, mode: 'analyse'})}`;
}

/** Show a game at a ply, and say so in the address. playing: whether autoplay shows it; any other call ends autoplay. */
function show(index, ply, playing = false) {
  if (!playing) pause();
  const game = report.games[index];
  const other = game !== shown.game;
  if (other) {
    Object.assign(shown, {game, positions: positions(game), ply: 0, view: null});
    document.getElementById('chosen').value = index;
    listMoves(game);
    listChanges(game);
  }
  const last = shown.positions.length - 1;
  const before = shown.ply;
  shown.ply = Math.max(0, Math.min(last, ply));
  drawShown(!other && shown.ply === before + 1);
  document.getElementById('position').textContent = described(game, shown.ply);
  document.getElementById('here').href = address(game, shown.ply);
  if (report.engine) {
    const link = document.getElementById('analyse');
    link.href = report.engine + analysed(game, shown.ply);
    link.hidden = game.variant.includes('-');  // the playing page knows only the standard rule of en passant
  }
  tellAddress(shown, () => address(shown.game, shown.ply));
  disable('first', shown.ply === 0);
  disable('back', shown.ply === 0);
  disable('forward', shown.ply === last);
  disable('last', shown.ply === last);
  disable('previous-game', index === 0);
  disable('next-game', index === report.games.length - 1);
  document.getElementById('notice').hidden = true;
  pointAt(document.querySelector(`#moves a[href="${address(game, shown.ply)}"]`));
  if (other) redrawEvaluations();
  else shown.view?.signal('ply', shown.ply).runAsync();
}

/** Draw the position that is shown, with the players on their sides of the board. */
function drawShown(slide) {
  const {game, ply, flipped} = shown;
  const over = ply === shown.positions.length - 1 && game.result !== '*';
  const position = shown.positions[ply];
  shown.board ??= new DrawnBoard(document.getElementById('board'), report);
  shown.board.draw(report.boards[game.variant], position, {title: boardTitle(report.boards[game.variant], position.black, over), over, slide, flipped});
  for (const place of document.querySelectorAll('.words')) place.textContent = worded(position);
  const players = [`Black: ${isolated(game.black)}`, `White: ${isolated(game.white)}`];
  document.getElementById('player-above').textContent = players[flipped ? 1 : 0];
  document.getElementById('player-below').textContent = players[flipped ? 0 : 1];
}

function flip() {
  shown.flipped = !shown.flipped;
  document.getElementById('flip').setAttribute('aria-pressed', shown.flipped);
  drawShown(false);
}

/** Say whether a button can go no further. It keeps the focus. */
function disable(id, at) {
  document.getElementById(id).setAttribute('aria-disabled', at);
}

async function redrawEvaluations() {
  const game = shown.game;
  const view = await drawEvaluations(game, shown.ply, ply => go(ply));
  if (game !== shown.game || !view) return;
  shown.view = view;
  view.signal('ply', shown.ply).runAsync();
}

const go = ply => show(report.games.indexOf(shown.game), ply);

/** The number of the move that led to a ply, and whether Black made it: [12, false]. */
function numbered(game, ply) {
  const [, turn, , , , first] = game.fen.split(' ');
  const half = ply - 1 + (turn === 'b' ? 1 : 0);
  return [Number(first) + Math.floor(half / 2), half % 2 === 1];
}

/** A position for a screen reader, and everybody else. */
function described(game, ply) {
  const last = shown.positions.length - 1;
  const position = shown.positions[ply];
  const parts = [];
  if (ply) {
    const [number, black] = numbered(game, ply);
    const score = shownScore(game.scores[ply - 1]);
    parts.push(`Move ${number}, ${side(black)}: ${game.texts.split(' ')[ply - 1]}.`);
    const [depth, time] = [game.depths[ply - 1], game.times[ply - 1]];
    const found = [score && `Score for White ${score}`, depth !== null && `depth ${depth}`,
      time !== null && `${(time / 1000).toFixed(3)} s`].filter(Boolean);
    if (found.length) parts.push(`${found.join(', ')}.`);
  } else {
    parts.push('The opening.');
  }
  const change = game.changes.findIndex(([at]) => at === ply);
  if (change >= 0) parts.push(`${changeText(game, change)}.`);
  const over = ply === last && game.result !== '*';
  parts.push(over ? `The game is over: ${game.result}, ${game.detail || game.reason}.` : `${side(position.black)} to move.`);
  parts.push(`Ply ${ply} of ${last}.`);
  return parts.join(' ');
}

function changeText(game, index) {
  const winner = game.changes[index][1] === 'white' ? 'White' : 'Black';
  return index ? `The known winner changes: ${winner} wins` : `From here it is known that ${winner} wins`;
}

function listMoves(game) {
  const texts = game.texts ? game.texts.split(' ') : [];
  const changed = new Set(game.changes.map(([ply]) => ply));
  const rows = new Map();
  texts.forEach((text, index) => {
    const [number, black] = numbered(game, index + 1);
    if (!rows.has(number)) rows.set(number, moveRow(number));
    const link = rows.get(number).children[black ? 2 : 1].appendChild(document.createElement('a'));
    link.href = address(game, index + 1);
    link.append(text);
    const score = link.appendChild(document.createElement('span'));
    score.textContent = `${changed.has(index + 1) ? '◆ ' : ''}${shownScore(game.scores[index])}`;
    if (changed.has(index + 1)) score.title = changeText(game, game.changes.findIndex(([ply]) => ply === index + 1));
  });
  document.getElementById('moves').replaceChildren(...rows.values());
  document.querySelector('.moves').scrollTop = 0;
}

function listChanges(game) {
  document.getElementById('changes').replaceChildren(...game.changes.map(([ply], index) => {
    const item = document.createElement('li');
    const link = item.appendChild(document.createElement('a'));
    const [number, black] = numbered(game, ply);
    link.href = address(game, ply);
    link.textContent = `Move ${number}, ${side(black)}`;
    item.append(`: ◆ ${changeText(game, index)}`);
    return item;
  }));
}

/** Whether the whole board is on the screen, as far as it fits. */
function boardSeen() {
  const {top, bottom, height} = document.getElementById('board').getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0) >= Math.min(height, innerHeight) - 1;
}

/** Bring the board onto the screen, under its section's title if both fit; at once, since drawing would end a smooth scroll. */
function seekBoard() {
  const [section, board] = [document.getElementById('replay'), document.querySelector('.board')];
  const high = board.getBoundingClientRect().bottom - section.getBoundingClientRect().top;
  (high <= innerHeight ? section : board).scrollIntoView({behavior: 'instant'});
}

/** Show what an address names, on the screen; whether it names anything. */
function follow(hash) {
  const found = addressed(hash);
  if (!found) return false;
  let other = true;
  if (found.fault) {
    if (!shown.game) show(0, 0);
    const notice = document.getElementById('notice');
    notice.textContent = found.fault;
    notice.hidden = false;
  } else {
    other = report.games[found.index] !== shown.game;
    show(found.index, found.ply);
  }
  if (other) document.getElementById('replay-title').focus({preventScroll: true});
  if (other || !boardSeen()) seekBoard();
  return true;
}
