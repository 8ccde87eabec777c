"""UGI, the Universal Game Interface of kz04px's cutegames, on stdin and stdout: UCI with other words.

`ugi`, `ugiok` and `uginewgame` replace `uci`, `uciok` and `ucinewgame`. The clocks after `go` are `p1time`, `p2time`, `p1inc`
and `p2inc`. `query` asks about the position. p1 is White, who moves first from the start position. Nothing follows the move of
`bestmove`: cutegames ignores such a line if it has more than two words. cutegames may send a `query` between `uginewgame` and
the first `position`, so `uginewgame` sets up the start position.
"""

from pawnstorm.games.position import Board
from pawnstorm.suggestions import did_you_mean
from pawnstorm_protocol import parse, uci
from pawnstorm_protocol.uci import IN_ORDER, UCIEngine

CLOCKS = {"p1time": "wtime", "p2time": "btime", "p1inc": "winc", "p2inc": "binc"}
"""Word of `go` in UGI -> UCI's word for the same number."""
QUESTIONS = {
    "p1turn": lambda board: "false" if board.black_to_move else "true",
    "gameover": lambda board: "true" if board.is_game_over() else "false",
    "result": lambda board: ("p1win" if board.black_to_move else "p2win") if board.is_game_over() else "none",
}
"""Word after `query` -> function Board -> answer. When a game is over, the side to move has lost."""


class UGIEngine(UCIEngine):
    """The engine's session in UGI."""

    PROTOCOL = "ugi"
    GO_NUMBERS = CLOCKS | {name: name for name in parse.INTEGERS if name not in CLOCKS.values()}
    HELP = (
        uci.HELP.replace("uci", "ugi")
        .replace("mate, wtime btime winc binc movestogo,\n", "mate, p1time p2time p1inc p2inc,\n")
        .replace(
            "infinite, ponder, searchmoves, perft", "movestogo, infinite, ponder,\n" + 27 * " " + "searchmoves, perft"
        )
        .replace("\nstop ", "\nquery p1turn               is White to move; or gameover, result\nstop ")
    )

    def __init__(self, source, sink):
        super().__init__(source, sink)
        self.commands["query"] = (self._query, IN_ORDER)

    def _ucinewgame(self, rest):
        super()._ucinewgame(rest)
        self._board = Board.start(self._rules)

    def _query(self, rest):
        if rest not in QUESTIONS:
            near = did_you_mean(rest, QUESTIONS)
            raise ValueError(f"'{rest[:40]}' after query{near}: expected {', '.join(QUESTIONS)}")
        self._send(f"response {QUESTIONS[rest](self._board)}")

    def _on_best(self, board, best, ponder):
        super()._on_best(board, best, None)
