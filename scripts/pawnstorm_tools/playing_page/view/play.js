// A game against the engine, or of two people at one board.

const playing = {human: null, thinker: null, elo: null, time: null, movetime: null, clock: null, ticking: null, since: 0};
const HINT = {movetime: 500};

/** What the controls say: {name, human, elo, time}; human: 'white', 'black' or 'both'; time: as the field's values. */
function wishes() {
  const value = id => byId(id).value;
  const human = value('side') === 'either' ? (crypto.getRandomValues(new Uint8Array(1))[0] & 1 ? 'white' : 'black') : value('side');
  return {name: value('size'), human, elo: value('level') ? Number(value('level')) : null, time: value('time')};
}

/** Say who plays, and at what time: "move 1000" or "clock 3 2", in milliseconds, or minutes and seconds. */
function setPlayers(human, elo, time) {
  const [kind, first, increment] = time.split(' ');
  Object.assign(playing, {human, elo, time, movetime: kind === 'move' ? Number(first) : null,
    clock: kind === 'clock' ? {base: 60000 * first, increment: 1000 * increment} : null});
}

/** Begin a game as the controls wish it; from a position, if one is given. */
function newGame(game = null) {
  const {name, human, elo, time} = wishes();
  stopThinking();
  playing.thinker.newGame();
  setPlayers(human, elo, time);
  shown.clocks = playing.clock && [playing.clock.base, playing.clock.base];
  const engine = elo ? `Pawnstorm ${elo}` : 'Pawnstorm';
  shown.names = [human === 'black' ? engine : human === 'both' ? 'a player' : 'you', human === 'white' ? engine : human === 'both' ? 'a player' : 'you'];
  turnBoard(human === 'black');
  showGame(game ?? Game.new(shown.core, name));
  goOn();
}

const engineMoves = black => playing.human !== 'both' && (playing.human === 'white') === black;

/** Whether the user may move in the position that is shown. */
function mayMove() {
  if (shown.mode === 'learn') return training.open;
  if (shown.ply === shown.game.last && shown.game.over) return false;
  return shown.mode === 'analyse' || !engineMoves(here().black) && !playing.thinker.asked;
}

/** The user has moved. */
function userMoves(move) {
  if (shown.mode === 'learn') {
    answerTraining(move);
    return;
  }
  if (shown.mode === 'play' && shown.ply !== shown.game.last) shown.clocks = null;    // time that went by cannot be had back
  const spent = stopClock();
  if (spent === null) return;
  shown.game.play(move, shown.ply);
  showGame(shown.game, shown.game.last, {slide: true});
  if (shown.mode === 'play') goOn();
}

/** Whoever is to move thinks. */
function goOn() {
  if (shown.mode !== 'play' || shown.game.over || shown.ply !== shown.game.last) return;
  startClock();
  const position = shown.game.positions.at(-1);
  if (!engineMoves(position.black)) return;
  const {game} = shown;
  const limits = shown.clocks ? {clock: [Math.floor(shown.clocks[Number(position.black)]), playing.clock.increment]} : {movetime: playing.movetime ?? 1000};
  byId('thinking').hidden = false;
  playing.thinker.go(position, limits, {elo: playing.elo}, {best: ({line}) => {
    byId('thinking').hidden = true;
    if (stopClock() === null || game !== shown.game) return;
    game.play(line[0]);
    showGame(game, game.last, {slide: true});
    goOn();
  }});
}

function stopThinking() {
  playing.thinker?.stop();
  byId('thinking').hidden = true;
  clearInterval(playing.ticking);
  playing.ticking = null;
}

// The buttons.

/** Take back the user's last move, and what the engine answered. */
function takeBack() {
  const {game} = shown;
  let ply = game.last - 1;
  while (ply > 0 && engineMoves(game.positions[ply].black)) ply--;
  if (ply < 0 || engineMoves(game.positions[ply].black)) return;
  stopThinking();
  game.moves.length = ply;
  game.positions.length = ply + 1;
  game.ended = null;
  showGame(game);
  goOn();
}

function resign() {
  if (shown.game.over) return;
  stopThinking();
  const black = playing.human === 'both' ? here().black : playing.human === 'black';
  shown.game.end(black, `${side(black)} has resigned`);
  showGame(shown.game);
}

/** Show what the engine would play here, by an arrow and in words. */
function hint() {
  if (!mayMove() || shown.game.over) return;
  const position = here();
  playing.thinker.go(position, HINT, {}, {best: ({line}) => {
    if (here() !== position) return;
    const {from, to} = squaresOf(position, line[0]);
    shown.arrows = [{from, to, kind: 'best'}];
    redraw();
    say(`Hint: ${from} to ${to}.`);
  }});
}
