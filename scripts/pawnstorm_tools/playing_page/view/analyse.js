// Analysis of the position on the board: the engine's lines, the known results of the position and its moves, and the curve of
// the game. A known result outranks any score.

const analysis = {thinker: null, solver: null, knowledge: null, running: false, position: null, scores: new Map(), whole: null};
const CURVE = 600;     // centipawns at which the curve and the bar are nearly full
const LONGEST_LINE = 24;    // plies of a line that are listed
const MOVETIME = 150;  // milliseconds for each position of the curve

/** Analyse the position on the board, unless that is being done already. */
function analyse() {
  if (shown.mode !== 'analyse') return;
  const position = here();
  if (!analysis.running || analysis.whole === shown.game || analysis.position === position) {
    showAnalysis();
    return;
  }
  Object.assign(analysis, {position, report: null, nodes: null, line: []});
  showAnalysis();
  if (shown.core.over(position)) {
    analysis.thinker.stop();
    analysis.solver.stop();
    return;
  }
  const multipv = Number(byId('multipv').value);
  // Reports are taken while this position is analysed, and shown while it is on the board.
  const hearing = take => news => {
    if (analysis.position !== position) return;
    take(news);
    if (here() !== position || shown.mode !== 'analyse') return;
    const moves = worthSearching(showAnalysis());
    if (!moves) return;
    analysis.report.lines = analysis.report.lines.filter(([, [move]]) => moves.includes(move));
    search(moves);
  };
  const search = searchmoves => analysis.thinker.go(position, {infinite: true, searchmoves}, {multipv},
    {info: hearing(report => { analysis.report = report; })});
  search();
  analysis.solver.explore(position, {known: hearing(({facts, nodes, line}) => {
    analysis.knowledge.take(position, facts);
    Object.assign(analysis, {nodes, line});
  })});
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

/** Show the search's report and the known results of the position on the board; returns its ranked marks. */
function showAnalysis() {
  const position = here();
  const {knowledge} = analysis;
  const report = analysis.position === position ? analysis.report : null;
  const proven = analysis.position === position ? analysis.line : [];
  const marks = ranked(knowledge.marks(position), report?.lines ?? [], proven);
  const best = rankedLines(marks, Number(byId('multipv').value));
  if (best[0]?.value === 0) analysis.scores.set(position, position.black ? -best[0].score : best[0].score);
  listLines(position, best);
  listMarks(position, marks);
  tellKnown(position);
  tellSearch(report);
  const arrows = advised(best, marks);
  showArrows(arrows.map(({move}, index) => ({
    ...squaresOf(position, move), kind: index ? 'other' : 'best', label: arrows.length > 1 ? String(index + 1) : ''})));
  drawBar(position);
  drawCurve();
  return marks;
}

function showArrows(arrows) {
  if (JSON.stringify(arrows) === JSON.stringify(shown.arrows)) return;
  shown.arrows = arrows;
  redraw();
}

/** List the lines of ranked marks. */
function listLines(position, best) {
  const place = byId('lines');
  while (place.children.length > best.length) place.lastElementChild.remove();
  best.forEach(({move, value, score, line = [move]}, index) => {
    const button = (place.children[index] ?? place.appendChild(lineItem())).firstElementChild;
    button.firstElementChild.textContent = value || score === undefined ? OUTCOMES[value].word : scoreText(score, position.black);
    button.lastChild.data = ` ${lineText(position, line.slice(0, LONGEST_LINE))}`;
    button.onclick = () => { if (here() === position) userMoves(move); };
  });
}

/** Say how far the search has come; report: null if it does not search this position. */
function tellSearch(report) {
  const {depth, nodes, milliseconds} = report ?? {};
  const speed = milliseconds ? `, ${(nodes / milliseconds / 1000).toFixed(2)} million a second` : '';
  byId('search').textContent = report ? `Depth ${depth}, ${nodes.toLocaleString('en')} moves searched${speed}.` : '';
}

/** Say who wins, if that is known. */
function tellKnown(position) {
  const place = byId('known');
  const known = knownOf(position);
  place.classList.toggle('proven', known !== undefined);
  if (!known) {
    const count = analysis.position === position && analysis.nodes;
    place.textContent = count ? `The solver has looked at ${count.toLocaleString('en')} positions: not yet decided.` : '';
    return;
  }
  const winner = side((known.value > 0) === position.black);
  place.textContent = known.plies === 0 ? `${winner} has won.` : `Known: ${winner} wins ${knownText(known)}.`;
}

/** The known result of a position, as from Knowledge.of(); also if the game is over. */
const knownOf = position => shown.core.over(position) ? {value: -1, plies: 0} : analysis.knowledge.of(position);

/** The score of a position for White, or undefined. */
function scoreOf(position) {
  const known = knownOf(position);
  if (!known) return analysis.scores.get(position);
  const score = known.value * (numbers.state.WIN - (known.plies ?? 0));
  return position.black ? -score : score;
}

/** Part of the bar or the curve, from 0 (Black wins) to 1 (White wins), of White's score. */
const share = score => mateIn(score) === null ? 1 / (1 + Math.exp(-score / (CURVE / 3))) : score > 0 ? 1 : 0;

function drawBar(position) {
  const [known, score] = [knownOf(position), scoreOf(position)];
  byId('bar').style.setProperty('--white', share(score ?? 0));
  const words = known ? `${side(score < 0)} wins` : score === undefined ? '' : scoreText(score, false);
  byId('bar').setAttribute('aria-label', words ? `Evaluation: ${words}` : 'Evaluation');
}

/** The curve of the game, of the positions that have been looked at. */
function drawCurve() {
  const {game, ply} = shown;
  const [width, height, count] = [300, 80, Math.max(1, game.last)];
  const known = game.positions.map((position, index) => [index, scoreOf(position)]).filter(([, score]) => score !== undefined);
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
  const left = game.positions.filter(position => scoreOf(position) === undefined);
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
