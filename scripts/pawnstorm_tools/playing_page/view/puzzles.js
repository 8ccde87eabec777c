// The puzzles, positions in which only one move wins: those that fit the user's choice, and the one that comes next.

const PUZZLE_GAMES = ['twoflags', 'breakthrough'];
const PUZZLE_LEVELS = ['easy', 'medium', 'hard'];

/** list: all puzzles once they are needed, each game's from easy to hard; seen: Puzzle -> when it was opened since the page was loaded. */
const puzzles = {list: null, seen: new Map()};

/** The key of a position and its mirror image in the progress kept on this device; it is the same in all versions of the page. */
const puzzleKey = position => [position.rules.name, ...position.canonical()].join();

class Puzzle {
  /** row: {game, fen, move, within, grade} of numbers.puzzles. key: of its position; level: one of PUZZLE_LEVELS. */
  constructor({game, fen, move, within, grade}, level) {
    const position = positionFrom(rulesNamed(game), fen);
    Object.assign(this, {position, move, within, grade, level, key: puzzleKey(position)});
  }

  /** Whether a move is the one that wins. */
  isSolvedBy(move) {
    const {from, to} = squaresOf(this.position, move);
    return this.move.startsWith(from + to);
  }
}

/** All puzzles. Those of each game are cut into levels of the same size. */
function allPuzzles() {
  puzzles.list ??= PUZZLE_GAMES.flatMap(name => {
    const rows = numbers.puzzles.filter(({game}) => game === name).sort((one, two) => one.grade - two.grade);
    return rows.map((row, index) => new Puzzle(row, PUZZLE_LEVELS[Math.floor(PUZZLE_LEVELS.length * index / rows.length)]));
  });
  return puzzles.list;
}

/** The puzzles that the user has chosen. */
function chosenPuzzles() {
  const [game, level] = [preference('puzzle-game'), preference('puzzle-level')];
  return allPuzzles().filter(puzzle => (game === 'both' || puzzle.position.rules.name === game) && (level === 'fitting' || puzzle.level === level));
}

/** The puzzle of a position or of its mirror image; undefined if there is none. */
const puzzleOf = position => allPuzzles().find(({key}) => key === puzzleKey(position));

/**
 * The next puzzle. Unsolved puzzles come first; among them those not seen since the page was loaded, then those seen longest ago; among
 * these the easiest, or the nearest to the user's rating. If all are solved, they come again.
 */
function nextPuzzle() {
  readProgress();
  const effort = ({grade, position}) => preference('puzzle-level') === 'fitting' ? Math.abs(grade - ratingIn(position.rules.name)) : grade;
  const order = puzzle => [Number(isSolved(puzzle)), puzzles.seen.get(puzzle) ?? 0, effort(puzzle)];
  const ordered = chosenPuzzles().map(puzzle => [puzzle, order(puzzle)]).sort(([, one], [, two]) => {
    const place = one.findIndex((value, index) => value !== two[index]);
    return place < 0 ? 0 : one[place] - two[place];
  });
  return ordered[0][0];
}

const notePuzzleSeen = puzzle => puzzles.seen.set(puzzle, Math.max(0, ...puzzles.seen.values()) + 1);
