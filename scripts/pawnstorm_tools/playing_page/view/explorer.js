// The panel with all moves of a position and the known result of each.

const SOURCES = {board: '', book: '(book)', opening: '(opening)', solver: '(solved now)'};
const OUTCOMES = {1: {kind: 'winning', shape: '▲', word: 'wins'}, 0: {kind: 'undecided', shape: '◇', word: 'open'}, '-1': {kind: 'losing', shape: '▼', word: 'loses'}};

const withinText = plies => plies === null ? '' : plies === 1 ? 'in 1 ply' : `in at most ${plies} plies`;

/** How many moves win, lose and are open: "2 of 16 moves win, 14 lose. All is known." */
function countsText(marks) {
  const rows = [[1, 'wins', 'win'], [-1, 'loses', 'lose'], [0, 'is open', 'are open']];
  const counts = rows.map(([value, one, more]) => [marks.filter(mark => mark.value === value).length, one, more]).filter(([count]) => count);
  const parts = counts.map(([count, one, more], index) => `${count}${index ? '' : ` of ${marks.length} moves`} ${count === 1 ? one : more}`);
  return `${parts.join(', ')}.${marks.every(({value}) => value) ? ' All is known.' : ''}`;
}

/** The bound and the source of a result: "in at most 45 plies (book)". */
const knownText = ({plies, how}) => [withinText(plies), SOURCES[how]].filter(Boolean).join(' ');

/** The list item of a move, with its button. It is kept when results change: a replaced button would lose clicks and focus. */
function moveItem(position, move) {
  const item = document.createElement('li');
  const button = item.appendChild(document.createElement('button'));
  button.type = 'button';
  for (const kind of ['shape', 'result', 'small']) button.appendChild(document.createElement('span')).className = kind;
  button.firstElementChild.setAttribute('aria-hidden', 'true');
  button.onclick = () => { if (here() === position) userMoves(move); };
  return item;
}

/** List ranked marks of a position. */
function listMarks(position, marks) {
  const list = byId('explorer');
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  if (list.position !== position) {
    list.position = position;
    list.items = new Map(marks.map(({move}) => [move, moveItem(position, move)]));
    list.replaceChildren(...list.items.values());
  }
  marks.forEach((mark, index) => {
    const item = list.items.get(mark.move);
    const {kind, shape, word} = OUTCOMES[mark.value];
    const texts = [`${shape} `, `${moveSan(position, mark.move)} ${word} `, mark.value ? knownText(mark) : mark.score === undefined ? '' : scoreText(mark.score, position.black)];
    item.className = kind;
    [...item.firstElementChild.children].forEach((part, place) => { if (part.textContent !== texts[place]) part.textContent = texts[place]; });
    if (list.children[index] !== item) list.insertBefore(item, list.children[index]);
  });
  if (focused) (focused.isConnected ? focused : list.querySelector('button'))?.focus({preventScroll: true});
  byId('explorer-counts').textContent = marks.length ? countsText(marks) : 'The game is over.';
}
