"""The openings that are searched in a benchmark."""

from startup import ROOT

from common.selection import evenly
from pawnstorm.engine.games.rules import game
from referee import opening_book


def sample(name, count):
    """FENs of `count` openings of a game, evenly from its file."""
    return evenly(opening_book.read(ROOT / "scripts" / "openings" / f"{name}.epd", game(name)), count)
