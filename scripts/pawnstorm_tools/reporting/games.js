// The list of all games: which of them are shown.

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
