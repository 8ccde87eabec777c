// The moves of the game as a tree: the main line in rows, and below a row the comments and variations that belong to it.
// A row is kept while its text stays the same, so that only changed rows are made anew.

const listed = {game: null, revision: null, blocks: new Map(), links: new WeakMap()};

/** List the moves as they are now, and mark the one that is shown. */
function listMoves() {
  const {game, node} = shown;
  if (listed.game !== game || listed.revision !== game.revision) {
    const before = listed.game === game ? listed.blocks : new Map();
    const kept = ({key, text, make}) => before.get(key)?.text === text ? before.get(key) : {text, row: make()};
    const blocks = new Map([...blocksOf(game)].map(block => [block.key, kept(block)]));
    Object.assign(listed, {game, revision: game.revision, blocks});
    arrange(byId('moves'), [...blocks.values()].map(({row}) => row));
  }
  pointAt(listed.links.get(node) ?? null);
  if (!node.parent && document.activeElement === byId('move-more')) focusBoard();
  byId('move-more').disabled = !node.parent;
  showNote();
}

/** Make rows the children of a place, without touching those that are in place already. */
function arrange(place, rows) {
  const focused = place.contains(document.activeElement);
  const wanted = new Set(rows);
  for (const row of [...place.children]) if (!wanted.has(row)) row.remove();
  rows.forEach((row, index) => { if (place.children[index] !== row) place.insertBefore(row, place.children[index]); });
  if (!focused || place.contains(document.activeElement)) return;
  const link = listed.links.get(shown.node);
  if (link?.isConnected) link.focus({preventScroll: true});
  else focusBoard();
}

/** The rows of a game, [{key, text, make}]: key: of the row's place; text: changes whenever the row does; make(): the row. */
function* blocksOf(game) {
  if (game.root.comment) yield asideBlock(game.root, []);
  let pair = [];    // White's and Black's move of the row that is being filled
  for (const node of game.main.slice(1)) {
    const [{black}, others] = [node.parent.position, node.parent.children.slice(1)];
    pair[Number(black)] = node;
    const aside = node.comment || others.length;
    if (!black && !aside && node.children.length) continue;
    yield rowBlock(pair);
    pair = [];
    if (aside) yield asideBlock(node, others);
  }
}

/** A row with White's move and Black's reply. One of them may be missing. */
function rowBlock([white, black]) {
  const {id, parent} = white ?? black;
  const make = () => {
    const row = moveRow(parent.position.fullmove);
    if (white) row.children[1].append(moveLink(white, 'main'));
    else row.children[1].textContent = '…';
    if (black) row.children[2].append(moveLink(black, 'main'));
    return row;
  };
  return {key: `row ${id}`, text: [white, black].map(node => node ? node.id + node.glyph : '').join(), make};
}

/** A row of a node's comment and the alternatives to its move. */
function asideBlock(node, others) {
  const lines = others.map(other => [...wordsFrom(other)]);
  const make = () => {
    const row = document.createElement('tr');
    const cell = row.appendChild(document.createElement('td'));
    row.className = 'aside';
    cell.colSpan = 3;
    if (node.comment) cell.append(commentPart(node, 'p'));
    for (const line of lines) {
      const place = cell.appendChild(document.createElement('p'));
      place.className = 'variation';
      place.append(...line.map(word => word.part?.() ?? word));
    }
    return row;
  };
  return {key: `aside ${node.id}`, text: [node.comment, ...lines.flat().map(word => word.text ?? word)].join('\n'), make};
}

/** The words of the variation that begins with a node: texts, and {text, part}, where part() makes a link or a comment. open: the first text. */
function* wordsFrom(first, open = '') {
  let numbered = false;
  for (let node = first; node; [node] = node.children) {
    const {black, fullmove} = node.parent.position;
    yield node === first ? open : ' ';
    if (!black || !numbered) yield `${fullmove}${black ? '…' : '.'}\u00a0`;
    yield {text: node.id + node.glyph, part: () => moveLink(node, 'side')};
    if (node.comment) yield* [' ', {text: node.comment, part: () => commentPart(node, 'span')}];
    numbered = !node.comment;
    for (const other of node === first ? [] : node.parent.children.slice(1)) {
      yield* wordsFrom(other, ' (');
      yield ')';
      numbered = false;
    }
  }
}

function commentPart({comment}, name) {
  const part = document.createElement(name);
  part.className = 'comment';
  part.textContent = comment;
  return part;
}

/** A link that shows a node. kind: "main" or "side", for a move of the main line or of a variation. */
function moveLink(node, kind) {
  const link = document.createElement('a');
  link.className = kind;
  link.href = '#moves';    // until aimLink() gives it its address
  link.dataset.node = node.id;
  link.append(moveShown(node.parent.position, node.move) + node.glyph);
  if (kind === 'main') link.append(document.createElement('span'));
  link.node = node;
  listed.links.set(node, link);
  return link;
}

/** Write the score of a node beside its move in the main line; text: "" for none. */
function listScore(node, text) {
  const place = listed.links.get(node)?.querySelector('span');
  if (place && place.textContent !== text) place.textContent = text;
}

/** Give the link at which an event happens the address of its node, for another tab. The addresses of all links at once would take too long. */
function aimLink({target}) {
  const link = target.closest('#moves a');
  if (link) link.href = addressOf(shown.game, link.node, 'analyse');
}

/** Show the comment of the node on the board in its field, unless the user is writing there. */
function showNote() {
  const field = byId('comment');
  if (field.node === shown.node && document.activeElement === field) return;
  field.node = shown.node;
  field.value = shown.node.comment;
}

function listenToMoves() {
  const place = byId('moves');
  new ResizeObserver(() => pointAt(listed.links.get(shown.node) ?? null)).observe(place.closest('.moves'));    // what is above it may grow
  for (const kind of ['pointerover', 'focusin']) place.addEventListener(kind, aimLink);
  place.addEventListener('click', event => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;    // the browser opens it elsewhere
    event.preventDefault();
    goTo(link.node);
  });
  byId('comment').addEventListener('input', () => {
    shown.game.annotate(shown.node, {comment: commentText(byId('comment').value)});
    showChanges();
  });
}
