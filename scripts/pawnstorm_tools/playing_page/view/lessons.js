// The rules of the games, in pictures that move.

const PACE = 1400;     // milliseconds for each move
const REST = 2600;     // after the last

/** family -> pictures: a caption by its name in texts.json, the board's game, a FEN, and the moves that are shown. */
const RULES = {
  twoflags: [
    {caption: 'rule-step', game: 'twoflags5x6', fen: '5/ppppp/5/5/PPPPP/5 w', moves: 'c2c4 b5b4 a2a3'},
    {caption: 'rule-take', game: 'twoflags5x6', fen: '5/pp1pp/2p2/1P3/P1PPP/5 w', moves: 'b3c4 d5c4'},
    {caption: 'rule-passing', game: 'twoflags5x6', fen: '5/2p2/5/1P3/4P/5 b', moves: 'c5c3 b3c4'},
    {caption: 'rule-goal', game: 'twoflags5x6', fen: '5/P2p1/5/5/1p3/5 w', moves: 'a5a6'},
    {caption: 'rule-stuck', game: 'twoflags5x6', fen: '5/5/1p1p1/1P3/3P1/5 w', moves: 'd2d3'},
  ],
  breakthrough: [
    {caption: 'rule-breakthrough-step', game: 'breakthrough5x6', fen: 'ppppp/ppppp/5/5/PPPPP/PPPPP w', moves: 'c2c3 b5a4 c3d4'},
    {caption: 'rule-breakthrough-take', game: 'breakthrough5x6', fen: '5/1pp2/2pp1/2P2/1P3/5 w', moves: 'c3d4 c5d4'},
    {caption: 'rule-breakthrough-goal', game: 'breakthrough5x6', fen: '1p3/3P1/5/1p3/5/4P w', moves: 'd5e6'},
  ],
};

const pictures = {timers: [], running: true};

/** Draw the rules of both games, and start the pictures unless the reader prefers none that move. */
function drawRules() {
  for (const [family, rows] of Object.entries(RULES)) {
    byId(`rules-${family}`).replaceChildren(...rows.map(row => {
      const figure = document.createElement('figure');
      const svg = figure.appendChild(element('svg', {role: 'img', class: 'lesson'}));
      svg.append(element('title', {}));
      const caption = figure.appendChild(document.createElement('figcaption'));
      caption.textContent = text(row.caption);
      const [board, game] = [new DrawnBoard(svg, measures), playedOut(row)];
      const nodes = game.main;
      figure.showPly = (ply, slide) => {
        const {position, lastMove} = nodes[ply];
        board.draw(boardOf(game.rules), drawable(position, lastMove), {
          title: text(row.caption), over: game.over(nodes[ply]), slide});
      };
      figure.last = nodes.length - 1;
      figure.showPly(figure.last, false);
      return figure;
    }));
  }
  movePictures(moving());
}

function playedOut({game, fen, moves}) {
  const made = new Game(shown.core, positionFrom(rulesNamed(game), fen));
  for (const word of moves.split(' ')) made.add(made.end, moveFrom(shown.core, made.end.position, word));
  return made;
}

/** Start the pictures, or stop them at their last positions. */
function movePictures(on) {
  pictures.running = on;
  pictures.timers.forEach(clearTimeout);
  pictures.timers = [];
  byId('pictures').textContent = text(on ? 'stop-pictures' : 'move-pictures');
  [...document.querySelectorAll('.pictures figure')].forEach((figure, index) => {
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
