// A reload goes on with the game against the engine, as far as the browser keeps what it was.

const KEPT = 'game';

/** Keep the game that is played, or forget the last one. */
function keepGame() {
  const {human, elo, movetime, clock, ticking, since} = playing;
  const {game, mode, names, flipped} = shown;
  const clocks = shown.clocks && [...shown.clocks];
  if (clocks && ticking) clocks[Number(game.positions.at(-1).black)] -= performance.now() - since;
  try {
    if (mode !== 'play' || human === 'both' || game.over) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify({human, elo, movetime, clock, clocks, names, flipped, address: addressOf(game, game.last, mode)}));
  } catch {
    // a browser that keeps nothing
  }
}

/** Go on with the game that was kept; whether there is one. */
function goOnWithKept() {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return false;
  }
  if (!kept || performance.getEntriesByType('navigation')[0]?.type !== 'reload') return false;
  history.replaceState(null, '', kept.address);
  if (!openAddress()) return false;
  const {human, elo, movetime, clock, clocks, names, flipped} = kept;
  Object.assign(playing, {human, elo, movetime, clock});
  Object.assign(shown, {clocks, names});
  turnBoard(flipped);
  showGame(shown.game);
  goOn();
  return true;
}
