"""The opening of a solved game (engine/pawnstorm/proof/book.py) in the form that the page carries: a byte for each position
of the first plies, without the keys.

    byte      0 if the side to move wins; if it loses, half the upper bound on the plies to the end of the game
    order     breadth first from the start, moves in the core's order; a position and its mirror image share one
              byte, and the smaller of the two (Board.canonical()) stands for both

worker/opening.js visits the positions in the same order.
"""

import hashlib
import os
from pathlib import Path

from pawnstorm.core import sources
from pawnstorm.games.position import Board
from pawnstorm.proof import book
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.common.random_openings import levels
from pawnstorm_tools.playing_page import PageError

PLIES = 6  # the shipped openings cover this many from the start


def positions(rules):
    """The positions of the first plies, as bitboards of canonical Boards, in the table's order."""
    return list(dict.fromkeys(board.bitboards for level in levels(rules, PLIES) for board in level))


def table(rules):
    """The bytes for a game that has an opening. Making them takes seconds; the cache folder keeps them. Raises PageError."""
    opening = book.for_game(rules, "opening")
    with open(os.path.join(book.FOLDER, f"{rules.full_name}.opening"), "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    path = Path(sources.cache_folder(), f"opening-{PLIES}-{digest[:16]}")
    if path.exists():
        return path.read_bytes()
    entries = (opening.probe(Board(rules, *position, False)) for position in positions(rules))
    data = bytes(entry.plies // 2 if entry else 0 for entry in entries)
    if len(data) - data.count(0) != opening.count:
        raise PageError(f"{rules.full_name}.opening: expected exactly the lost positions of the first {PLIES} plies")
    path.parent.mkdir(parents=True, exist_ok=True)
    atomicfile.write(path, data)
    return data
