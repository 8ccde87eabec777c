"""Random openings: different positions after some random moves from a game's start."""

import random

from pawnstorm.games.board import Board
from pawnstorm.games.notation import fen


def random_board(rules, plies, chance):
    """The Board after some number of random moves in `plies` (least, most), or where they have ended the game."""
    board = Board.start(rules)
    for _ in range(chance.randint(*plies)):
        if board.over():
            break
        board = board.push(chance.choice(sorted(board.moves())))
    return board


def candidates(rules, plies, seed):
    """Different Boards after some number of random moves in `plies` (least, most), until new ones have become too rare."""
    chance, seen, repeats = random.Random(seed), set(), 0
    while repeats < 10_000:
        repeats += 1
        board = random_board(rules, plies, chance)
        if not board.over() and (key := board.canonical()) not in seen:
            seen.add(key)
            repeats = 0
            yield board


def epd(board):
    """The four fields that are the position; the counters are not."""
    return " ".join(fen(board).split()[:4])
