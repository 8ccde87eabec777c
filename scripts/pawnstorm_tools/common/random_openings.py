"""Positions that a game begins with: random ones, all of them, some of many."""

import random

from pawnstorm.games.notation import fen
from pawnstorm.games.position import Board


def random_board(rules, plies, rng):
    """The Board after some number of random moves in `plies` (least, most), or where they have ended the game."""
    board = Board.start(rules)
    for _ in range(rng.randint(*plies)):
        if board.is_game_over():
            break
        board = board.push(rng.choice(sorted(board.moves())))
    return board


def candidates(rules, plies, seed):
    """Different Boards after some number of random moves in `plies` (least, most), until new ones have become too rare."""
    rng, seen, repeats = random.Random(seed), set(), 0
    while repeats < 10_000:
        repeats += 1
        board = random_board(rules, plies, rng)
        if not board.is_game_over() and (key := board.canonical()) not in seen:
            seen.add(key)
            repeats = 0
            yield board


def epd(board):
    """The four fields that are the position; the counters are not."""
    return " ".join(fen(board).split()[:4])


def levels(rules, plies):
    """The positions after 0, 1, ... `plies` plies, a list of canonical Boards for each, without those in which the game is
    over; no more than up to the first empty list.
    """
    found = [[Board.start(rules).canonical()]]
    while len(found) <= plies and found[-1]:
        after = (board.push(move).canonical() for board in found[-1] for move in board.moves())
        found.append([board for board in dict.fromkeys(after) if not board.is_game_over()])
    return found


def evenly(found, count):
    """`count` items of a list, or all of a shorter one, evenly from its first to its last."""
    count = min(count, len(found))
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]
