// The players' clocks: they tick on the page, and who runs out of time has lost. How long the engine thinks is decided in
// worker/time_budget.js and worker/search_control.js.

/** Start the clock of whoever is to move. */
function startClock() {
  clearInterval(playing.ticking);
  playing.since = performance.now();
  if (!shown.clocks) return;
  playing.ticking = setInterval(() => {
    const index = Number(shown.game.positions.at(-1).black);
    const left = shown.clocks[index] - (performance.now() - playing.since);
    const place = byId((index === 1) !== shown.flipped ? 'player-above' : 'player-below');
    place.querySelector('.clock').textContent = clockText(left);
    if (left <= 0) outOfTime(index === 1);
  }, 100);
}

/** Stop the clock of whoever has moved; milliseconds spent, null where that was too many. */
function stopClock() {
  clearInterval(playing.ticking);
  playing.ticking = null;
  const spent = performance.now() - playing.since;
  if (shown.mode !== 'play' || !shown.clocks) return spent;
  const index = Number(shown.game.positions.at(-1).black);
  shown.clocks[index] -= spent;
  if (shown.clocks[index] <= 0) {
    outOfTime(index === 1);
    return null;
  }
  shown.clocks[index] += playing.clock.increment;
  return spent;
}

/** End the game: this side has lost on time. */
function outOfTime(black) {
  stopThinking();
  shown.clocks[Number(black)] = 0;
  shown.game.end(black, 'the opponent has run out of time');
  showGame(shown.game);
}

/** How a clock shows its time: minutes and seconds, tenths in the last twenty seconds. */
function clockText(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '';
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
