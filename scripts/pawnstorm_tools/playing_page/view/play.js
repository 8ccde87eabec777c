// A game against the engine, or of two people at one board.

// game: the one that is played, null before the first; node: where it goes on; from: where play began, its root or a later node.
// human: 'white', 'black' or 'both'; elo: of the engine, null for its full strength; time: as timeNamed() reads it.
const playing = {game: null, node: null, from: null, human: null, elo: null, time: null, names: null, movetime: null, clock: null,
  thinker: null, thinking: false, ticking: null, since: 0, warned: null};
const HINT = {movetime: 500};

/** Begin to play at the end of a game. settings: {human, elo, time}. */
function beginGame(game, settings) {
  const {human, elo, time} = settings;
  const engine = engineName(elo);
  const {clock} = timeNamed(time);
  const names = human === 'both' ? strangers() : human === 'white' ? [text('you'), engine] : [engine, text('you')];
  playing.thinker.newGame();
  resumePlay({...settings, game, node: game.end, going: game.end, from: game.end, names, flipped: human === 'black',
    clocks: clock && [clock.base, clock.base]});
}

/** The game that is played, as resumePlay() takes it: {human, elo, time, game, node, going, from, names, flipped, clocks}. */
function playState() {
  const {human, elo, time, game, names, ticking, since} = playing;
  const [going, from] = [playing.node, playing.from].map(stillThere);
  const clocks = shown.clocks && [...shown.clocks];
  if (clocks && ticking) {
    const index = Number(going.position.black);
    clocks[index] = Math.max(0, clocks[index] - (performance.now() - since));
  }
  return {human, elo, time, game, node: shown.mode === 'play' ? shown.node : going, going, from, names, flipped: shown.flipped, clocks};
}

/** Play a game. node: what is shown of it; going: where it goes on; from: where play began; clocks: milliseconds left, or null. */
function resumePlay({human, elo, time, game, node, going, from, names, flipped, clocks}) {
  endOffer();
  endAsking();
  stopThinking();
  Object.assign(playing, {human, elo, time, ...timeNamed(time), game, node: going, from, names});
  setMode('play', () => {
    turnBoard(flipped);
    showPlay(node, clocks);
  });
}

/** Show the game that is being played, and continue it. */
function showPlay(node = stillThere(playing.node), clocks = null) {
  const {game, names} = playing;
  Object.assign(playing, {node: stillThere(playing.node), from: stillThere(playing.from)});
  Object.assign(shown, {names, clocks});
  showGame(game, node);
  if (!game.over(playing.node)) startClock();
  goOn();
}

/** A node, or the last one before it that has not been removed from the tree. */
function stillThere(node) {
  let there = node;
  for (let at = node; at.parent; at = at.parent) if (!at.parent.children.includes(at)) there = at.parent;
  return there;
}

const engineMoves = black => playing.human !== 'both' && (playing.human === 'white') === black;

/** Whether the user may move in the position that is shown. */
function mayMove() {
  if (shown.mode === 'learn') return training.open;
  if (shown.mode === 'analyse') return !shown.core.over(here());
  return !shown.game.over(shown.node) && !engineMoves(here().black);
}

/** The user has moved. */
function userMoves(move) {
  if (shown.mode === 'learn') {
    answerTraining(move);
    return;
  }
  const {game, node, mode} = shown;
  if (mode === 'play') {
    if (node !== playing.node) shown.clocks = null;    // the clocks cannot be put back
    const spent = stopClock();
    if (spent === null) return;
    stopThinking();    // about a hint, or about a later position that this move abandons
    playMove(node, move);
  } else if (review.trying?.node.parent === node) answerTry(move);
  else showNode(game.add(node, move));
}

/** Continue play after a move from a node; its line becomes the main line. */
function playMove(node, move) {
  playing.node = shown.game.add(node, move);
  shown.game.toMain(playing.node);
  showNode(playing.node, {slide: true});
  goOn();
}

/** Start the clock of the side to move, and the engine's search if it is its turn. */
function goOn() {
  const {game, node} = shown;
  if (shown.mode !== 'play' || node !== playing.node || game.over(node)) return;
  startClock();
  const {position} = node;
  if (!engineMoves(position.black)) return;
  const limits = shown.clocks ? {clock: [Math.floor(shown.clocks[Number(position.black)]), playing.clock.increment]} : {movetime: playing.movetime ?? 1000};
  showThinking(true);
  allowPremove(position);
  playing.thinker.go(position, limits, {elo: playing.elo}, {best: ({line}) => {
    showThinking(false);
    if (stopClock() === null || node !== playing.node) return;
    const {selected} = shown;
    playMove(node, line[0]);
    playPremove(selected);
  }});
}

/** Say whether the engine is thinking about its move. */
function showThinking(on) {
  playing.thinking = on;
  byId('thinking').hidden = !on;
  showDoings();
}

function stopThinking() {
  playing.thinker?.stop();
  endPremove();
  showThinking(false);
  clearInterval(playing.ticking);
  playing.ticking = null;
}

// The buttons.

/** The node that taking back removes: the user's last move; null if there is none since play began. */
function takenBack() {
  let at = playing.node;
  while (at.parent && !within(playing.from, at) && engineMoves(at.parent.position.black)) at = at.parent;
  return within(playing.from, at) ? null : at;
}

/** Take back a resignation or a loss on time, or else the user's last move and the engine's reply. */
function takeBack() {
  const {game} = playing;
  stopThinking();
  if (game.ended?.node === playing.node) {
    game.ended = null;
    if (shown.clocks?.some(left => left <= 0)) shown.clocks = null;
  } else playing.node = game.remove(takenBack());
  showNode(playing.node);
  goOn();
}

function resign() {
  const {game} = playing;
  stopThinking();
  const black = playing.human === 'both' ? playing.node.position.black : playing.human === 'black';
  game.finish(playing.node, black, ENDED.resigned(black));
  game.toMain(playing.node);
  showNode(playing.node);
}

/** Show what the engine would play here, by an arrow and in words. */
function hint() {
  const position = here();
  playing.thinker.go(position, HINT, {}, {best: ({line}) => {
    if (here() !== position) return;
    const {from, to} = squaresOf(position, line[0]);
    shown.arrows = [{from, to, kind: 'best'}];
    redraw();
    say(text('hint-said', {from, to}));
  }});
}
