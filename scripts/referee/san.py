"""A move in a PGN -> one of ours."""

import re

from engine.notation import IllegalMove, ParseError, fen, move_text

MOVE = re.compile(r"P?([a-h]?)([1-8]?)([-x]?)([a-h][1-8])(=?[qQ])?(?:[+#]|e\.p\.)*[!?]*")


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
