"""Moves as action numbers, for learning programs. They count from 0; how many there are depends only on the game.

An action is the square that a pawn leaves, and a direction, both seen by the side to move, which moves up the board. For Black
the ranks are mirrored, but not the files: left is towards the a-file for both sides.

    action = (direction * ranks + rank) * files + file

rank and file are those of the square, counted from 0. direction is 0 for left, 1 for straight ahead, 2 for right or 3 for a
double step. Games without a double step have three directions. So action numbers are the flat indices of an array
(directions, ranks, files) in C order.

    White's   a2b3 in breakthrough:  2 * 64 + 1 * 8 + 0 = 136
    Black's   a7b6 in breakthrough:  the same, 136
"""

SHIFTS = (7, 8, 9, 16)
"""What each direction adds to the number of a pawn's square."""
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F


def directions(rules):
    """The number of directions of a game: 4 with double steps, 3 without."""
    return 4 if rules.double_step_squares else 3


def action_count(rules):
    """The number of actions of a game."""
    return directions(rules) * rules.ranks * rules.files


def action_of(rules, move):
    """The action of a move. The move is given as from | to << 6."""
    source, target = move & 63, move >> 6
    return (SHIFTS.index(target - source) * rules.ranks + (source >> 3)) * rules.files + (source & 7)


def move_of(rules, action):
    """The move of an action below action_count(). It may leave the board, or be illegal in every position."""
    rank, file = divmod(action, rules.files)
    direction, rank = divmod(rank, rules.ranks)
    source = rank << 3 | file
    return source | source + SHIFTS[direction] << 6


def sources(rules, own, opp, ep):
    """The pawns that may move in each direction, as a list with a bitboard for each. The game must not be over.

    The bitboards are ints, or numpy arrays of uint64 with one element for each of many positions.
    """
    empty = rules.board & ~(own | opp)
    diagonal_targets = opp | ep | empty & rules.quiet_diagonals
    step = own & empty >> 8
    found = [own & NOT_A & diagonal_targets >> 7, step, own & NOT_H & diagonal_targets >> 9]
    return [*found, step & rules.double_step_squares & empty >> 16] if rules.double_step_squares else found
