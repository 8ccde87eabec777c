"""Other programs' rules behind one small interface: pyffish (Fairy-Stockfish) and OpenSpiel's Breakthrough.

Each class is one game in progress, from the start:

    moves()     set of the legal moves' texts, as the engine writes them; empty when the game is over
    push(text)  plays one of them
    board()     the board field of the FEN
    lost()      the game is over and the side to move has lost

Both packages are optional: making a game skips the test when its package is not there.
"""

import re
from functools import cache
from pathlib import Path

import pytest

VARIANTS = Path(__file__).resolve().parent.parent / "scripts" / "variants.ini"


@cache
def pyffish():
    """The pyffish module, with the project's own variants loaded."""
    module = pytest.importorskip("pyffish")
    module.load_variant_config(VARIANTS.read_text())
    return module


class Pyffish:
    """A game of pyffish, which is given all the moves from the start again at each call: its FENs play no part."""

    def __init__(self, name):
        # An unknown name would end the process.
        if name not in pyffish().variants():
            pytest.skip(f"pyffish has no variant {name}")
        self.name = name
        board, side, *_ = pyffish().start_fen(name).split()
        self.start = f"{board} {side} - - 0 1"
        self.line = []

    def moves(self):
        return set(pyffish().legal_moves(self.name, self.start, self.line))

    def push(self, text):
        self.line.append(text)

    def board(self):
        field = pyffish().get_fen(self.name, self.start, self.line).split()[0]
        return field.replace("Q", "P").replace("q", "p")

    def lost(self):
        return pyffish().game_result(self.name, self.start, self.line) == -pyffish().VALUE_MATE


class OpenSpiel:
    """A game of OpenSpiel's Breakthrough on at least six ranks (on fewer it fills one row a side only).

    There Black moves first, down the board; it is our White here, moving up.
    """

    def __init__(self, files=8, ranks=8):
        self.ranks = ranks
        spiel = pytest.importorskip("pyspiel")
        self.state = spiel.load_game(f"breakthrough(rows={ranks},columns={files})").new_initial_state()

    def moves(self):
        return set(self._actions())

    def push(self, text):
        self.state.apply_action(self._actions()[text])

    def board(self):
        rows = [row[1:] for row in str(self.state).split("\n")[: self.ranks]]
        swapped = "/".join(reversed(rows)).translate(str.maketrans("bw", "Pp"))
        return re.sub("[.]+", lambda dots: str(len(dots[0])), swapped)

    def lost(self):
        # Player 0 is our White; after the last move no player is to move, and the one who made it has won.
        mover = len(self.state.history()) % 2
        return self.state.is_terminal() and self.state.returns()[mover] == -1

    def _actions(self):
        """Legal actions by our name of them: ranks turned over, the mark of a capture dropped."""
        names = {}
        for action in self.state.legal_actions():
            text = self.state.action_to_string(action).rstrip("*")
            names["".join(str(self.ranks + 1 - int(c)) if c.isdigit() else c for c in text)] = action
        return names
