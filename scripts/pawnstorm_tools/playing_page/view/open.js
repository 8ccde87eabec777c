// Games and positions from outside: text that is pasted, and files.

const LARGEST_FILE = 1000000;    // bytes
const ROWS_KEYS = {ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity};

/** Open what is written in the field. */
function openField() {
  const written = byId('text').value;
  openText(pasted.text.trim() && pasted.text.trim() === written.trim() ? pasted.link : written, written);
}

/** Open a text; if it has several games, list them. plain: the text that was pasted with the link `read`, if it was. */
function openText(read, plain = read) {
  listGames([]);
  const {count, items} = gamesIn(read);
  if (count < 2) {
    openGame(read, plain);
    return;
  }
  ask(count > items.length ? text('games-first', {count, shown: items.length}) : text('games-found', {count}));
  listGames(items);
  byId('games').querySelector('button').focus();
}

/**
 * Open the game or position of a text in Analyse; named: rules that the user has chosen, null for what the text says. toPlay: whether
 * an opponent is asked for, if the game is not over.
 */
function openGame(read, plain = read, named = null, toPlay = shown.mode === 'play') {
  try {
    const {game, told, others, node} = textRead(shown.core, named ? plain : read, shown.game.rules, named);
    if (shown.mode !== 'analyse') setMode('analyse');
    shown.names = game.names;
    showGame(game, node);
    const readAs = rules => [text('read-as', {game: calledBoard(rules)}), () => openGame(read, plain, rules, toPlay)];
    ask(told, others.map(readAs), others.length > 0);
    if (!others.length) {
      closeDialog('open-dialog');
      say(told);
    }
    if (toPlay && !node.parent && !game.over(node)) playFrom(node);    // opens above the question how to read the text
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ask(error.message);
  }
}

/** Say something in the dialog, with answers [[words, action]]; open: whether to open the dialog if it is closed. */
function ask(words, answers = [], open = true) {
  if (open && !byId('open-dialog').open) openDialog('open-dialog');
  byId('reading').textContent = words;
  byId('as-others').replaceChildren(...answers.map(([called, action]) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = called;
    button.addEventListener('click', action);
    return button;
  }));
  byId('open-done').hidden = !answers.length;
}

// A text of several games.

/** List the items of gamesIn() to choose from. */
function listGames(items) {
  byId('games').hidden = !items.length;
  byId('games').replaceChildren(...items.map((item, index) => {
    const row = document.createElement('li');
    const button = row.appendChild(document.createElement('button'));
    button.type = 'button';
    button.tabIndex = index ? -1 : 0;
    const [head, detail] = itemText(item, index + 1);
    button.append(Object.assign(document.createElement('span'), {textContent: head}), ' ',
      Object.assign(document.createElement('span'), {textContent: detail, className: 'small'}));
    button.addEventListener('click', () => openGame(item.text));
    return row;
  }));
}

/** The two lines of an item in the list. */
function itemText({tags, words}, number) {
  const known = [tags.White, tags.Black].some(name => name && name !== '?');
  const players = known ? text('players', {white: shortened(tags.White || '?'), black: shortened(tags.Black || '?')}) : null;
  const head = [`${number}.`, players ?? (tags.Event && tags.Event !== '?' ? shortened(tags.Event) : text('game-number', {number}))];
  if (tags.Result && tags.Result !== '*') head.push(shortened(tags.Result));
  const date = (tags.Date ?? '').replace(/[.?]+$/, '');
  return [head.join(' '), [shortened(date), shortened(words.join(' '))].filter(Boolean).join(' · ')];
}

/** Move the focus in the list by keys. */
function walkGames(event) {
  if (!Object.hasOwn(ROWS_KEYS, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...byId('games').querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + ROWS_KEYS[event.key]))];
  buttons[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  event.preventDefault();
}

// Files.

async function openFile(file) {
  const name = shortened(file.name);
  if (file.size > LARGEST_FILE) {
    refuseFile(text('file-large', {name, size: Math.ceil(file.size / 1e5) / 10}));
    return;
  }
  try {
    openText(decoded(await file.arrayBuffer()));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    refuseFile(text('file-unreadable', {name}));    // a folder, or a file that has gone
  }
}

function refuseFile(words) {
  listGames([]);
  ask(words);
}

/** The text of a file: in UTF-8, or else in the encoding of older programs. */
function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether an event drags files over the page, or drops them. */
const dragsFiles = ({dataTransfer}) => dataTransfer?.types.includes('Files') ?? false;

function listenToDrops() {
  const mark = on => document.documentElement.classList.toggle('dropping', on);
  addEventListener('dragover', event => {
    if (!dragsFiles(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) mark(false); });
  addEventListener('drop', event => {
    if (!dragsFiles(event)) return;
    event.preventDefault();
    mark(false);
    const {files} = event.dataTransfer;
    for (const dialog of document.querySelectorAll('dialog[open]:not(#open-dialog)')) dialog.close();
    if (files.length === 1) openFile(files[0]);
    else refuseFile(text('file-one'));
  });
}

// Text.

const pasted = {text: '', link: ''};

/** Remember the link that comes with a pasted FEN if it was copied from this page. */
function keepPasted({clipboardData}) {
  const found = new DOMParser().parseFromString(clipboardData.getData('text/html'), 'text/html').querySelector('a[href*="#game="]');
  const plain = clipboardData.getData('text/plain');
  Object.assign(pasted, found?.textContent.trim() === plain.trim() ? {text: plain, link: found.getAttribute('href')} : {text: '', link: ''});
}

function listenToOpen() {
  byId('open').addEventListener('click', openField);
  byId('open-done').addEventListener('click', () => closeDialog('open-dialog'));
  byId('open-file').addEventListener('click', () => byId('file').click());
  byId('file').addEventListener('change', () => {
    const [file] = byId('file').files;
    byId('file').value = '';    // so that the same file can be chosen again
    if (file) openFile(file);
  });
  byId('text').addEventListener('paste', keepPasted);
  byId('text').addEventListener('keydown', event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) openField(); });
  byId('games').addEventListener('keydown', walkGames);
  dialogOpened.set('open-dialog', () => {
    ask('');
    listGames([]);
  });
  listenToDrops();
}
