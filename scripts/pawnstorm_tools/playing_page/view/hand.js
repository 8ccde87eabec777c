// What the user may do with the pawns on the board, and what the page says if they can do nothing.

/** Where the pawn on a square may go, {square: 'target' or 'prey'}: now, or as a premove. */
function targetsFrom(name) {
  if (!mayMove()) return mayPremove() ? premoveTargets(name) : {};
  return Object.fromEntries(movesFrom(name).map(move => [squaresOf(here(), move).to, takes(here(), move) ? 'prey' : 'target']));
}

/** The Set of the squares whose pawns the user may move, now or as a premove. */
function ownPawns() {
  if (mayMove()) return new Set(shown.core.moves(here()).map(move => squaresOf(here(), move).from));
  return new Set(mayPremove() ? [...shown.pawns.keys()].filter(name => Object.keys(premoveTargets(name)).length) : []);
}

/** The user has moved a pawn to one of its targets. dropped: by dragging it there, so that it need not slide. */
function moveOnBoard(from, to, dropped) {
  if (!mayMove()) {
    setPremove(from, to);
    return;
  }
  shown.dropped = dropped;
  userMoves(movesFrom(from).find(move => squaresOf(here(), move).to === to));
  shown.dropped = false;
}

/** Show and say that a square cannot be chosen; from: the square of the pawn that was chosen before, null if none was. */
function refuseSquare(name, from) {
  const words = refusal(name, from);
  if (!words) return;
  const flash = shown.board.mark(name, 'refused');
  flash.addEventListener('animationend', () => flash.remove());
  shown.board.coordinates.before(flash);
  say(words);
  sound('error');
}

/** Why a square cannot be chosen; "" for an empty square if no pawn was chosen before. */
function refusal(name, from) {
  const letter = shown.pawns.get(name);
  const {black} = here();
  if (!from && !letter) return '';
  if (shown.over) return text('refused-over');
  if (from) return text('refused-target', {from, to: name});
  if (!mayMove() && shown.mode === 'learn') return text('refused-now');
  const own = mayMove() ? black : !black;    // a premove is the other side's
  if ((mayMove() || mayPremove()) && (letter === 'p') === own) return text('refused-blocked', {square: name});
  return mayPremove() ? text('refused-premove', {side: text(own ? 'black' : 'white')}) : text('refused-turn', {side: text(black ? 'black' : 'white')});
}
