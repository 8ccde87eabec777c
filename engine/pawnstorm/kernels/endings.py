"""A table of wins within the last rows of a Breakthrough board, whatever stands elsewhere (Isaac and Lorentz 2016).

Pawns never step back, so no defender comes into the last rows from outside. For each setup of these rows, the table
holds the number of attacker moves within which the attacker certainly arrives on the far rank. The attacker moves only
pawns of these rows; it could bring in others, but need not. The defender may also pass (a move elsewhere) or leave the
rows. The attacker wins if the defender cannot reach its own far rank first.

    an entry, int16      done 14 | attacker's moves with the defender to move 7-13 | with the attacker to move 0-6

0 moves mean that the attacker does not arrive by force. The index of an entry is a number in base 3 ** files, with one
digit for each row; the lowest row has the lowest digit. Each digit except the highest is itself a number in base 3, with one
digit for each square: 0 empty, 1 attacker, 2 defender. The highest digit, for the far rank, has a bit for each square
instead, since only defenders stand there.
state.endings is the table's address, or 0. engine/pawnstorm/proof/endings.py makes the table.
"""

import numpy as np

from pawnstorm.core.parameters import PN_ALONE, PN_LEAD
from pawnstorm.kernels.bits import load_i16, lsb, msb, popcount
from pawnstorm.kernels.kernel import EIGHT, NINE, ONE, SEVEN, STATE, TABLE, ZERO, i32, i64, kernel, u64
from pawnstorm.kernels.movegen import targets
from pawnstorm.kernels.position import flip

TERNARY = np.array([int(f"{row:b}", 3) for row in range(256)], np.uint64)  # a row's bits as digits to the base 3
ROW_MASK, TWO, THREE = np.uint64(0xFF), np.uint64(2), np.uint64(3)
ENTRY_BITS, ENTRY_MASK = np.uint64(16), np.uint64(0xFFFF)
MOVES_MASK, AFTER_SHIFT, DONE = 127, 7, 1 << 14


@kernel(u64(u64, u64, STATE))
def setup_index(own, opp, state):
    """Index of the entry of a setup. own is the attacker; squares below the rows do not count."""
    rows, base, shift = i64(state.ending_rows), u64(state.ending_base), u64(8 * (i64(state.ranks) - 1))
    index = opp >> shift & ROW_MASK
    for _ in range(1, rows):
        shift -= EIGHT
        index = index * base + TERNARY[own >> shift & ROW_MASK] + TWO * TERNARY[opp >> shift & ROW_MASK]
    return index


@kernel(i64(u64, u64, STATE))
def moves_to_win(own, opp, state):
    """Moves within which the side to move forces a pawn in its last rows to the far rank, or 0. The opponent may arrive first."""
    return i64(load_i16(state.endings, setup_index(own, opp, state))) & MOVES_MASK


@kernel(i64(u64, u64, STATE))
def moves_to_lose(own, opp, state):
    """Moves within which the opponent arrives by force, with the side to move as the defender; or 0."""
    entry = i64(load_i16(state.endings, setup_index(flip(opp, state.flip_shift), flip(own, state.flip_shift), state)))
    return entry >> AFTER_SHIFT & MOVES_MASK


@kernel(i64(u64, u64, STATE))
def ending_win_plies(own, opp, state):
    """Plies within which the side to move certainly wins in the last rows (odd), or 0. The position must not be over."""
    if state.endings == ZERO:
        return i64(0)
    count = moves_to_win(own, opp, state)
    return 2 * count - 1 if count and i64(lsb(opp)) >> 3 >= count else i64(0)


@kernel(i64(u64, u64, STATE))
def ending_loss_plies(own, opp, state):
    """Plies within which the side to move certainly loses in the last rows (even), or 0."""
    if state.endings == ZERO:
        return i64(0)
    count = moves_to_lose(own, opp, state)
    return 2 * count if count and i64(state.ranks) - 1 - (i64(msb(own)) >> 3) > count else i64(0)


