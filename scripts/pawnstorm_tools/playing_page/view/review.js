// The review of a game: every move of its main line is judged, faults are marked in the tree with the better line beside them, and the
// user may try again from each.
//
// A move gives the win away if its mover is proven to win before it and to lose after it. Any other move is judged by the chances that
// it costs its mover: see chancesLost().

const REVIEW_MOVETIME = 200;    // milliseconds for each position
const CHANCES_LOST = [[.3, '??', 'blunder'], [.2, '?', 'mistake'], [.1, '?!', 'inaccuracy']];    // [chances lost at least, glyph, kind]
const BETTER_PLIES = 6;         // how much of the better line is written into the tree
const WRONG_PAUSE = 2500;       // milliseconds for which a wrong try stays on the board

// running: a token while a review runs, else null; found: {line, proven} of each position, the search's line and the proof's; faults: of
// judged(); written: what the review has written into the tree, [{node, before, after, added}], with the comment and the glyph of the node
// before and after, and the nodes of the better line that were new; trying: the fault for which the user looks for a better move;
// tried: {node, isNew} of the last move that the user has tried there, with whether this move has added the node, or null.
const review = {game: null, running: null, found: new WeakMap(), faults: [], written: [], trying: null, tried: null};

/** Judge all moves of the main line, the last first. The user may step through the game meanwhile; leaving the game ends the review. */
async function reviewGame() {
  const {game} = shown;
  stopAnalysis();
  forgetReview();
  const running = {};
  Object.assign(review, {game, running});
  let nodes = game.main;
  const going = () => review.running === running && shown.game === game && shown.mode === 'analyse';
  for (let index = nodes.length - 1; index >= 0 && going(); index--) {
    tellReview(text('review-running', {done: nodes.length - index, count: nodes.length}));
    await lookAt(nodes[index].position, going);
    drawCurve();
  }
  if (!going()) return;
  review.running = null;
  nodes = nodes.filter(isThere);    // moves may have been deleted meanwhile
  review.faults = nodes.slice(1).map(judged).filter(Boolean);
  for (const fault of review.faults) writeFault(fault);
  showNode(shown.node);
  tellReview(reviewText(nodes));
}

/** Search a position, and try to prove it and its moves meanwhile. Resolves when the search has ended, or soon after going() says no. */
function lookAt(position, going) {
  if (shown.core.over(position)) return Promise.resolve();
  const {thinker, solver, knowledge} = analysis;
  return new Promise(resolve => {
    const found = {line: [], proven: []};
    let awaited = 2;    // two events: the end of the search, and the report of all that is known without a proof
    const end = () => {
      clearInterval(watching);
      if (solver.asked === hear) solver.stop();    // the analysis may have asked it something else
      review.found.set(position, found);
      resolve();
    };
    const arrived = () => { if (!--awaited) end(); };
    const watching = setInterval(() => { if (!going()) end(); }, 100);
    const hear = {known: ({facts, line, looked}) => {
      knowledge.take(position, facts);
      if (line.length) found.proven = line;
      if (looked) arrived();
    }};
    solver.explore(position, hear);
    thinker.go(position, {movetime: REVIEW_MOVETIME}, {}, {best: arrived, info: ({lines: [[score, line]]}) => {
      found.line = line;
      analysis.scores.set(position, position.black ? -score : score);
    }});
  });
}

/** The fault of the move to a node, {node, kind, glyph, better}, or null. better: the line that should have been played. */
function judged(node) {
  const {parent: {position: before}, position: after, move} = node;
  const better = betterLine(before);
  if (!better.length || better[0] === move) return null;
  if (knownOf(before)?.value > 0 && knownOf(after)?.value > 0) return {node, kind: 'gave-away', glyph: '??', better};
  if (analysis.knowledge.marks(before).some(mark => mark.move === better[0] && mark.value < 0)) return null;    // it loses too
  const lost = CHANCES_LOST.find(([least]) => chancesLost(before, after) >= least);
  return lost ? {node, kind: lost[2], glyph: lost[1], better} : null;
}

