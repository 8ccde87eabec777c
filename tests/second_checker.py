"""A second checker of proofs, in plain Python, written from scripts/pawnstorm_tools/solving/PROOFS.md and nothing else.

    python tests/second_checker.py FILE...     prints a verdict for each; the exit code is 1 if one of them fails

A position is (own, opp, ep): the pawns of the side to move, those of the other side, and the en passant square or 0. Each
is a word of squares, as in a record. The side to move always moves up: if it is Black, the board is turned upside down.
"""

import json
import re
import struct
import sys
from functools import cache, lru_cache

LEAST = {"twoflags": (3, 5), "breakthrough": (2, 4), "hexapawn": (1, 3)}  # files and ranks; the largest board is 8x8
RESERVED = 0xFF00000000000008  # bits of a plan that must be 0
FILE_A, FILE_H = 0x0101010101010101, 0x8080808080808080
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # the bits of a rank in reverse order


def rank(number):
    """All squares of a rank; the first rank is 0."""
    return 0xFF << 8 * number


def beside(squares):
    """The neighbours of squares to the left and right."""
    return squares << 1 & ~FILE_A | squares >> 1 & ~FILE_H


def each(squares):
    """The squares of a word, the most advanced first: they win soonest."""
    while squares:
        yield (foremost := 1 << squares.bit_length() - 1)
        squares ^= foremost


def require(what, name):
    """Return `what`. Raises ValueError if it is false or None."""
    if not what:
        raise ValueError(f"bad {name}")
    return what


