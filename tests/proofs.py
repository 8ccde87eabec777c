"""Proof files made and judged the slow way, by scripts/pawnstorm_tools/checking/naive.py alone: what scripts/verify.py is tested
against.
"""

import random
from functools import cache
from pathlib import Path

from pawnstorm_tools.checking import naive, prooffile

ROOT = Path(__file__).resolve().parents[1]
SIDES = {"w": "White", "b": "Black"}
MISSING, UNFINISHED = "the position is not in the file", "the path ends and the game goes on"
MALFORMED, ILLEGAL = "the plan is malformed", "the planned move is not legal"


def number(square):
    """The number of a named square: a1 = 0, b1 = 1, a2 = 8."""
    file, rank = naive.coordinates(square)
    return 8 * rank + file


def record(position, squares):
    """A record: the pawns of a naive position as two words, and the plan of a pawn's path over named squares."""
    words = [
        sum(
            1 << 8 * rank + file
            for rank, row in enumerate(position.board)
            for file, piece in enumerate(row)
            if piece == pawn
        )
        for pawn in "Pp"
    ]
    ep = 0 if position.ep == "-" else naive.coordinates(position.ep)[0] + 1
    return [*words, prooffile.encode_plan([number(square) for square in squares], ep)]


def mirrored(files, squares):
    return [naive.mirror_text(files, square) for square in squares]


@cache
def wins(position):
    """Whether the side to move wins with best play."""
    return any(not wins(naive.play(position, move)) for move in naive.moves(position))


def winner(position):
    return position.side if wins(position) else naive.OTHER[position.side]


@cache
def runs_home(position):
    """Whether the side to move can bring a pawn to its far rank in this move."""
    goal = naive.far_rank(position.game, position.side)
    return any(naive.coordinates(move[2:4])[1] == goal for move in naive.moves(position))


@cache
def soon_home(position):
    """Plies, 1 or 3, within which the side to move brings a pawn to its far rank whatever is replied, in 3 by a move after
    which a pawn stands before it; 0 where it does not.
    """
    if runs_home(position):
        return 1
    before = naive.far_rank(position.game, position.side) - naive.direction(position.side)
    for move in naive.moves(position):
        after = naive.play(position, move)
        if naive.PAWN[position.side] in after.board[before]:
            if all(runs_home(naive.play(after, reply)) for reply in naive.moves(after)):
                return 3
    return 0


@cache
def forced_home(position, moves):
    """Whether threats bring the side to move home in so many moves or fewer, as scripts/pawnstorm_tools/checking/prooffile.py defines it."""
    game, side, other = position.game, position.side, naive.OTHER[position.side]
    before = naive.far_rank(game, side) - naive.direction(side)

    def in_danger(after):
        return naive.PAWN[other] in after.board[naive.far_rank(game, other) - naive.direction(other)]

    if moves == 1:
        return naive.PAWN[side] in position.board[before]
    if moves == 2:
        return (
            forced_home(position, 1)
            or not in_danger(position)
            and any(
                naive.coordinates(move[2:4])[1] == before
                and move[2:4] not in {reply[2:4] for reply in naive.moves(naive.play(position, move))}
                for move in naive.moves(position)
            )
        )
    return forced_home(position, moves - 1) or any(
        not in_danger(after)
        and forced_home(after._replace(side=side), moves - 1)
        and all(forced_home(naive.play(after, reply), moves - 1) for reply in naive.moves(after))
        for after in (naive.play(position, move) for move in naive.moves(position))
    )


def unlisted_win_plies(position, within=prooffile.DEFAULT_WITHIN):
    """Plies after which the side to move is home at the latest, where a proof with such a header need not list the
    position; 0 where it has to.
    """
    found = [2 * moves - 1 for moves in range(1, within + 1) if within > 2 and forced_home(position, moves)]
    return soon_home(position) or min(found, default=0)


@cache
def holds(position, squares):
    """Whether the side to move wins by this pawn's path whatever is replied."""
    if len(squares) < 2 or squares[0] + squares[1] not in naive.moves(position):
        return False
    after = naive.play(position, squares[0] + squares[1])
    return all(holds(naive.play(after, reply), squares[1:]) for reply in naive.moves(after))


def paths(position):
    """Winning paths of more than one move that go to the far rank."""
    goal, up = naive.far_rank(position.game, position.side), naive.direction(position.side)

    def onward(path):
        file, rank = naive.coordinates(path[-1])
        if rank == goal:
            yield path
            return
        for aside, steps in ((0, 1), (0, 2), (-1, 1), (1, 1)):
            if (
                0 <= file + aside < position.game.files
                and 0 <= rank + steps * up < position.game.ranks
                and (steps == 1 or len(path) == 1)
            ):
                yield from onward((*path, naive.square(file + aside, rank + steps * up)))

    for rank, row in enumerate(position.board):
        for file, piece in enumerate(row):
            if piece == naive.PAWN[position.side] and abs(goal - rank) > 1:
                yield from (
                    path for path in onward((naive.square(file, rank),)) if len(path) > 2 and holds(position, path)
                )


