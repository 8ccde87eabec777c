// Sharing what is shown: as a link, a FEN, a PGN or a picture.

const linkHere = (address = addressHere()) => location.href.replace(/#.*/, '') + address;
const pgnHere = (game = shown.game) => pgnOf(game, {White: shown.names[0], Black: shown.names[1]});

/** What is shared, by the names of its field, its button and its text for people. */
const SHARED = {link: () => linkHere(), fen: () => fenOf(here()), pgn: () => pgnHere()};

/** Fill the fields. */
function fillShare() {
  for (const [name, shared] of Object.entries(SHARED)) byId(`share-${name}`).value = shared();
  byId('share-file').hidden = location.protocol !== 'file:';
  byId('share-line').hidden = fitsAddress(shown.game);
}

/** Copy a field, or select it if the browser does not let pages copy. */
async function copyShared(name) {
  fillShare();
  const field = byId(`share-${name}`);
  // If the clipboard allows it, a copied FEN comes with a link that names its game.
  const game = new Game(shown.core, here());
  const link = name === 'fen' ? linkHere(addressOf(game, game.root, shown.mode)) : null;
  const copied = await copyText(field.value, link);
  if (copied) tellShared(text('copied', {name: text(name)}));
  else offer(field);
}

/** Copy the PGN of a game from outside the dialog. If the browser does not let pages copy, the dialog opens with it. */
async function copyPgn(game) {
  const content = pgnHere(game);
  if (await copyText(content)) {
    say(text('copied', {name: text('pgn')}));
    return;
  }
  openDialog('share-dialog');
  byId('share-pgn').value = content;
  offer(byId('share-pgn'));
}

function offer(field) {
  tellShared(text('copy-selected'));
  field.focus();
  field.select();
}

/** Say something in the dialog; a repeated text is spoken again. */
function tellShared(words) {
  byId('shared').textContent = '';
  requestAnimationFrame(() => { byId('shared').textContent = words; });
}

/** A file's name for what is shown, without its extension: game, players and date. */
function fileName() {
  const {game, names} = shown;
  const parts = [game.rules.name, names.join('-'), game.date.replaceAll('.', '-')];
  return parts.map(part => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60)).filter(Boolean).join('_');
}

function save(ending, content, type) {
  const name = `${fileName()}.${ending}`;
  download(name, content, type);
  tellShared(text('saved', {name}));
}

/** Hand what is shown to another app, as phones do. If the page is a file, its address is useless there, and the PGN is sent instead. */
async function shareByBrowser() {
  const title = document.querySelector('#board title').textContent;
  try {
    await navigator.share(location.protocol === 'file:' ? {title, text: pgnHere()} : {title, url: linkHere()});
  } catch (error) {
    if (error.name !== 'AbortError') tellShared(text('share-refused', {reason: error.message}));    // AbortError: the user has changed their mind
  }
}

function listenToShare() {
  for (const name of Object.keys(SHARED)) byId(`copy-${name}`).addEventListener('click', () => copyShared(name));
  byId('save-pgn').addEventListener('click', () => save('pgn', pgnHere(), 'application/x-chess-pgn'));
  byId('save-svg').addEventListener('click', () => save('svg', boardPicture(byId('board')).svg, 'image/svg+xml'));
  byId('save-png').addEventListener('click', async () => save('png', await pngOf(boardPicture(byId('board'))), 'image/png'));
  byId('share-app').hidden = !navigator.share;
  byId('share-app').addEventListener('click', shareByBrowser);
  dialogOpened.set('share-dialog', () => {
    byId('shared').textContent = '';
    fillShare();
    byId('copy-link').focus();
  });
  shown.listeners.push(() => { if (byId('share-dialog').open) fillShare(); });    // the engine has moved
}
