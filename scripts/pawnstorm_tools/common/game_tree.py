"""The positions that a game begins with."""

from pawnstorm.games.board import Board


def levels(rules, plies):
    """The positions after 0, 1, ... `plies` plies, a list of canonical Boards for each, without those in which the game is
    over; no more than up to the first empty list.
    """
    found = [[Board.start(rules).canonical()]]
    while len(found) <= plies and found[-1]:
        after = (board.push(move).canonical() for board in found[-1] for move in board.moves())
        found.append([board for board in dict.fromkeys(after) if not board.over()])
    return found
