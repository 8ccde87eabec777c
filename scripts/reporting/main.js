// The page comes to life.

const report = JSON.parse(document.getElementById('data').textContent);

listen();
document.getElementById('filter').addEventListener('change', filterGames);
filterGames();
if (!follow(true)) {
  const address = location.href;
  show(0, 0);
  history.replaceState(null, '', address);     // nobody has asked for a position yet
}
setTimeout(drawMatchCharts);     // the board first
darkScheme.addEventListener('change', () => { drawMatchCharts(); redrawEvaluations(); });
