// The buttons, the fields and the keys.

const STEPS = {first: () => 0, back: () => shown.ply - 1, forward: () => shown.ply + 1, last: () => Infinity};
const KEYS = {ArrowLeft: 'back', ArrowRight: 'forward', Home: 'first', End: 'last'};

function step(name) {
  if (shown.mode === 'learn') return;
  if (shown.mode === 'play' && playing.thinker.asked) return;
  showPly(STEPS[name]());
}

/** Show one of the three modes. */
function setMode(mode) {
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
    clearTimeout(training.playing);
  }
  shown.arrows = [];
  if (mode === 'learn') {
    training.before = {game: shown.game, names: shown.names, flipped: shown.flipped};
    nextLesson(Math.max(0, training.place));
    drawRules();
    return;
  }
  movePictures(false);
  if (before === 'learn') {
    const {game, names, flipped} = training.before;
    shown.names = names;
    turnBoard(flipped);
    showGame(game);
  }
  if (mode === 'analyse') {
    shown.clocks = null;
    switchAnalysis(true);
  }
  showGame(shown.game, shown.ply);
  if (mode === 'play') goOn();
}

/** The sizes of the chosen family, the largest first. */
function listSizes() {
  const family = byId('family').value;
  const rows = numbers.games.filter(row => row.family === family).sort((one, two) => two.files * two.ranks - one.files * one.ranks);
  byId('size').replaceChildren(...rows.map(({name, files, ranks}) => new Option(`${files} by ${ranks}`, name, files === 8 && ranks === 8)));
  byId('size').value = family;
}

/** Open what is written in the field; named: rules that the user has chosen, null for what the text says. */
function openText(named = null) {
  const text = byId('text').value;
  const rich = pasted.text.trim() && pasted.text.trim() === text.trim() ? pasted.link : text;
  byId('as-others').replaceChildren();
  try {
    const {game, told, others, ply} = textRead(shown.core, named ? text : rich, shown.game.rules, named);
    byId('reading').textContent = told;
    byId('as-others').replaceChildren(...others.map(rules => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = `Read as ${calledBoard(rules)}`;
      button.addEventListener('click', () => openText(rules));
      return button;
    }));
    if (shown.mode === 'play') newGame(game);
    else {
      shown.names = game.names;
      showGame(game, ply);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    byId('reading').textContent = error.message;
  }
}

const pasted = {text: '', link: ''};

/** Remember the link that a pasted FEN carries, where it was copied from this page. */
function keepPasted({clipboardData}) {
  const found = new DOMParser().parseFromString(clipboardData.getData('text/html'), 'text/html').querySelector('a[href*="#game="]');
  const text = clipboardData.getData('text/plain');
  Object.assign(pasted, found?.textContent.trim() === text.trim() ? {text, link: found.getAttribute('href')} : {text: '', link: ''});
}

const linkHere = (game = shown.game, ply = shown.ply) => location.href.replace(/#.*/, '') + addressOf(game, ply, shown.mode);

/** The position as a FEN; where text can carry a link, also the game. */
function copyFen() {
  const position = here();
  const text = fenOf(position);
  copy('FEN', text, linkHere(new Game(shown.core, position), 0));
}

function listen() {
  const onClick = (id, action) => byId(id).addEventListener('click', () => action());
  for (const name of MODES) onClick(`mode-${name}`, () => { if (name !== shown.mode) setMode(name); });
  for (const name of Object.keys(STEPS)) onClick(name, () => step(name));
  onClick('flip', flip);
  onClick('new-game', () => { trouble(''); newGame(); });
  onClick('take-back', takeBack);
  onClick('hint', hint);
  onClick('resign', resign);
  onClick('engine-on', () => switchAnalysis());
  onClick('curve-all', analyseGame);
  onClick('open', () => openText());
  byId('text').addEventListener('paste', keepPasted);
  onClick('copy-fen', copyFen);
  onClick('copy-pgn', () => copy('PGN', pgnOf(shown.game, {White: shown.names[0], Black: shown.names[1]})));
  onClick('copy-link', () => copy('Link', linkHere()));
  onClick('next-lesson', () => nextLesson());
  onClick('again', () => nextLesson(training.place));
  onClick('pictures', () => movePictures(!pictures.running));
  byId('family').addEventListener('change', listSizes);
  byId('multipv').addEventListener('change', () => { stopAnalysis(); analyse(); });
  byId('curve').addEventListener('click', pickOnCurve);
  byId('moves').addEventListener('click', event => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;    // the browser opens it elsewhere
    event.preventDefault();
    showPly(Number(link.dataset.ply));
  });
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.('select, input, textarea, .moves')) return;
    if (Object.hasOwn(KEYS, event.key)) step(KEYS[event.key]);
    else if (event.key.toLowerCase() === 'f') flip();
    else return;
    event.preventDefault();
  });
  addEventListener('hashchange', ({newURL}) => { if (openAddress(new URL(newURL).hash)) trouble(''); });    // newURL, since tellAddress() may have replaced location
  addEventListener('pagehide', keepGame);
}

/** Show the game that the address names, if any; returns whether it names one. */
function openAddress(hash = location.hash) {
  try {
    const found = addressed(shown.core, hash);
    if (!found) return false;
    const mode = found.mode ?? (shown.mode === 'learn' ? 'analyse' : shown.mode);
    if (mode === 'learn') {
      openLesson(found.game);
      return true;
    }
    if (shown.mode === 'learn') setMode(mode);    // which brings back what was shown before
    stopThinking();
    playing.human = 'both';
    shown.names = found.game.names;
    shown.clocks = null;
    showGame(found.game, found.ply);
    if (mode !== shown.mode) setMode(mode);
    return true;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    trouble(error.message);
    return false;
  }
}
