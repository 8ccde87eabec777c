"""The top of a proof whose lower parts are jobs: an and/or graph of positions with their proof and disproof numbers.

The numbers mean the same as in engine/pawnstorm/kernels/dfpn.py: phi is the smallest delta of the children, delta the sum
of their phis. A leaf has the numbers that its own job, or its parent's, has found. If its job leaves it undecided, it is
expanded. The next job is for the most proving leaf. While a leaf's job is in flight, its numbers count VIRTUAL_FACTOR times,
and it gets no second job. (Job-level proof-number search: Wu et al. 2010; Saffidine, Jouandeau and Cazenave 2011.)

A position, its mirror image, and both with colours swapped are one node. Each ply lowers the number of steps that the
pawns have left, so there are no cycles. A change goes up in the order of steps: each node is updated once, after all nodes
below it.
"""

import heapq

import numpy as np

from pawnstorm.games.position import Board
from pawnstorm.proof.prover import INFINITE_NUMBER, UNKNOWN, Proof

VIRTUAL_FACTOR = 2
RECORD = np.dtype(
    [
        ("own", "<u8"),
        ("opp", "<u8"),
        ("ep", "<u8"),
        ("phi", "<u4"),
        ("delta", "<u4"),
        ("plies", "<u2"),
        ("expanded", "<u2"),
    ]
)


def key(board):
    """The key of a position. Its mirror image, and both with colours swapped, have the same key."""
    return board.canonical().bitboards


def steps(board):
    """The number of steps that all pawns together have left; each ply lowers it."""
    last = board.rules.ranks - 1
    return sum(
        (last - rank) * (board.own >> 8 * rank & 255).bit_count() + rank * (board.opp >> 8 * rank & 255).bit_count()
        for rank in range(last + 1)
    )


class Node:
    """A position of the tree.

    phi, delta  its numbers; one of them is 0 if it is proven
    plies       to the end of the game, at most, if it is proven
    children    nodes, each once. A position gets them when its job leaves it undecided, and loses them if a job proves it
    in_flight   whether a job is in flight for it, or for every leaf below it that could get one
    source      who claimed that it is proven, as given to report(); None if its children prove it, or if unknown
    """

    __slots__ = ("board", "key", "steps", "phi", "delta", "plies", "children", "parents", "in_flight", "source")

    def __init__(self, board):
        self.board, self.key, self.steps = board, board.bitboards, steps(board)
        self.phi, self.delta, self.plies = 1, 1, 0
        self.children, self.parents, self.in_flight, self.source = (), [], False, None

    @property
    def proven(self):
        return not (self.phi and self.delta)

    def set_proof(self, proof, source):
        """Take over the Proof that a job has found."""
        self.phi, self.delta, self.plies, self.source = proof.phi, proof.delta, proof.plies or 0, source

    def expand(self, children):
        """Give this node its children, which are nodes of the tree."""
        self.children = tuple(dict.fromkeys(children))  # two moves may be mirror images
        for child in self.children:
            child.parents.append(self)
        self.update_numbers()

    def update_numbers(self):
        """Compute the numbers from those of the children; returns whether any has changed."""
        before = self.phi, self.delta, self.in_flight
        losses = [child.plies for child in self.children if not child.delta]
        left = [child for child in self.children if child.phi]
        if losses:
            self.phi, self.delta, self.plies = 0, INFINITE_NUMBER, 1 + min(losses)
        elif left:
            self.phi, self.delta = min(child.delta for child in left), sum(child.phi for child in left)
        else:
            self.phi, self.delta, self.plies = INFINITE_NUMBER, 0, 1 + max(child.plies for child in self.children)
        self.in_flight = not self.proven and all(child.in_flight for child in left)
        return before != (self.phi, self.delta, self.in_flight)


