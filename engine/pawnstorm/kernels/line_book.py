"""Reads the compressed moves of a line book (engine/pawnstorm/proof/line_book.py) into a hash table, and looks positions up.

The book is one block of words:

    CODE, RANGE, NEXT, END    the decoder's two numbers, the index of the next byte of the data, and the number of bytes
    MASK                      the number of slots minus 1; the number of slots is a power of two
    LEFT                      how many more entries the table may get
    FAULT                     1 if the data do not belong to this game
    MODELS                    the probability that a bit of the data is 0, for each kind of bit
    SLOTS                     the table, with open addressing
    after the slots           the data, 8 bytes in a word, little endian

    a slot    part of the key 21-63 | in use 20 | move 8-19 | plies 0-7

The data are the bits of a range coder with adaptive probabilities, as in LZMA. They describe the book's positions from the
root on, depth first. For a position with the winner to move, they say whether the book has a move and, if so, the index of
this move (numbered_move()). Then come the positions after each reply to this move. The data say nothing of a position that
the table already has.
"""

import numpy as np
from numba import types

from pawnstorm.core.line_book_layout import (
    CODE,
    END,
    FAULT,
    FLAG_MODELS,
    HALF,
    LEAST_RANGE,
    LEFT,
    LISTED,
    MASK,
    MODELS,
    MOVE_BITS,
    NEXT,
    PROBABILITY_BITS,
    RANGE,
    RATE,
    SLOTS,
)
from pawnstorm.kernels.bits import lsb, popcount, prefetch
from pawnstorm.kernels.kernel import (
    EIGHT,
    NINE,
    ONE,
    SEVEN,
    SIXTEEN,
    STATE,
    TABLE,
    THREE,
    TWO,
    ZERO,
    i32,
    i64,
    kernel,
    u64,
)
from pawnstorm.kernels.movegen import count_moves, generate_moves, targets
from pawnstorm.kernels.pn_table import canonical, canonical_move
from pawnstorm.kernels.position import encode_move, make_move
from pawnstorm.kernels.table import hash_key

TAG, IN_USE = np.uint64(21), np.uint64(LISTED)
MOVE, PLIES = np.uint64(0xFFF), np.uint64(0xFF)
BYTE = np.uint64(255)
CERTAIN, PROBABILITY_SHIFT, RATE_SHIFT = np.uint64(1 << PROBABILITY_BITS), np.uint64(PROBABILITY_BITS), np.uint64(RATE)
W_CODE, W_RANGE, W_NEXT, W_END, W_MASK, W_LEFT, W_FAULT, W_SLOTS = (
    np.uint64(word) for word in (CODE, RANGE, NEXT, END, MASK, LEFT, FAULT, SLOTS)
)
FIRST_RANGE, LEAST = np.uint64(0xFFFFFFFF), np.uint64(LEAST_RANGE)


@kernel(u64(TABLE))
def read_byte(book):
    """The next byte of the data; 0 after their end."""
    place = book[W_NEXT]
    book[W_NEXT] = place + ONE
    if place >= book[W_END]:
        return ZERO
    word = book[W_SLOTS + book[W_MASK] + ONE + (place >> THREE)]
    return (word >> ((place & SEVEN) << THREE)) & BYTE


@kernel(u64(u64, TABLE))
def read_bit(model, book):
    """The next bit of the data. book[model] is the probability that it is 0, and adapts to the bit."""
    probability = book[model]
    bound = (book[W_RANGE] >> PROBABILITY_SHIFT) * probability
    bit = ZERO
    if book[W_CODE] < bound:
        book[W_RANGE] = bound
        book[model] = probability + ((CERTAIN - probability) >> RATE_SHIFT)
    else:
        bit = ONE
        book[W_CODE] -= bound
        book[W_RANGE] -= bound
        book[model] = probability - (probability >> RATE_SHIFT)
    while book[W_RANGE] < LEAST:
        book[W_RANGE] <<= EIGHT
        book[W_CODE] = book[W_CODE] << EIGHT | read_byte(book)
    return bit


