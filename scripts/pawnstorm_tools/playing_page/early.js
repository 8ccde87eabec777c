// Runs in the head, so that the page appears in the colours that its user prefers: view/preferences.js keeps them, view/looks.js applies
// them.
try {
  const kept = JSON.parse(localStorage.getItem('pawnstorm.preferences')) ?? {};
  for (const name of ['theme', 'board', 'coordinates']) if (kept[name]) document.documentElement.dataset[name] = kept[name];
} catch {
  // a browser that keeps nothing, or a text that is none of ours
}
