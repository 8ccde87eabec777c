// Analysis: the engine's lines on the position that is shown, what is known of it, and the curve of the game.

const analysis = {thinker: null, solver: null, running: false, position: null, scores: new Map(), known: null, whole: null};
const CURVE = 600;     // centipawns at which the curve and the bar are nearly full
const MOVETIME = 150;  // milliseconds for each position of the curve

/** Look at the position that is shown, unless that is done already. */
function analyse() {
  if (shown.mode !== 'analyse' || !analysis.running || analysis.whole === shown.game) return;
  const position = here();
  if (analysis.position === position) return;
  analysis.position = position;
  analysis.known = null;
  byId('lines').replaceChildren();
  byId('search').textContent = '';
  if (shown.core.over(position)) {
    analysis.thinker.stop();
    analysis.solver.stop();
    tellKnown({value: -1, plies: 0, ended: true});
    drawBar(-numbers.state.WIN, position);
    return;
  }
  byId('known').textContent = '';
  const multipv = Number(byId('multipv').value);
  analysis.thinker.go(position, {infinite: true}, {multipv}, {info: info => tellLines(position, info)});
  analysis.solver.prove(position, {proof: proof => { if (here() === position) tellKnown(proof); }});
}

function stopAnalysis() {
  analysis.thinker.stop();
  analysis.solver.stop();
  analysis.position = null;
  analysis.whole = null;
}

function switchAnalysis(on = !analysis.running) {
  analysis.running = on;
  byId('engine-on').setAttribute('aria-pressed', String(on));
  if (on) analyse();
  else stopAnalysis();
}

/** A score seen by White: "+0.25", "wins in 5 moves" as #5. */
function scoreText(score, black) {
  const mate = mateIn(score);
  const sign = (score < 0) !== black && score ? '−' : '+';
  return mate === null ? `${sign}${(Math.abs(score) / 100).toFixed(2)}` : `${sign}#${Math.abs(mate)}`;
}

/** A line of moves as text. */
function lineText(position, line) {
  const words = [];
  for (const move of line) {
    if (!position.black || !words.length) words.push(`${position.fullmove}${position.black ? '…' : '.'}`);
    words.push(moveSan(position, move));
    position = shown.core.push(position, move);
  }
  return words.join(' ');
}

/** An item of the list of lines. It stays while its line changes: a button that is replaced loses clicks and focus. */
function lineItem() {
  const item = document.createElement('li');
  const button = item.appendChild(document.createElement('button'));
  button.type = 'button';
  button.title = 'Play the first move of this line';
  button.append(document.createElement('b'), '');
  return item;
}

/** Show a report of the search. */
function tellLines(position, {depth, nodes, milliseconds, lines}) {
  if (here() !== position || shown.mode !== 'analyse') return;
  const place = byId('lines');
  while (place.children.length > lines.length) place.lastElementChild.remove();
  lines.forEach(([score, line], index) => {
    const button = (place.children[index] ?? place.appendChild(lineItem())).firstElementChild;
    button.firstElementChild.textContent = scoreText(score, position.black);
    button.lastChild.data = ` ${lineText(position, line.slice(0, 24))}`;
    button.onclick = () => { if (here() === position) userMoves(line[0]); };
  });
  const speed = milliseconds ? `, ${(nodes / milliseconds / 1000).toFixed(2)} million a second` : '';
  byId('search').textContent = `Depth ${depth}, ${nodes.toLocaleString('en')} moves searched${speed}.`;
  const [score] = lines[0];
  if (!analysis.known) {
    analysis.scores.set(position, position.black ? -score : score);
    drawBar(score, position);
  }
  shown.arrows = lines.map(([, [move]], index) => ({
    ...squaresOf(position, move), kind: index ? 'other' : 'best', label: lines.length > 1 ? String(index + 1) : ''}));
  redraw();
  drawCurve();
}

/** Show what the solver, or the book, knows of the position. */
function tellKnown({value, plies, line = [], nodes = 0, ended}) {
  const position = here();
  const place = byId('known');
  place.classList.toggle('proven', value !== 0);
  if (!value) {
    place.textContent = `The solver has looked at ${nodes.toLocaleString('en')} positions: not yet decided.`;
    return;
  }
  analysis.known = value;
  const winner = side((value > 0) === position.black);
  place.textContent = plies ? `Known: ${winner} wins in at most ${plies} plies.` : `${winner} has won.`;
  if (ended && line.length) {
    const rest = place.appendChild(document.createElement('span'));
    rest.className = 'small';
    rest.textContent = ` ${lineText(position, line)}`;
  }
  const score = value * (numbers.state.WIN - plies);
  analysis.scores.set(position, position.black ? -score : score);
  drawBar(score, position);
  drawCurve();
}

/** Part of the bar or the curve, from 0 (Black wins) to 1 (White wins), of White's score. */
const share = score => mateIn(score) === null ? 1 / (1 + Math.exp(-score / (CURVE / 3))) : score > 0 ? 1 : 0;

function drawBar(score, position) {
  const white = position.black ? -score : score;
  byId('bar').style.setProperty('--white', share(white));
  byId('bar').setAttribute('aria-label', `Evaluation ${scoreText(score, position.black)}`);
}

/** The curve of the game, of the positions that have been looked at. */
function drawCurve() {
  const {game, ply} = shown;
  const [width, height, count] = [300, 80, Math.max(1, game.last)];
  const known = game.positions.map((position, index) => [index, analysis.scores.get(position)]).filter(([, score]) => score !== undefined);
  const point = ([index, score]) => `${(width * index / count).toFixed(1)},${(height * (1 - share(score))).toFixed(1)}`;
  byId('curve-line').setAttribute('points', known.map(point).join(' '));
  byId('curve-here').setAttribute('x1', width * ply / count);
  byId('curve-here').setAttribute('x2', width * ply / count);
  byId('curve-missing').textContent = known.length <= game.last ? `${known.length} of ${game.last + 1} positions have been looked at.` : '';
}

/** Look at every position of the game for a moment, the last first; one may step through the game meanwhile. */
function analyseGame() {
  stopAnalysis();
  const {game} = shown;
  analysis.whole = game;
  const left = game.positions.filter(position => !analysis.scores.has(position));
  const next = () => {
    const position = left.pop();
    if (!position || analysis.whole !== game || shown.game !== game || shown.mode !== 'analyse') {
      analysis.whole = null;
      analyse();
      return;
    }
    const take = score => {
      analysis.scores.set(position, position.black ? -score : score);
      drawCurve();
      next();
    };
    if (shown.core.over(position)) {
      take(-numbers.state.WIN);
      return;
    }
    let score = 0;
    analysis.thinker.go(position, {movetime: MOVETIME}, {}, {
      info: ({lines}) => { [[score]] = lines; },
      best: () => take(score)});
  };
  next();
}

/** Go to the position of the curve that is clicked. */
function pickOnCurve(event) {
  const box = event.currentTarget.getBoundingClientRect();
  showPly(Math.round((event.clientX - box.left) / box.width * shown.game.last));
}
