// Shows the rules in a few sentences when a game is played for the first time on this device.

/** Show the rules of the game that is shown, unless the user has read them. */
function showFirstRules() {
  const family = offeredFamily(shown.game.rules);
  const told = shown.mode !== 'play' || preference(`knows-${family}`) === 'on';
  byId('first-rules').hidden = told;
  if (told || byId('first-rules').dataset.family === family) return;
  byId('first-rules').dataset.family = family;
  byId('first-rules-title').textContent = text(`family-${family}`);
  byId('first-rules-text').textContent = text(`rules-${family}`);
}

function listenToFirstRules() {
  byId('got-it').addEventListener('click', () => {
    keepPreference(`knows-${byId('first-rules').dataset.family}`, 'on');
    showFirstRules();
    focusBoard();
  });
  shown.listeners.push(showFirstRules);
}
