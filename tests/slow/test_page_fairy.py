"""The page plays Breakthrough against Fairy-Stockfish's own build for browsers, both in one Chromium, 1 s a move, one thread
and 64 MiB each.

    npm install --prefix DIR fairy-stockfish-nnue.wasm@1.1.12
    PAWNSTORM_FAIRY_WASM=DIR/node_modules/fairy-stockfish-nnue.wasm PAWNSTORM_TEST_GAMES=20 \
      python -m pytest -m slow tests/slow/test_page_fairy.py -n 0 -rP

Each opening is played twice, with colours swapped. A game takes a minute or two.
"""

import json
import os
import statistics
import time
from collections import defaultdict
from pathlib import Path

import browsers
import client
import pytest
import web_server
from page_hands import Opponent
from pages import written  # noqa: F401  a fixture

from pawnstorm.games.notation import fen, parse_fen, parse_move
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.referee import opening_book
from pawnstorm_tools.referee.settings import Book

PACKAGE = os.environ.get("PAWNSTORM_FAIRY_WASM")
GAMES = int(os.environ.get("PAWNSTORM_TEST_GAMES", "2"))
NAMES = ("Pawnstorm", "Fairy-Stockfish")
# Its threads share memory, which browsers allow to pages that are sent so.
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
FAIRY = """<!doctype html><title>Fairy-Stockfish</title><link rel="icon" href="data:,"><script src="stockfish.js"></script><script>
let heard = () => {};
const engine = Stockfish().then(engine => { engine.addMessageListener(line => heard(line)); return engine; });
async function ask(lines, beginning) {
  const answer = new Promise(found => { heard = line => { if (line.startsWith(beginning)) found(line); }; });
  for (const line of lines) (await engine).postMessage(line);
  return answer;
}
</script>
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.timeout(300 + 300 * GAMES),
    pytest.mark.skipif(not PACKAGE, reason="PAWNSTORM_FAIRY_WASM names no folder of npm's package"),
]


class Fairy:
    """Fairy-Stockfish in a page."""

    def __init__(self, browser, rules):
        self._browser = browser
        options = {"UCI_Variant": rules.name, "Hash": 64, "Threads": 1}
        self._ask(["uci"], "uciok")
        self._ask([f"setoption name {name} value {value}" for name, value in options.items()] + ["isready"], "readyok")

    def _ask(self, lines, beginning):
        return self._browser.evaluate(f"ask({json.dumps(lines)}, '{beginning}')")

    def begin(self):
        self._ask(["ucinewgame", "isready"], "readyok")

    def answer(self, board):
        return parse_move(board, self._ask([f"position fen {fen(board)}", "go movetime 1000"], "bestmove").split()[1])


def winner(players, board, times):
    """The name of who wins; players: [(name, player)] of White and Black; times: {name: seconds of each move}."""
    for _, player in players:
        player.begin()
    while not board.is_game_over():
        name, player = players[board.black_to_move]
        start = time.perf_counter()
        move = player.answer(board)
        times[name].append(time.perf_counter() - start)
        board = board.push(move)
    return players[not board.black_to_move][0]


def test_the_page_wins_most_games(written, tmp_path):
    rules = get_rules("breakthrough")
    book = Book(str(client.ROOT / "scripts" / "openings" / "breakthrough.epd"), order="random", seed=1)
    openings = opening_book.positions(book, rules)
    (tmp_path / "fairy.html").write_text(FAIRY)
    files = {"pawnstorm.html": written, "fairy.html": tmp_path / "fairy.html"}
    files |= {path.name: path for path in Path(PACKAGE).glob("stockfish.*")}
    times, won = defaultdict(list), []
    with browsers.chromium() as new_page, web_server.serving(files, ISOLATED) as address:
        page, other = new_page(), new_page()
        page.load(f"{address}/pawnstorm.html")
        other.open(f"{address}/fairy.html")
        fairy = Fairy(other, rules)
        for number in range(GAMES):
            black = bool(number % 2)
            both = list(zip(NAMES, (Opponent(page, rules.name, black, "move 1000"), fairy)))
            won.append(winner(both[:: -1 if black else 1], parse_fen(rules, openings[number // 2]), times))
            print(f"game {number + 1}: Pawnstorm has {'Black' if black else 'White'}, {won[-1]} wins", flush=True)
        assert page.complaints == other.complaints == []
    told = "; ".join(
        f"{name} {statistics.median(times[name]):.3f} s, at most {max(times[name]):.3f} s" for name in NAMES
    )
    print(f"{' '.join(f'{name} {won.count(name)}' for name in NAMES)}; a move, as seen from outside: {told}")
    assert 2 * won.count(NAMES[0]) > GAMES
