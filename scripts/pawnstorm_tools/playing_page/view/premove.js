// A premove: the user makes the next move while the engine thinks. It is played as soon as the engine has moved, if it is legal then.

/** position: that the engine thinks about, null while it does not; move: {from, to}, null without a premove. */
const premove = {position: null, move: null};

const mayPremove = () => premove.position !== null && premove.position === here() && preference('premove') === 'on';

/** Where the user's pawn on a square may go as a premove, {square: 'target' or 'prey'}: all squares that some reply could allow. */
function premoveTargets(name) {
  const {rules, black: engineIsBlack} = here();
  const own = engineIsBlack ? 'P' : 'p';
  if (shown.pawns.get(name) !== own) return {};
  const [file, rank, ahead] = [LETTERS.indexOf(name[0]), Number(name[1]), engineIsBlack ? 1 : -1];
  const steps = [[-1, ahead], [0, ahead], [1, ahead]];
  if (rules.passing && rank === (engineIsBlack ? 2 : rules.ranks - 1)) steps.push([0, 2 * ahead]);
  const found = {};
  for (const [right, up] of steps) {
    const to = `${LETTERS[file + right]}${rank + up}`;
    const onBoard = file + right >= 0 && file + right < rules.files && rank + up >= 1 && rank + up <= rules.ranks;
    if (onBoard && (right || shown.pawns.get(to) !== own)) found[to] = shown.pawns.has(to) ? 'prey' : 'target';
  }
  return found;
}

/** Allow premoves: the engine is thinking about a position. */
function allowPremove(position) {
  Object.assign(premove, {position, move: null});
}

function setPremove(from, to) {
  premove.move = {from, to};
  say(text('premove-set', premove.move));
  redraw();
}

/** Cancel the premove; returns whether there was one. Draws nothing. */
function cancelPremove() {
  const there = premove.move !== null;
  premove.move = null;
  return there;
}

/** End premoves: the engine is no longer thinking. */
function endPremove() {
  Object.assign(premove, {position: null, move: null});
}

/** Play the premove now that the engine has moved, if it is legal. Without a premove, a chosen pawn stays chosen if it can move. */
function playPremove(chosen) {
  const move = preference('premove') === 'on' ? premove.move : null;
  endPremove();
  const found = move && mayMove() && movesFrom(move.from).find(other => squaresOf(here(), other).to === move.to);
  if (found) userMoves(found);
  else {
    if (move) say(text('premove-illegal', move));
    if (chosen && movesFrom(chosen).length) shown.selected = chosen;
    redraw();
  }
}
