"""The openings that are searched in a benchmark."""

from pawnstorm.games.rules import game
from pawnstorm_tools.common.selection import evenly
from pawnstorm_tools.referee import opening_book
from pawnstorm_tools.startup import ROOT


def sample(name, count):
    """FENs of `count` openings of a game, evenly from its file."""
    return evenly(opening_book.read(ROOT / "scripts" / "openings" / f"{name}.epd", game(name)), count)
