"""Converts one move between PGN's notation and the engine's. SAN is PGN's "standard algebraic notation"."""

import re

from pawnstorm.games.notation import AmbiguousMove, IllegalMove, ParseError, fen, move_text

LONGEST = 30
"""The most characters of a move."""
MOVE = re.compile(r"P?([a-h]?)([1-8]?)([-x]?)([a-h][1-8])(=?[qQ])?(?:[+#]|e\.p\.)*[!?]*")
SQUARES = re.compile("(?i:[a-h][1-8][-x]?[a-h][1-8])")
"""The two squares of a move, which may be in upper case. A single square may not: `Bxc5` would be a bishop's move."""


def is_chess(rules):
    """Whether a game's moves are written as in chess. Only the moves of 8x8 Two Flags are.

    In other games such moves would be ambiguous, or chess programs could not replay them.
    """
    return rules.files == rules.ranks == 8 and bool(rules.double_step_squares) and not rules.quiet_diagonals


def move_san(rules, text):
    """A move in PGN's notation. text: the move in coordinates."""
    if not is_chess(rules):
        return text
    source, target = text[:2], text[2:4]
    capture = f"{source[0]}x" if source[0] != target[0] else ""
    return capture + target + ("=Q" if target[1] in "18" else "")


def parse_san(board, text):
    """The legal move that a word of a PGN names, in either notation. Raises ParseError, IllegalMove, AmbiguousMove."""
    found = len(text) <= LONGEST and MOVE.fullmatch(SQUARES.sub(lambda squares: squares[0].lower(), text, 1))
    if not found:
        raise ParseError(f"'{text[:20]}' is not a move: expected one such as e4, exd5 or e2e4")
    file, rank, _, target, _ = found.groups()
    fitting = []
    for move in board.moves():
        squares = move_text(board, move)
        if squares[2:4] == target and squares.startswith(file) and squares[1] == (rank or squares[1]):
            fitting.append((squares, move))
    if not file:  # a step straight ahead needs no file
        fitting = [(squares, move) for squares, move in fitting if squares[0] == squares[2]] or fitting
    if len(fitting) > 1:
        raise AmbiguousMove(f"ambiguous move '{text[:20]}' in {fen(board)}: expected both of its squares, as in e2e4")
    if not fitting:
        raise IllegalMove(f"illegal move '{text[:20]}' in {fen(board)}")
    return fitting[0][1]
