// The buttons of a game that is played: taking back, hints and resigning while it goes on, and the next steps when it has ended.

const SURE = 4000;    // milliseconds within which resigning is confirmed

/** Why the user gets no hint in the position that is shown; "" if a hint is available. */
function hintRefused() {
  if (playing.thinking) return text('hint-thinking');
  if (shown.game.over(shown.node)) return text('hint-over');
  return mayMove() ? '' : text('hint-not-yours');
}

/** Why nothing can be taken back; "" if something can. */
function takeBackRefused() {
  if (playing.game.ended?.node === playing.node || takenBack()) return '';
  return text(playing.from.parent ? 'take-back-start' : 'take-back-nothing');
}

/** Show the buttons that the state of the game asks for. A button that can do nothing now stays in its place and says why. */
function showDoings() {
  if (shown.mode !== 'play' || !playing.game) {
    endAsking();
    return;
  }
  const over = playing.game.over(playing.node);
  if (over) endAsking();
  const focused = byId('doings').contains(document.activeElement);
  byId('doings').classList.toggle('ended', over);
  for (const id of ['rematch', 'analyse-game']) byId(id).hidden = !over;
  for (const id of ['hint', 'resign']) byId(id).hidden = over;
  byId('show-new').classList.toggle('main', !over);
  byId('hint').setAttribute('aria-disabled', String(Boolean(hintRefused())));
  byId('take-back').setAttribute('aria-disabled', String(Boolean(takeBackRefused())));
  if (focused && (document.activeElement.hidden || document.activeElement === document.body)) byId(over ? 'rematch' : 'show-new').focus();
}

/** Resign, if the user presses twice. */
function askToResign() {
  if (byId('resign').classList.contains('sure')) {
    endAsking();
    resign();
    return;
  }
  byId('resign').classList.add('sure');
  say(text('resign-again'));
  playing.asking = setTimeout(() => {
    endAsking();
    if (byId('said').textContent === text('resign-again')) say('');
  }, SURE);
}

function endAsking() {
  clearTimeout(playing.asking);
  byId('resign').classList.remove('sure');
}

/** Begin a new game with the same settings and the colours exchanged. */
function rematch() {
  const {human, elo, time, from} = playing;
  beginGame(gameTo(from), {human: {white: 'black', black: 'white'}[human] ?? human, elo, time});
  focusBoard();
}

/** Review the game that has ended. */
function analysePlayed() {
  setMode('analyse');
  byId('mode-analyse').focus();
  reviewGame();
}

function listenToDoings() {
  const press = (id, refused, action) => byId(id).addEventListener('click', () => {
    const reason = refused();
    if (reason) say(reason);
    else action();
  });
  press('take-back', takeBackRefused, takeBack);
  press('hint', hintRefused, hint);
  press('resign', () => '', askToResign);
  press('rematch', () => '', rematch);
  press('analyse-game', () => '', analysePlayed);
  shown.listeners.push(showDoings);
}
