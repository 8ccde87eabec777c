// "Only move" training in Two Flags: one move keeps the win; after another one the proof is played out.

const training = {open: false, before: null, place: -1, solved: 0, tried: 0, playing: null};
const PROOF_PACE = 900;    // milliseconds for each move of a proof

/** Set up a lesson: by its number, or the next one. */
function nextLesson(place = (training.place + 1) % numbers.lessons.length) {
  clearTimeout(training.playing);
  analysis.solver.stop();
  const {fen} = numbers.lessons[place];
  Object.assign(training, {place, open: true});
  const start = positionFrom(rulesNamed('twoflags'), fen);
  shown.names = start.black ? ['the solver', 'you'] : ['you', 'the solver'];
  shown.clocks = null;
  turnBoard(start.black);
  showGame(new Game(shown.core, start));
  tellLesson(`Position ${place + 1} of ${numbers.lessons.length}. ${side(start.black)} to move: one move wins, all others lose. Which?`);
}

/** Show the lesson that begins where a game does; the first one, if there is none. */
function openLesson(game) {
  const start = fenOf(game.positions[0]);
  const place = Math.max(0, numbers.lessons.findIndex(({fen}) => fenOf(positionFrom(rulesNamed('twoflags'), fen)) === start));
  if (shown.mode === 'learn') nextLesson(place);
  else {
    training.place = place;
    setMode('learn');
  }
}

function tellLesson(text) {
  byId('lesson').textContent = text;
  byId('score').textContent = training.tried ? `${training.solved} of ${training.tried} found.` : '';
}

/** The user's answer. */
function answerTraining(move) {
  const {move: wanted, within} = numbers.lessons[training.place];
  const {game} = shown;
  const before = game.positions.at(-1);
  const right = squaresOf(before, move).from + squaresOf(before, move).to === wanted;
  Object.assign(training, {open: false, tried: training.tried + 1, solved: training.solved + Number(right)});
  game.play(move);
  showGame(game, game.last, {slide: true});
  if (right) tellLesson(`Right: ${wanted}. ${side(before.black)} wins in at most ${within} plies. Watch how.`);
  else tellLesson(`${moveText(before, move)} loses. ${side(!before.black)} now wins: the solver shows how. Right was ${wanted}.`);
  prove(game);
}

/** Have the solver prove who wins the game's last position, and play that out. */
function prove(game) {
  analysis.solver.prove(game.positions.at(-1), {proof: ({value, line, move, ended}) => {
    if (ended && value && shown.game === game) playProof(game, line.length || move === null ? line : [move]);
  }});
}

/** Play the moves of a proof on the board, to the end of the game. */
function playProof(game, line) {
  const [move, ...rest] = line;
  if (shown.game !== game || shown.mode !== 'learn') return;
  if (game.over) {
    byId('lesson').append(` ${game.ending}.`);
    return;
  }
  if (move === undefined) {
    prove(game);    // the solver's table had lost the rest
    return;
  }
  training.playing = setTimeout(() => {
    if (shown.game !== game || shown.mode !== 'learn') return;
    game.play(move);
    showGame(game, game.last, {slide: true});
    playProof(game, rest);
  }, PROOF_PACE);
}
