"""Counts for evaluations, on bitboards seen by the side that moves up the board (engine/pawnstorm/games/rules.py). Rows are
numbered from 0.
"""

NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F
FULL = 0xFFFFFFFFFFFFFFFF
# The squares in whose row number each binary digit is 1.
ONES, TWOS, FOURS = 0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000


def rank_sum(pawns):
    """The sum of the row numbers of all pawns."""
    return (pawns & ONES).bit_count() + 2 * (pawns & TWOS).bit_count() + 4 * (pawns & FOURS).bit_count()


def highest_row(pawns):
    """The row number of the pawn that is furthest up; -1 without pawns."""
    return pawns.bit_length() - 1 >> 3


def lowest_row(pawns):
    """The row number of the pawn that is furthest down. There must be a pawn."""
    return (pawns & -pawns).bit_length() - 1 >> 3


def attacked_up(pawns):
    """Squares that pawns moving up attack; on a narrow board, some of these squares may lie outside the board."""
    return (pawns & NOT_A) << 7 & FULL | (pawns & NOT_H) << 9 & FULL


def attacked_down(pawns):
    """Squares that pawns moving down attack."""
    return (pawns & NOT_A) >> 9 | (pawns & NOT_H) >> 7


def passed_up(own, opp):
    """Pawns of `own`, moving up, with no enemy strictly ahead on their file or a neighbouring one."""
    ahead = opp >> 8
    ahead |= ahead >> 8
    ahead |= ahead >> 16
    ahead |= ahead >> 32
    return own & ~(ahead | (ahead & NOT_A) >> 1 | (ahead & NOT_H) << 1)


def passed_down(opp, own):
    """Pawns of `opp`, moving down, with no enemy strictly ahead on their file or a neighbouring one."""
    ahead = own << 8 & FULL
    ahead |= ahead << 8 & FULL
    ahead |= ahead << 16 & FULL
    ahead |= ahead << 32 & FULL
    return opp & ~(ahead | (ahead & NOT_A) >> 1 | (ahead & NOT_H) << 1)


def occupied_files(pawns):
    """The files with a pawn, as the bits of the first row."""
    pawns |= pawns >> 32
    pawns |= pawns >> 16
    return (pawns | pawns >> 8) & 0xFF
