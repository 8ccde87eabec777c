"""Monte-Carlo tree search (UCT) for every game, 1 s a move, with light playouts.

Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006). A playout takes a win in one, which is a move to the far
rank or the capture of the last pawn. If it has none, it draws a random move from those after which the opponent has no move
to its far rank; if there are no such moves, from all moves. The tree is built anew for each move; the most visited move is
played. The score is the share of wins, converted to centipawns: the inverse of the function by which the engine converts its
own centipawns to chances.
"""

import math

from pawnstorm.games.rules import GAMES
from pawnstorm_tools.opponents.base import Player

MOVE_TIME = 1.0
EXPLORATION = math.sqrt(2)


def first_goal_move(rules):
    """The smallest number that a move to the far rank can have: the target is in a move's upper bits."""
    return (rules.ranks - 1) << 9


def win_in_one(board, moves):
    """A move to the far rank or one that takes the last pawn; None if there is none."""
    best = max(moves)
    if best >= first_goal_move(board.rules):
        return best
    if not board.opp & (board.opp - 1):
        return next((move for move in moves if not board.push(move).own), None)
    return None


def stopping(board, moves):
    """The moves after which the opponent cannot step onto its far rank; all moves if none stops it."""
    if not board.opp & board.rules.home << 8:
        return moves
    goal = first_goal_move(board.rules)
    return [move for move in moves if max(board.push(move).moves(), default=0) < goal] or moves


def playout(board, rng):
    """Whether Black wins a light playout from the board."""
    random = rng.random
    while moves := board.moves():
        if win_in_one(board, moves) is not None:
            return board.black_to_move
        moves = stopping(board, moves)
        board = board.push(moves[int(random() * len(moves))])
    return not board.black_to_move


class Node:
    """A position in the tree. wins: how many of its `visits` playouts were won by the side that has just moved."""

    __slots__ = ("board", "move", "untried", "children", "visits", "wins")

    def __init__(self, board, move, moves, rng):
        self.board, self.move, self.untried, self.children = board, move, list(moves), []
        self.visits = self.wins = 0
        rng.shuffle(self.untried)

    def select(self):
        """The child with the highest upper confidence bound."""
        log = math.log(self.visits)
        return max(
            self.children, key=lambda child: child.wins / child.visits + EXPLORATION * math.sqrt(log / child.visits)
        )

    def favourite(self):
        """The child visited most often."""
        return max(self.children, key=lambda child: child.visits)


class Mcts(Player):
    games = GAMES
    deepens = False

    def seconds(self, clock):
        return MOVE_TIME

    def think(self, board, roots, limits, budget):
        root = Node(board, None, roots, self.rng)
        while not budget.count_node():
            self.iterate(root)
        line, node = [], root
        while node.children:
            node = node.favourite()
            line.append(node.move)
        if line:
            yield len(line), centipawns(root.favourite()), line

    def iterate(self, root):
        """Make one playout: go down the tree, add a node, play its game to the end, and take the result back up."""
        node, path = root, [root]
        while not node.untried and node.children:
            node = node.select()
            path.append(node)
        if node.untried:
            move = node.untried.pop()
            board = node.board.push(move)
            child = Node(board, move, board.moves(), self.rng)
            node.children.append(child)
            path.append(child)
            node = child
        black_wins = playout(node.board, self.rng)
        for node in path:
            node.visits += 1
            node.wins += node.board.black_to_move != black_wins  # the side that moved here is not the side to move


def centipawns(node):
    """The score of a node for the side that moved there, from its wins; adding half a win and half a loss keeps it finite."""
    share = (node.wins + 0.5) / (node.visits + 1)
    return 150 * math.log(share / (1 - share))
