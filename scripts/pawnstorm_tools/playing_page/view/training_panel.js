// The panel of the puzzles: its text, the buttons that can be used now, and the user's progress.

const MOST_SEEN = 10;    // puzzles of this visit that are listed
const VERDICTS = {wrong: 'wrong', right: 'right', won: 'right'};
const RESULT_SIGNS = {first: '✓', later: '↻', failed: '✗', open: '·'};

/** What each button does, and the states in which it can be used. */
const TRAINING_BUTTONS = {
  'next-puzzle': [() => openPuzzle(nextPuzzle()), () => true],
  'again': [puzzleAgain, ({state, done}) => done || state === 'wrong'],
  'solution': [giveSolution, ({done}) => !done],
  'play-out': [playOut, ({state}) => ['right', 'watching'].includes(state)],
  'watch': [watch, ({state}) => ['right', 'winning'].includes(state)],
  'play-puzzle': [playPuzzle, ({state, done}) => done && state !== 'won'],
  'analyse-puzzle': [analysePuzzle, ({done}) => done],
};

function listenToTraining() {
  for (const [id, [action, usable]] of Object.entries(TRAINING_BUTTONS)) {
    byId(id).addEventListener('click', () => { if (usable(training)) action(); });
  }
  for (const name of ['puzzle-game', 'puzzle-level']) onPreference(name, () => { if (shown.mode === 'learn') openPuzzle(nextPuzzle()); });
  byId('forget').addEventListener('click', () => {
    closeDialog('forget-dialog');
    forgetProgress();
    openPuzzle(nextPuzzle());
  });
}

/** Show a state, and say a text. */
function tellTraining(state, told) {
  const {puzzle, done, refutation} = Object.assign(training, {state});
  const {rules, black} = puzzle.position;
  byId('training').dataset.state = state;
  byId('training').dataset.verdict = told === refutation ? 'wrong' : VERDICTS[state] ?? '';
  byId('training').classList.toggle('black', black);
  byId('training-title').textContent = text('puzzle-title', {
    game: familyName(rules), level: text(`puzzle-level-${puzzle.level}`), grade: String(puzzle.grade)});
  if (byId('lesson').textContent !== told) byId('lesson').textContent = told;
  for (const [id, [, usable]] of Object.entries(TRAINING_BUTTONS)) byId(id).setAttribute('aria-disabled', String(!usable(training)));
  byId('next-puzzle').classList.toggle('main', done);
  tellProgress();
}

/** Show the user's progress. */
function tellProgress() {
  readProgress();
  const chosen = chosenPuzzles();
  const parts = [text('puzzle-score', {solved: chosen.filter(isSolved).length, count: chosen.length}), text('puzzle-streak', {count: progress.streak})];
  const {name} = training.puzzle.position.rules;
  if (progress.ratings[name]) parts.push(text('puzzle-rating', {rating: String(progress.ratings[name])}));
  byId('score').textContent = parts.join(' · ');
  const begun = Object.keys(progress.results).length > 0;
  byId('new-here').hidden = begun;
  byId('seen').hidden = !begun;
  listSeen();
  byId('progress').replaceChildren(...PUZZLE_GAMES.map(progressRow));
}

/** List the last puzzles of this visit. The items stay: a replaced button would lose the focus. */
function listSeen() {
  const list = byId('seen');
  const last = [...puzzles.seen.keys()].slice(-MOST_SEEN);
  list.items ??= new Map();
  for (const [puzzle, item] of list.items) if (!last.includes(puzzle) && item.isConnected) item.remove();
  for (const puzzle of last) {
    if (!list.items.has(puzzle)) list.items.set(puzzle, seenItem(puzzle));
    const item = list.items.get(puzzle);
    const button = item.firstElementChild;
    const result = resultOf(puzzle) ?? 'open';
    button.className = result;
    button.textContent = RESULT_SIGNS[result];
    button.title = text('puzzle-seen', {grade: String(puzzle.grade), result: text(`puzzle-result-${result}`)});
    button.setAttribute('aria-label', button.title);
    button.setAttribute('aria-current', String(puzzle === training.puzzle));
    if (!item.isConnected) list.append(item);
  }
}

/** A list item with a button that opens a puzzle. */
function seenItem(puzzle) {
  const item = document.createElement('li');
  const button = item.appendChild(document.createElement('button'));
  button.type = 'button';
  button.addEventListener('click', () => openPuzzle(puzzle));
  return item;
}

/** How many puzzles of a game are solved, level by level. */
function progressRow(game) {
  const row = document.createElement('tr');
  const head = row.appendChild(document.createElement('th'));
  head.scope = 'row';
  head.textContent = text(`family-${game}`);
  for (const level of PUZZLE_LEVELS) {
    const found = allPuzzles().filter(puzzle => puzzle.position.rules.name === game && puzzle.level === level);
    row.appendChild(document.createElement('td')).textContent = text('puzzle-part', {solved: found.filter(isSolved).length, count: found.length});
  }
  return row;
}

/** Look at the puzzle with the engine, and at the moves that were tried. */
function analysePuzzle() {
  haltTraining();
  const {game, node, flipped} = shown;
  training.before = {game, node, names: game.names, flipped};
  setMode('analyse');
  byId('mode-analyse').focus();
}

/** Ask for an opponent, and play on from the position on the board, by default with the winner's pawns. */
function playPuzzle() {
  playFrom(shown.node);
  byId('side').value = winnerIsBlack() ? 'black' : 'white';
}
