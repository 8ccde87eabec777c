// Analysis of the position on the board: the engine's lines, and the known results of the position and its moves. A known result outranks any score.

const analysis = {thinker: null, solver: null, knowledge: null, running: false, position: null, scores: new WeakMap()};
const CURVE = 600;     // centipawns at which the curve and the bar are nearly full
const LONGEST_LINE = 24;    // plies of a line that are listed

/** Analyse the position on the board, unless it is being analysed already. */
function analyse() {
  followReview();
  if (shown.mode !== 'analyse' || review.trying) return;
  const position = here();
  if (!analysis.running || review.running || analysis.position === position) {
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

/** Stop all searches. A review that has not ended is dropped: it could not say that there are no faults. */
function stopAnalysis() {
  if (review.running) forgetReview();
  analysis.thinker.stop();
  analysis.solver.stop();
  analysis.position = null;
}

function switchAnalysis(on = !analysis.running) {
  analysis.running = on;
  byId('engine-on').setAttribute('aria-pressed', String(on));
  if (on) {
    analyse();
    return;
  }
  stopAnalysis();
  followReview();
}

/** A score for White as text: "+0.25", or "+#5" if White wins in 5 moves. */
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
    words.push(moveShown(position, move));
    position = shown.core.push(position, move);
  }
  return words.join(' ');
}

/** An item of the list of lines. It is kept when its line changes: a replaced button would lose clicks and focus. */
function lineItem() {
  const item = document.createElement('li');
  const button = item.appendChild(document.createElement('button'));
  button.type = 'button';
  button.title = text('play-line');
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
  const pointed = listMarks(position, marks);
  tellKnown(position);
  tellSearch(report);
  showArrows(arrowsOf(position, advised(best, marks), pointed));
  drawBar(position);
  drawCurve();
  return marks;
}

/** The arrows of the advised marks, numbered if there are several; above them the arrow of the mark under the pointer or the focus. */
function arrowsOf(position, advised, pointed) {
  const drawn = advised.map(({move}, index) => ({
    move, ...squaresOf(position, move), kind: index ? 'other' : 'best', label: advised.length > 1 ? String(index + 1) : ''}));
  if (!pointed) return drawn;
  const {move} = pointed;
  return [{label: '', ...drawn.find(arrow => arrow.move === move), move, ...squaresOf(position, move), kind: 'pointed'}, ...drawn.filter(arrow => arrow.move !== move)];
}

function showArrows(arrows) {
  if (JSON.stringify(arrows) === JSON.stringify(shown.arrows)) return;
  shown.arrows = arrows;
  redraw();
}

/** List the lines of ranked marks. */
function listLines(position, best) {
  const place = byId('lines');
  place.style.setProperty('--count', byId('multipv').value);
  const focused = place.contains(document.activeElement);
  while (place.children.length > best.length) place.lastElementChild.remove();
  if (focused && !place.contains(document.activeElement)) focusBoard();
  best.forEach(({move, value, score, line = [move]}, index) => {
    const button = (place.children[index] ?? place.appendChild(lineItem())).firstElementChild;
    button.firstElementChild.textContent = value || score === undefined ? text(`outcome-${OUTCOMES[value].kind}`) : scoreText(score, position.black);
    button.lastChild.data = ` ${lineText(position, line.slice(0, LONGEST_LINE))}`;
    button.onclick = () => { if (here() === position) userMoves(move); };
  });
}

/** Say how far the search has come. report: null if it is not searching this position. */
function tellSearch(report) {
  const {depth, nodes, milliseconds} = report ?? {};
  const millions = milliseconds ? decimal(nodes / milliseconds / 1000, 2) : '';
  byId('search').textContent = report ? text(millions ? 'search-speed' : 'search', {depth, nodes, millions}) : '';
}

/** Say who wins, if that is known. */
function tellKnown(position) {
  const place = byId('known');
  const known = knownOf(position);
  place.classList.toggle('proven', known !== undefined);
  if (!known) {
    const count = analysis.position === position && analysis.nodes;
    place.textContent = count ? text('not-decided', {count}) : '';
    return;
  }
  const winner = side((known.value > 0) === position.black);
  const how = knownText(known);
  place.textContent = known.plies === 0 ? text('known-won', {winner}) : text(how ? 'known-wins-how' : 'known-wins', {winner, how});
}

/** The known result of a position as Knowledge.of() returns it, also if the game is over. */
const knownOf = position => shown.core.over(position) ? {value: -1, plies: 0} : analysis.knowledge.of(position);

/** The score of a position for White, or undefined. */
function scoreOf(position) {
  const known = knownOf(position);
  if (!known) return analysis.scores.get(position);
  const score = known.value * (numbers.state.WIN - (known.plies ?? 0));
  return position.black ? -score : score;
}

/** The score of a position for White in the list of moves. A known win of White is "+#" and the bound in moves, if there is one. */
function listedScore(position, score) {
  const known = knownOf(position);
  return known ? `${score > 0 ? '+' : '−'}#${known.plies ? Math.ceil(known.plies / 2) : ''}` : scoreText(score, false);
}

/** White's score as a part of the bar or the curve, from 0 (Black wins) to 1 (White wins). */
const share = score => mateIn(score) === null ? 1 / (1 + Math.exp(-score / (CURVE / 3))) : score > 0 ? 1 : 0;

function drawBar(position) {
  const [known, score] = [knownOf(position), scoreOf(position)];
  byId('bar').style.setProperty('--white', share(score ?? 0));
  byId('bar').classList.toggle('turned', shown.flipped);
  const words = known ? text('evaluation-won', {winner: side(score < 0)})
    : score === undefined ? text('evaluation') : text('evaluation-score', {score: scoreText(score, false)});
  byId('bar').setAttribute('aria-label', words);
}
