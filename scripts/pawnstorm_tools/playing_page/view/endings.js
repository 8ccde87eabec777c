// How games end. PGN and the page's address say it in English, whatever the page's language, since programs read them, this page included.
// People see the text in the page's language.

/** The words of a PGN for an end by the board, and for any other. */
const ENDED = {
  farRank: 'far rank reached', stuck: 'no move left', noPawn: 'last pawn taken', time: 'the opponent has run out of time',
  byPgn: 'as the PGN says', byAddress: 'as the address says', resigned: black => `${PGN_SIDES[Number(black)]} has resigned`,
};
const PGN_SIDES = ['White', 'Black'];

/** The comment that pgnEnding() makes. */
const ENDING = /^(White|Black) wins: (.+)$/;

/** The text for people of an end that is given in the words of a PGN; other words are returned unchanged. */
const ENDED_TEXTS = new Map([
  [ENDED.farRank, 'ended-far-rank'], [ENDED.stuck, 'ended-stuck'], [ENDED.noPawn, 'ended-no-pawn'], [ENDED.time, 'ended-time'],
  [ENDED.byPgn, 'ended-by-pgn'], [ENDED.byAddress, 'ended-by-address'],
  ...[false, true].map(black => [ENDED.resigned(black), black ? 'ended-black-resigned' : 'ended-white-resigned']),
]);

/** The words for the end by the board of a position in which the game is over. */
function endedBoard({own, opp, rules}) {
  if (opp & (1n << BigInt(rules.files)) - 1n) return ENDED.farRank;
  return own ? ENDED.stuck : ENDED.noPawn;
}

/** How a game ended at a node, as the comment of a PGN; "" while it goes on. */
function pgnEnding(game, node) {
  const ending = game.ending(node);
  return ending ? `${PGN_SIDES[Number(!ending.blackLost)]} wins: ${ending.words}` : '';
}

/** How a game ended at a node at which it is over, for people. */
function endingText(game, node) {
  const {blackLost, words} = game.ending(node);
  return text(ENDED_TEXTS.get(words) ?? 'ended-other', {winner: side(!blackLost), words});
}
