// The dialog of a new game: its fields, and the game that they begin. The dialog also asks for an opponent for an existing position.

const GAME_FIELDS = ['family', 'size', 'side', 'level', 'time'];    // all are preferences, as the fields of TIME_FIELDS are

// from: the node from which the dialog's game is to go on, null for a game from the start.
const newcomer = {from: null};

/** Ask for an opponent and play on from a node, keeping the moves that led to it, or from a Position. */
function playFrom(place) {
  const node = place instanceof Node ? place : new Game(shown.core, place).root;
  if (shown.core.over(node.position)) {
    say(text('play-from-over'));
    return;
  }
  newcomer.from = node;
  openDialog('new-dialog');
}

/** Set the fields to what was chosen last. */
function fillFields() {
  byId('family').value = preference('family');
  listSizes();
  for (const field of GAME_FIELDS) {
    const found = [...byId(field).options].find(({value}) => value === preference(field));
    if (found) byId(field).value = found.value;
  }
  for (const field of Object.keys(TIME_FIELDS)) byId(field).value = preference(field);
  if (['minutes', 'increment'].every(field => !timeWritten(field, preference(field)))) byId('minutes').value = kindOf('minutes').initial;
  showOwnTime();
}

/** Begin a game like the last one that was begun on this device. */
function beginUsualGame() {
  fillFields();
  const {name, ...settings} = wishes();
  beginGame(Game.new(shown.core, name), settings);
}

/** Fill the dialog for a new game or for the position to play from. */
function fillNewGame() {
  const {from} = newcomer;
  fillFields();
  if (from) byId('side').value = from.position.black ? 'black' : 'white';
  byId('new-dialog-title').textContent = text(from ? 'play-from-title' : 'new-game');
  byId('play-from-what').textContent = from ? text('play-from-what', {board: calledBoard(from.position.rules), number: from.position.fullmove, side: side(from.position.black)}) : '';
  for (const part of document.querySelectorAll('#new-dialog .from-start')) part.hidden = Boolean(from);
  byId('this-game').textContent = isPlaying() ? text('this-game', {players: playersWords()}) : '';
  byId('from-start').hidden = !from;
  byId('go-on').hidden = !isPlaying() || shown.game === playing.game;
  byId(from ? 'side' : 'family').focus();
}

/** Whether a game is being played, even if another one is on the screen. */
const isPlaying = () => Boolean(playing.game) && !playing.game.over(playing.node);

/** Who plays the game that is going on, and how fast: "Pawnstorm 1200, 1 s a move". */
const playersWords = () => text('players-time', {
  players: playing.human === 'both' ? text('two-players') : engineName(playing.elo), time: timeWords(playing.time)});

const engineName = elo => elo ? text('engine-level', {elo: String(elo)}) : 'Pawnstorm';

/** Show the fields of the kind of time that is chosen, and clear the message. */
function showOwnTime() {
  const [own, kind] = byId('time').value.split(' ');
  for (const [field, {kind: other}] of Object.entries(TIME_FIELDS)) {
    for (const part of [byId(field), byId(field).labels[0]]) part.hidden = own !== 'own' || other !== kind;
    byId(field).removeAttribute('aria-invalid');
  }
  byId('time-fault').textContent = '';
}

/** What the fields say: {name, human, elo, time}; human: 'white', 'black' or 'both'; time: as timeNamed() reads it. Throws BadTime. */
function wishes() {
  const value = id => byId(id).value;
  const human = value('side') === 'either' ? (crypto.getRandomValues(new Uint8Array(1))[0] & 1 ? 'white' : 'black') : value('side');
  const own = Object.fromEntries(Object.keys(TIME_FIELDS).map(field => [field, value(field)]));
  return {name: value('size'), human, elo: value('level') ? Number(value('level')) : null,
    time: value('time').startsWith('own') ? ownTime(value('time'), own) : value('time')};
}

