// The panel with all moves of a position, a chip for each: its result, and a line of detail for the chip under the pointer or the focus.

const OUTCOMES = {1: {kind: 'winning', shape: '▲'}, 0: {kind: 'undecided', shape: '◇'}, '-1': {kind: 'losing', shape: '▼'}};

/** hovered: the chip under a pointer that can hover; held: whether the order of the chips waits until the pointer leaves them. */
const pointer = {hovered: null, held: false};

/** The bound and the source of a result, if there are any: "in at most 45 plies by the book". */
function knownText({plies, how}) {
  const bound = plies === null ? '' : text('known-plies', {count: plies});
  const source = how && how !== 'board' ? text(`known-by-${how}`) : '';
  return bound && source ? text('known-plies-by', {bound, source}) : bound || source;
}

/** How many moves win, lose and are open: "16 moves: 4 win, 12 lose. All are known." */
function countsText(marks) {
  const counts = [['winning', 1], ['losing', -1], ['undecided', 0]].map(([kind, wanted]) => [kind, marks.filter(({value}) => value === wanted).length]);
  const results = counts.filter(([, count]) => count).map(([kind, count]) => text(`explorer-${kind}`, {count})).join(', ');
  const told = text('explorer-counts', {count: marks.length, results});
  return marks.every(({value}) => value) ? `${told} ${text('explorer-all-known')}` : told;
}

/** What is known of the replies to a move: "at least 1 of 17 replies wins", "each of 17 replies loses". */
function repliesText({count, winning, open}) {
  if (count === 1) return text(winning ? 'reply-wins' : 'reply-loses');
  if (winning === count) return text('replies-win', {all: count});
  if (!winning) return text('replies-lose', {all: count});
  return text(open ? 'replies-at-least' : 'replies-some', {count: winning, all: count});
}

/** All that is known of a mark's move, in words: "e4 loses in at most 46 plies by the opening: 1 of 17 replies wins". */
function markText(position, mark) {
  const {value, score, replies} = mark;
  const move = moveShown(position, mark.move);
  if (!value) return score === undefined ? text('move-open', {move}) : text('move-scored', {move, score: scoreText(score, position.black)});
  const how = knownText(mark);
  const result = how ? text(value > 0 ? 'move-wins-how' : 'move-loses-how', {move, how}) : text(value > 0 ? 'move-wins' : 'move-loses', {move});
  return replies ? text('move-replies', {result, replies: repliesText(replies)}) : result;
}

/** The number in a mark's chip: plies of a winning move, the score of an open one, the replies that win after a losing one. */
function markNumber({value, plies, score, replies}, black) {
  if (value > 0) return String(plies ?? '');
  if (!value) return score === undefined ? '' : scoreText(score, black);
  return replies.open ? `≥${replies.winning}` : `${replies.winning}/${replies.count}`;
}

/** The list item of a move, with its chip. It is kept when results change: a replaced button would lose clicks and focus. */
function moveItem(position, move) {
  const item = document.createElement('li');
  const button = item.appendChild(document.createElement('button'));
  button.type = 'button';
  for (const part of ['shape', 'move', 'number']) button.appendChild(document.createElement('span')).className = part;
  button.onclick = () => { if (here() === position) userMoves(move); };
  return item;
}

/** List ranked marks of a position, with counts and detail. Returns the mark whose chip is under the pointer or the focus. */
function listMarks(position, marks) {
  const list = byId('explorer');
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  if (list.position !== position) {
    list.position = position;
    list.items = new Map(marks.map(({move}) => [move, moveItem(position, move)]));
    list.replaceChildren(...list.items.values());
    list.scrollTop = 0;
    Object.assign(pointer, {hovered: null, held: false});
  }
  marks.forEach((mark, index) => {
    const item = list.items.get(mark.move);
    const button = item.firstElementChild;
    const {kind, shape} = OUTCOMES[mark.value];
    const texts = [shape, moveShown(position, mark.move), markNumber(mark, position.black)];
    item.className = kind;
    button.setAttribute('aria-label', markText(position, mark));
    [...button.children].forEach((part, place) => { if (part.textContent !== texts[place]) part.textContent = texts[place]; });
    if (!pointer.held && list.children[index] !== item) list.insertBefore(item, list.children[index]);
  });
  if (focused && !marks.length) focusBoard();
  else if (focused) (focused.isConnected ? focused : list.querySelector('button')).focus({preventScroll: true});
  const chip = pointer.hovered ?? list.querySelector('button:focus-visible');
  const pointed = chip && marks.find(({move}) => list.items.get(move).firstElementChild === chip);
  byId('explorer-detail').textContent = pointed ? markText(position, pointed) : '';
  byId('explorer-counts').textContent = marks.length ? countsText(marks) : text('explorer-over');
  return pointed;
}

/**
 * Show the detail and the arrow of the chip under the pointer or the focus. While a pointer moves over the chips they keep their places,
 * so that a new result never moves another chip under it.
 */
function listenToExplorer() {
  const list = byId('explorer');
  const point = (hovered, held) => {
    const changed = hovered !== pointer.hovered || !held && pointer.held;
    Object.assign(pointer, {hovered, held});
    if (changed) show();
  };
  const show = () => { if (shown.mode === 'analyse') showAnalysis(); };
  const chipOf = event => event.pointerType === 'touch' ? null : event.target.closest('button');
  list.addEventListener('pointerover', event => point(chipOf(event), pointer.held));
  list.addEventListener('pointermove', event => point(chipOf(event), true));
  list.addEventListener('pointerleave', () => point(null, false));
  list.addEventListener('focusin', show);
  list.addEventListener('focusout', () => setTimeout(show));    // after the focus has moved
}
