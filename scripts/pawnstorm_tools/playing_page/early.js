// Runs in the head, so that the page appears in the colours that its user prefers: view/preferences.js keeps them, view/looks.js applies
// them.
try {
  Object.assign(document.documentElement.dataset, JSON.parse(localStorage.getItem('pawnstorm.preferences')));
} catch {
  // a browser that keeps nothing, or a text that is none of ours
}
