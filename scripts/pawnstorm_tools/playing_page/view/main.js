// Starts the page.

// What the page takes from the engine's modules.
const numbers = JSON.parse(document.getElementById('numbers').textContent);
const {measures} = numbers;

const NEEDED = ['WebAssembly', 'Worker', 'DecompressionStream'];

/** Throw Unusable if this browser lacks a feature or a policy blocks the style. */
function demand() {
  if (!document.styleSheets.length) throw new Unusable(text('style-refused'));
  for (const name of NEEDED) {
    if (!globalThis[name]) throw new Unusable(text('lacking', {feature: name === 'Worker' ? text('workers') : name}));
  }
}

/** The parts of the page: {name: text}. */
function readParts() {
  return Object.fromEntries([...document.querySelectorAll('script[data-part]')].map(({textContent, dataset}) => [dataset.part, textContent]));
}

async function start() {
  demand();
  readPreferences();
  applyLooks();
  const parts = readParts();
  shown.backdrops = JSON.parse(new TextDecoder().decode(await unpacked('boards', parts.boards)));
  shown.core = await Core.make(parts);
  const source = `const numbers = ${document.getElementById('numbers').textContent};\n${document.getElementById('worker').textContent}`;
  const failed = (words, again) => {
    trouble(words);
    if (!again) showThinking(false);
  };
  playing.thinker = new Thinker(source, parts, failed);
  analysis.thinker = playing.thinker;
  analysis.knowledge = new Knowledge(shown.core);
  analysis.solver = new Thinker(source, parts, failed, 1 - numbers.memory.SEARCH_SHARE);
  shown.board = new DrawnBoard(byId('board'), measures);
  shown.squares = new Squares(byId('squares'), new DrawingLayer(shown.board));
  shown.game = Game.new(shown.core, 'twoflags');
  shown.node = shown.game.root;
  fillFields();
  listen();
  listenToDialogs();
  listenToExplorer();
  listenToSounds();
  listenToNewGame();
  listenToDoings();
  listenToFirstRules();
  shown.listeners.push(analyse);
  byId('app').hidden = false;
  if (!goOnWithKept() && !openAddress(keptAddress())) setMode('play');
  playing.thinker.start();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

trouble('');
addEventListener('error', ({message}) => trouble(text('went-wrong', {reason: message})));
addEventListener('unhandledrejection', ({reason}) => trouble(text('went-wrong', {reason: String(reason?.message ?? reason)})));
start().catch(error => trouble(error instanceof Unusable ? error.message : text('start-failed', {reason: error.message})));
