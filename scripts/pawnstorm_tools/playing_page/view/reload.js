// The current game goes on after a reload, and after going back to the page from another one, if the browser has kept the game.

// Keys of the tab's storage, which the page may share with other pages opened from files.
const KEPT = 'pawnstorm.game';
const KEPT_TREE = 'pawnstorm.tree';
const LONGEST_CLOCK = 86400000;   // milliseconds

/** Keep the game that is played, or forget the last one. */
function keepGame() {
  try {
    if (shown.mode !== 'play' || !isPlaying()) sessionStorage.removeItem(KEPT);
    else {
      const {game, node, going, from, ...others} = playState();
      const nodes = [...game.written()];
      sessionStorage.setItem(KEPT, JSON.stringify({
        ...others, address: addressOf(game, node, 'play', Infinity), going: nodes.indexOf(going), from: nodes.indexOf(from)}));
    }
    const {game, node, mode} = shown;
    if (mode === 'learn' || fitsAddress(game)) sessionStorage.removeItem(KEPT_TREE);
    else sessionStorage.setItem(KEPT_TREE, addressOf(game, node, mode, Infinity));
  } catch {
    // the browser stores nothing
  }
}

/** The page's address. If it names only a line of the tree that keepGame() has stored, the address of the tree instead. */
function keptAddress() {
  try {
    const address = sessionStorage.getItem(KEPT_TREE);
    const {game, node, mode} = addressed(shown.core, address);
    if (wayHere() && addressOf(game, node, mode) === location.hash) return address;
  } catch {
    // nothing that keepGame() has written
  }
  return location.hash;
}

/** "reload" or "back_forward" if the user has come back to the page in that way, else null. */
function wayHere() {
  const {type} = performance.getEntriesByType('navigation')[0] ?? {};
  return ['reload', 'back_forward'].includes(type) ? type : null;
}

/** Go on with the stored game; returns whether there is one. A stored text that is not a game is dropped, and the page says so. */
function goOnWithKept() {
  let written = null;
  try {
    written = sessionStorage.getItem(KEPT);
  } catch {
    return false;
  }
  const way = wayHere();
  if (written === null || !way) return false;
  const kept = keptFrom(written);
  if (!kept) {
    sessionStorage.removeItem(KEPT);
    trouble(text('kept-unreadable'));
    return false;
  }
  if (way === 'back_forward' && addressOf(kept.game, kept.node, 'play') !== location.hash) return false;    // back to an earlier game
  resumePlay(kept);
  return true;
}

/** What keepGame() has written, with the Game of its address; null for any other text. */
function keptFrom(text) {
  try {
    const {human, elo, time, clocks, names, flipped, address, going, from} = JSON.parse(text);
    const offers = (id, value) => [...byId(id).options].some(option => option.value === value);
    const both = (pair, fits) => Array.isArray(pair) && pair.length === 2 && pair.every(fits);
    const fits = ['white', 'black', 'both'].includes(human)
      && (elo === null || Number.isInteger(elo) && offers('level', String(elo)))
      && typeof time === 'string' && timeNamed(time) !== null
      && (clocks === null || timeNamed(time).clock && both(clocks, left => left >= 0 && left <= LONGEST_CLOCK && typeof left === 'number'))
      && both(names, name => typeof name === 'string' && shortened(name) === name)
      && typeof flipped === 'boolean' && typeof address === 'string' && Number.isInteger(going) && Number.isInteger(from);
    const found = fits && addressed(shown.core, address);
    const [node, start] = found ? [going, from].map(index => [...found.game.written()][index]) : [];
    return node && start && found.mode === 'play' && !found.game.over(node)
      ? {human, elo, time, clocks, names, flipped, ...found, going: node, from: start} : null;
  } catch {
    return null;    // no JSON, or an address that names no game
  }
}