@kernel(i64(u64, u64, STATE))
def attack_lead(own, opp, state):
    """The lead of the side to move in the last rows, in quarters of a doubling of a leaf's numbers.

    If both sides can force a pawn to their far rank, the lead follows from the difference in moves. If only one side can,
    that side leads by PN_ALONE. If neither can, or if there is no table, the lead is 0.
    """
    if state.endings == ZERO:
        return i64(0)
    ours, theirs = moves_to_win(own, opp, state), moves_to_lose(own, opp, state)
    if ours and theirs:
        return PN_LEAD * (2 * (theirs - ours) + 1) >> 1
    return i64(PN_ALONE) if ours else -i64(PN_ALONE) if theirs else i64(0)


@kernel(i64(u64, u64, u64, STATE, TABLE))
def make_entry(own, opp, rows_mask, state, table):
    """The entry of a setup. If the table does not have the entry, this call makes it and the entries that it depends on.

    rows_mask: the squares of the rows.
    """
    index = setup_index(own, opp, state)
    shift = ENTRY_BITS * (index & THREE)
    entry = i64(table[index >> TWO] >> shift & ENTRY_MASK)
    if entry:
        return entry
    shifts = (SEVEN, EIGHT, NINE)
    sets = targets(own, opp, ZERO, state)
    attacker_moves = i64(1 if (sets[0] | sets[1] | sets[2]) & state.goal else 0)
    if attacker_moves == 0:
        for kind in range(3):
            left = sets[kind]
            while left:
                target = left & ~(left - ONE)
                left ^= target
                moved = own ^ (target | target >> shifts[kind])
                reply = make_entry(moved, opp & ~target, rows_mask, state, table)
                count = reply >> AFTER_SHIFT & MOVES_MASK
                if count and (attacker_moves == 0 or count < attacker_moves):
                    attacker_moves = count + 1
    defender_moves = attacker_moves  # if the defender passes
    if defender_moves:
        # The defender moves down the board: its moves are generated as it sees the board, and take attackers.
        turned = flip(opp, state.flip_shift)
        sets = targets(turned, flip(own, state.flip_shift), ZERO, state)
        for kind in range(3):
            left = sets[kind]
            while left and defender_moves:
                target = left & ~(left - ONE)
                left ^= target
                moved = flip(turned ^ (target | target >> shifts[kind]), state.flip_shift) & rows_mask
                count = make_entry(own & ~flip(target, state.flip_shift), moved, rows_mask, state, table) & MOVES_MASK
                defender_moves = max(defender_moves, count) if count else i64(0)
    entry = attacker_moves | defender_moves << AFTER_SHIFT | DONE
    table[index >> TWO] |= u64(entry) << shift
    return entry


@kernel(i32(STATE, TABLE))
def make_endings(state, table):
    """Fill the table of the state's game with the entries of all setups; returns 0. The table must hold zeros before."""
    rows, lowest_row = i64(state.ending_rows), i64(state.ranks) - i64(state.ending_rows)
    files, base, size = i64(popcount(state.home)), u64(state.ending_base), i64(1)
    for _ in range(1, rows):
        size *= i64(base)
    squares = ZERO
    for row in range(rows):
        squares |= (state.board & ROW_MASK) << u64(8 * (lowest_row + row))
    for number in range(size << files):
        rest, own, opp = u64(number), ZERO, ZERO
        for row in range(rows - 1):
            digits, rest = rest % base, rest // base
            for file in range(files):
                square = ONE << u64(8 * (lowest_row + row) + file)
                own |= square if digits % THREE == ONE else ZERO
                opp |= square if digits % THREE == TWO else ZERO
                digits //= THREE
        opp |= rest << u64(8 * (lowest_row + rows - 1))
        make_entry(own, opp, squares, state, table)
    return i32(0)
