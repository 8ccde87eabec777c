"""Writes the engine's opening book (engine/pawnstorm/openings/repertoire.py) from a tree."""

import heapq
import itertools
from typing import NamedTuple

from pawnstorm.games import position_table
from pawnstorm.openings import repertoire
from pawnstorm_tools.common import table_file
from pawnstorm_tools.opening_tree import TreeError
from pawnstorm_tools.opening_tree.tree import OTHER, OWN, Node

HEADER = 200  # bytes; the first line is shorter


class Entry(NamedTuple):
    """A node's moves in a book, with their weights and values."""

    node: Node
    moves: list


def played(node, margin):
    """The moves that a book plays at a node, [(move, weight, value)]: those within `margin` of the best. [] if no move has been
    searched, or if an unsearched move may be better than the best searched one by more than `margin`.
    """
    if not node.edges or not node.complete and node.value < node.rest - margin:
        return []
    losses = [(edge, node.value - edge.value) for edge in node.edges]
    return [(edge.move, weight(loss, margin), edge.value) for edge, loss in losses if loss <= margin]


def weight(loss, margin):
    """A move's weight: from 15 for the best move down to 1 for one that loses the whole margin."""
    most = repertoire.LARGEST_WEIGHT
    return most - round((most - 1) * loss / margin) if margin else most


def entries(tree, margin):
    """Yield the Entries of a Tree, cheapest paths first. They are for the positions that can arise if one player, the first or
    the second, plays from the book and the other plays any move of the tree.
    """
    order = itertools.count()
    waiting, seen = [(0, next(order), tree.root, role) for role in (OWN, OTHER)], set()
    while waiting:
        cost, _, node, role = heapq.heappop(waiting)
        if (node, role) in seen:
            continue
        seen.add((node, role))
        moves = played(node, margin)
        if role == OWN and moves:
            yield Entry(node, moves)
        chosen = {move for move, *_ in moves}
        for edge in node.edges:
            if role == OTHER or edge.move in chosen:
                step = tree.cost(max(0, node.value - edge.value))
                heapq.heappush(waiting, (cost + step, next(order), edge.child, 1 - role))


def write(path, tree, margin, size):
    """Write the book of a Tree, of at most `size` bytes; the most expensive paths are left out. Returns its Entries. Raises
    OSError, TreeError.
    """
    kept, count = [], 0
    for entry in entries(tree, margin):
        count += len(entry.moves)
        if HEADER + position_table.size(count, repertoire.ENTRY) > size:
            break
        kept.append(entry)
    if not kept:
        raise TreeError("the tree has no position for a book: expected more searches, or a larger --size")
    rows = [(entry.node.board, repertoire.pack(*move)) for entry in kept for move in entry.moves]
    table_file.write(path, repertoire.FORMAT, tree.rules.full_name, (), rows, repertoire.ENTRY)
    return kept
