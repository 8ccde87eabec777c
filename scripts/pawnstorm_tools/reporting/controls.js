// The buttons and the keys, the choice among the games, and the tables that scroll.

const STEPS = {first: () => 0, back: ply => ply - 1, forward: ply => ply + 1, last: () => Infinity};
const step = name => go(STEPS[name](shown.ply));

const FIELDS = 'select, input, textarea';
const ELSEWHERE = `${FIELDS}, .scroll:not(.moves)`;
/** What a key does, and where it has a meaning of its own. */
const KEYS = {
  ArrowLeft: [() => step('back'), ELSEWHERE],
  ArrowRight: [() => step('forward'), ELSEWHERE],
  Home: [() => step('first'), ELSEWHERE],
  End: [() => step('last'), ELSEWHERE],
  ' ': [switchPlay, `${ELSEWHERE}, button, summary, .chart`],
  f: [flip, FIELDS],
};
const SCROLLING = ['Home', 'End', ' '];

function press(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(KEYS, key) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const [action, taken] = KEYS[key];
  const target = event.target;
  if (target.closest?.(taken)) return;
  // These scroll the page, and the list of moves, for those who read there.
  if (SCROLLING.includes(key) && (target.matches?.('.moves') || !target.closest?.('#replay') && !boardSeen())) return;
  event.preventDefault();
  if (!event.repeat || key.startsWith('Arrow')) action();
}

/** Copy a text and say so. If the browser does not let pages copy, show the text in a field, selected. */
async function copy(name, text) {
  const field = document.getElementById('copy-field');
  field.hidden = await copyText(text);
  say(field.hidden ? `${name} copied.` : `This browser lets no page copy. The ${name} is selected below: copy it from there.`);
  if (field.hidden) return;
  field.value = text;
  field.setAttribute('aria-label', name);
  field.focus();
  field.select();
}

function listen() {
  const onClick = (id, action) => document.getElementById(id).addEventListener('click', action);
  for (const id of Object.keys(STEPS)) onClick(id, () => step(id));
  const other = by => () => {
    const index = report.games.indexOf(shown.game) + by;
    if (report.games[index]) show(index, 0);
  };
  onClick('previous-game', other(-1));
  onClick('next-game', other(1));
  onClick('play', switchPlay);
  onClick('flip', flip);
  onClick('copy-fen', () => copy('FEN', fenOf(shown.game, shown.ply)));
  onClick('copy-pgn', () => copy('PGN', pgnOf(shown.game)));
  onClick('save-pgn', () => {
    const name = `game-${shown.game.number}.pgn`;
    download(name, pgnOf(shown.game));
    say(`${name} saved.`);
  });
  document.getElementById('chosen').addEventListener('change', event => show(Number(event.target.value), 0));
  addEventListener('hashchange', event => follow(new URL(event.newURL).hash));    // tellAddress() may have changed location's since
  addEventListener('click', event => {
    const link = event.target.closest?.('a[href^="#game="]');
    if (link && link.hash === location.hash) follow(link.hash);     // no hashchange follows
  });
  addEventListener('keydown', press);
}

/** Which games of the list are shown. */
const CHOSEN = {
  all: () => true,
  winner: (row, place) => row.dataset.winner === place,
  changed: row => row.dataset.changed !== '0',
  fault: row => row.dataset.fault === '1',
};

function filterGames() {
  const [kind, place] = document.getElementById('filter').value.split(' ');
  const rows = [...document.getElementById('game-rows').children];
  for (const row of rows) row.hidden = !CHOSEN[kind](row, place);
  const count = rows.filter(row => !row.hidden).length;
  const all = `${rows.length} ${rows.length === 1 ? 'game' : 'games'}`;
  document.getElementById('shown').textContent = count === rows.length ? all : `${count} of ${all}`;
}

// Tables that are wider or higher than their place: the frame shows on which sides there is more.

/** Mark a frame with the sides on which its table goes on. */
function markMore(frame) {
  const region = frame.querySelector('.scroll');
  const right = region.scrollWidth - region.clientWidth - region.scrollLeft;
  const below = region.scrollHeight - region.clientHeight - region.scrollTop;
  frame.classList.toggle('more-left', region.scrollLeft > 1);
  frame.classList.toggle('more-right', right > 1);
  frame.classList.toggle('more-below', below > 1);
}

function watchRegions() {
  const changed = new ResizeObserver(entries => {
    for (const frame of new Set(entries.map(({target}) => target.closest('.frame')))) markMore(frame);
  });
  for (const frame of document.querySelectorAll('.frame')) {
    const region = frame.querySelector('.scroll');
    region.addEventListener('scroll', () => markMore(frame), {passive: true});
    changed.observe(region);
    changed.observe(region.firstElementChild);
  }
}