/** Begin the game that the fields describe and keep their values, or say what is wrong with a field. */
function startNewGame() {
  showOwnTime();
  try {
    const {name, ...settings} = wishes();
    const {from} = newcomer;
    keepFields(Boolean(from));
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();    // also the one from which this one was opened
    const left = leftGame();
    beginGame(from ? gameTo(from) : Game.new(shown.core, name), settings);
    focusBoard();
    if (left) offerBack(left);
  } catch (error) {
    if (!(error instanceof BadTime)) throw error;
    byId('time-fault').textContent = error.message;
    byId(error.field).setAttribute('aria-invalid', 'true');
    byId(error.field).focus();
  }
}

/** Keep the values of the fields. from: whether the game starts from a position, whose game, board and side are not kept. */
function keepFields(from) {
  const kept = from ? ['level', 'time'] : GAME_FIELDS;
  const [, kind] = byId('time').value.split(' ');
  const own = Object.keys(TIME_FIELDS).filter(field => byId('time').value.startsWith('own') && TIME_FIELDS[field].kind === kind);
  for (const field of [...kept, ...own]) keepPreference(field, byId(field).value);
}

/** A game of the moves that lead to a node, without variations and comments. */
function gameTo(node) {
  const moves = [];
  let at = node;
  for (; at.parent; at = at.parent) moves.unshift(at.move);
  const game = new Game(shown.core, at.position);
  at = game.root;
  for (const move of moves) at = game.add(at, move);
  return game;
}

// The way back to the previous game.

const OFFER = 10000;    // milliseconds for which it is offered

/** The game that is being played, as playState() has it, or null if the user has made fewer than two moves in it. */
function leftGame() {
  if (!isPlaying()) return null;
  let moves = 0;
  for (let at = playing.node; at.parent && at !== playing.from; at = at.parent) moves += Number(!engineMoves(at.parent.position.black));
  return moves > 1 ? playState() : null;
}

/** Offer the way back to a game for a while, or until another game is played. */
function offerBack(state) {
  const place = byId('offer');
  place.state = state;
  place.hidden = false;
  byId('offer-text').textContent = '';
  requestAnimationFrame(() => { byId('offer-text').textContent = text('game-kept'); });    // a screen reader speaks only a change
  clearTimeout(place.ending);
  const end = () => {
    if (place.matches(':hover, :focus-within')) place.ending = setTimeout(end, OFFER);
    else place.hidden = true;
  };
  place.ending = setTimeout(end, OFFER);
}

function endOffer() {
  clearTimeout(byId('offer').ending);
  byId('offer').hidden = true;
}

function goBack() {
  const {state} = byId('offer');
  endOffer();
  resumePlay(state);
  focusBoard();
}

/** Put the focus on the board if there is no better place for it. */
const focusBoard = () => document.querySelector('#squares [tabindex="0"]').focus({preventScroll: true});

function listenToNewGame() {
  const onClick = (id, action) => byId(id).addEventListener('click', () => action());
  dialogOpened.set('new-dialog', fillNewGame);
  dialogClosed.set('new-dialog', () => { newcomer.from = null; });
  onClick('new-game', () => {
    trouble('');
    startNewGame();
  });
  onClick('from-start', () => {
    newcomer.from = null;
    fillNewGame();
  });
  onClick('go-on', () => {
    closeDialog('new-dialog');
    setMode('play');
    focusBoard();
  });
  onClick('play-from', () => playFrom(shown.node));
  onClick('play-fault', () => playFrom(shown.node.parent));
  onClick('game-before', goBack);
  byId('family').addEventListener('change', listSizes);
  byId('time').addEventListener('change', showOwnTime);
  for (const field of Object.keys(TIME_FIELDS)) {
    byId(field).addEventListener('keydown', event => {
      if (event.key !== 'Enter') return;
      event.preventDefault();    // the focus goes to a button, which would be pressed too
      startNewGame();
    });
  }
}
