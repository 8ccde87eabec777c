"""The opening book of a game that is not solved.

For each position it has moves of about equal value, found by long searches. The engine plays a random one of them.
scripts/opening_book.py makes the book, and the page reads it too (playing_page/worker/repertoire.js).

It is a table of positions (games/position_table.py). A position has an entry of four bytes for each of its moves:
from | to << 6 | weight << 12 | score << 16, seen by the side to move. The weight is from 1 to 15. The score is the one that
the search found (core/state.py), a signed number of 16 bits.

    pawnstorm repertoire 2 GAME entries N check CRC-32 of the rest
"""

import os
from collections import namedtuple

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.datafile import Format
from pawnstorm.games.position_table import PositionTable, mirror_move, opened, seen_from

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
FORMAT = Format("opening book", "pawnstorm repertoire 2", ("entries", "check"))
ENTRY = 4  # bytes
MOVE, LARGEST_WEIGHT = 0xFFF, 15

Choice = namedtuple("Choice", "move weight score")
Choice.__doc__ = """A move of a position.

weight  how often it is played, relative to the other moves of the position
score   centipawns for the side to move. A proven score is clamped to the nearest that is not a proof, since an engine that
        has not found the proof has no line to the end of the game
"""


def pack(move, weight, score):
    """The entry of a move. score: the search's score, proven or not."""
    return move | weight << 12 | (score & 0xFFFF) << 16


def _unpack(entry):
    score = entry >> 16
    score -= score >> 15 << 16
    return Choice(entry & MOVE, entry >> 12 & LARGEST_WEIGHT, max(-MIN_WIN_SCORE, min(MIN_WIN_SCORE, score)))


class Repertoire(PositionTable):
    """The opening book in a file, of `count` moves. Raises BadFile, OSError."""

    def __init__(self, path):
        super().__init__(path, FORMAT, ENTRY)

    def choices(self, board):
        """The Choices of a position, best first; [] if the book has none.

        If the position is its own mirror image, the mirror image of each move is a Choice too.
        """
        found, legal = {}, board.moves()
        symmetric = board.mirrored().bitboards == board.bitboards
        for choice in map(_unpack, self.entries(board)):
            move = seen_from(board, choice.move)
            for image in (move, mirror_move(board.rules, move)) if symmetric else (move,):
                if image in legal and choice.weight:
                    found[image] = choice._replace(move=image)
        return sorted(found.values(), key=lambda choice: -choice.score)

    def line(self, board, move):
        """A move, followed by the book's best moves until it has none."""
        line = [move]
        board = board.push(move)
        while choices := self.choices(board):
            line.append(choices[0].move)
            board = board.push(line[-1])
        return line


def pick(choices):
    """A random one of the Choices, with probabilities in proportion to their weights."""
    left = int.from_bytes(os.urandom(4), "little") % sum(choice.weight for choice in choices)
    for choice in choices:
        left -= choice.weight
        if left < 0:
            return choice


def for_game(rules):
    """The Repertoire of a game, None if it has none. Raises BadFile, OSError."""
    return opened(Repertoire, os.path.join(FOLDER, f"{rules.full_name}.repertoire"))
