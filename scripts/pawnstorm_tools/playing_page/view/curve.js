// The curve of the evaluations along the line that is shown, White above. Its scale is that of the bar, winning chances; lines
// mark some scores.

const CURVE_SIZE = [300, 80];
const CURVE_MARKS = [300, 0, -300];    // centipawns

function drawCurve() {
  const nodes = shown.game.line(shown.node);
  const [width, height] = CURVE_SIZE;
  const across = index => width * index / Math.max(1, nodes.length - 1);
  const down = score => height * (1 - share(score));
  const points = nodes.map((node, index) => ({node, x: across(index), score: scoreOf(node.position)})).filter(({score}) => score !== undefined);
  listScores();
  const drawn = points.map(({x, score}) => `${x.toFixed(1)},${down(score).toFixed(1)}`);
  byId('curve-line').setAttribute('points', drawn.join(' '));
  byId('curve-area').setAttribute('points', drawn.length ? [`${points[0].x},${height}`, ...drawn, `${points.at(-1).x},${height}`].join(' ') : '');
  const here = across(shown.node.ply);
  for (const end of ['x1', 'x2']) byId('curve-here').setAttribute(end, here);
  byId('curve-faults').replaceChildren(...points.filter(({node}) => review.faults.some(fault => fault.node === node)).map(({x, score}) =>
    element('line', {x1: x, x2: x, y1: down(score), y2: down(score)})));
  byId('curve-scale').replaceChildren(...CURVE_MARKS.map(score => {
    const mark = document.createElement('span');
    mark.textContent = score ? scoreText(score, false).replace('.00', '') : '0';
    mark.style.top = `${100 * (1 - share(score))}%`;
    return mark;
  }));
  byId('curve-missing').textContent = points.length < nodes.length ? text('curve-missing', {done: points.length, count: nodes.length}) : '';
}

/** Write the scores that are known beside the moves of the main line. */
function listScores() {
  for (const node of shown.game.main) {
    const score = scoreOf(node.position);
    if (score !== undefined) listScore(node, listedScore(node.position, score));
  }
}

/** Go to the position of the curve that is clicked. */
function pickOnCurve(event) {
  const nodes = shown.game.line(shown.node);
  const {left, width} = event.currentTarget.getBoundingClientRect();
  showNode(nodes[Math.round((event.clientX - left) / width * (nodes.length - 1))]);
}
