// Plays a game by itself, a ply a second, to its end or until the reader uses it.

const PACE = 1000;
const autoplay = {timer: null};

function play() {
  const last = shown.positions.length - 1;
  if (!last) return;
  const index = report.games.indexOf(shown.game);
  const step = () => {
    const ended = shown.ply + 1 >= last;
    if (ended) pause();    // so that the last position is spoken
    show(index, shown.ply + 1, true);
    if (!ended) autoplay.timer = setTimeout(step, PACE);
  };
  if (shown.ply === last) show(index, 0);
  autoplay.timer = setTimeout(step, PACE);
  tellOfPlay(true);
}

function pause() {
  if (autoplay.timer === null) return;
  clearTimeout(autoplay.timer);
  autoplay.timer = null;
  tellOfPlay(false);
}

/** Set the button's name, and whether a screen reader speaks each position: not while the game plays. */
function tellOfPlay(playing) {
  document.getElementById('play').textContent = playing ? 'Pause' : 'Play';
  const position = document.getElementById('position');
  position.setAttribute('aria-live', playing ? 'off' : 'polite');
  if (!playing) requestAnimationFrame(() => { position.textContent = described(shown.game, shown.ply); });    // spoken now
}

const switchPlay = () => autoplay.timer === null ? play() : pause();
