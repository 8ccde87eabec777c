// The charts of the whole match.

function drawGrowth() {
  const rows = report.growth;
  if (!rows.length) return;
  const last = new Map(rows.map(row => [row.engine ?? report.players[0], row]));
  const label = `Score over time. At the end: ${[...last].map(([name, row]) => `${name} ${row.score.toFixed(1)} %`).join(', ')}`;
  const x = counted('game', 'Game');
  const y = {field: 'score', type: 'quantitative', title: 'Score, %', scale: {domain: [0, 100]}};
  const even = {data: {values: [{}]}, mark: {type: 'rule', strokeDash: [4, 4]}, encoding: {y: {datum: 50}}};
  const band = rows.filter(row => typeof row.low === 'number');
  const [color] = colours();
  const colour = told('growth-chart', 'engine', report.players);
  const layer = report.players.length > 2 ? [
    even,
    {mark: 'line', encoding: {x, y, ...colour}},
    ...dots(rows, {x, y, color: colour.color}),
  ] : [
    ...band.length ? [{data: {values: band}, mark: {type: 'area', color, opacity: .18},
      encoding: {x, y: {...y, field: 'low'}, y2: {field: 'high'}}}] : [],
    even,
    {mark: {type: 'line', color}, encoding: {x, y}},
    ...dots(rows, {x, y, color: {value: color}}),
    {mark: hover, encoding: {
      x, y, tooltip: tooltip(['game', 'after game'], ['score', 'score, %', '.1f'], ['low', 'from', '.1f'], ['high', 'to', '.1f'])}},
  ];
  return chart('growth-chart', label, {height: 220, data: {values: rows}, layer});
}

function drawPace(id, field, title, format, missing) {
  const rows = report.pace.filter(row => row[field] !== null);
  if (!rows.length) return noChart(id, missing);
  const colour = told(id, 'engine', report.players);
  return chart(id, `${title} by move; the table below has the numbers`, {
    height: 200, data: {values: rows},
    encoding: {x: counted('move', 'Move of the engine'), y: {field, type: 'quantitative', title, axis: {tickCount: 5, format: '~g'}}},
    layer: [
      {mark: 'line', encoding: colour},
      ...dots(rows, {color: colour.color}),
      {mark: hover, encoding: {tooltip: tooltip(['engine', 'engine'], ['move', 'move'], [field, title, format], ['games', 'games'])}}]});
}

function drawMatchCharts() {
  return Promise.all([
    drawGrowth(),
    drawPace('seconds-chart', 'seconds', 'Seconds a move', '.3~g', 'No game says how much time was used.'),
    drawPace('depth-chart', 'depth', 'Depth', '.1f', 'No game says which depth was reached.'),
  ]);
}
