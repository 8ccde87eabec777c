"""Converts boards and moves from and to text: FEN and coordinates.

Every error names the token and says what was expected.
"""

from pawnstorm.games.position import Board

FILES = "abcdefgh"
COLOURS = ("White", "Black")


class ParseError(ValueError):
    """A text cannot be read. The message names the faulty part and says what was expected."""


class IllegalMove(ValueError):
    """The text is a move, but the position does not allow it. The message names the move and the position."""


class AmbiguousMove(IllegalMove):
    """The text fits several legal moves. The message names the text and the position."""


def square_name(square):
    """The name of a square, such as `a1` for 0."""
    return FILES[square & 7] + str((square >> 3) + 1)


def parse_square(rules, text):
    """The number of a square of the board. Raises ParseError."""
    if len(text) == 2 and text[0] in FILES[: rules.files] and text[1] in "12345678"[: rules.ranks]:
        return FILES.index(text[0]) + 8 * (int(text[1]) - 1)
    raise ParseError(
        f"'{_shorten(text)}' is not a square of {rules.name}: expected a1 to {FILES[rules.files - 1]}{rules.ranks}"
    )


def _flip_square(rules, square):
    """The square seen from the other side."""
    return square & 7 | (rules.ranks - 1 - (square >> 3)) << 3


def _shorten(text):
    """The text, cut to 80 letters for an error message."""
    return text if len(text) <= 80 else text[:77] + "..."


def parse_fen(rules, text):
    """The Board of a FEN of one to six fields. Raises ParseError.

    The fields are the ranks from the top, with `P` for White and `p` for Black; the side to move; `-`; the en passant
    square or `-`; and two counters. The en passant square is kept only if a capture on it exists. A square that no
    double step can have passed is an error.
    """
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise ParseError(f"a FEN has 1 to 6 fields, not {len(fields)}: '{_shorten(text.strip())}'")
    placement, side, castling, ep_square, half, full = fields + ["", "w", "-", "-", "0", "1"][len(fields) :]
    white, black = _parse_placement(rules, placement)
    if side not in ("w", "b"):
        raise ParseError(f"bad side to move '{_shorten(side)}': expected w or b")
    if castling != "-":
        raise ParseError(f"bad third field '{_shorten(castling)}': expected -, because nobody castles")
    for counter in (half, full):
        if not (counter.isascii() and counter.isdigit() and len(counter) <= 9):
            raise ParseError(f"bad counter '{_shorten(counter)}': expected a whole number")
    own, opp = (rules.flip(black), rules.flip(white)) if side == "b" else (white, black)
    if not opp:
        shown = _shorten(placement)
        raise ParseError(
            f"'{shown}': expected a pawn of the side that is not to move" if own else f"the board '{shown}' is empty"
        )
    if own & rules.goal:
        raise ParseError(f"'{_shorten(placement)}': expected no pawn of the side to move ({side}) on its far rank")
    ep = 0 if ep_square == "-" else _parse_passed(rules, ep_square, side, own, opp)
    return Board(rules, own, opp, ep, side == "b", int(half), max(1, int(full)))


def _parse_placement(rules, placement):
    """(white, black) bitboards seen by White."""
    rows = placement.split("/")
    if len(rows) != rules.ranks:
        raise ParseError(f"'{_shorten(placement)}': expected {rules.ranks} ranks ({rules.name}), found {len(rows)}")
    pawns = {"P": 0, "p": 0}
    for rank, row in zip(reversed(range(rules.ranks)), rows):
        file = 0
        for letter in row:
            if letter in pawns:
                pawns[letter] |= 1 << 8 * rank + file if file < 8 else 0
                file += 1
            elif letter in "12345678":
                file += int(letter)
            else:
                raise ParseError(f"bad letter '{letter}' in rank '{_shorten(row)}': expected P, p or a digit")
        if file != rules.files:
            raise ParseError(f"rank '{_shorten(row)}': expected a width of {rules.files} ({rules.name}), found {file}")
    return pawns["P"], pawns["p"]


