"""The static score against a slow one that counts neighbours square by square, on boards of every width and height.

Of games that have a network only the symmetry: the rest is test_ntuple.py's and test_network.py's.
"""

import random

import pytest

from pawnstorm.core import native
from pawnstorm.evaluation import weights
from pawnstorm.games.rules import get_rules

# Of two mirror images the smaller one counts; the patterns are numbered in their order.
PLACES = {bits: place for place, bits in enumerate(n for n in range(256) if n <= int(f"{n:08b}"[::-1], 2))}
GAMES = ["twoflags8x7", "breakthrough8x7", "breakthrough5x5", "breakthrough5x7", "twoflags7x6", "hexapawn4x5"]


def positions(rules, count, seed):
    """(own, opp) as sets of (rank, file), neither on its far rank."""
    chance = random.Random(seed)
    for _ in range(count):
        squares = [(rank, file) for rank in range(rules.ranks) for file in range(rules.files)]
        chance.shuffle(squares)
        squares = squares[: chance.randint(2, len(squares) * 2 // 3)]
        own = {square for square in squares if chance.random() < 0.5 and square[0] < rules.ranks - 1}
        opp = {square for square in squares if square not in own and square[0] > 0}
        if own and opp:
            yield own, opp


def bitboard(squares):
    return sum(1 << 8 * rank + file for rank, file in squares)


def turned(squares, rules):
    return {(rules.ranks - 1 - rank, file) for rank, file in squares}


def side_sum(own, opp, side, phase, rules):
    """One side's weights added up for one phase, 0 opening and 1 ending."""
    data = weights.BY_FAMILY[rules.family]
    total = 0
    for rank, file in own:
        guards = 0
        for r, f in opp:
            ahead = r - rank
            reach = max(1, (ahead + 2) // 2) if rules.quiet_diagonals else 1
            guards += ahead > 0 and abs(f - file) <= reach
        protectors = ((rank - 1, file - 1) in own) + ((rank - 1, file + 1) in own)
        attackers = ((rank + 1, file - 1) in opp) + ((rank + 1, file + 1) in opp)
        weak = attackers > protectors if attackers else protectors == 2
        kind = min(guards, 3) << 3 | weak << 2 | (attackers > 0) << 1 | (protectors > 0)
        row = rank + 8 - rules.ranks if rank else 0
        total += (
            data.CLASSES[side][phase][8 * kind + row]
            + data.SQUARES[side][phase][4 * row + min(file, rules.files - 1 - file)]
        )
    for row in range(2):
        if rules.files == 8:
            line = "".join("X" if (rules.first_row + row, file) in own else "." for file in range(8))
            bits = min(sum(1 << f for f in range(8) if text[f] == "X") for text in (line, line[::-1]))
            total += data.ROWS[side][phase][136 * row + PLACES[bits]]
    pairs = sum((rank, file + 1) in own for rank, file in own)
    free = {(rank, file) for rank in range(rules.ranks) for file in range(rules.files)} - own - opp
    pushes = sum((rank + 1, file) in free for rank, file in own)
    files = len({file for _, file in own})
    safe = {square for square in free if not {(square[0] + 1, square[1] - 1), (square[0] + 1, square[1] + 1)} & opp}
    reached = set()
    for rank, file in own:
        for ahead in range(1, 5):
            if (rank + ahead, file) not in safe:
                break
            reached.add((rank + ahead, file))
    counts = [1, pairs, pushes, files, len(reached)]
    return total + sum(map(int.__mul__, counts, data.COUNTS[side][phase]))


@pytest.mark.parametrize("name", GAMES)
def test_static_score_is_the_sum_that_the_docstrings_tell(name):
    rules = get_rules(name)
    full = 2 * rules.pawn_rows * rules.files
    for own, opp in positions(rules, 300, name):
        opening, ending = (
            side_sum(own, opp, 0, phase, rules) - side_sum(turned(opp, rules), turned(own, rules), 1, phase, rules)
            for phase in range(2)
        )
        share = min(1, len(own | opp) / full)
        expected = opening * share + ending * (1 - share)
        # The share is rounded to one part in 65536 a pawn.
        rounding = 1.01 + len(own | opp) / 65536 * abs(opening - ending)
        assert native.evaluate(rules, bitboard(own), bitboard(opp), 0) == pytest.approx(expected, abs=rounding)


@pytest.mark.parametrize("name", ["twoflags", "breakthrough", *GAMES])
def test_mirror_images_have_the_same_score(name):
    rules = get_rules(name)
    for own, opp in positions(rules, 200, name):
        mirrored = [{(rank, rules.files - 1 - file) for rank, file in squares} for squares in (own, opp)]
        assert native.evaluate(rules, bitboard(own), bitboard(opp), 0) == native.evaluate(
            rules, *map(bitboard, mirrored), 0
        )
