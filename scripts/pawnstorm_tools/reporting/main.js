// Starts the page.

const report = JSON.parse(document.getElementById('data').textContent);

/** Draw every chart. Returns a promise that ends when they are there. */
const drawCharts = () => Promise.all([drawMatchCharts(), redrawEvaluations()]);

/** Keep the board on the screen while the charts above it take their places, unless the reader has begun to do something. */
function stay(drawn) {
  const begun = new AbortController();
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown']) {
    addEventListener(kind, () => begun.abort(), {signal: begun.signal, passive: true});
  }
  Promise.all([drawn, document.fonts.ready]).then(() => {
    if (!begun.signal.aborted) seekBoard();
    begun.abort();
  });
}

listen();
watchRegions();
document.getElementById('filter').addEventListener('change', filterGames);
filterGames();
const linked = follow(location.hash);
if (!linked) {
  show(0, 0);
  clearTimeout(shown.telling);     // nobody has asked for a position yet
}
const drawn = new Promise(resolve => { setTimeout(() => resolve(drawMatchCharts())); });     // the board first
if (linked) stay(drawn);
darkScheme.addEventListener('change', drawCharts);

// The page's width decides how many columns a legend has; it changes when a phone is turned.
let [width, resizing] = [innerWidth, null];
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(resizing);
  resizing = setTimeout(drawCharts, 150);
});
