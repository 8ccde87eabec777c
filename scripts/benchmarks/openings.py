"""The openings that are searched in a benchmark."""

from startup import ROOT

from pawnstorm.engine.games.rules import game
from referee import opening_book


def sample(name, count):
    """FENs of `count` openings of a game, evenly from its file."""
    fens = opening_book.read(ROOT / "scripts" / "openings" / f"{name}.epd", game(name))
    return fens[:: max(1, len(fens) // count)][:count]
