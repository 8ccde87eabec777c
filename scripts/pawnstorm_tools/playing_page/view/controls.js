// The buttons, the fields and the keys.

/** The node to which each step leads from a node; null or undefined if it leads nowhere. */
const STEPS = {first: () => shown.game.root, back: ({parent}) => parent, forward: ({children}) => children[0],
  last: node => shown.game.line(node).at(-1), 'variation-before': node => sibling(node, -1), 'variation-after': node => sibling(node, 1)};
const BUTTONS = ['first', 'back', 'forward', 'last'];
const KEYS = {ArrowLeft: 'back', ArrowRight: 'forward', ArrowUp: 'variation-before', ArrowDown: 'variation-after', Home: 'first', End: 'last'};

/** The alternative that is `places` places after a node's move; undefined if there is none. */
const sibling = ({parent}, places) => parent?.children[parent.children.indexOf(shown.node) + places];

/** Step through the game; returns whether there is such a step. */
function step(name) {
  if (shown.mode === 'learn') return false;
  const node = STEPS[name](shown.node);
  if (node && node !== shown.node) goTo(node);
  return Boolean(node);
}

/** Show a node. The engine moves if play goes on there and it is its turn, unless it is thinking already. */
function goTo(node) {
  showNode(node);
  if (!playing.thinker.asked && engineMoves(node.position.black)) goOn();
}

/** Show one of the three modes; showPlayed() shows the game that is being played. */
function setMode(mode, showPlayed = null) {
  if (!MODES.includes(mode)) return;
  const before = shown.mode;
  shown.mode = mode;
  for (const name of MODES) {
    byId(`mode-${name}`).setAttribute('aria-pressed', String(name === mode));
    for (const part of document.querySelectorAll(`.${name}-only`)) part.hidden = name !== mode;
  }
  for (const part of document.querySelectorAll('.game-only')) part.hidden = mode === 'learn';
  if (before !== mode) {
    stopThinking();
    stopAnalysis();
    haltTraining();
  }
  byId('panel').classList.toggle('analysing', mode === 'analyse');
  byId('panel').classList.toggle('learning', mode === 'learn');
  shown.arrows = [];
  if (mode === 'learn') {
    training.before = {game: shown.game, node: shown.node, names: shown.names, flipped: shown.flipped};
    openPuzzle();
    return;
  }
  if (before === 'learn') {
    const {game, node, names, flipped} = training.before;
    Object.assign(shown, {names, game, node: stillThere(node)});
    turnBoard(flipped);
  }
  if (mode === 'analyse') {
    shown.clocks = null;
    switchAnalysis(true);
    showNode(shown.node, {slide: false});
  } else if (showPlayed) showPlayed();
  else if (playing.game) showPlay();
  else beginUsualGame();
}

/** What the mode buttons do. Play asks for an opponent if the game on the screen is not the one being played. */
function chooseMode(mode) {
  if (mode === shown.mode) return;
  if (mode === 'play' && shown.mode === 'analyse' && shown.game !== playing.game && !shown.core.over(here())) playFrom(shown.node);
  else setMode(mode);
}

/** The sizes of the chosen family, the largest first. */
function listSizes() {
  const family = byId('family').value;
  byId('size').replaceChildren(...sizesOf(family).map(({name, files, ranks}) => new Option(text('board-size', {files, ranks}), name, files === 8 && ranks === 8)));
  byId('size').value = family;
}

function listen() {
  const onClick = (id, action) => byId(id).addEventListener('click', () => action());
  for (const name of MODES) onClick(`mode-${name}`, () => chooseMode(name));
  for (const name of BUTTONS) onClick(name, () => step(name));
  onClick('flip', flip);
  document.querySelector('.skip').addEventListener('click', event => {
    event.preventDefault();    // following the link would replace the game in the address
    byId('board-place').focus();
  });
  onClick('engine-on', () => switchAnalysis());
  onClick('review-game', reviewGame);
  onClick('previous-fault', () => stepToFault(false));
  onClick('next-fault', () => stepToFault(true));
  onClick('try-fault', tryAgain);
  listenToOpen();
  listenToShare();
  listenToEditor();
  listenToTraining();
  onClick('pictures', () => movePictures(!pictures.running));
  dialogOpened.set('rules-dialog', drawRules);
  dialogClosed.set('rules-dialog', () => movePictures(false));
  byId('multipv').addEventListener('change', () => { stopAnalysis(); analyse(); });
  byId('curve').addEventListener('click', pickOnCurve);
  listenToMoves();
  listenToMoveMenu();
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.('select, input, textarea, dialog')) return;
    if (event.key.toLowerCase() === 'f') flip();
    else if (event.key === 'Escape') shown.squares.escape();
    else if (!Object.hasOwn(KEYS, event.key) || !step(KEYS[event.key])) return;
    event.preventDefault();
  });
  // newURL, since tellAddress() may have replaced location.
  addEventListener('hashchange', ({newURL}) => {
    closeDialog('move-menu');    // its move is of the game before
    if (openAddress(new URL(newURL).hash)) trouble('');
  });
  addEventListener('pagehide', keepGame);
}

/**
 * Show the game that the address names, if any, in Learn or Analyse; ask for an opponent if the address names Play. Returns whether it
 * names a game.
 */
function openAddress(hash = location.hash) {
  try {
    const found = addressed(shown.core, hash);
    if (!found) return false;
    if (found.mode === 'learn') {
      openPuzzleOf(found.game);
      return true;
    }
    if (shown.mode !== 'analyse') setMode('analyse');
    shown.names = found.game.names;
    showGame(found.game, found.node);
    if (found.mode === 'play' && !shown.core.over(here())) playFrom(found.node);    // no address names an opponent
    return true;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    trouble(error.message);
    return false;
  }
}
