// The page comes to life.

const report = JSON.parse(document.getElementById('data').textContent);

listen();
document.getElementById('filter').addEventListener('change', filterGames);
filterGames();
if (!follow(true)) {
  show(0, 0);
  clearTimeout(shown.telling);     // nobody has asked for a position yet
}
setTimeout(drawMatchCharts);     // the board first
darkScheme.addEventListener('change', () => { drawMatchCharts(); redrawEvaluations(); });
