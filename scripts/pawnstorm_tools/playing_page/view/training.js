// A puzzle on the board. One move wins, all others lose, and the user looks for it.
//
// The solver refutes a wrong move; then the user tries again. The solution is shown only on request, and then the puzzle counts as failed.
// The right move solves the puzzle. After it the user may play the win out: the solver answers with the longest defence that it knows,
// every move that keeps the win is right, and a move that gives the win away is refuted too. Or the solver plays the rest for both
// sides.
//
// training.state
//   solving   the user looks for the winning move         winning   the user plays the win out, and is to move
//   wrong     the user's move is being refuted            replying  the solver judges the user's move, or answers it
//   right     the winning move has been made              watching  the solver plays for both sides
//   won       the game is over
//
// done: the winning move has been made or shown. at: the node to which "Try again" leads from a wrong move. faults: wrong moves before the
// right one. given: the solution was shown. refutation: the text about the last wrong move.

const training = {state: 'solving', puzzle: null, game: null, at: null, done: false, faults: 0, given: false, refutation: '', timer: null, before: null,
  get open() { return ['solving', 'winning'].includes(this.state); }};    // whether the user may move
const REPLY_PAUSE = 500;       // milliseconds before the opponent's reply
const REFUTED_PAUSE = 2000;    // milliseconds for which a refutation stays on the board
const PROOF_PACE = 900;        // milliseconds for each move of a proof that is watched

const winnerIsBlack = () => training.puzzle.position.black;

/** Open a puzzle: the given one, or the one in which the user was, or the next one. */
function openPuzzle(puzzle = training.puzzle ?? nextPuzzle()) {
  haltTraining();
  const {position} = puzzle;
  const game = new Game(shown.core, position);
  const given = puzzle === training.puzzle && training.given;
  Object.assign(training, {puzzle, game, given, at: game.root, done: false, faults: 0, refutation: ''});
  notePuzzleSeen(puzzle);
  shown.names = position.black ? [text('solver'), text('you')] : [text('you'), text('solver')];
  shown.clocks = null;
  turnBoard(position.black);
  showGame(game);
  tellTraining('solving', askText());
}

const askText = () => text('puzzle-ask', {side: side(winnerIsBlack())});
const goOnText = () => text('puzzle-go-on', {side: side(winnerIsBlack())});

/** Show the puzzle whose position begins a game; the next puzzle if there is none. */
function openPuzzleOf(game) {
  const found = puzzleOf(game.start);
  training.puzzle = found ?? nextPuzzle();
  if (shown.mode === 'learn') openPuzzle();
  else setMode('learn');
  if (!found && fenOf(game.start) !== game.rules.start) tellTraining('solving', `${text('puzzle-unknown')} ${askText()}`);
}

/** The part of the address that names the puzzle. */
function puzzleAddress() {
  const game = new Game(shown.core, training.puzzle.position);
  return addressOf(game, game.root, 'learn');
}

/** Stop what the solver is doing, and what waits for a pause. */
function haltTraining() {
  clearTimeout(training.timer);
  analysis.solver.stop();
}

/** Do something after a pause, unless something else is done first. */
function later(action, pause) {
  clearTimeout(training.timer);
  training.timer = setTimeout(action, pause);
}

/** Have the solver prove who wins at a node where the game goes on; then take({value, plies, line}), where the line has at least one move. */
function proveAt(node, take) {
  analysis.solver.prove(node.position, {proof: ({ended, value, plies, line, move}) => {
    if (!ended) return;
    // If the solver has no line, the winning move that it names is the line; in a lost position, any move.
    take({value, plies, line: line.length ? line : [move ?? shown.core.moves(node.position)[0]]});
  }});
}

/** The move that led to a node, as text. */
const moveTo = node => moveShown(node.parent.position, node.move);

/** Show a node and mark the square to which its move went. */
function showMarked(node, mark) {
  showNode(node);
  shown.marks = {[node.lastMove.to]: mark};
  redraw();
}

// What the user does.

/** The user has moved. */
function answerTraining(move) {
  const {game, puzzle, state} = training;
  const node = game.add(shown.node, move);
  training.refutation = '';
  if (state === 'winning') judge(node);
  else if (puzzle.isSolvedBy(move)) solve(node);
  else {
    training.faults++;
    recordFault(puzzle);
    tellWrong(node);
    proveAt(node, proof => refute(node, proof));
  }
}

