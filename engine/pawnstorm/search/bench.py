"""Bench: a search of fixed positions to a fixed depth, which counts nodes and measures the speed.

Every build of the same search must count the same nodes.
"""

import time

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import Limits

DEPTH = 10
POSITIONS = (
    ("twoflags", None),
    ("twoflags", "8/pp1p1ppp/2p5/4p3/3P4/4P3/PPP2PPP/8 w - - 0 4"),
    ("twoflags", "8/p2p2pp/1pp5/4pp2/P2P4/4P1P1/1PP2P1P/8 b - - 0 6"),
    ("twoflags", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"),
    ("twoflags7x6", None),
    ("breakthrough", None),
    ("breakthrough", "pppp1ppp/pppp1ppp/8/4p3/3pP3/2P5/PP1PPPPP/PPPPPPPP w - - 0 5"),
    ("breakthrough", "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1"),
    ("breakthrough", "pp1ppppp/3pp3/Ppppppp1/3p4/2P5/3PPPP1/1PP5/PPPPPPPP w - - 0 1"),
    ("breakthrough6", None),
    ("hexapawn6x6", None),
)
"""(game, FEN or None for the start position)."""


def bench(engine, depth=DEPTH, on_position=lambda name, fen, nodes: None, cancelled=lambda: False):
    """Search each of POSITIONS from an empty table; returns (nodes, seconds).

    on_position(name, fen, nodes) is called after every position. The run ends early once cancelled() is true. To end it
    at once, stop the engine too.
    """
    native.core()  # load or build it before the measured time begins
    total, start = 0, time.perf_counter()
    for name, fen in POSITIONS:
        rules = get_rules(name)
        board = parse_fen(rules, fen) if fen else Board.start(rules)
        engine.new_game()
        engine.go(board, Limits(depth=depth))
        if cancelled():
            engine.stop()  # it may have been cancelled before there was a search to stop
        engine.wait()
        if cancelled():
            break
        total += engine.nodes
        on_position(name, fen or "startpos", engine.nodes)
    return total, time.perf_counter() - start
