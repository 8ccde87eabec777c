// Writes a position as FEN, and a game as match.py's PGN, from the data that the page shows: no game is in the page twice.

/** The six fields of a position of a game. */
function fenOf(game, ply) {
  const board = report.boards[game.variant];
  const {pawns, black, from, to} = positions(game)[ply];
  const rows = placed(pawns, board);
  const given = game.fen.split(' ');
  const moves = Number(given[5]) + Math.floor((ply + (given[1] === 'b' ? 1 : 0)) / 2);
  if (!ply) return [rows, ...given.slice(1)].join(' ');
  return `${rows} ${black ? 'b' : 'w'} - ${board.passing && passedSquare(pawns, from, to) || '-'} 0 ${moves}`;
}

/** The square that a double step has passed, if a pawn may take on it. */
function passedSquare(pawns, from, to) {
  const file = LETTERS.indexOf(to[0]);
  const enemy = pawns.get(to) === 'P' ? 'p' : 'P';
  if (Math.abs(from[1] - to[1]) !== 2) return null;
  const beside = [file - 1, file + 1].some(other => pawns.get(LETTERS[other] + to[1]) === enemy);
  return beside ? to[0] + (Number(from[1]) + Number(to[1])) / 2 : null;
}

/** The PGN of a game, with a line feed at the end. */
function pgnOf(game) {
  const tags = game.tags.map(index => report.tags[index]).map(([name, value]) => pgnTag(name, value ?? game.fen));
  const root = {notes: [], children: []};
  let end = root;
  (game.texts ? game.texts.split(' ') : []).forEach((text, index) => {
    const [number, black] = numbered(game, index + 1);
    const comment = commentOf(game, index, black);
    const node = {number, black, text, notes: comment ? [`{${comment}}`] : [], children: []};
    end.children.push(node);
    end = node;
  });
  const words = moveWords(root);
  if (game.detail) words.push(`{${game.detail.replaceAll('{', '(').replaceAll('}', ')')}}`);
  return `${tags.join('\n')}\n\n${wrapped([...words, game.result])}\n`;
}

/** What the comment after a move says, in match.py's form; "" if nothing is known. */
function commentOf(game, index, black) {
  if (index < game.book) return 'book';
  const [score, depth, time, nodes, searched, left] = ['scores', 'depths', 'times', 'nodes', 'searches', 'clocks'].map(
    name => game[name]?.[index] ?? null);
  const words = [];
  if (score !== null) words.push(moverScore(score, black) + (depth === null ? '' : `/${depth}`));
  else if (depth !== null) words.push(`d=${depth}`);
  if (time !== null) words.push(`${(time / 1000).toFixed(3)}s`);
  if (nodes !== null) words.push(`n=${nodes}`);
  if (searched !== null) words.push(`t=${(searched / 1000).toFixed(3)}s`);
  if (left !== null) words.push(`[%clk ${clock(left)}]`);
  return words.join(' ');
}

/** A score from the mover's view: "+0.25", "+M5", "-M4". */
function moverScore(score, black) {
  if (typeof score === 'string') return (score.startsWith('-') === black ? '+' : '-') + score.replace('-', '');
  const seen = black ? -score : score;
  return `${seen < 0 ? '-' : '+'}${(Math.abs(seen) / 100).toFixed(2)}`;
}

/** Milliseconds as 0:00:00.959. */
function clock(milliseconds) {
  const minutes = Math.floor(milliseconds / 60000);
  const seconds = ((milliseconds - 60000 * minutes) / 1000).toFixed(3).padStart(6, '0');
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${seconds}`;
}
