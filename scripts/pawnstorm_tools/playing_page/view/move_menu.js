// The menu of a move in the list. It opens at the pointer, or at the button below the list.

const HOLD = 500;    // milliseconds after which a finger on a move opens the menu
const SHAKE = 10;    // pixels that the finger may move meanwhile

/** What each button of the menu does with a node. */
const MOVE_ACTIONS = {
  'promote': node => change(game => game.promote(node)),
  'make-main': node => change(game => game.toMain(node)),
  'delete-move': node => {
    const gone = within(shown.node, node);
    const parent = shown.game.remove(node);
    if (gone) showNode(parent);
    else {
      showChanges();
      analyse();    // updates the curve and the review too
    }
  },
  'comment-move': node => {
    if (node !== shown.node) showNode(node);
    byId('comment').focus();
  },
  'copy-line': node => copyPgn(lineGame(shown.game, node)),
};

function change(action) {
  action(shown.game);
  showChanges();
}

/** Open the menu of a node at a place in the window. */
function openMoveMenu(node, x, y) {
  const menu = byId('move-menu');
  if (menu.open) return;
  menu.node = node;
  byId('move-menu-title').textContent = moveName(node);
  byId('promote').disabled = byId('make-main').disabled = !branch(node);
  for (const button of menu.querySelectorAll('[data-glyph]')) button.setAttribute('aria-pressed', String(button.dataset.glyph === node.glyph));
  menu.showModal();
  const {width, height} = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(x, innerWidth - width))}px`;
  menu.style.top = `${Math.max(0, Math.min(y, innerHeight - height))}px`;
}

/** A move with its number: "12... exd5?". */
function moveName({parent, move, glyph}) {
  const {position} = parent;
  return `${position.fullmove}${position.black ? '...' : '.'} ${moveShown(position, move)}${glyph}`;
}

function listenToMoveMenu() {
  const [menu, list] = [byId('move-menu'), byId('moves')];
  const choose = action => () => {
    menu.close();
    action(menu.node);
  };
  for (const [id, action] of Object.entries(MOVE_ACTIONS)) byId(id).addEventListener('click', choose(action));
  for (const button of menu.querySelectorAll('[data-glyph]')) {
    const {glyph} = button.dataset;
    button.addEventListener('click', choose(node => change(game => game.annotate(node, {glyph: node.glyph === glyph ? '' : glyph}))));
  }
  byId('move-more').addEventListener('click', () => {
    const {left, top} = byId('move-more').getBoundingClientRect();
    openMoveMenu(shown.node, left, top);
  });
  list.addEventListener('contextmenu', event => {
    const link = event.target.closest('a');
    if (!link) return;
    event.preventDefault();
    openMoveMenu(link.node, event.clientX, event.clientY);
  });
  listenToHolding(list);
}

/** Open the menu if a finger stays on a move: not all browsers make a context menu of this. */
function listenToHolding(list) {
  let [timer, start] = [null, null];
  list.addEventListener('pointerdown', event => {
    clearTimeout(timer);
    const link = event.target.closest('a');
    if (event.pointerType !== 'touch' || !link) return;
    start = event;
    timer = setTimeout(() => openMoveMenu(link.node, start.clientX, start.clientY), HOLD);
  });
  list.addEventListener('pointermove', ({clientX, clientY}) => {
    if (start && Math.hypot(clientX - start.clientX, clientY - start.clientY) > SHAKE) clearTimeout(timer);
  });
  for (const kind of ['pointerup', 'pointercancel']) list.addEventListener(kind, () => clearTimeout(timer));
}
