// The page comes to life.

// What it knows from the engine's modules.
const numbers = JSON.parse(document.getElementById('numbers').textContent);
const {measures} = numbers;

const NEEDED = {WebAssembly: 'WebAssembly', Worker: 'workers', DecompressionStream: 'DecompressionStream'};

/** Throw Unusable where this browser lacks something, or a policy takes away the style. */
function demand() {
  if (!document.styleSheets.length) throw new Unusable("Pawnstorm cannot run here: a content security policy has to allow its style, by style-src 'unsafe-inline'.");
  for (const [name, called] of Object.entries(NEEDED)) {
    if (!globalThis[name]) throw new Unusable(`Pawnstorm cannot run here: this browser has no ${called}, or it is switched off. ${ENOUGH}`);
  }
}

/** The parts of the page: {name: text}. */
function readParts() {
  return Object.fromEntries([...document.querySelectorAll('script[data-part]')].map(({textContent, dataset}) => [dataset.part, textContent]));
}

async function start() {
  demand();
  const parts = readParts();
  shown.backdrops = JSON.parse(new TextDecoder().decode(await unpacked('boards', parts.boards)));
  shown.core = await Core.make(parts);
  const source = `const numbers = ${document.getElementById('numbers').textContent};\n${document.getElementById('worker').textContent}`;
  const failed = (text, again) => {
    trouble(text);
    if (!again) byId('thinking').hidden = true;
  };
  playing.thinker = new Thinker(source, parts, failed);
  analysis.thinker = playing.thinker;
  analysis.knowledge = new Knowledge(shown.core);
  analysis.solver = new Thinker(source, parts, failed, 1 - numbers.memory.SEARCH_SHARE);
  shown.board = new DrawnBoard(byId('board'), measures);
  shown.squares = new Squares(byId('squares'), mayMove, userMoves);
  shown.game = Game.new(shown.core, 'twoflags');
  listSizes();
  listen();
  shown.listeners.push(analyse);
  if (!goOnWithKept()) {
    if (!openAddress()) newGame();
    else if (shown.mode === 'play' && !shown.game.over) setMode('analyse');
  }
  byId('app').hidden = false;
  playing.thinker.start();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

trouble('');
addEventListener('error', ({message}) => trouble(`Something has gone wrong on this page: ${message}.`));
addEventListener('unhandledrejection', ({reason}) => trouble(`Something has gone wrong on this page: ${reason?.message ?? reason}.`));
start().catch(error => trouble(error instanceof Unusable ? error.message : `Pawnstorm has not started: ${error.message}`));
