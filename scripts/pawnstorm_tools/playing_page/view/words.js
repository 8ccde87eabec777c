// The names that several parts of the page use: of sides, games, boards and positions.

const side = black => text(black ? 'black' : 'white');

/** The names of two players of whom nothing is known. */
const strangers = () => [text('a-player'), text('a-player')];

/** A game's name without its size. */
const familyName = rules => text(`family-${offeredFamily(rules)}`);

const calledBoard = rules => text('board-called', {game: familyName(rules), files: rules.files, ranks: rules.ranks});

/** What a board shows. black: whether Black is to move; over: whether the game ends there. */
const boardTitle = (rules, black, over) => text(over ? 'board-over' : 'board-turn', {board: calledBoard(rules), side: side(black)});

/** A position in words, for those who do not see it. */
function worded({pawns, from, to}) {
  const [white, black] = listedPawns(pawns).map(names => names || text('no-pawns'));
  return to ? text('pawns-moved', {white, black, from, to}) : text('pawns', {white, black});
}
