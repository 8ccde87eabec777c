"""The tree from which an opening book is made, and where it grows next.

A search of a position adds an edge for its best move, with the score of the search. An edge is grown if the position after its
move has been searched. When all edges of a position are grown, a search of its remaining moves adds the next edge. The value of
an edge is its score until it is grown, then the value of the position after it. The value of a position is the best of its
edges (negamax). Positions that are the same for the side to move, and mirror images, are one node.

Drop-out expansion (T. R. Lincke, Strategies for the Automatic Construction of Opening Books, Computers and Games 2000) decides
where the tree grows: at the end of the cheapest path from the root. Each move of a path costs one ply, plus an amount in
proportion to what it loses against the value of its position. The book serves a player on either side. So a path counts only if
all moves of one side are moves that the book would play, within `margin` of the best.
"""

import math
from typing import NamedTuple

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.position_table import seen_from

OWN, OTHER = 0, 1
"""Who plays from the book on a path: the side to move, or its opponent."""


class Edge:
    """A move of a node; the score of the search that found it, for the side to move; and the node after the move."""

    __slots__ = ("move", "score", "child")

    def __init__(self, move, score, child):
        self.move, self.score, self.child = move, score, child

    @property
    def value(self):
        """The value for the side that makes the move. If the position after the move has been searched, its value counts;
        otherwise the score counts.
        """
        return before_move(self.child.value) if self.child.edges else self.score


class Node:
    """A position.

    board       canonical, with the side to move that it was first found with
    edges       in the order in which they were found
    parents     the nodes with an edge to this one
    complete    whether the moves without an edge cannot matter: there are none, or all are proven to lose
    searching   whether a search is under way
    value       for the side to move, proven if beyond MIN_WIN_SCORE; None before the first search
    costs       of the cheapest paths from here on, for OWN and for OTHER; math.inf if there are none
    """

    __slots__ = ("board", "edges", "parents", "complete", "searching", "value", "costs")

    def __init__(self, board):
        self.board, self.edges, self.parents = board, [], []
        self.complete = self.searching = False
        self.value, self.costs = None, (0, 0)

    @property
    def rest(self):
        """An upper bound for the scores of moves without an edge: the score of the last search, which
        found the best of the moves that were left.
        """
        return self.edges[-1].score


class Task(NamedTuple):
    """A search to make: of a node, limited to some moves."""

    node: Node
    moves: list


def before_move(value):
    """Convert a position's value for the side to move into its value for the side that has just moved. A proof becomes one ply
    longer.
    """
    return -(value - 1 if value > MIN_WIN_SCORE else value + 1 if value < -MIN_WIN_SCORE else value)


class Tree:
    """A tree from the start of a game.

    ply_score   centipawns that cost as much as one ply
    margin      centipawns that a move of the book may lose
    """

    def __init__(self, rules, ply_score, margin):
        self.rules, self.ply_score, self.margin = rules, ply_score, margin
        self.root = Node(Board.start(rules).canonical())
        self._nodes = {self.root.board.bitboards: self.root}

    # The searches.

    def add(self, record):
        """Add a search, a dict with `position` (a FEN), `move` and `score`. Returns the Node. Call settle() afterwards.

        Raises ValueError if that position is not in the tree, or the move is not one that was to be searched.
        """
        board = parse_fen(self.rules, record["position"])
        node = self._nodes.get(board.bitboards)
        if node is None:
            raise ValueError(
                f"'{record['position']}' is not a position of the tree: expected one that a searched move reaches"
            )
        move = parse_move(board, record["move"])
        after = board.push(move).canonical()
        if any(edge.child.board.bitboards == after.bitboards for edge in node.edges):
            raise ValueError(f"'{record['move']}' was found before in '{record['position']}': expected another move")
        child = self._nodes.setdefault(after.bitboards, Node(after))
        child.parents.append(node)
        node.edges.append(Edge(move, record["score"], child))
        node.complete = record["score"] < -MIN_WIN_SCORE or not self.moves_left(node)
        node.searching = False
        return node

    def moves_left(self, node):
        """A node's moves that have no edge. Of two moves that are mirror images of each other, only the first is among them."""
        known = {edge.child.board.bitboards for edge in node.edges}
        first = {}
        for move in node.board.moves():
            first.setdefault(node.board.push(move).canonical().bitboards, move)
        return [move for bitboards, move in first.items() if bitboards not in known]

    def node(self, board):
        """The Node of a Board, None if it is not in the tree."""
        return self._nodes.get(board.canonical().bitboards)

    def nodes(self):
        """All searched nodes, in the order in which they were found."""
        return [node for node in self._nodes.values() if node.edges]

    # Values and costs.

    def settle(self, node):
        """Update the values and costs of a node and of all nodes that depend on it."""
        waiting = [node]
        for node in waiting:
            before = node.value, node.costs
            self._evaluate(node)
            if before != (node.value, node.costs):
                waiting += node.parents

    def settle_all(self):
        """Update all values and costs. The recursion is as deep as a game is long."""
        settled = set()

        def visit(node):
            settled.add(node)
            for edge in node.edges:
                if edge.child not in settled:
                    visit(edge.child)
            self._evaluate(node)

        visit(self.root)

    def _evaluate(self, node):
        if not node.edges:
            node.costs = (math.inf, math.inf) if node.searching else (0, 0)
            return
        node.value = max(edge.value for edge in node.edges)
        if node.value < -MIN_WIN_SCORE and not node.complete:
            node.value = -MIN_WIN_SCORE  # the searched moves lose, the others may not
        node.costs = tuple(min((cost for cost, _ in self.ways(node, role)), default=math.inf) for role in (OWN, OTHER))

    def ways(self, node, role):
        """For each continuation from a node, yield (cost of the cheapest path that begins with it, Edge). If the continuation is
        a search of the remaining moves, the Edge is None. A decided position has no continuations.

        role: OWN if the side to move at the node plays from the book, OTHER if its opponent does.
        """
        if abs(node.value) > MIN_WIN_SCORE:
            return
        for edge in node.edges:
            loss = node.value - edge.value
            if abs(edge.value) <= MIN_WIN_SCORE and (role == OTHER or loss <= self.margin):
                yield self.cost(loss) + edge.child.costs[1 - role], edge
        if not node.complete and not node.searching and all(edge.child.edges for edge in node.edges):
            loss = max(0, node.value - node.rest)
            if role == OTHER or loss <= self.margin:
                yield self.cost(loss), None

    def cost(self, loss):
        """The cost of a move that loses `loss` centipawns."""
        return 1 + loss / self.ply_score

    # Growth.

    def wanted(self):
        """The Task at the end of the cheapest path; None if everything is decided or being searched."""
        node, role = self.root, OWN if self.root.costs[OWN] <= self.root.costs[OTHER] else OTHER
        while node.edges:
            cost, edge = min(self.ways(node, role), key=lambda way: way[0], default=(math.inf, None))
            if cost == math.inf:
                return None
            if edge is None:
                break
            node, role = edge.child, 1 - role
        return None if node.searching else Task(node, self.moves_left(node))

    def begin(self, task):
        """Mark a Task as being searched, so that wanted() returns another one."""
        task.node.searching = True
        self.settle(task.node)

    # Reading.

    def line(self, node):
        """The moves of best play from a node, as text."""
        line, board = [], node.board
        while node.edges:
            edge = max(node.edges, key=lambda edge: edge.value)
            move = seen_from(board, edge.move)
            line.append(move_text(board, move))
            board, node = board.push(move), edge.child
        return line
