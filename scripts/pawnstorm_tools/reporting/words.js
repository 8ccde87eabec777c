// The board in words, for those who do not see it. The playing page has its own words.

const side = black => black ? 'Black' : 'White';

/** A position in words. */
function worded({pawns, from, to}) {
  const [white, black] = listedPawns(pawns).map(names => names || 'none');
  return `White pawns: ${white}. Black pawns: ${black}.${to ? ` Last move: ${from} to ${to}.` : ''}`;
}

/** What a board shows. black: whether Black is to move; over: whether the game ends there. */
const boardTitle = ({called}, black, over) => `${called}: ${over ? 'the game is over' : `${side(black)} to move`}`;