class Checker:
    def __init__(self, path):
        """Raises ValueError, KeyError or TypeError if the file is not a proof, whatever its records say."""
        with open(path, "rb") as file:
            line, body = file.readline(10_000), file.read()
        header = json.loads(line)
        require(header["file"] == "pawnstorm proof 2" and header["winner"] in ("w", "b"), "file or winner")
        require(line.endswith(b"\n") and len(line) % 8 == 0 and len(body) % 24 == 0, "length")
        self.family, *size = require(re.fullmatch("([a-z]+)([1-8])x([1-8])", header["game"]), "game").groups()
        self.files, self.ranks = map(int, size)
        require(self.files >= LEAST[self.family][0] and self.ranks >= LEAST[self.family][1], "game")
        self.within = header.get("within", 2)
        require(type(self.within) is int and self.within in (2, 3, 4), "within")
        require(self.within == 2 or self.family == "breakthrough", "within")
        self.board = sum((1 << self.files) - 1 << 8 * number for number in range(self.ranks))
        self.far, self.before = rank(self.ranks - 1), rank(self.ranks - 2)  # the far rank, and the one before it
        self.won, recent = cache(self.won), lru_cache(1 << 20)
        self.gets_home, self.turned = recent(self.gets_home), recent(self.turned)
        self.black_wins, self.plans = header["winner"] == "b", {}
        self.root, self.winner_moves = self.read_root(header["fen"])
        for record in struct.iter_unpack("<3Q", body):
            self.read_record(*record)

    def read_root(self, fen):
        """(position, whether the winner is to move)."""
        rows, side, ep = require(re.match(r"(\S+) ([wb]) - (-|[a-h][1-8])(?: |$)", fen), "fen").groups()
        rows = re.sub("[1-8]", lambda digit: "." * int(digit[0]), rows).split("/")[::-1]
        require(len(rows) == self.ranks and all(re.fullmatch(f"[Pp.]{{{self.files}}}", row) for row in rows), "fen")
        board = "".join(row.ljust(8) for row in rows)
        white, black = (sum(1 << number for number, found in enumerate(board) if found == pawn) for pawn in "Pp")
        passed = 0 if ep == "-" else 1 << 8 * (int(ep[1]) - 1) + "abcdefgh".index(ep[0])
        own, opp, ep = (white, black, passed) if side == "w" else self.opposite(white, black, passed)
        require(not own & self.far, "fen")
        if passed:
            require(self.family == "twoflags" and ep & self.board & rank(self.ranks - 3), "en passant square")
            require(ep >> 8 & opp and not (ep | ep << 8) & (own | opp), "en passant square")
        return (own, opp, ep if beside(ep >> 8) & own else 0), (side == "b") == self.black_wins

    def read_record(self, white, black, plan):
        """Add a record's path, as the winner sees it, for its position and the mirror image."""
        file, n = plan >> 4 & 15, plan & 7
        if (white | black) & ~self.board or file > self.files:
            return  # not a position of this game
        path = [] if plan & RESERVED else [1 << (plan >> 8 + 6 * index & 63) for index in range(n + 1)]
        own, opp, _ = self.opposite(white, black, 0) if self.black_wins else (white, black, 0)
        position = own, opp, 1 << 8 * (self.ranks - 3) + file - 1 if file else 0
        path = [self.turned(square) for square in path] if self.black_wins else path
        self.plans.setdefault(position, path)
        self.plans.setdefault(tuple(map(self.mirrored, position)), list(map(self.mirrored, path)))

    def turned(self, word):
        """A word upside down."""
        return int.from_bytes(word.to_bytes(8, "big"), "little") >> 8 * (8 - self.ranks)

    def mirrored(self, word):
        return int.from_bytes(word.to_bytes(8, "little").translate(MIRRORED), "little") >> 8 - self.files

    def opposite(self, own, opp, ep):
        """A position as the other side sees it."""
        return self.turned(opp), self.turned(own), self.turned(ep)

    def targets(self, pawns, own, opp, ep):
        """The squares that `pawns`, of the side to move, can move to; none if the game is over."""
        if opp & rank(0):
            return 0
        free = self.board & ~(own | opp)
        takes = opp | ep | (free if self.family == "breakthrough" else 0)
        doubles = (pawns & rank(1)) << 16 & free << 8 & free if self.family == "twoflags" else 0
        return pawns << 8 & free | doubles | beside(pawns << 8) & takes

    def moves(self, position):
        """All legal moves, (from, to)."""
        return ((start, to) for start in each(position[0]) for to in each(self.targets(start, *position)))

    def after(self, position, start, to):
        """The position after a move."""
        own, opp, ep = position
        taken = ep >> 8 if to == ep else to
        passed = start << 8 if to == start << 16 and beside(to) & opp else 0
        return self.opposite(own ^ start | to, opp & ~taken, passed)

    def replies(self, position):
        """The positions after each move."""
        return (self.after(position, *move) for move in self.moves(position))

    # The claims of PROOFS.md.

    def proves(self):
        """Whether the file proves its claim."""
        return self.won(self.root) if self.winner_moves else all(map(self.won, self.replies(self.root)))

    def won(self, position):
        path = self.plans.get(position)
        if path is None:
            return any(self.moves(position)) and self.needs_no_record(position)
        return self.holds(position, path, self.won if len(path) == 2 else None)

    def holds(self, position, path, then=None):
        """Whether the first move of a path is legal and wins: after each reply, `then` is true of the position.

        Without `then`, the rest of the path must hold after each reply.
        """
        if tuple(path[:2]) not in self.moves(position):
            return False
        replies = self.replies(self.after(position, *path[:2]))
        return all(then(reply) if then else self.holds(reply, path[1:]) for reply in replies)

    def needs_no_record(self, position):
        threats = [after for after in self.replies(position) if after[1] & rank(1)]  # a pawn stands before its far rank
        return (
            self.goes_home(position)
            or self.within > 2
            and self.gets_home(self.within, position)
            or any(all(map(self.goes_home, self.replies(after))) for after in threats)
        )

    def goes_home(self, position):
        """Whether a pawn can move to the far rank now."""
        return bool(self.targets(position[0], *position) & self.far)

    def gets_home(self, moves, position):
        own, opp, _ = position
        attacked = beside(opp >> 8)
        if own & self.before or not opp & rank(1) and self.targets(own, *position) & self.before & ~attacked:
            return True  # in 1 move, or in 2
        return moves > 2 and (
            self.gets_home(moves - 1, position)
            or any(
                not after[0] & self.before
                and self.gets_home(moves - 1, self.opposite(*after))
                and all(self.gets_home(moves - 1, reply) for reply in self.replies(after))
                for after in self.replies(position)
            )
        )


def verdict(path):
    try:
        return "verified" if Checker(path).proves() else "NOT verified"
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return f"NOT verified: {error}"


if __name__ == "__main__":
    verdicts = [verdict(path) for path in sys.argv[1:]]
    print(*map(": ".join, zip(sys.argv[1:], verdicts)), sep="\n")
    sys.exit(set(verdicts) != {"verified"})
