"""Finds the games that a position can belong to, for a FEN without the name of its game."""

from pawnstorm.games.notation import ParseError, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import DEFAULT_GAME, FAMILIES, get_rules


def possible_games(text):
    """The Rules of the games that the position of a FEN may come from, in the order of FAMILIES.

    If the position is the start position of a game, with White to move, the result has only this game, even if another
    game can lead to the position. Otherwise the result has each game that meets all of these conditions:

    * The game is played on a board of this size.
    * Neither side has more pawns than it starts with.
    * No pawn is farther back than the rank on which its side's pawns begin, since pawns never move back.
    * If the FEN names an en passant square, the game has captures en passant.

    The conditions are necessary, but not sufficient: a game in the result may still be unable to lead to the position.
    The result is [] if no game meets them, as for a position that was set up by hand. Raises ParseError if no game of
    this size can read the FEN.
    """
    return _possible(_boards(text))


def readable_games(text):
    """The Rules of all games that can read a FEN; those of possible_games() come first. Raises ParseError if none can."""
    boards = _boards(text)
    possible = _possible(boards)
    return possible + [board.rules for board in boards if board.rules not in possible]


def _boards(text):
    """The position of a FEN in each game that can read it. Raises ParseError if no game can."""
    boards, fault = [], None
    for rules in _games_of_size(text):
        try:
            boards.append(parse_fen(rules, text))
        except ParseError as error:
            fault = fault or error
    if fault and not boards:
        raise fault
    return boards


def _possible(boards):
    """The Rules of those boards that can arise in play, as possible_games() describes."""
    started = [
        board.rules
        for board in boards
        if board.bitboards == Board.start(board.rules).bitboards and not board.black_to_move
    ]
    return started or [board.rules for board in boards if _can_be_reached(board)]


def _games_of_size(text):
    """The Rules of each family that is played on a board of the FEN's size. Raises ParseError if there is none."""
    if not text.strip():
        raise ParseError("an empty FEN: expected one such as " + get_rules(DEFAULT_GAME).start_fen)
    rows = text.split(None, 1)[0].split("/")
    files = sum(int(letter) if letter in "12345678" else 1 for letter in rows[0])
    found = [
        get_rules(f"{family}{files}x{len(rows)}")
        for family, (*_, widths, heights) in FAMILIES.items()
        if files in widths and len(rows) in heights
    ]
    if not found:
        raise ParseError(
            f"no game is played on a board {files} wide and {len(rows)} high, as in '{'/'.join(rows)[:80]}': expected a FEN "
            f"such as {get_rules(DEFAULT_GAME).start_fen}"
        )
    return found


def _can_be_reached(board):
    """Whether each side has at most the pawns that it starts with, and none farther back than at the start."""
    rules = board.rules
    behind = (1 << 8 * rules.first_row) - 1
    count = bin(rules.start_pawns).count("1")
    sides = board.own, rules.flip(board.opp)
    return all(bin(pawns).count("1") <= count and not pawns & behind for pawns in sides)
