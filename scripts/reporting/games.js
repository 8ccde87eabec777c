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
  document.getElementById('shown').textContent = count === rows.length ? `${count} games` : `${count} of ${rows.length} games`;
}