class TopTree:
    """The nodes of one game, by key."""

    def __init__(self, rules):
        self.rules, self.nodes = rules, {}

    def node(self, board, proof=UNKNOWN, source=None):
        """The node of a position. A new node begins with the numbers of `proof`, if it has any. A node that is already in the
        tree takes over only a `proof` with a winner. source: who claims the proof.
        """
        found = key(board)
        node = self.nodes.get(found)
        if not node:
            node = self.nodes[found] = Node(Board(self.rules, *found, False))
            if proof.phi is not None:
                node.set_proof(proof, source)
        elif proof.value:
            self._set_proven(node, proof, source)
        return node

    def known(self, board):
        """What the tree knows of a position, as a Proof without a move."""
        node = self.nodes.get(key(board))
        if not node:
            return UNKNOWN
        value = (-1 if node.phi else 1) if node.proven else 0
        return Proof(value, node.plies if value else None, None, node.phi, node.delta)

    def select_leaf(self, root):
        """Choose the leaf below a node for the next job, and mark it as in flight; None if no leaf is left."""
        if root.proven or root.in_flight:
            return None
        node = root
        while node.children:
            node = min(
                (child for child in node.children if child.phi and not child.in_flight), key=lambda child: child.delta
            )
        node.phi, node.delta, node.in_flight = node.phi * VIRTUAL_FACTOR, node.delta * VIRTUAL_FACTOR, True
        self._update_ancestors(node)
        return node

    def release(self, leaf):
        """Undo select_leaf() for a leaf whose job was lost, so that it can get another job. Does nothing if the leaf has been
        proven or expanded since.
        """
        if not (leaf.proven or leaf.children):
            leaf.phi, leaf.delta, leaf.in_flight = leaf.phi // VIRTUAL_FACTOR, leaf.delta // VIRTUAL_FACTOR, False
            self._update_ancestors(leaf)

    def report(self, leaf, proof, children, source=None):
        """Take what the job of a leaf in flight has found: its Proof and, if it is undecided, those of its children
        (engine/pawnstorm/proof/cluster_job.py). source: who claims this.
        """
        if proof.value:
            self._set_proven(leaf, proof, source)
        elif not leaf.proven:
            self._expand(leaf, children, source)
            self._update_ancestors(leaf)

    def correct(self, leaf, proof, children, source):
        """As report(), for a leaf that is already proven: the new Proof replaces the old one."""
        leaf.set_proof(proof, source)
        if not proof.value:
            self._expand(leaf, children, source)
        self._update_ancestors(leaf, corrected=True)

    def support(self, board):
        """The nodes on which the proof of a position rests, the deepest first.

        Where the winner is to move, the proof rests on the node after one move; where the loser is to move, on the nodes after
        all moves.
        """
        found, waiting = {}, [self.nodes.get(key(board))]
        while waiting:
            node = waiting.pop()
            if node and node.proven and node.key not in found:
                found[node.key] = node
                losses = [child for child in node.children if not child.delta]
                waiting += [min(losses, key=lambda child: child.plies)] if losses else node.children
        return sorted(found.values(), key=lambda node: node.steps)

    def records(self):
        """The tree as an array of RECORD, without the marks of jobs in flight."""

        def row(node):
            if node.children:
                return *node.key, 0, 0, 0, 1
            weight = VIRTUAL_FACTOR if node.in_flight else 1
            return *node.key, node.phi // weight, node.delta // weight, node.plies, 0

        return np.array([row(node) for node in self.nodes.values()], RECORD)

    def restore(self, records):
        """Fill an empty tree with the records of another. Raises ValueError if they are not those of a whole tree."""
        expanded = []
        for *position, phi, delta, plies, children in records.tolist():
            board = Board(self.rules, *position, False)
            if not board.is_valid() or key(board) != tuple(position):
                raise ValueError("a record is not a position")
            node = self.nodes[key(board)] = Node(board)
            node.phi, node.delta, node.plies = phi, delta, plies
            if children:
                expanded.append(node)
        for node in sorted(expanded, key=lambda node: node.steps):
            children = [self.nodes.get(key(node.board.push(move))) for move in node.board.moves()]
            if not children or None in children:
                raise ValueError("a record is missing")
            node.expand(children)

    def _set_proven(self, node, proof, source):
        """Mark a node as decided by a job, and drop its children."""
        if not node.proven:
            node.set_proof(proof, source)
            node.children, node.in_flight = (), False
            self._update_ancestors(node)

    def _expand(self, leaf, children, source):
        """Give a leaf its children, with their Proofs, which a source claims."""
        known = zip(leaf.board.moves(), children, strict=True)
        leaf.expand([self.node(leaf.board.push(move), proof, source) for move, proof in known])

    def _update_ancestors(self, node, corrected=False):
        """Update the nodes above a node that has changed. corrected: whether the node may have lost its proof, so that proven
        nodes above it are updated too.
        """
        waiting = [(parent.steps, parent.key) for parent in node.parents]
        heapq.heapify(waiting)
        listed = set(waiting)
        while waiting:
            parent = self.nodes[heapq.heappop(waiting)[1]]
            if parent.children and (corrected or not parent.proven) and parent.update_numbers():
                for above in parent.parents:
                    entry = above.steps, above.key
                    if entry not in listed:
                        listed.add(entry)
                        heapq.heappush(waiting, entry)