@kernel(u64(u64, TABLE))
def find_slot(key, book):
    """Index of the word with a key's entry, or of the free word for it."""
    slot = key & book[W_MASK]
    while book[W_SLOTS + slot] and book[W_SLOTS + slot] >> TAG != key >> TAG:
        slot = (slot + ONE) & book[W_MASK]
    return W_SLOTS + slot


@kernel(u64(u64, u64, u64))
def entry(key, move, plies):
    return (key >> TAG) << TAG | IN_USE | move << EIGHT | plies


@kernel(u64(u64, u64, u64, STATE))
def captures(own, opp, ep, state):
    """The number of captures in a position whose game is not over."""
    west, _, east, _ = targets(own, opp, ep, state)
    return popcount(west & (opp | ep)) + popcount(east & (opp | ep))


@kernel(u64(u64, u64, u64, u64, STATE))
def numbered_move(number, own, opp, ep, state):
    """The legal move at index `number`, counted from 0. The result is 0 if the position has fewer moves.

    Captures come before all other moves. Each of these two groups is ordered by target square.
    """
    sets, shifts = targets(own, opp, ep, state), (SEVEN, EIGHT, NINE, SIXTEEN)
    wanted = opp | ep
    for _ in range(2):
        left = (sets[0] | sets[1] | sets[2] | sets[3]) & wanted
        while left:
            target = lsb(left)
            left &= left - ONE
            for kind in range(4):
                if (sets[kind] >> target) & ONE:
                    if number == ZERO:
                        return encode_move(target - shifts[kind], target)
                    number -= ONE
        wanted = ~wanted
    return ZERO


@kernel(u64(u64, u64, u64, u64, u64, STATE, TABLE))
def read_move(own, opp, ep, plies, model, state, book):
    """The winner's move in a canonical position; 0 if the book has none.

    If the table does not have the position, its move is read from the data and written into the table.

    plies: upper bound of the plies to the end of the game. model: index in `book` of the probability for the bit that says
    whether the book has a move.
    """
    key = hash_key(own, opp, ep)
    slot = find_slot(key, book)
    if book[slot]:
        return (book[slot] >> EIGHT) & MOVE
    if read_bit(model, book) == ZERO:
        return ZERO
    number = ONE
    first = np.uint64(MODELS + FLAG_MODELS) + (min(captures(own, opp, ep, state), THREE) << np.uint64(MOVE_BITS))
    for _ in range(MOVE_BITS):
        number = number << ONE | read_bit(first + number, book)
    move = numbered_move(number - np.uint64(1 << MOVE_BITS), own, opp, ep, state)
    if move == ZERO or book[W_LEFT] == ZERO:
        book[W_FAULT] = ONE
        return ZERO
    book[W_LEFT] -= ONE
    book[slot] = entry(key, move, plies)
    return move


@kernel(types.none(u64, u64, u64, STATE, TABLE))
def prefetch_replies(own, opp, ep, state, book):
    """Start loading the slots of the positions after the replies. Otherwise read_book() would mostly wait for memory."""
    sets, shifts = targets(own, opp, ep, state), (SEVEN, EIGHT, NINE, SIXTEEN)
    for kind in range(4):
        left = sets[kind] & ~state.goal
        while left:
            target = lsb(left)
            left &= left - ONE
            after = make_move(own, opp, ep, encode_move(target - shifts[kind], target), state)
            prefetch(book, W_SLOTS + (hash_key(*canonical(*after, state)) & book[W_MASK]))