/**
 * The chances, from 0 to 1, that a move costs its mover; at most 0 if it costs nothing. before, after: the positions around the move.
 *
 * - Before the move nothing is proven: the mover's chances before, less those after. A proven win after it is 1, a proven loss 0.
 * - Before the move a win is proven: 0.5 less the chances after. A move into an open position may still win, so it costs nothing while
 *   its mover has even chances.
 * - Before the move a loss is proven: nothing.
 */
function chancesLost(before, after) {
  const [had, has] = [before, after].map(position => chanceOf(position, before.black));
  return (knownOf(before) ? Math.min(had, .5) : had) - has;
}

/** The best line in a position as far as the review knows; a proven win comes first. */
function betterLine(position) {
  const {line = [], proven = []} = review.found.get(position) ?? {};
  const winning = analysis.knowledge.marks(position).filter(({value}) => value > 0).sort(byKnowledge).map(mark => mark.move);
  if (!winning.length) return line;
  return [proven, line].find(([move]) => winning.includes(move)) ?? [winning[0]];
}

/** The chances of a side in a position, from 0 to 1; 0.5 if nothing is known. */
function chanceOf(position, black) {
  const white = share(scoreOf(position) ?? 0);
  return black ? 1 - white : white;
}

/** Mark a fault in the tree, and write the better line beside it, unless the user has written something there. */
function writeFault(fault) {
  const {node, glyph, better} = fault;
  const {game} = review;
  const before = {comment: node.comment, glyph: node.glyph};
  game.annotate(node, {comment: node.comment || faultText(fault), glyph: node.glyph || glyph});
  const added = [];
  let at = node.parent;
  for (const move of better.slice(0, BETTER_PLIES)) {
    const known = at.children.some(child => child.move === move);
    at = game.add(at, move);
    if (!known) added.push(at);
  }
  review.written.push({node, before, after: {comment: node.comment, glyph: node.glyph}, added});
}

/** Remove from the tree what the last review has written there, except what the user has changed or gone on from. */
function forgetReview() {
  const {game} = review;
  for (const {node, before, after, added} of game ? review.written : []) {
    for (const other of added.toReversed()) {
      if (other !== shown.node && !other.children.length && !other.comment && !other.glyph) game.remove(other);
    }
    for (const part of ['comment', 'glyph']) if (node[part] === after[part]) game.annotate(node, {[part]: before[part]});
  }
  endTrying();
  Object.assign(review, {game: null, running: null, faults: [], written: []});
}

// What is said.

function tellReview(words) {
  byId('review-text').textContent = words;
  const faults = review.game === shown.game ? faultsLeft() : [];
  const at = faultHere();
  for (const id of ['previous-fault', 'next-fault']) byId(id).hidden = !faults.length;
  byId('review-text').parentElement.classList.toggle('found', faults.length > 0);
  byId('try-fault').hidden = !at && !review.trying;
  byId('play-fault').hidden = !at;
}

/** "e4 gives the win away: b4 wins." */
function faultText({node, kind, better}) {
  const {position} = node.parent;
  return text(`fault-${kind}`, {move: moveShown(position, node.move), better: moveShown(position, better[0])});
}

/** Whether a node has not been removed from the tree. */
const isThere = node => stillThere(node) === node;

/** The faults whose moves have not been deleted. */
const faultsLeft = () => review.faults.filter(({node}) => isThere(node));

/** The fault of the move that is shown, or undefined. */
const faultHere = () => review.faults.find(({node}) => node === shown.node);

