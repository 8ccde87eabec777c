"""From the values of all positions after some plies to an opening (engine/pawnstorm/proof/book.py): the lost positions
up to there.

Bounds are {bitboards of a canonical Board: plies to the end at the latest}, an even number where the side to move loses.
"""

from pawnstorm.games.notation import fen
from pawnstorm.numbers import counted
from pawnstorm.proof import book
from pawnstorm_tools.common import game_tree
from pawnstorm_tools.solving import Missing, book_maker, output


def make(path, rules, known, plies):
    """Write the opening of a game by the bounds `known` of the positions after `plies` plies, and tell about it.

    Raises Missing where one of them is not known.
    """
    levels = game_tree.levels(rules, plies)
    bounds = _last(levels[-1], known)
    keys = {board.bitboards: book.key(board) for level in levels for board in level}
    for level in reversed(levels[:-1]):
        # A position can arise after more moves as well, or for the other colour.
        bounds |= {
            board.bitboards: min(bound := _bound(board, bounds), bounds.get(board.bitboards, bound)) for board in level
        }
    entries = sorted((keys[position], 0, bound) for position, bound in bounds.items() if bound % 2 == 0)
    assert len({key for key, *_ in entries}) == len(entries), "two positions have one key"
    book_maker.write(path, rules.full_name, 0, entries)
    output.opening(path, plies, len(bounds), entries)


def _last(level, known):
    """The bounds of the last level."""
    missing = [board for board in level if known.get(board.bitboards) is None]
    if missing:
        raise Missing(
            f"the values of {len(missing):,} of {counted(len(level), 'position')} are missing, {fen(missing[0])} among them: "
            "expected what `positions.py value` has written of all that `positions.py all` prints"
        )
    return {board.bitboards: known[board.bitboards] for board in level}


def _bound(board, bounds):
    """The bound of a position from those behind its moves; where a move ends the game nothing is left to be played."""
    behind = [bounds.get(board.push(move).canonical().bitboards, 0) for move in board.moves()]
    lost = [plies for plies in behind if plies % 2 == 0]
    return 1 + (min(lost) if lost else max(behind))
