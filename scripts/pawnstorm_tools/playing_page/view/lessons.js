// The rules of the games, in pictures that move.

const PACE = 1400;     // milliseconds for each move
const REST = 2600;     // after the last

/** family -> pictures: a caption, the board's game, a FEN, and the moves that are shown. */
const RULES = {
  twoflags: [
    {caption: 'Pawns step straight ahead, one square or, from their first place, two.', game: 'twoflags5x6', fen: '5/ppppp/5/5/PPPPP/5 w', moves: 'c2c4 b5b4 a2a3'},
    {caption: 'They take diagonally, one step ahead.', game: 'twoflags5x6', fen: '5/pp1pp/2p2/1P3/P1PPP/5 w', moves: 'b3c4 d5c4'},
    {caption: 'A pawn that has just made a double step can be taken as if it had made one, at once or never.', game: 'twoflags5x6', fen: '5/2p2/5/1P3/4P/5 b', moves: 'c5c3 b3c4'},
    {caption: 'Whoever brings a pawn to the last rank has won. So has whoever takes the last enemy pawn.', game: 'twoflags5x6', fen: '5/P2p1/5/5/1p3/5 w', moves: 'a5a6'},
    {caption: 'Who is to move and cannot has lost.', game: 'twoflags5x6', fen: '5/5/1p1p1/1P3/3P1/5 w', moves: 'd2d3'},
  ],
  breakthrough: [
    {caption: 'Pieces step one square ahead, straight or diagonally, onto an empty square.', game: 'breakthrough5x6', fen: 'ppppp/ppppp/5/5/PPPPP/PPPPP w', moves: 'c2c3 b5a4 c3d4'},
    {caption: 'They take diagonally only. What stands straight ahead is in the way.', game: 'breakthrough5x6', fen: '5/1pp2/2pp1/2P2/1P3/5 w', moves: 'c3d4 c5d4'},
    {caption: 'Whoever reaches the last rank has won. So has whoever takes the last enemy piece.', game: 'breakthrough5x6', fen: '1p3/3P1/5/1p3/5/4P w', moves: 'd5e6'},
  ],
};

const pictures = {timers: [], running: true};

/** Draw the rules of both games, and let the pictures move unless the reader wants none that do. */
function drawRules() {
  for (const [family, rows] of Object.entries(RULES)) {
    byId(`rules-${family}`).replaceChildren(...rows.map(row => {
      const figure = document.createElement('figure');
      const svg = figure.appendChild(element('svg', {role: 'img', class: 'lesson'}));
      svg.append(element('title', {}));
      const caption = figure.appendChild(document.createElement('figcaption'));
      caption.textContent = row.caption;
      const [board, game] = [new DrawnBoard(svg, measures), playedOut(row)];
      figure.showPly = (ply, slide) => {
        board.draw(boardOf(game.rules), drawable(game.positions[ply], game.lastMove(ply)), {over: ply === game.last && game.over, slide});
        svg.querySelector('title').textContent = row.caption;
      };
      figure.last = game.last;
      figure.showPly(game.last, false);
      return figure;
    }));
  }
  movePictures(moving());
}

function playedOut({game, fen, moves}) {
  const made = new Game(shown.core, positionFrom(rulesNamed(game), fen));
  for (const text of moves.split(' ')) made.play(moveFrom(shown.core, made.positions.at(-1), text));
  return made;
}

/** Let the pictures move, or stand at their last positions. */
function movePictures(on) {
  pictures.running = on;
  pictures.timers.forEach(clearTimeout);
  pictures.timers = [];
  byId('pictures').textContent = on ? 'Stop the pictures' : 'Let the pictures move';
  [...document.querySelectorAll('.lessons figure')].forEach((figure, index) => {
    if (!on) {
      figure.showPly(figure.last, false);
      return;
    }
    const step = ply => {
      figure.showPly(ply, ply > 0);
      pictures.timers[index] = setTimeout(() => step(ply === figure.last ? 0 : ply + 1), ply === figure.last ? REST : PACE);
    };
    step(0);
  });
}
