// What the user has done with the puzzles, kept on this device. A puzzle is identified by its position, since its place may change
// in the next version of the page. Results of puzzles that a version no longer has are kept too.

const PROGRESS_KEPT = 'pawnstorm.puzzles';
const PUZZLE_RESULTS = ['failed', 'later', 'first'];    // after a wrong move or the solution; solved after that; solved with the first move
const LOWEST_RATING = 400;
const HIGHEST_RATING = 2800;
const FIRST_RATING = 800;
const RATING_STEP = 60;                 // Elo: the most that one puzzle changes a rating
const MOST_KEPT = 10000;      // entries that are read, at most
const POSITION_KEY = /^\w{1,40}(,\d{1,20}){3}$/;    // as puzzleKey() makes them

/** results: {key: one of PUZZLE_RESULTS}; ratings: {game: Elo}; streak: puzzles in a row that were solved with the first move. */
const progress = {results: {}, ratings: {}, streak: 0, kept: true};

/** Read what this device keeps: another tab may have changed it. */
function readProgress() {
  if (!progress.kept) return;
  try {
    Object.assign(progress, progressFrom(localStorage.getItem(PROGRESS_KEPT)));
  } catch {
    progress.kept = false;    // the browser stores nothing: the progress lasts until the page is left
  }
}

/** The progress in a stored text; invalid entries are dropped. */
function progressFrom(written) {
  let found = null;
  try {
    found = JSON.parse(written);
  } catch {
    // the text is not one of this page
  }
  const entries = (part, fits) => Object.fromEntries(Object.entries(part ?? {}).slice(0, MOST_KEPT).filter(([key, value]) => fits(key, value)));
  const {results, ratings, streak} = found ?? {};
  return {
    results: entries(results, (key, value) => POSITION_KEY.test(key) && PUZZLE_RESULTS.includes(value)),
    ratings: entries(ratings, (name, value) => rulesNamed(name) && value >= LOWEST_RATING && value <= HIGHEST_RATING && typeof value === 'number'),
    streak: Number.isInteger(streak) && streak > 0 ? streak : 0,
  };
}

/** Change the progress by change(progress), and keep it. */
function changeProgress(change) {
  readProgress();
  change(progress);
  if (!progress.kept) return;
  try {
    const {results, ratings, streak} = progress;
    localStorage.setItem(PROGRESS_KEPT, JSON.stringify({results, ratings, streak}));
  } catch {
    progress.kept = false;
  }
}

const resultOf = ({key}) => progress.results[key];
const isSolved = puzzle => ['first', 'later'].includes(resultOf(puzzle));
const ratingIn = game => progress.ratings[game] ?? FIRST_RATING;

/** A wrong move was made in a puzzle, or its solution was shown. */
function recordFault(puzzle) {
  changeProgress(now => {
    if (isSolved(puzzle)) return;
    now.streak = 0;
    rate(puzzle, 0);
    now.results[puzzle.key] = 'failed';
  });
}

/** A puzzle was solved; clean: without a wrong move or the solution. */
function recordSolved(puzzle, clean) {
  changeProgress(now => {
    if (isSolved(puzzle)) return;
    if (clean) now.streak++;
    rate(puzzle, 1);
    now.results[puzzle.key] = resultOf(puzzle) ? 'later' : 'first';
  });
}

/** Update the user's rating after the first result of a puzzle, as after a game against a player with the puzzle's grade as Elo. */
function rate({position, grade, key}, score) {
  if (progress.results[key]) return;
  const {name} = position.rules;
  const expected = 1 / (1 + 10 ** ((grade - ratingIn(name)) / 400));
  progress.ratings[name] = Math.round(Math.max(LOWEST_RATING, Math.min(HIGHEST_RATING, ratingIn(name) + RATING_STEP * (score - expected))));
}

function forgetProgress() {
  changeProgress(now => Object.assign(now, {results: {}, ratings: {}, streak: 0}));
}
