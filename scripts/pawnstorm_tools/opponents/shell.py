"""The UCI loop around one player: stdin and stdout in this thread, the player in another.

The commands are the engine's (protocol/pawnstorm_protocol/parse.py, protocol/pawnstorm_protocol/uci_format.py), and so are
the answers to bad input: an `info string`, and the position stays. With `movetime`, a move may take this time. With `nodes`
or `infinite`, a move has no time limit. The same holds for `depth` and `mate` if the player obeys a depth. Otherwise, also
after a bare `go`, the player's own scheme sets the time; the scheme may read the clock. Only `go infinite` and `go ponder`
hold back the best move, until `stop` or `ponderhit`.
"""

import os
import random
import threading
import time
import traceback

from pawnstorm.core.state import WIN
from pawnstorm.games.position import Board
from pawnstorm.games.rules import GUI_GAMES, get_rules
from pawnstorm.search import time_budget
from pawnstorm.search.limits import Info
from pawnstorm_protocol import parse, uci_format
from pawnstorm_protocol.options import Option, find_option
from pawnstorm_protocol.uci import UCISession, make_limits, searched_moves
from pawnstorm_tools.opponents.base import Budget

OVERHEAD = 10  # milliseconds of a `movetime` that are left for the pipes
LARGEST_SCORE = 20_000  # larger scores prove a win, which a player's own numbers do not


class Shell(UCISession):
    """One session of one player on a pair of byte streams. make(rng) makes the player."""

    def __init__(self, name, make, source, sink):
        self._player = make(random.Random())
        listed = tuple(word for word in GUI_GAMES if word in self._player.games)
        options = {
            option.name.lower(): option
            for option in (
                Option("UCI_Variant", "combo", self._player.games[0], choices=listed),
                Option("Seed", "spin", 0, 0, 2**31 - 1),
                *([Option("Ponder", "check", False)] if self._player.ponders else []),
            )
        }
        super().__init__(source, sink, name, options, get_rules(self._player.games[0]))
        self._seed = 0
        self._thread, self._budget, self._silent = None, None, False
        # The condition guards the two others. _holding: whether a search that has ended keeps its best move. _after_hit:
        # (seconds from ponderhit on, _holding from then on).
        self._condition, self._holding, self._after_hit = threading.Condition(), False, None
        self._commands = {
            "uci": self._uci,
            "isready": self._isready,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "position": self._position,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "go": self._go,
            "d": self._diagram,
            "quit": None,
        }
        self._new_game()

    def run(self):
        """Answer lines until `quit` or the end of input."""
        for raw in iter(self._source.readline, b""):
            word, rest = parse.command(raw.decode("utf-8", "replace"), self._commands)
            if word == "quit":
                break
            if word:
                try:
                    self._commands[word](rest)
                except ValueError as error:
                    self._info_string(error)
        self._silent = True
        self._stop("")

    def _setoption(self, rest):
        name, text = parse.option(rest)
        option = find_option(self._options, name)
        value = option.parse(text)
        self._finish()
        if option.name == "UCI_Variant":
            self._set_variant(value)
        elif option.name == "Seed":
            self._seed = value
            self._new_game()

    def _set_variant(self, value):
        rules = get_rules(value)
        if rules.name not in self._player.games:
            raise ValueError(
                f"{self._name} does not play '{value[:40]}': expected {' or '.join(self._options['uci_variant'].choices)}"
            )
        self._rules, self._board = rules, Board.start(rules)
        self._new_game()
        self._send(uci_format.variant(rules))

    def _ucinewgame(self, rest):
        self._finish()
        self._new_game()

    def _new_game(self):
        # A seed makes every game repeatable, whatever was played before it; with 0 each game differs.
        self._player.rng.seed(self._seed or None)
        self._player.new_game()

    def _go(self, rest):
        values, searchmoves, faults = parse.go(rest)
        for fault in faults:
            self._info_string(fault)
        if "perft" in values:
            raise ValueError("'perft' after go: a player only plays")
        self._finish()
        limits = make_limits(values, self._board.black_to_move)
        limits = limits._replace(depth=limits.depth or 2 * limits.mate, infinite="infinite" in values)
        if limits.clock and limits.clock[0] is None:  # only the other side's clock is given
            limits = limits._replace(clock=None)
        chosen, faults = searched_moves(searchmoves, self._board)
        for fault in faults:
            self._info_string(fault)
        if limits.movetime is not None:
            seconds = time_budget.fixed_budget(limits.movetime, OVERHEAD)[1] / 1000
        elif limits.infinite or limits.nodes or limits.depth and self._player.deepens:
            seconds = None
        else:
            left = limits.clock and limits.clock[0]
            seconds = self._player.seconds(None if left is None else max(0, left) / 1000)
        self._budget, self._holding = Budget(limits.nodes), limits.infinite or limits.ponder
        self._after_hit = (seconds, limits.infinite) if limits.ponder else None
        if not limits.ponder:
            self._budget.start(seconds)
        self._thread = threading.Thread(
            target=self._guarded, args=(self._board, chosen or self._board.moves(), limits), daemon=True
        )
        self._thread.start()

    def _stop(self, rest):
        with self._condition:
            if self._budget:
                self._budget.stop()
            self._holding = False
            self._condition.notify()

    def _ponderhit(self, rest):
        with self._condition:
            if self._after_hit:
                seconds, self._holding = self._after_hit
                self._after_hit = None
                self._budget.start(seconds)
                self._condition.notify()

    def _finish(self):
        """End a running search, which gives its best move as after `stop`."""
        if self._thread is not None:
            self._stop("")
            self._thread.join()

    # The methods below run in the player's thread.

    def _guarded(self, *arguments):
        try:
            self._think(*arguments)
        except BaseException:  # a silent player would keep its opponent waiting
            traceback.print_exc()
            os._exit(1)

    def _think(self, board, roots, limits):
        started, budget, line = time.monotonic(), self._budget, []

        def inform(depth, score, line):
            elapsed = int(1000 * (time.monotonic() - started))
            self._send(uci_format.info(Info(board, depth, depth, 1, score, "", budget.nodes, elapsed, None, line)))

        if roots:
            for depth, score, line in self._player.think(board, roots, limits, budget):
                inform(depth, max(-LARGEST_SCORE, min(LARGEST_SCORE, round(score))), line)
            if not line:
                line = roots[:1]
                inform(1, 0, line)
        else:
            inform(0, -WIN, line)
        with self._condition:
            while self._holding:
                self._condition.wait()
        if not self._silent:
            self._send(
                uci_format.bestmove(
                    board, line[0] if line else None, line[1] if self._player.ponders and len(line) > 1 else None
                )
            )