def _parse_passed(rules, text, side, own, opp):
    """The en passant mask of a FEN's fourth field; 0 if no capture on the square exists. Raises ParseError."""
    square = parse_square(rules, text)
    bit = 1 << (_flip_square(rules, square) if side == "b" else square)
    if not Board(rules, own, opp, bit, side == "b").is_valid():
        raise ParseError(
            f"bad en passant square '{_shorten(text)}': expected '-' or a square just passed by a double step"
        )
    west, east = bit >> 9 & 0x7F7F7F7F7F7F7F7F, bit >> 7 & 0xFEFEFEFEFEFEFEFE
    return bit if own & (west | east) else 0


def _rows(board):
    """The ranks from the top: P, p or a dot for each square."""
    white, black, files = board.white_pawns, board.black_pawns, range(board.rules.files)
    for rank in reversed(range(board.rules.ranks)):
        cells = (8 * rank + file for file in files)
        yield "".join("P" if white >> cell & 1 else "p" if black >> cell & 1 else "." for cell in cells)


def fen(board):
    """The six fields of a FEN."""
    placement = "/".join(_rows(board))
    for gap in range(board.rules.files, 0, -1):
        placement = placement.replace("." * gap, str(gap))
    ep_square = "-"
    if board.ep:
        square = board.ep.bit_length() - 1
        ep_square = square_name(_flip_square(board.rules, square) if board.black_to_move else square)
    return f"{placement} {'b' if board.black_to_move else 'w'} - {ep_square} {board.halfmove} {board.fullmove}"


def move_text(board, move):
    """The coordinates of a move in lower case, with the game's suffix if the move goes to the far rank."""
    source, target = move & 63, move >> 6 & 63
    suffix = board.rules.promotion_suffix if 1 << target & board.rules.goal else ""
    if board.black_to_move:
        source, target = _flip_square(board.rules, source), _flip_square(board.rules, target)
    return square_name(source) + square_name(target) + suffix


def parse_move(board, text):
    """The legal move that a text names; every game accepts both `e7e8` and `e7e8q`. Raises ParseError, IllegalMove."""
    rules = board.rules
    if len(text) not in (4, 5) or text[4:] not in ("", "q"):
        raise ParseError(f"'{text[:20]}' is not a move: expected two squares such as e2e4")
    source, target = parse_square(rules, text[:2]), parse_square(rules, text[2:4])
    if board.black_to_move:
        source, target = _flip_square(rules, source), _flip_square(rules, target)
    move = source | target << 6
    if move not in board.moves() or (text[4:] and not 1 << target & rules.goal):
        raise IllegalMove(f"illegal move '{text}' in {fen(board)}")
    return move


def loss_reason(board):
    """Why the side to move has lost, in words. The game must be over on this board."""
    if board.opp & board.rules.home:
        return "far rank reached"
    return "no move left" if board.own else "last pawn taken"


def set_up(rules, text, moves):
    """Set up a FEN, or the start position if text is None, and play moves that are given as texts.

    Returns (Board, fault). fault is None, or a message that names the move that could not be read or played. This move
    and those after it are ignored. Raises ParseError if the FEN is wrong.
    """
    board = Board.start(rules) if text is None else parse_fen(rules, text)
    for word in moves:
        try:
            board = board.push(parse_move(board, word))
        except (ParseError, IllegalMove) as error:
            return board, f"{error}; this move and those after it are ignored"
    return board, None


def line_text(board, line):
    """The moves of a line from a board, in coordinates."""
    words = []
    for move in line:
        words.append(move_text(board, move))
        board = board.push(move)
    return " ".join(words)


def diagram(board):
    """The board in characters, White at the bottom, with the FEN below."""
    rules = board.rules
    rows = [f"{rank}  {' '.join(row)}" for rank, row in zip(range(rules.ranks, 0, -1), _rows(board))]
    files = "   " + " ".join(FILES[: rules.files])
    return "\n".join([*rows, files, "", f"Game: {rules.name}", f"Fen: {fen(board)}"])
