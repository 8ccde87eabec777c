"""Makes positions of the beginning of a game: random ones, or all of them. Also chooses evenly spaced items of a list."""

import random

from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board


def random_board(rules, plies, rng):
    """The Board after a random number of random moves, or earlier if they end the game. plies: (least, most)."""
    board = Board.start(rules)
    for _ in range(rng.randint(*plies)):
        if board.is_game_over():
            break
        board = board.push(rng.choice(sorted(board.moves())))
    return board


def candidates(rules, plies, seed):
    """Yield distinct random_board()s in which the game is not over, until new ones become too rare.

    Mirror images count as the same position.
    """
    rng, seen, repeats = random.Random(seed), set(), 0
    while repeats < 10_000:
        repeats += 1
        board = random_board(rules, plies, rng)
        if not board.is_game_over() and (key := board.canonical()) not in seen:
            seen.add(key)
            repeats = 0
            yield board


def epd(board):
    """The first four fields of the FEN, without the counters."""
    return " ".join(fen(board).split()[:4])


def levels(rules, plies):
    """The positions after 0, 1, ... `plies` plies: a list of canonical Boards for each number of plies.

    Finished games are left out. After the first empty list, there are no more lists.
    """
    found = [[Board.start(rules).canonical()]]
    while len(found) <= plies and found[-1]:
        after = (board.push(move).canonical() for board in found[-1] for move in board.moves())
        found.append([board for board in dict.fromkeys(after) if not board.is_game_over()])
    return found


def evenly(found, count):
    """Choose `count` items, evenly spaced, from a list; all items if the list is shorter."""
    count = min(count, len(found))
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]
