"""Moves as PGN has them: chess's own notation where the game is chess without pieces, coordinates elsewhere.

The pawn game on 8x8 is written as chess writes pawns, `e4`, `exd5`, `e8=Q`: any reader of chess PGN, python-chess included, replays it from
the FEN, kings or none, once it takes the name in [Variant] for chess (in python-chess: a chess.Board subclass with that name among its
aliases, appended to chess.variant.VARIANTS). Breakthrough's quiet diagonal steps and the small boards are not chess, and stay in
coordinates, `e2e4`.
"""

import re

from engine.notation import IllegalMove, ParseError, fen, move_text

MOVE = re.compile(r"P?([a-h]?)([1-8]?)([-x]?)([a-h][1-8])(=?[qQ])?(?:[+#]|e\.p\.)*[!?]*")


def is_chess(rules):
    """Whether chess's notation is unambiguous for the game, and its readers know the board."""
    return rules.files == rules.ranks == 8 and bool(rules.doubles) and not rules.diagonals


def written(rules, move):
    """One move, given in coordinates, as PGN has it."""
    if not is_chess(rules):
        return move
    source, target = move[:2], move[2:4]
    capture = f"{source[0]}x" if source[0] != target[0] else ""
    return capture + target + ("=Q" if target[1] in "18" else "")


def parse(board, text):
    """The legal move that a word of a PGN names, in either notation. Raises ParseError, IllegalMove."""
    found = MOVE.fullmatch(text)
    if not found:
        raise ParseError(f"'{text[:20]}' is not a move: expected one such as e4, exd5 or e2e4")
    file, rank, _, target, _ = found.groups()
    fitting = []
    for move in board.moves():
        squares = move_text(board, move)
        if squares[2:4] == target and squares.startswith(file) and squares[1] == (rank or squares[1]):
            fitting.append((squares, move))
    if not file:    # a step straight ahead needs no file
        fitting = [(squares, move) for squares, move in fitting if squares[0] == squares[2]] or fitting
    if len(fitting) != 1:
        raise IllegalMove(f"{'ambiguous' if fitting else 'illegal'} move '{text[:20]}' in {fen(board)}")
    return fitting[0][1]
