// The players' clocks: they tick on the page, and a player who runs out of time loses. The files
// worker/time_budget.js and worker/search_control.js decide how long the engine thinks.

const LOW = 10000;    // milliseconds left, below which the user is warned

/** Start the clock of the side to move. */
function startClock() {
  clearInterval(playing.ticking);
  playing.since = performance.now();
  if (!shown.clocks) return;
  playing.ticking = setInterval(() => {
    const index = Number(playing.node.position.black);
    const left = shown.clocks[index] - (performance.now() - playing.since);
    const place = byId((index === 1) !== shown.flipped ? 'player-above' : 'player-below');
    showClock(place, left);
    if (left <= 0) outOfTime(index === 1);
    else warnOfTime(index === 1, left);
  }, 100);
}

/** Warn the user by a sound, once in a game, that little time is left. */
function warnOfTime(black, left) {
  if (left >= LOW || engineMoves(black) || playing.warned === shown.game) return;
  playing.warned = shown.game;
  sound('low');
}

/** Stop the clock of the player who has moved; returns the milliseconds spent, null if the time had run out. */
function stopClock() {
  clearInterval(playing.ticking);
  playing.ticking = null;
  const spent = performance.now() - playing.since;
  if (shown.mode !== 'play' || !shown.clocks) return spent;
  const index = Number(playing.node.position.black);
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
  shown.game.finish(playing.node, black, ENDED.time);
  showNode(playing.node);
}

/** Show how much time a player has left, in the line of the player; NaN: there is no clock. */
function showClock(place, left) {
  const clock = place.querySelector('.clock');
  clock.textContent = clockText(left);
  clock.classList.toggle('low', left < LOW);
}

/** A clock's time as text: minutes and seconds, with tenths in the last twenty seconds. */
function clockText(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '';
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 20) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