def prove(root, seed=0, use_paths=False, mirror=False):
    """{position: squares} of a whole proof of who wins a naive position; with `mirror` each position or its image, by
    lot.
    """
    lot, plans = random.Random(seed), {}
    side = winner(root)
    waiting = [root] if root.side == side else [naive.play(root, move) for move in naive.moves(root)]
    while waiting:
        position = waiting.pop()
        if position in plans or naive.mirror(position) in plans:
            continue
        if mirror and lot.random() < 0.5:
            position = naive.mirror(position)
        found = sorted(paths(position)) if use_paths else []
        if found:
            plans[position] = lot.choice(found)
            continue
        move = lot.choice([move for move in naive.moves(position) if not wins(naive.play(position, move))])
        after = naive.play(position, move)
        plans[position] = move[:2], move[2:]
        waiting += [naive.play(after, reply) for reply in naive.moves(after)]
    return plans


def proof(root, plans, side=None, seed=0, within=prooffile.DEFAULT_WITHIN):
    """The prooffile.Proof of plans, its records in random order."""
    records = [record(position, squares) for position, squares in plans.items()]
    random.Random(seed).shuffle(records)
    game = next(name for name, game in naive.GAMES.items() if game == root.game)
    return prooffile.Proof(game, naive.fen(root), side or winner(root), records, within)


class NaiveChecker:
    """What is wrong with a proof, found by naive play to the end: `faults` are (position or its mirror image, reason).

    `listed` has the positions of the winner that were met, with the plies of the longest line from each; `longest` is
    the root's. Both count only where nothing is wrong.
    """

    def __init__(self, proof):
        self.within = proof.within
        self.root = naive.parse_fen(naive.GAMES[proof.game], proof.fen)
        self.side, self.faults, self.listed, self.plans = proof.winner, set(), {}, {}
        for white, black, plan in proof.records:
            self.plans.setdefault((int(white), int(black), int(plan) >> 4 & 15), (len(self.plans), int(plan)))
        self.longest = (self.listed_from if self.root.side == self.side else self.replied_from)(self.root)

    def fault(self, position, reason):
        lost = position.side == self.side and naive.over(position)
        self.faults.add((either(position), f"{SIDES[self.side]} has lost" if lost else reason))
        return 0

    def plan(self, position):
        """(plan, its squares by name) of a position, by the first record that has it or its mirror image; None where
        there is none.
        """
        found = []
        for turned in (False, True):
            white, black, plan = record(naive.mirror(position) if turned else position, ["a1"])
            if (white, black, plan >> 4 & 15) in self.plans:
                found.append((*self.plans[white, black, plan >> 4 & 15], turned))
        if not found:
            return None
        _, plan, turned = min(found)
        squares = [naive.square(place % 8, place // 8) for place in prooffile.plan_squares(plan)]
        return plan, tuple(mirrored(position.game.files, squares) if turned else squares)

    def listed_from(self, position):
        if either(position) in self.listed:
            return self.listed[either(position)]
        found = self.plan(position)
        if naive.over(position) or not found and not unlisted_win_plies(position, self.within):
            return self.fault(position, MISSING)
        if not found:
            return unlisted_win_plies(position, self.within)
        plan, squares = found
        if plan & 15 not in range(1, 8) or plan >> 56:
            plies = self.fault(position, MALFORMED)
        elif len(squares) > 2:
            plies = self.path_from(position, squares)
        elif squares[0] + squares[1] not in naive.moves(position):
            plies = self.fault(position, ILLEGAL)
        else:
            plies = 1 + self.replied_from(naive.play(position, squares[0] + squares[1]))
        self.listed[either(position)] = plies
        return plies

    def replied_from(self, position):
        return max((1 + self.listed_from(naive.play(position, reply)) for reply in naive.moves(position)), default=0)

    def path_from(self, position, squares):
        if squares[0] + squares[1] not in naive.moves(position):
            return self.fault(position, ILLEGAL)
        after = naive.play(position, squares[0] + squares[1])
        replies = naive.moves(after)
        if replies and len(squares) == 2:
            return self.fault(after, UNFINISHED)
        return 1 + max((1 + self.path_from(naive.play(after, reply), squares[1:]) for reply in replies), default=0)


def either(position):
    """A position and its mirror image as one."""
    return min(position, naive.mirror(position))