@kernel(i64(u64, u64, u64, u64, STATE, TABLE))
def read_replies(own, opp, ep, plies, state, book):
    """Read the winner's moves that follow a position with the loser to move, and write an entry for this position.

    Returns the number of moves read. The entry's move is the loser's reply that is followed by the most moves of the winner. It
    is 0 if no reply is followed by a move.
    """
    own, opp, ep = canonical(own, opp, ep, state)
    key = hash_key(own, opp, ep)
    slot = find_slot(key, book)
    if book[slot] or plies < TWO or count_moves(own, opp, ep, state) == ZERO:
        return i64(0)
    if book[W_LEFT] == ZERO:
        book[W_FAULT] = ONE
        return i64(0)
    book[W_LEFT] -= ONE
    book[slot] = entry(key, ZERO, plies)
    prefetch_replies(own, opp, ep, state, book)
    total, most, best, followed = i64(0), i64(0), ZERO, ZERO
    sets, shifts = targets(own, opp, ep, state), (SEVEN, EIGHT, NINE, SIXTEEN)
    can_take = u64(captures(own, opp, ep, state) > ZERO)
    for kind in range(4):
        left = sets[kind] & ~state.goal
        while left:
            target = lsb(left)
            left &= left - ONE
            takes = ((opp | ep) >> target) & ONE
            reply = encode_move(target - shifts[kind], target)
            new_own, new_opp, new_ep = make_move(own, opp, ep, reply, state)
            new_own, new_opp, new_ep = canonical(new_own, new_opp, new_ep, state)
            threats = min(captures(new_own, new_opp, new_ep, state), THREE)
            model = (
                takes
                | can_take << ONE
                | threats << TWO
                | min(followed, THREE) << np.uint64(4)
                | target >> THREE << np.uint64(6)
            )
            before = book[W_LEFT]
            move = read_move(new_own, new_opp, new_ep, plies - ONE, np.uint64(MODELS) + model, state, book)
            if move:
                size = i64(0)
                if book[W_LEFT] != before:
                    followed += ONE
                    size = 1 + read_replies(*make_move(new_own, new_opp, new_ep, move, state), plies - TWO, state, book)
                    total += size
                if max(size, i64(1)) > most:
                    most, best = max(size, i64(1)), reply
    book[slot] = entry(key, best, plies)
    return total


@kernel(i32(i32, STATE, TABLE))
def read_book(plies, state, book):
    """Read the data of a book into its table; returns the number of the winner's moves, or -1 if the data are wrong.

    The position of the state is the root. plies: upper bound of the plies of the whole game; odd if the side to move at the
    root wins.
    """
    book[W_CODE], book[W_RANGE], book[W_NEXT], book[W_FAULT] = ZERO, FIRST_RANGE, ZERO, ZERO
    for model in range(MODELS, SLOTS):
        book[u64(model)] = np.uint64(HALF)
    for _ in range(4):
        book[W_CODE] = book[W_CODE] << EIGHT | read_byte(book)
    own, opp, ep = canonical(state.own, state.opp, state.ep, state)
    total, bound = i64(0), u64(plies)
    if bound & ONE:
        move = read_move(own, opp, ep, bound, np.uint64(MODELS), state, book)
        if move:
            own, opp, ep = make_move(own, opp, ep, move, state)
            total, bound = i64(1), bound - ONE
    if not bound & ONE:
        total += read_replies(own, opp, ep, bound, state, book)
    return i32(-1) if book[W_FAULT] else i32(total)


@kernel(u64(u64, u64, u64, STATE, TABLE))
def transposition(own, opp, ep, state, book):
    """A move to a position that the book has, with the loser to move, as move << 8 | plies; 0 if there is no such move.

    plies: upper bound of the plies to the end of the game, this move included. If several moves lead to such positions, the
    result is the move with the fewest plies.
    """
    best = ZERO
    for index in range(generate_moves(own, opp, ep, state)):
        move = u64(state.moves[index])
        new_own, new_opp, new_ep = make_move(own, opp, ep, move, state)
        word = book[find_slot(hash_key(*canonical(new_own, new_opp, new_ep, state)), book)]
        plies = (word & PLIES) + ONE
        if word and plies & ONE and (best == ZERO or plies < best & PLIES):
            best = move << EIGHT | plies
    return best


@kernel(u64(STATE, TABLE))
def look_up(state, book):
    """What the book says of the state's position, as IN_USE | move << 8 | plies; the move is 0 if the book names none.

    If the book does not have the position, the result is that of transposition(), without IN_USE.
    """
    own, opp, ep = state.own, state.opp, state.ep
    word = book[find_slot(hash_key(*canonical(own, opp, ep, state)), book)]
    if word == ZERO:
        return transposition(own, opp, ep, state, book)
    return IN_USE | canonical_move((word >> EIGHT) & MOVE, own, opp, ep, state) << EIGHT | word & PLIES
