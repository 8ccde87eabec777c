"""Draws the board in a terminal.

With colours, White's pawns are white discs and Black's are black discs. Each square sets its own background, so the board
looks the same on dark and on light terminals. The colours come from the part of the 256-colour palette that themes do not
change. Both colours of pawns have a contrast of at least 3 on both colours of squares. The symbol is not a chess pawn, because
some terminals show the solid chess pawn as a picture with its own colours.

Without colours, the pawns are the letters W and B.
"""

DISC = "●"
WHITE, BLACK = 231, 16
LIGHT, DARK = 137, 94
"""Colours of pawns and squares, numbers in the palette."""


def picture(board, last="", turned=False, colours=False):
    """The board as lines of text. White is at the bottom, or Black if turned is true.

    last: a move in coordinates, whose two squares are marked with brackets, or "".
    """
    files, ranks = "abcdefgh"[: board.rules.files], range(board.rules.ranks, 0, -1)
    if turned:
        files, ranks = files[::-1], ranks[::-1]
    rows = []
    for rank in ranks:
        cells = (_cell(board, f"{file}{rank}", f"{file}{rank}" in (last[:2], last[2:4]), colours) for file in files)
        rows.append(f"{rank} " + "".join(cells) + ("\x1b[0m" if colours else ""))
    return "\n".join([*map(str.rstrip, rows), "   " + "  ".join(files)])


def _cell(board, name, marked, colours):
    """Draw one square, three characters wide."""
    file, rank = ord(name[0]) - ord("a"), int(name[1]) - 1
    white, black = (pawns >> 8 * rank + file & 1 for pawns in (board.white_pawns, board.black_pawns))
    symbol = (DISC if white or black else " ") if colours else "W" if white else "B" if black else "."
    text = f"[{symbol}]" if marked else f" {symbol} "
    if not colours:
        return text
    background, foreground = LIGHT if (file + rank) % 2 else DARK, BLACK if black else WHITE
    return f"\x1b[48;5;{background};38;5;{foreground}m{text}"
