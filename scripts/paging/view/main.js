// The page comes to life.

/** What this browser lacks, in words; "" where nothing is missing. */
function missing() {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly, or a policy forbids it';
  if (typeof Worker !== 'function') return 'This browser has no workers';
  if (typeof DecompressionStream !== 'function') return 'This browser is too old: it has no DecompressionStream';
  return '';
}

/** The parts of the page: {name: {text, check}}. */
function readParts() {
  return Object.fromEntries([...document.querySelectorAll('script[data-part]')].map(
    ({textContent, dataset}) => [dataset.part, {text: textContent, check: Number(dataset.check)}]));
}

async function start() {
  const lacking = missing();
  if (lacking) throw new Error(`${lacking}: Pawnstorm needs a newer browser.`);
  const parts = readParts();
  shown.backdrops = JSON.parse(new TextDecoder().decode(await unpacked('boards', parts.boards)));
  shown.core = await Core.make(parts).catch(error => { throw error instanceof Damaged ? error : new Error(
    `The browser refuses the engine (${error.message}): a content security policy has to allow 'wasm-unsafe-eval'.`); });
  const source = `const numbers = ${document.getElementById('numbers').textContent};\n${document.getElementById('worker').textContent}`;
  playing.thinker = new Thinker(source, parts, trouble);
  analysis.thinker = playing.thinker;
  analysis.solver = new Thinker(source, parts, trouble, 1 - numbers.memory.SEARCH_SHARE);
  shown.board = new DrawnBoard(byId('board'), measures);
  shown.squares = new Squares(byId('squares'), mayMove, userMoves);
  shown.game = Game.new(shown.core, 'twoflags');
  listSizes();
  listen();
  shown.listeners.push(analyse, () => { if (shown.mode === 'analyse') drawCurve(); });
  if (!openAddress()) newGame();
  else if (shown.mode === 'play' && !shown.game.over) setMode('analyse');
  byId('app').hidden = false;
  playing.thinker.start();
  document.documentElement.dataset.ready = String(Math.round(performance.now()));
}

trouble('');
start().catch(error => trouble(error.message));
