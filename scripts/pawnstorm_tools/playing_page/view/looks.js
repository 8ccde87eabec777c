// The colours of the page and of the board. early.js sets them before anything is drawn.

const LOOKS = ['theme', 'board', 'coordinates'];

/** Apply the preferences for the page's looks, now and whenever they change. */
function applyLooks() {
  for (const name of LOOKS) {
    onPreference(name, value => {
      document.documentElement.dataset[name] = value;
      if (name === 'theme') colourFrame(value);
    });
  }
}

/** Give the browser's own frame the colour of the theme: each scheme that the page names has a meta element. */
function colourFrame(theme) {
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
    const {scheme} = meta.dataset;
    meta.media = theme === 'system' ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? 'all' : 'not all';
  }
}
