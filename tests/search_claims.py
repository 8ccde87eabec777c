"""Searches of small boards, what they claim to have proven, and the truth by exhaustive play."""

import random

import exhaustive
import numpy as np
from boards import after, playout

from pawnstorm.core import native
from pawnstorm.core.state import WIN
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits, mate_in

# (game, pawns on the board at most, so that exhaustive play stays quick)
SMALL = [
    ("twoflags4x6", 8),
    ("twoflags5x6", 8),
    ("twoflags5x5", 9),
    ("breakthrough3x5", 9),
    ("breakthrough4x4", 10),
    ("breakthrough4x5", 6),
    ("hexapawn4x5", 8),
    ("hexapawn5x5", 9),
]
LONGEST = 40  # plies: no game from such a position is longer
if native.PLAIN_PYTHON:
    SMALL, LONGEST = [("twoflags3x5", 6), ("breakthrough2x5", 6), ("hexapawn3x4", 6)], 16
MEMO = exhaustive.memory(22 if not native.PLAIN_PYTHON else 14)
remembered = None  # the rules of the positions in it, which knows positions, not games


def few(count):
    """As many positions as plain Python can search in a moment."""
    return count if not native.PLAIN_PYTHON else 8


def small_engine():
    """An engine whose table is soon emptied: these boards need no more."""
    engine = Engine()
    engine.set_hash(1)
    return engine


def search(board, engine=None, **limits):
    """(last reports by multipv number, best move) of a search with an engine of its own, or the given one."""
    reports, best = {}, []
    engine = engine or small_engine()
    engine.on_info = lambda info: reports.update({info.multipv: info})
    engine.on_best = lambda board, move, ponder: best.append(move)
    engine.go(board, Limits(**limits))
    assert engine.wait(60)
    assert len(best) == 1 and reports[1].pv[:1] == [move for move in best if move is not None]
    return reports, best[0]


def plies(info):
    """The length that a report claims: n > 0 a win within n plies, -n a loss, None without one."""
    if mate_in(info.score) is None:
        return None
    return WIN - info.score if info.score > 0 else -WIN - info.score


def winner(info):
    """1 where the report proves a win for the side to move, -1 for a loss, 0 neither."""
    return 0 if mate_in(info.score) is None else 1 if info.score > 0 else -1


def words(board):
    return np.uint64(board.own), np.uint64(board.opp), np.uint64(board.ep)


def truth(board):
    """n > 0 for a win in n plies with best play by both, -n for a loss."""
    global remembered
    if remembered != board.rules:
        MEMO[:], remembered = 0, board.rules
    with np.errstate(over="ignore"):
        return int(exhaustive.value(*words(board), exhaustive.record(board.rules), MEMO))


def random_boards(name, most, count, seed):
    """Unfinished positions from random games, of at most `most` pawns, a few of each game."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        line = [board for board in playout(get_rules(name), rng)[:-1] if (board.own | board.opp).bit_count() <= most]
        found += rng.sample(line, min(3, len(line)))
    return found[:count]


def assert_plays_to_the_end(info):
    """A proven line is no longer than is claimed, and its last position is over, with the loser to move."""
    spare = abs(plies(info)) - len(info.pv)
    assert after(info.board, info.pv).is_game_over() and spare >= 0 and spare % 2 == 0, (
        fen(info.board),
        info.depth,
        info.score,
        info.pv,
    )