/** The right move has been made. */
function solve(node) {
  const {puzzle, game, faults, given} = training;
  if (!given) recordSolved(puzzle, !faults);
  training.done = true;
  game.toMain(node);
  showMarked(node, 'won');
  tellTraining('right', text('puzzle-right', {move: moveTo(node), count: puzzle.within}));
}

/** Show the solution. */
function giveSolution() {
  const {puzzle, game} = training;
  haltTraining();
  recordFault(puzzle);
  Object.assign(training, {given: true, done: true});
  const node = game.add(game.root, moveFrom(shown.core, puzzle.position, puzzle.move));
  game.toMain(node);
  showNode(game.root);
  showMarked(node, 'won');
  tellTraining('right', text('puzzle-solution', {move: moveTo(node), count: puzzle.within}));
}

/** Take back a move that is wrong or being judged; otherwise go back to the beginning of the puzzle. */
function puzzleAgain() {
  const {state, at, game, done, refutation} = training;
  if (state === 'wrong' || state === 'replying' && at !== game.root) {
    haltTraining();
    takeTurn(at, refutation || (done ? goOnText() : askText()));
  } else openPuzzle();
}

/** Play the win out from the position on the board. */
function playOut() {
  haltTraining();
  const {node} = shown;
  if (node.position.black === winnerIsBlack()) takeTurn(node, goOnText());
  else {
    tellTraining('replying', text('puzzle-defending', {side: side(!winnerIsBlack())}));
    proveAt(node, proof => defend(node, proof));
  }
}

/** Have the solver play to the end from the position on the board. */
function watch() {
  haltTraining();
  tellTraining('watching', described());
  playProof([]);
}

// What the solver does.

/** Answer a wrong move with its refutation; then the user tries again. */
function refute(node, {plies, line: [reply]}) {
  later(() => {
    const answer = training.game.add(node, reply);
    showNode(answer);
    training.refutation = text(training.game.over(answer) ? 'puzzle-refuted-at-once' : 'puzzle-refuted', {
      move: moveTo(node), side: side(!winnerIsBlack()), reply: moveTo(answer), count: plies});
    tellTraining('wrong', training.refutation);
    later(() => takeTurn(training.at, training.refutation), REFUTED_PAUSE);
  }, REPLY_PAUSE);
}

/** Show a wrong move; its refutation is being looked for. */
function tellWrong(node) {
  showMarked(node, 'wrong');
  tellTraining('wrong', text('puzzle-wrong', {move: moveTo(node)}));
}

/** The user is to move at a node. */
function takeTurn(node, told) {
  training.at = node;
  if (node !== shown.node) showNode(node);
  tellTraining(training.done ? 'winning' : 'solving', told);
}

/** Judge a move by which the user plays the win out, and answer it. */
function judge(node) {
  showNode(node);
  if (training.game.over(node)) {
    tellWon(node);
    return;
  }
  tellTraining('replying', text('puzzle-judging', {move: moveTo(node)}));
  proveAt(node, proof => {
    if (proof.value < 0) defend(node, proof);
    else {
      tellWrong(node);
      refute(node, proof);
    }
  });
}

/** Answer a winning move by a defence. */
function defend(node, {plies, line: [reply]}) {
  const {game, puzzle} = training;
  game.toMain(node);
  // After the puzzle's own move its bound holds as well, and may be tighter than the solver's.
  const count = Math.min(plies - 1, node.parent === game.root ? puzzle.within - 2 : Infinity);
  later(() => {
    const answer = game.add(node, reply);
    showNode(answer);
    takeTurn(answer, text('puzzle-defended', {move: moveTo(node), side: side(!winnerIsBlack()), reply: moveTo(answer), count}));
  }, REPLY_PAUSE);
}

/** Play the moves of a proof. Parts that the solver's table has lost are proven again. */
function playProof([move, ...rest]) {
  const {game} = training;
  const {node} = shown;
  if (game.over(node)) tellWon(node);
  else if (move === undefined) proveAt(node, ({line}) => playProof(line));
  else {
    later(() => {
      const next = game.add(node, move);
      game.toMain(next);
      showNode(next);
      tellTraining('watching', described());
      playProof(rest);
    }, PROOF_PACE);
  }
}

function tellWon(node) {
  training.game.toMain(node);
  tellTraining('won', text('puzzle-won', {ending: endingText(training.game, node)}));
}
