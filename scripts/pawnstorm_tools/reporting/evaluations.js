// The chart of one game: both sides' evaluations, from White's point of view.

/** A score seen by White as people write it: "+0.25", "M5", "-M4"; "" if none is known. */
function shownScore(score) {
  if (score === null) return '';
  if (typeof score === 'string') return score.replace('-', '−');
  return (score < 0 ? '−' : score ? '+' : '') + (Math.abs(score) / 100).toFixed(2);
}

/** The points of both curves: {ply, move, side, shown, depth, value}; value is in pawns up to `top`, a proven win lies at `edge`. */
function points(game, names, top, edge) {
  const texts = game.texts.split(' ');
  const value = score => typeof score === 'string' ? (score.startsWith('-') ? -edge : edge) : Math.max(-top, Math.min(top, score / 100));
  return game.scores.map((score, index) => score !== null && {
    ply: index + 1, move: texts[index], side: names[Number(numbered(game, index + 1)[1])], shown: shownScore(score),
    depth: game.depths[index], value: value(score)}).filter(Boolean);
}

const HEIGHT = 220;

/** The marks where it became known who wins. Their labels stay inside the chart, do not overlap, and keep away from the winner's edge. */
function marks(game) {
  const count = game.scores.length;
  const found = game.changes.map(([ply, winner], index) => ({
    ply, row: winner === 'white' ? HEIGHT - 8 - 14 * (index % 3) : 8 + 14 * (index % 3), inside: ply > .6 * count ? 'left' : 'right',
    label: `${index ? 'now ' : ''}${winner === 'white' ? 'White' : 'Black'} wins`}));
  const x = counted('ply', 'Ply', [0, count]);
  const text = (inside, align, dx) => ({
    data: {values: found.filter(mark => mark.inside === inside)}, mark: {type: 'text', align, dx},
    encoding: {x, y: {field: 'row', type: 'quantitative', scale: null, axis: null}, text: {field: 'label', type: 'nominal'}}});
  return [
    {data: {values: found}, mark: {type: 'rule', strokeDash: [3, 2], strokeWidth: 1.5, color: css('--text')}, encoding: {x}},
    text('left', 'right', -4), text('right', 'left', 4)];
}

/** Draw a game; go(ply) is called where the chart is clicked. The view has a signal `ply`, the position that is shown. */
async function drawEvaluations(game, ply, go) {
  const known = game.scores.filter(score => typeof score === 'number').map(score => Math.abs(score) / 100);
  const top = Math.min(20, Math.max(1, ...known));
  const edge = 1.15 * top;
  const half = Number((top / 2).toPrecision(1));
  const names = [`White: ${isolated(game.white)}`, `Black: ${isolated(game.black)}`];
  const values = points(game, names, top, edge);
  if (!values.length) return noChart('evaluation-chart', 'This game has no scores.');
  const colour = told('evaluation-chart', 'side', names);
  const x = counted('ply', 'Ply', [0, game.scores.length]);
  const number = "datum.value ? format(datum.value, '+.2~f') : '0'";
  const labels = `datum.value > ${top} ? 'White wins' : datum.value < -${top} ? 'Black wins' : ${number}`;
  const y = {field: 'value', type: 'quantitative', title: 'Pawns, seen by White', scale: {domain: [-edge, edge], nice: false},
    axis: {values: [-edge, -half, 0, half, edge], labelExpr: labels}};
  const label = `Evaluations of game ${game.number} by both sides. In the list of moves each score stands beside its move.`;
  const view = await chart('evaluation-chart', label, {
    height: HEIGHT, params: [{name: 'ply', value: ply}],
    layer: [
      {data: {values: [{}]}, mark: {type: 'rule', opacity: .6}, encoding: {y: {datum: 0}}},
      {data: {values: [{}]}, mark: {type: 'rule', strokeWidth: 9, opacity: .25, color: css('--link')},
        encoding: {x: {datum: {expr: 'ply'}, type: 'quantitative'}}},
      {data: {values}, mark: 'line', encoding: {x, y, ...colour}},
      {data: {values}, mark: {type: 'point', filled: true, size: 18, opacity: 1},
        encoding: {x, y, color: colour.color,
          tooltip: tooltip(['move', 'move'], ['side', 'side'], ['shown', 'score'], ['depth', 'depth'])}},
      ...marks(game)]});
  const point = event => {
    const left = view.container().querySelector('svg').getBoundingClientRect().left + view.origin()[0];
    go(Math.max(0, Math.min(game.scores.length, Math.round(view.scale('x').invert(event.clientX - left)))));
  };
  view.addEventListener('click', point);
  view.addEventListener('pointermove', event => { if (event.buttons === 1) point(event); });
  return view;
}
