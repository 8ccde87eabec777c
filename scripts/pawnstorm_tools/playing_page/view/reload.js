// The current game goes on after a reload, and after going back to the page from another one, if the browser has kept the game.

const KEPT = 'pawnstorm.game';    // in the tab's storage, which other pages from files can share
const LONGEST_CLOCK = 86400000;   // milliseconds

/** Keep the game that is played, or forget the last one. */
function keepGame() {
  const {human, elo, time, ticking, since} = playing;
  const {game, ply, mode, names, flipped} = shown;
  const clocks = shown.clocks && [...shown.clocks];
  if (clocks && ticking) {
    const index = Number(game.positions.at(-1).black);
    clocks[index] = Math.max(0, clocks[index] - (performance.now() - since));
  }
  try {
    if (mode !== 'play' || !time || game.over) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, JSON.stringify({human, elo, time, clocks, names, flipped, address: addressOf(game, ply, mode)}));
  } catch {
    // a browser that keeps nothing
  }
}

/** Go on with the game that was kept; whether there is one. What was kept and is no game is dropped, and the user told. */
function goOnWithKept() {
  let text = null;
  try {
    text = sessionStorage.getItem(KEPT);
  } catch {
    return false;
  }
  const way = performance.getEntriesByType('navigation')[0]?.type;
  if (text === null || way !== 'reload' && way !== 'back_forward') return false;
  const kept = keptFrom(text);
  if (!kept) {
    sessionStorage.removeItem(KEPT);
    trouble('The game that this browser tab kept cannot be read. It has been dropped.');
    return false;
  }
  const {human, elo, time, clocks, names, flipped, address, game, ply} = kept;
  if (way === 'back_forward' && address !== location.hash) return false;    // back to an earlier game
  setPlayers(human, elo, time);
  Object.assign(shown, {clocks, names});
  turnBoard(flipped);
  showGame(game, ply);
  startClock();
  goOn();
  return true;
}

/** What keepGame() has written, with the Game of its address; null for any other text. */
function keptFrom(text) {
  try {
    const {human, elo, time, clocks, names, flipped, address} = JSON.parse(text);
    const offers = (id, value) => [...byId(id).options].some(option => option.value === value);
    const both = (pair, fits) => Array.isArray(pair) && pair.length === 2 && pair.every(fits);
    const fits = ['white', 'black', 'both'].includes(human)
      && (elo === null || Number.isInteger(elo) && offers('level', String(elo)))
      && offers('time', time)
      && (clocks === null || time.startsWith('clock') && both(clocks, left => left >= 0 && left <= LONGEST_CLOCK && typeof left === 'number'))
      && both(names, name => typeof name === 'string' && shortened(name) === name)
      && typeof flipped === 'boolean' && typeof address === 'string';
    const found = fits && addressed(shown.core, address);
    return found && found.mode === 'play' && !found.game.over ? {human, elo, time, clocks, names, flipped, address, ...found} : null;
  } catch {
    return null;    // no JSON, or an address that names no game
  }
}
