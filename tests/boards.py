"""Boards from text for the tests, and moves as text."""

from pawnstorm.engine.games.notation import move_text, parse_fen, parse_move
from pawnstorm.engine.games.rules import game


def board(text, name="twoflags"):
    return parse_fen(game(name), text)


def texts(one):
    """The legal moves."""
    return {move_text(one, move) for move in one.moves()}


def play(one, *line):
    """The board after these moves, given as text."""
    for text in line:
        one = one.push(parse_move(one, text))
    return one
