"""The opponents of the past, in positions and at random, for their tests."""

import random

from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import Limits
from pawnstorm_tools.opponents import players
from pawnstorm_tools.opponents.base import Budget

INFINITY = float("inf")
TWOFLAGS = [name for name in players.PLAYERS if name.startswith("seed00") and name != "seed004"]
BREAKTHROUGH = ["seed004"] + [name for name in players.PLAYERS if name.startswith("naive-")]
BOTH = ["random", "greedy", "mcts"]


def at(fen, variant="twoflags"):
    return parse_fen(get_rules(variant), fen)


def player(name, seed=1):
    made = players.PLAYERS[name](random.Random(seed))
    made.new_game()
    return made


def think(name, board, depth=0, seed=1, nodes=0, clock=None, made=None):
    """(yields, move as text) of a player that has no clock."""
    limits = Limits(depth=depth, nodes=nodes, clock=clock)
    yields = list((made or player(name, seed)).think(board, board.moves(), limits, Budget(nodes)))
    return yields, move_text(board, yields[-1][2][0]) if yields else None


def positions(variant, count, plies=(2, 30), seed=1):
    """Positions of random games that are not over."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        board = Board.start(get_rules(variant))
        for _ in range(chance.randint(*plies)):
            if board.is_game_over():
                break
            board = board.push(chance.choice(board.moves()))
        if not board.is_game_over():
            found.append(board)
    return found
