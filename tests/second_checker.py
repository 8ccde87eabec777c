"""A second checker of proofs, in plain Python, written from scripts/pawnstorm_tools/solving/PROOFS.md and nothing else.

    python tests/second_checker.py FILE...     prints a verdict for each; the exit code is 1 if one of them fails

It is slow and meant for small boards.
"""

import json
import re
import struct
import sys
from functools import cache

OTHER = {"P": "p", "p": "P"}


SIZES = {
    "twoflags": (range(3, 9), range(5, 9)),
    "breakthrough": (range(2, 9), range(4, 9)),
    "hexapawn": (range(1, 9), range(3, 9)),
}


class Checker:
    """A proof file. A position is a frozenset of ((file, rank), "P" or "p"), and the en passant square or None."""

    def __init__(self, path):
        """Raises ValueError if the file proves nothing, whatever its records say."""
        with open(path, "rb") as file:
            line, body = file.readline(10_000), file.read()
        header = json.loads(line)
        family, files, ranks = require(re.fullmatch("([a-z]+)([0-9])x([0-9])", str(header["game"])), "game").groups()
        self.doubles, self.quiet_diagonals = family == "twoflags", family == "breakthrough"
        self.files, self.ranks, self.within = int(files), int(ranks), header.get("within", 2)
        require(family in SIZES and self.files in SIZES[family][0] and self.ranks in SIZES[family][1], "game")
        require(header["file"] == "pawnstorm proof 2" and header["winner"] in ("w", "b"), "file or winner")
        require(self.within in ((2, 3, 4) if self.quiet_diagonals else (2,)), "within")
        require(len(line) % 8 == 0 and line.endswith(b"\n") and len(body) % 24 == 0, "length")
        self.winner = "P" if header["winner"] == "w" else "p"
        self.root, self.to_move = self.read_root(str(header["fen"]))
        self.plans = {}
        for white, black, plan in struct.iter_unpack("<3Q", body):
            passed = (plan >> 4 & 15) - 1, self.ranks - 3 if self.winner == "P" else 2
            path = [number(plan >> 8 + 6 * index & 63) for index in range((plan & 7) + 1)]
            if plan & 0xFF00000000000008:
                path = []
            pawns = [
                (number(bit), pawn)
                for pawn, word in (("P", white), ("p", black))
                for bit in range(64)
                if word >> bit & 1
            ]
            for mirror in (False, True):
                flip = self.flipped if mirror else tuple
                key = (
                    frozenset((flip(square), pawn) for square, pawn in pawns),
                    flip(passed) if plan >> 4 & 15 else None,
                )
                self.plans.setdefault(key, list(map(flip, path)))
        self.won, self.gets_home = cache(self.won), cache(self.gets_home)

    def read_root(self, fen):
        """(position, side to move) of the FEN."""
        rows, side, _, passed = require(re.match(r"(\S+) ([wb]) (-) (-|[a-h][1-8])(?: |$)", fen), "fen").groups()
        rows = [re.sub("[1-8]", lambda digit: "." * int(digit[0]), row) for row in reversed(rows.split("/"))]
        require(len(rows) == self.ranks and {len(row) for row in rows} == {self.files}, "fen")
        require(set("".join(rows)) <= set("Pp."), "fen")
        pawns = {(file, rank): pawn for rank, row in enumerate(rows) for file, pawn in enumerate(row) if pawn != "."}
        mover, up = ("P", 1) if side == "w" else ("p", -1)
        position = frozenset(pawns.items()), None
        require(not self.stands(position, mover), "fen")
        if passed != "-":
            square = file, rank = "abcdefgh".index(passed[0]), int(passed[1]) - 1
            require(self.doubles and rank == self.far(mover, 2) and file < self.files, "en passant square")
            require(pawns.get((file, rank - up)) == OTHER[mover], "en passant square")
            require(square not in pawns and (file, rank + up) not in pawns, "en passant square")
            if any(pawns.get((file + x, rank - up)) == mover for x in (-1, 1)):
                position = position[0], square
        return position, mover

    def flipped(self, square):
        return self.files - 1 - square[0], square[1]

    def far(self, side, before=0):
        """A side's far rank, or the rank `before` ranks short of it."""
        return self.ranks - 1 - before if side == "P" else before

    def stands(self, position, side, before=0):
        return any(pawn == side and rank == self.far(side, before) for (_, rank), pawn in position[0])

    def moves(self, position, side):
        """[(from, to, the position after it)]: the moves of a side, ignoring whether the game is over."""
        pawns, passed, moves = dict(position[0]), position[1], []
        up = 1 if side == "P" else -1
        for (file, rank), pawn in position[0]:
            ahead, steps = rank + up, []
            if pawn != side or not 0 <= ahead < self.ranks:
                continue
            if (file, ahead) not in pawns:
                steps.append((file, ahead))
                if self.doubles and rank == self.far(OTHER[side], 1) and (file, ahead + up) not in pawns:
                    steps.append((file, ahead + up))
            for beside in (file - 1, file + 1):
                enemy, empty = pawns.get((beside, ahead)) == OTHER[side], (beside, ahead) not in pawns
                if enemy or (beside, ahead) == passed or self.quiet_diagonals and empty and 0 <= beside < self.files:
                    steps.append((beside, ahead))
            for to in steps:
                gone = {(file, rank), to, (to[0], rank)} if to == passed else {(file, rank), to}
                after = {square: pawn for square, pawn in pawns.items() if square not in gone} | {to: side}
                double = to[1] - rank == 2 * up and any(after.get((to[0] + x, to[1])) == OTHER[side] for x in (-1, 1))
                moves.append(((file, rank), to, (frozenset(after.items()), (file, ahead) if double else None)))
        return moves

    def replies(self, position, side):
        """The positions after each move of a side; none if the game is over."""
        return [] if self.stands(position, OTHER[side]) else [after for *_, after in self.moves(position, side)]

    # The claims of PROOFS.md.

    def proves(self):
        """Whether the file proves its claim."""
        if self.to_move == self.winner:
            return self.won(self.root)
        return all(map(self.won, self.replies(self.root, self.to_move)))

    def won(self, position):
        if not self.replies(position, self.winner):
            return False
        if position not in self.plans:
            return self.needs_no_record(position)
        path = self.plans[position]
        if len(path) == 2:
            return self.follow(position, path, self.won)
        return len(path) > 2 and self.runs(position, path)

    def follow(self, position, path, holds):
        """Whether the first move of a path is legal, and `holds` is true after each reply."""
        for start, to, after in self.moves(position, self.winner):
            if [start, to] == path[:2]:
                return all(map(holds, self.replies(after, OTHER[self.winner])))
        return False

    def runs(self, position, path):
        if len(path) < 2 or self.stands(position, OTHER[self.winner]):
            return False
        return self.follow(position, path, lambda after: self.runs(after, path[1:]))

    def needs_no_record(self, position):
        side = self.winner
        if self.goes_home(position) or self.within > 2 and self.gets_home(position, self.within):
            return True
        return any(
            self.stands(after, side, 1) and all(map(self.goes_home, self.replies(after, OTHER[side])))
            for *_, after in self.moves(position, side)
        )

    def goes_home(self, position):
        """Whether the winner can move to the far rank now."""
        home = any(to[1] == self.far(self.winner) for _, to, _ in self.moves(position, self.winner))
        return home and not self.stands(position, OTHER[self.winner])

    def gets_home(self, position, within):
        side, other = self.winner, OTHER[self.winner]
        if within == 1 or self.stands(position, side, 1):
            return self.stands(position, side, 1)
        if self.gets_home(position, within - 1):
            return True
        if within == 2:
            down = 1 if other == "P" else -1
            attacked = {(file + x, rank + down) for (file, rank), pawn in position[0] if pawn == other for x in (-1, 1)}
            steps = [to for _, to, _ in self.moves(position, side) if to[1] == self.far(side, 1)]
            return not self.stands(position, other, 1) and any(to not in attacked for to in steps)
        return any(
            not self.stands(after, other, 1)
            and self.gets_home(after, within - 1)
            and all(self.gets_home(reply, within - 1) for reply in self.replies(after, other))
            for *_, after in self.moves(position, side)
        )


def number(bit):
    """(file, rank) of a numbered square."""
    return bit % 8, bit // 8


def require(what, name):
    """`what`. Raises ValueError if it is false or None."""
    if not what:
        raise ValueError(f"bad {name}")
    return what


def verdict(path):
    try:
        return "verified" if Checker(path).proves() else "NOT verified"
    except (ValueError, KeyError, TypeError) as error:
        return f"NOT verified: {error}"


if __name__ == "__main__":
    verdicts = [verdict(path) for path in sys.argv[1:]]
    print(*map(": ".join, zip(sys.argv[1:], verdicts)), sep="\n")
    sys.exit(set(verdicts) != {"verified"})