/** What the review has found, for each side. */
function reviewText(nodes) {
  if (nodes.length < 2) return text('review-empty');
  return [false, true].map(black => {
    const kinds = faultsLeft().filter(({node}) => node.parent.position.black === black).map(({kind}) => kind);
    const counts = ['gave-away', 'blunder', 'mistake', 'inaccuracy'].map(kind => [kind, kinds.filter(other => other === kind).length]);
    const words = counts.filter(([, count]) => count).map(([kind, count]) => text(`count-${kind}`, {count}));
    return text('review-side', {side: side(black), faults: words.join(', ') || text('no-faults')});
  }).join(' ');
}

/** Go to the next fault after the position that is shown, or to the last one before it. */
function stepToFault(forward) {
  const {ply} = shown.node;
  const nodes = review.faults.map(({node}) => node).filter(node => shown.game.main.includes(node));
  const found = forward ? nodes.find(node => node.ply > ply) ?? nodes[0] : nodes.findLast(node => node.ply < ply) ?? nodes.at(-1);
  if (found) showNode(found);
}

/** Say what is wrong with the move that is shown, if the review has found a fault in it; called whenever a position is shown. */
function followReview() {
  if (review.running && review.game !== shown.game) stopAnalysis();
  if (review.trying && !atTry()) endTrying();
  if (review.running || review.trying) return;
  if (review.game !== shown.game) {
    tellReview(text('review-offer'));
    return;
  }
  const fault = faultHere();
  tellReview(fault ? faultText(fault) : reviewText(shown.game.main));
}

// Another try.

/** Whether the board shows a position that belongs to the try: the one before the fault, the one after the tried move, or one after it that the user has added. */
function atTry() {
  const {trying, tried} = review;
  return [trying.node.parent, tried?.node].includes(shown.node) || Boolean(tried?.isNew) && within(shown.node, tried.node);
}

/** Let the user look for a better move than a fault; all advice is hidden meanwhile. */
function tryAgain() {
  const fault = review.trying ?? faultHere();
  if (!fault) return;
  const {node: {parent, move}} = fault;
  stopAnalysis();
  review.trying = fault;
  byId('app').classList.add('trying');
  showNode(parent);
  forgetTry();
  tellReview(text('try-better', {side: side(parent.position.black), move: moveShown(parent.position, move)}));
}

/** Judge the move that the user tries, and say the result. */
async function answerTry(move) {
  const {trying: fault} = review;
  const {node: {parent}} = fault;
  const {position: before} = parent;
  const isNew = !parent.children.some(child => child.move === move);
  const node = shown.game.add(parent, move);
  if (node !== review.tried?.node) {
    forgetTry();
    review.tried = {node, isNew};
  }
  showNode(node, {slide: true});
  const waiting = () => review.trying === fault && shown.node === node;
  const shownMove = moveShown(before, move);
  if (!knownOf(node.position)) {
    tellReview(text('try-looking', {move: shownMove}));
    await lookAt(node.position, waiting);
    if (!waiting()) return;
  }
  const known = knownOf(node.position);
  if (known?.value < 0 || !known && move !== fault.node.move && chancesLost(before, node.position) < CHANCES_LOST.at(-1)[0]) {
    review.tried = null;    // it stays in the tree
    endTrying();
    analyse();
    tellReview(text(known ? 'try-wins' : 'try-good', {move: shownMove}));
    return;
  }
  const reply = betterLine(node.position)[0];
  const answer = reply === undefined ? '' : moveShown(node.position, reply);
  tellReview(text(known ? 'try-loses' : 'try-worse', {move: shownMove, side: side(node.position.black), answer}));
  setTimeout(() => {
    if (!waiting()) return;
    showNode(parent);
    forgetTry();
  }, WRONG_PAUSE);
}

/** Remove the last try from the tree, unless it was there before, is on the board, or the user has gone on from it. */
function forgetTry() {
  const {tried} = review;
  review.tried = null;
  if (!tried?.isNew || tried.node.children.length || tried.node === shown.node) return;
  review.game.remove(tried.node);
  showChanges();
}

function endTrying() {
  if (!review.trying) return;
  review.trying = null;
  byId('app').classList.remove('trying');
  forgetTry();
}
