"""The walk over a proof: every position that the loser can reach must be won as the file says.

The walk is compiled, and uses only the rules of pawnrules.py. A record that it has reached waits in a list. There is one list for
each number of steps that all pawns together still have to go. Each ply lowers this number, so no line returns to a position. The
list with the most steps is taken first. So a record is expanded only once, after all lines to it have reached it. A record that
holds proves its position and the mirror image, because the rules do not distinguish left and right.

A path (a plan of several moves, see prooffile.py) is followed to its end at once. Whether the rest of a path holds depends
only on the position, and not on the moves before it. So positions that held are remembered in a table, with the rest of the
path as part of the key. New entries overwrite old ones.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.types import Array, UniTuple, boolean, void
from numba.types import int64 as i64
from numba.types import uint16 as u16
from numba.types import uint32 as u32
from numba.types import uint64 as u64

from pawnstorm_tools.checking.pawnrules import (
    EIGHT,
    MAX_MOVES,
    ONE,
    RULES,
    SEVEN,
    WORDS,
    ZERO,
    mirror,
    on_far_rank,
    pawn_targets,
    play,
    successors,
)
from pawnstorm_tools.checking.unlisted import unlisted_win_plies
from pawnstorm_tools.common.machinecode import compiled

FOUR, SIX, SIXTY_THREE = np.uint64(4), np.uint64(6), np.uint64(63)
RESERVED_BITS = np.uint64(0xFF00000000000008)  # bits of a plan that must be 0
EP = np.uint64(15)
COUNT, PLIES = np.uint64(48), np.uint64(56)  # the lowest bits of a remembered path's moves left, and of their plies
LOW, HIGH = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)
SHIFT, FIRST, SECOND = np.uint64(29), np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
BITS = np.array([byte.bit_count() for byte in range(256)])

LEVELS = 64 * 7 + 1  # the numbers of steps, from 0, that the pawns of a board can have to go
MEMORY = 1 << 20  # the positions in paths that are remembered
MAX_RECORDS = (1 << 32) - 4  # the most records: their numbers have 32 bits

# Faults of a proof.
SOUND, MISSING, LOST, MALFORMED, ILLEGAL, UNFINISHED = range(6)
# Indices of Walk.numbers, which are int64.
(FAULT, FAULT_RECORD, LEVEL, LISTED, IN_PATHS, REPLYING, UNLISTED, LONGEST, REACHED, NEXT, STRIDE, SAMPLED) = range(12)
NUMBERS = 12


class Walk(NamedTuple):
    """The data of a walk, for the kernels.

    white_wins      whether White wins
    ep_rank_square  the number of the first square of the rank to which the winner captures en passant
    within          a position needs no record if the winner can reach its far rank within this many moves
    table           the hash table of the records by position. The number of its slots is a power of two. A slot has a part of
                    the hash in its upper half, and the record's number + 1 in its lower half
    parent          for each record, the origin of a line to it: another record's number + 2, 1 for the root, 0 if it was not
                    reached
    link            for each record, the number of the next record in its list, plus 1; 0 if there is none
    lists           for each number of steps, the number of the first record in its list, plus 1; 0 if the list is empty
    depth           for each record, the plies of the longest line from the root to it
    numbers         the fault, the counts and the state of the walk, at the indices named above
    rows            room for successors: rows[n] for the replies in a path with n moves left, rows[0] for records
    trail           for a plan that failed: trail[n] is the position after the reply to the n-th move from the plan's end;
                    zeros if there was no reply
    samples         white, black, ep, white_to_move of every STRIDE-th position met. The number of rows is even
    memory          positions in paths that held: white, black, and a word that has the rest of the path, the number of moves
                    left, and the most plies to the end of the game
    """

    rules: tuple
    white_wins: bool
    ep_rank_square: np.uint64
    within: int
    records: np.ndarray
    table: np.ndarray
    parent: np.ndarray
    link: np.ndarray
    lists: np.ndarray
    depth: np.ndarray
    numbers: np.ndarray
    rows: np.ndarray
    trail: np.ndarray
    samples: np.ndarray
    memory: np.ndarray


COUNTS, BOARDS = Array(i64, 1, "C"), Array(u64, 3, "C")
WALK = types.NamedTuple(
    (
        RULES,
        boolean,
        u64,
        i64,
        Array(u64, 2, "C", readonly=True),
        Array(u64, 1, "C"),
        Array(u32, 1, "C"),
        Array(u32, 1, "C"),
        Array(u32, 1, "C"),
        Array(u16, 1, "C"),
        COUNTS,
        BOARDS,
        WORDS,
        WORDS,
        WORDS,
    ),
    Walk,
)


@compiled(u64(u64, u64, u64))
def hash_words(one, two, three):
    """Hash three words."""
    key = one * FIRST
    key = (key ^ key >> SHIFT ^ two) * SECOND
    key = (key ^ key >> SHIFT ^ three) * FIRST
    return key ^ key >> SHIFT


@compiled(i64(u64, u64))
def steps(white, black):
    """The number of steps that all pawns together still have to go. Each ply lowers it.

    White's pawns have to go to rank 8, even on a board with fewer ranks; Black's pawns have to go to rank 1.
    """
    total = 0
    for rank in range(8):
        total += (7 - rank) * BITS[white & np.uint64(255)] + rank * BITS[black & np.uint64(255)]
        white, black = white >> EIGHT, black >> EIGHT
    return total


@compiled(u64(u64, WALK))
def plan_ep(plan, walk):
    """The en passant square of a plan, as a set."""
    file = plan >> FOUR & EP
    return ONE << walk.ep_rank_square + file - ONE if file else ZERO


@compiled(UniTuple(u64, 2)(u64, u64, u64, WALK))
def slot(white, black, ep, walk):
    """(index in the table, hash) of a position in which the winner is to move, or of its mirror image.

    If neither is in the table, the index is the one at which to insert the position.
    """
    files = walk.rules.files
    white2, black2, ep2 = mirror(white, files), mirror(black, files), mirror(ep, files)
    if white < white2 or white == white2 and (black < black2 or black == black2 and ep <= ep2):
        key = hash_words(white, black, ep)
    else:
        key = hash_words(white2, black2, ep2)
    last = np.uint64(len(walk.table) - 1)
    place = key & last
    while walk.table[place]:
        if (walk.table[place] ^ key) & HIGH == ZERO:
            record = walk.records[np.int64(walk.table[place] & LOW) - 1]
            at = plan_ep(record[2], walk)
            same = record[0] == white and record[1] == black and at == ep
            if same or record[0] == white2 and record[1] == black2 and at == ep2:
                return place, key
        place = place + ONE & last
    return place, key


@compiled(void(i64, i64, WALK))
def insert_records(first, end, walk):
    """Put the records from `first` to `end` (excluded) into the table, except positions that it already has."""
    for number in range(first, end):
        white, black, plan = walk.records[number, 0], walk.records[number, 1], walk.records[number, 2]
        place, key = slot(white, black, plan_ep(plan, walk), walk)
        if walk.table[place] == ZERO:
            walk.table[place] = key & HIGH | np.uint64(number + 1)


@compiled(i64(u64, u64, u64, WALK))
def find(white, black, ep, walk):
    """The number of the record of a position or of its mirror image; -1 if there is none."""
    place, _ = slot(white, black, ep, walk)
    return np.int64(walk.table[place] & LOW) - 1


@compiled(i64(COUNTS))
def positions_met(numbers):
    """The number of positions met so far."""
    return numbers[LISTED] + numbers[IN_PATHS] + numbers[REPLYING] + numbers[UNLISTED]


@compiled(void(i64, u64, u64, u64, boolean, COUNTS, WORDS))
def count_position(kind, white, black, ep, white_to_move, numbers, samples):
    """Count a position, and add every STRIDE-th one to the sample. If the sample is full, first drop every second position."""
    numbers[kind] += 1
    if positions_met(numbers) != numbers[NEXT]:
        return
    if numbers[SAMPLED] == len(samples):
        numbers[SAMPLED] //= 2
        for row in range(numbers[SAMPLED]):
            for column in range(4):
                samples[row, column] = samples[2 * row, column]
        numbers[STRIDE] *= 2
    row = samples[numbers[SAMPLED]]
    row[0], row[1], row[2], row[3] = white, black, ep, ONE if white_to_move else ZERO
    numbers[SAMPLED] += 1
    numbers[NEXT] += numbers[STRIDE]


@compiled(i64(u64, i64, u64, u64, u64, boolean, RULES, COUNTS, BOARDS, WORDS, WORDS, WORDS))
def check_path(path, moves, white, black, ep, white_to_move, rules, numbers, rows, trail, samples, memory):
    """The most plies that the winner's path lasts, whatever the loser replies; 0, with FAULT set, if it fails.

    The winner is to move, and is White if `white_to_move`. The loser has no pawn on its far rank. `path` has the
    square of the pawn, then the squares to which it goes in the `moves` moves left: six bits each, from the lowest bits.
    """
    pawn, to = ONE << (path & SIXTY_THREE), ONE << (path >> SIX & SIXTY_THREE)
    if not (
        pawn & (white if white_to_move else black) and to & pawn_targets(pawn, white, black, ep, white_to_move, rules)
    ):
        numbers[FAULT] = ILLEGAL
        return 0
    white, black, ep = play(pawn, to, white, black, ep, white_to_move, rules)
    count_position(REPLYING, white, black, ep, not white_to_move, numbers, samples)
    replies = successors(white, black, ep, not white_to_move, rules, rows[moves])
    if replies == 0:
        return 1
    if moves == 1:
        numbers[FAULT] = UNFINISHED
        return 0
    path, longest = path >> SIX, 0
    for reply in range(replies):
        white, black, ep = rows[moves, reply, 0], rows[moves, reply, 1], rows[moves, reply, 2]
        plies = 0
        if on_far_rank(white, black, not white_to_move, rules):
            numbers[FAULT] = LOST
        else:
            rest = path | np.uint64(moves - 1) << COUNT
            kept = memory[hash_words(white, black, rest) & np.uint64(len(memory) - 1)]
            known = moves > 2 and ep == ZERO
            if known and kept[0] == white and kept[1] == black and kept[2] & ~(EP << PLIES) == rest:
                plies = np.int64(kept[2] >> PLIES)
            else:
                count_position(IN_PATHS, white, black, ep, white_to_move, numbers, samples)
                plies = check_path(
                    path, moves - 1, white, black, ep, white_to_move, rules, numbers, rows, trail, samples, memory
                )
                if known and plies:
                    kept[0], kept[1], kept[2] = white, black, rest | np.uint64(plies) << PLIES
        if plies == 0:
            trail[moves, 0], trail[moves, 1], trail[moves, 2] = white, black, ep
            return 0
        longest = max(longest, plies + 1)
    return longest + 1


@compiled(i64(u64, u64, u64, i64, i64, WALK))
def reach_position(white, black, ep, depth, parent, walk):
    """Note that a line of `depth` plies has reached a position in which the winner is to move; returns SOUND or the fault.

    parent: the origin of the line, as in Walk.parent.
    """
    if on_far_rank(white, black, not walk.white_wins, walk.rules):
        return LOST
    number = find(white, black, ep, walk)
    if number < 0:
        plies = unlisted_win_plies(walk.within, white, black, ep, walk.white_wins, walk.rules, walk.rows[1:3])
        if plies == 0:
            return MISSING
        count_position(UNLISTED, white, black, ep, walk.white_wins, walk.numbers, walk.samples)
        walk.numbers[LONGEST] = max(walk.numbers[LONGEST], depth + plies)
        return SOUND
    walk.depth[number] = max(walk.depth[number], depth)
    if walk.parent[number] == 0:
        walk.parent[number] = parent
        level = steps(white, black)
        walk.link[number], walk.lists[level] = walk.lists[level], number + 1
        walk.numbers[REACHED] += 1
    return SOUND


@compiled(i64(u64, u64, u64, i64, i64, WALK))
def expand_replies(white, black, ep, depth, parent, walk):
    """Follow every reply of the loser in a position that is `depth` plies from the root; returns SOUND or the fault."""
    count_position(REPLYING, white, black, ep, not walk.white_wins, walk.numbers, walk.samples)
    rows = walk.rows[0]
    replies = successors(white, black, ep, not walk.white_wins, walk.rules, rows)
    if replies == 0:
        walk.numbers[LONGEST] = max(walk.numbers[LONGEST], depth)
    for reply in range(replies):
        white, black, ep = rows[reply, 0], rows[reply, 1], rows[reply, 2]
        fault = reach_position(white, black, ep, depth + 1, parent, walk)
        if fault:
            walk.trail[1, 0], walk.trail[1, 1], walk.trail[1, 2] = white, black, ep
            return fault
    return SOUND


@compiled(i64(i64, WALK))
def expand(number, walk):
    """Follow the plan of a record; returns SOUND or the fault."""
    white, black, plan = walk.records[number, 0], walk.records[number, 1], walk.records[number, 2]
    ep, depth, moves = plan_ep(plan, walk), np.int64(walk.depth[number]), np.int64(plan & SEVEN)
    count_position(LISTED, white, black, ep, walk.white_wins, walk.numbers, walk.samples)
    if moves == 0 or plan & RESERVED_BITS:
        return MALFORMED
    if moves > 1:
        path = (plan >> EIGHT) & (ONE << SIX * np.uint64(moves + 1)) - ONE
        plies = check_path(
            path,
            moves,
            white,
            black,
            ep,
            walk.white_wins,
            walk.rules,
            walk.numbers,
            walk.rows,
            walk.trail,
            walk.samples,
            walk.memory,
        )
        walk.numbers[LONGEST] = max(walk.numbers[LONGEST], depth + plies)
        return SOUND if plies else walk.numbers[FAULT]
    pawn, to = ONE << (plan >> EIGHT & SIXTY_THREE), ONE << (plan >> EIGHT + SIX & SIXTY_THREE)
    if not (
        pawn & (white if walk.white_wins else black)
        and to & pawn_targets(pawn, white, black, ep, walk.white_wins, walk.rules)
    ):
        return ILLEGAL
    white, black, ep = play(pawn, to, white, black, ep, walk.white_wins, walk.rules)
    return expand_replies(white, black, ep, depth + 1, number + 2, walk)


@compiled(boolean(i64, WALK))
def advance(positions, walk):
    """Expand records until `positions` more positions have been met.

    Returns False if no record is left, or if a fault was found.
    """
    numbers = walk.numbers
    end = positions_met(numbers) + positions
    while positions_met(numbers) < end:
        while numbers[LEVEL] >= 0 and walk.lists[numbers[LEVEL]] == 0:
            numbers[LEVEL] -= 1
        if numbers[LEVEL] < 0:
            return False
        number = np.int64(walk.lists[numbers[LEVEL]]) - 1
        walk.lists[numbers[LEVEL]] = walk.link[number]
        numbers[FAULT] = expand(number, walk)
        if numbers[FAULT]:
            numbers[FAULT_RECORD] = number
            return False
    return True


def new_walk(rules, white_wins, ranks, within, records, samples):
    """A new Walk over records, (n, 3) uint64. The table has none of them yet.

    within: as in the proof file. samples: the sample has at most twice this many positions, and at least this many if the walk
    meets as many.
    """
    assert len(records) <= MAX_RECORDS and samples > 0
    slots = 1 << max(4, (len(records) * 3 // 2).bit_length())
    numbers = np.zeros(NUMBERS, np.int64)
    records = records.view()
    records.flags.writeable = False  # as the kernels' signature demands; a file's records are read-only too
    numbers[LEVEL], numbers[NEXT], numbers[STRIDE], numbers[FAULT_RECORD] = LEVELS - 1, 1, 1, -1
    return Walk(
        rules,
        white_wins,
        np.uint64(8 * (ranks - 3 if white_wins else 2)),
        within,
        records,
        np.zeros(slots, np.uint64),
        np.zeros(len(records), np.uint32),
        np.zeros(len(records), np.uint32),
        np.zeros(LEVELS, np.uint32),
        np.zeros(len(records), np.uint16),
        numbers,
        np.zeros((8, MAX_MOVES, 3), np.uint64),
        np.zeros((8, 3), np.uint64),
        np.zeros((2 * samples, 4), np.uint64),
        np.zeros((MEMORY, 3), np.uint64),
    )
