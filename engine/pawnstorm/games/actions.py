"""Moves as action numbers, from 0 up to a number that depends on the game alone, as programs that learn want them.

A move is a square and a direction, both seen by the side to move, which moves up the board: Black's board is turned over
rank by rank, so that left is towards the a-file for both sides.

    action = (direction * ranks + rank) * files + file

where rank and file, counted from 0, are those of the square that the pawn leaves, and direction is 0 for left, 1 for
straight, 2 for right or 3 for a double step. Games without a double step have three directions. So the actions are the
elements of an array (directions, ranks, files) in C order.

    White's   a2b3 in breakthrough:  2 * 64 + 1 * 8 + 0 = 136
    Black's   a7b6 in breakthrough:  the same, 136
"""

SHIFTS = (7, 8, 9, 16)
"""By how many squares each direction moves."""
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F


def directions(rules):
    """The number of directions of a game: 4 with double steps, 3 without."""
    return 4 if rules.double_step_squares else 3


def action_count(rules):
    """The number of actions of a game."""
    return directions(rules) * rules.ranks * rules.files


def action_of(rules, move):
    """The action of a move, from | to << 6."""
    source, target = move & 63, move >> 6
    return (SHIFTS.index(target - source) * rules.ranks + (source >> 3)) * rules.files + (source & 7)


def move_of(rules, action):
    """The move of an action below action_count(); it may be illegal in every position, or leave the board."""
    rank, file = divmod(action, rules.files)
    direction, rank = divmod(rank, rules.ranks)
    source = rank << 3 | file
    return source | source + SHIFTS[direction] << 6


def sources(rules, own, opp, ep):
    """The squares of the pawns that may move in each direction, as one bitboard for each, in a position that is not over.

    The bitboards are ints, or numpy arrays of uint64 with one element for each of many positions.
    """
    empty = rules.board & ~(own | opp)
    diagonal_targets = opp | ep | empty & rules.quiet_diagonals
    step = own & empty >> 8
    found = [own & NOT_A & diagonal_targets >> 7, step, own & NOT_H & diagonal_targets >> 9]
    return [*found, step & rules.double_step_squares & empty >> 16] if rules.double_step_squares else found
