"""Writes line books (engine/pawnstorm/proof/line_book.py): the inverse of engine/pawnstorm/kernels/line_book.py.

The kernel's comments say what the bits mean. The code here is plain Python that works on Boards, so the two check each other.
"""

import zlib
from collections import Counter
from types import MappingProxyType

from pawnstorm.core.line_book_layout import (
    FLAG_MODELS,
    HALF,
    LEAST_RANGE,
    MODELS,
    MOVE_BITS,
    PROBABILITY_BITS,
    RATE,
    SLOTS,
)
from pawnstorm.proof.line_book import FORMAT, LineBook
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.solving.progress import PositionsBar

STEPS = 7, 8, 9, 16  # the kinds of moves in the kernel's order
WORD = (1 << 32) - 1


class RangeEncoder:
    """Collects the bytes of a range coder (Martin 1979; LZMA's variant) in `data`."""

    def __init__(self):
        self._low, self._range, self._models = 0, WORD, [HALF] * SLOTS
        self.data = bytearray()

    def add(self, model, bit):
        """Encode a bit with the model's probability of a 0, and adapt the model."""
        probability = self._models[model]
        bound = (self._range >> PROBABILITY_BITS) * probability
        if bit:
            self._low += bound
            self._range -= bound
            self._models[model] -= probability >> RATE
        else:
            self._range = bound
            self._models[model] += (1 << PROBABILITY_BITS) - probability >> RATE
        if self._low > WORD:
            self._carry()
        while self._range < LEAST_RANGE:
            self._shift()

    def end(self):
        """Add the last bytes, without the zeros at their end: the decoder adds those."""
        for _ in range(4):
            self._shift()
        while self.data and not self.data[-1]:
            self.data.pop()

    def _carry(self):
        self._low &= WORD
        place = len(self.data) - 1
        while self.data[place] == 255:
            self.data[place] = 0
            place -= 1
        self.data[place] += 1

    def _shift(self):
        self.data.append(self._low >> 24)
        self._low, self._range = self._low << 8 & WORD, self._range << 8


def numbered(board):
    """The legal moves, in the order in which a line book numbers them: captures first, then by target and kind."""
    return sorted(
        board.moves(), key=lambda move: (not is_capture(board, move), move >> 6, STEPS.index((move >> 6) - (move & 63)))
    )


def is_capture(board, move):
    return bool((board.opp | board.ep) >> (move >> 6) & 1 and (move >> 6) - (move & 63) in (7, 9))


def captures(board):
    """The number of captures, up to 3."""
    return min(3, sum(is_capture(board, move) for move in board.moves()))


class Writer:
    """The data of a line book for a canonical root, with its numbers of positions (`counts`) and its bound (`plies`).

    Recursions are no deeper than a game is long.

    winning whether the side to move at the root wins
    moves   {bitboards: move of the winner}
    bound   bound(board) returns an upper bound of the plies to the end from a position of the winner that is not in `moves`
    least   {bitboards: plies} of the root and of positions in `moves`: their upper bounds become no lower than these
    """

    def __init__(self, root, winning, moves, bound, least):
        self._moves, self._bound, self._least = moves, bound, least
        self._met, self._bounds, self._code = set(), {}, RangeEncoder()
        self.counts = Counter()
        with PositionsBar(desc="moves") as self._bar:
            self.plies = self._add(root, MODELS) if winning else self._add_replies(root)
        self._code.end()

    @property
    def data(self):
        return bytes(self._code.data)

    def _add(self, board, model):
        """Add a position of the winner and what follows from it; returns the plies to the end, at most."""
        if board.bitboards in self._met:
            return self._bounds[board.bitboards]
        move = self._moves.get(board.bitboards, 0)
        self._code.add(model, bool(move))
        if not move:
            return self._bound(board)
        self._met.add(board.bitboards)
        self.counts["moves"] += 1
        self._bar.update()
        number, first = 1, MODELS + FLAG_MODELS + (captures(board) << MOVE_BITS)
        place = numbered(board).index(move)
        for shift in reversed(range(MOVE_BITS)):
            bit = place >> shift & 1
            self._code.add(first + number, bit)
            number = number << 1 | bit
        return self._note(board, 1 + self._add_replies(board.push(move).canonical()))

    def _add_replies(self, board):
        """Add a position of the loser and what follows from it; returns the plies to the end, at most."""
        if board.bitboards in self._met:
            return self._bounds[board.bitboards]
        replies = sorted(board.moves(), key=lambda move: (STEPS.index((move >> 6) - (move & 63)), move >> 6))
        if not replies:
            return 0
        self._met.add(board.bitboards)
        self.counts["losing"] += 1
        can_take, followed, plies = captures(board) > 0, 0, 0
        for reply in replies:
            after, target = board.push(reply).canonical(), reply >> 6
            if board.rules.goal >> target & 1:
                continue  # no strategy that wins leads here
            model = (
                (board.opp | board.ep) >> target & 1
                | can_take << 1
                | captures(after) << 2
                | min(followed, 3) << 4
                | target >> 3 << 6
            )
            before = self.counts["moves"]
            plies = max(plies, self._add(after, MODELS + model))
            followed += self.counts["moves"] != before
        return self._note(board, plies + 1)

    def _note(self, board, plies):
        """Note the bound of a position, and return it."""
        self._bounds[board.bitboards] = plies = max(plies, self._least.get(board.bitboards, 0))
        return plies


def write(path, root, winning, leaf_nodes, moves, bound, least=MappingProxyType({})):
    """Write a line book, and read it again; returns the LineBook. leaf_nodes: as in a LineBook. The arguments other than path
    and leaf_nodes are those of Writer, but the root need not be canonical. Raises OSError.
    """
    writer = Writer(root.canonical(), winning, moves, bound, least)
    numbers = leaf_nodes, writer.plies, writer.counts["moves"], writer.counts.total(), zlib.crc32(writer.data)
    with atomicfile.replacing(path) as file:
        file.write(FORMAT.header(root.rules.full_name, *numbers) + writer.data)
    return LineBook(path)
