"""Draws boards as SVG.

A picture needs no other file, and has no ids and no style sheet. So a page can have many pictures, light ones and dark ones.
"""

from math import hypot
from xml.sax.saxutils import escape

from pawnstorm.games.notation import fen, move_text, parse_square, square_name

SQUARE, MARGIN = 45, 24
FONT = "system-ui, DejaVu Sans, sans-serif"
# A pawn in a square of 45 x 45: head, collar, body and base in one outline.
PAWN = (
    "M18.6 18.3a6 6 0 1 1 7.8 0h1.9q1.6 0 1.6 1.6t-1.6 1.6h-1.5c.3 6 4.8 8.3 5.3 12.2q2.4 .2 2.4 2.5v2.3h-24v-2.3q0-2.3 2.4-2.5"
    "c.5-3.9 5-6.2 5.3-12.2h-1.5q-1.6 0-1.6-1.6t1.6-1.6z"
)
LIGHT = {
    "back": "#ffffff",
    "text": "#57606a",
    "frame": "#8a7d66",
    "squares": ("#bf9869", "#f0dfc3"),
    "coordinates": ("#3f2a12", "#765228"),
    "last": "#f2c200",
    "last opacity": 0.5,
    "white": ("#ffffff", "#3a3631"),
    "black": ("#35322e", "#35322e"),
    "arrows": ("#1f6feb", "#c4320a"),
    "number": "#ffffff",
}
DARK = {
    "back": "#15181d",
    "text": "#9aa4b0",
    "frame": "#2b323b",
    "squares": ("#5f4732", "#86684a"),
    "coordinates": ("#dcc9b0", "#ffffff"),
    "last": "#c9a227",
    "last opacity": 0.5,
    "white": ("#f2efe8", "#14171b"),
    "black": ("#101317", "#c3cad2"),
    "arrows": ("#6cb0ff", "#ff9a66"),
    "number": "#0d0f12",
}
"""The colours of a picture. squares, coordinates: (for dark squares, for light squares). white, black: (fill, outline) of a
pawn. arrows: (White's moves, Black's moves).
"""
BOARDS = {
    "green": (
        {"squares": ("#8aab74", "#f0f2dd"), "coordinates": ("#24391a", "#456431")},
        {"squares": ("#3f5a3d", "#617b59"), "coordinates": ("#c9dcbf", "#ffffff")},
    ),
    "grey": (
        {"squares": ("#9db0bc", "#e6ebee"), "coordinates": ("#22323d", "#4d626f")},
        {"squares": ("#465160", "#68758a"), "coordinates": ("#c5ced8", "#ffffff")},
    ),
}
"""{name: (light, dark)} of the other boards that a page offers: the colours in which they differ from LIGHT and DARK."""


def picture(board, last=None, line=(), dark=False):
    """The SVG of a Board, with White at the bottom.

    last: (from, to), the squares of the move that led here, with a1 = 0 whoever moved. line: legal moves from here, such as a
    principal variation. They are drawn as arrows in one colour for each side, with numbers if there are several.
    """
    rules, colours = board.rules, DARK if dark else LIGHT
    width, height = SQUARE * rules.files + 2 * MARGIN, SQUARE * rules.ranks + 2 * MARGIN
    title, description = alt_text(board, last, line)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-label="{escape(title, {chr(34): "&quot;"})}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            f'<rect width="{width}" height="{height}" rx="6" fill="{colours["back"]}"/>',
            *backdrop(rules, colours),
            *_mark(rules, last, colours),
            _turn(board, colours),
            *_pawns(rules, board.black_pawns, colours["black"]),
            *_pawns(rules, board.white_pawns, colours["white"]),
            *_arrows(board, line, colours),
            "</svg>",
            "",
        ]
    )


def game_title(rules):
    """The name and the size of a game, as text for people."""
    family = rules.family
    name = {"twoflags": "Two Flags", "pawnsonly": "Two Flags", "minibreakthrough": "Breakthrough"}.get(
        family, family.capitalize()
    )
    return f"{name}, {rules.files} by {rules.ranks}"


def alt_text(board, last=None, line=()):
    """(title, description) of a picture for people who cannot see it."""
    turn = "the game is over" if board.is_game_over() else f"{'Black' if board.black_to_move else 'White'} to move"

    def listed(pawns):
        return ", ".join(square_name(square) for square in range(64) if pawns >> square & 1) or "none"

    description = f"White pawns: {listed(board.white_pawns)}. Black pawns: {listed(board.black_pawns)}."
    if last:
        description += f" Last move: {square_name(last[0])} to {square_name(last[1])}."
    if line:
        description += f" Line: {' '.join(text for text, _, _ in _follow(board, line))}."
    return f"{game_title(board.rules)}: {turn}", f"{description} FEN: {fen(board)}"


def _follow(board, line):
    """For each move of a line: (text, (from, to) with a1 = 0, whether Black moves)."""
    steps = []
    for move in line:
        text = move_text(board, move)
        steps.append(
            (text, (parse_square(board.rules, text[:2]), parse_square(board.rules, text[2:4])), board.black_to_move)
        )
        board = board.push(move)
    return steps


def _corner(rules, square, margin=MARGIN):
    """(x, y) of a square's upper left corner."""
    return margin + SQUARE * (square & 7), margin + SQUARE * (rules.ranks - 1 - (square >> 3))


def backdrop(rules, colours, margin=MARGIN, turned=False):
    """The elements of an empty board: squares, frame, coordinates.

    colours: in the form of LIGHT; CSS variables are possible too. turned: whether Black is at the bottom. Without a margin,
    there is no frame, and the coordinates are in the squares of the first file and the lowest rank.
    """
    dark, light = colours["squares"]
    width, height = SQUARE * rules.files, SQUARE * rules.ranks
    # If the numbers of files and ranks add up to an odd number, each place has the other colour after half a turn.
    odd = (rules.files + rules.ranks) % 2 if turned else 0
    yield f'<rect x="{margin}" y="{margin}" width="{width}" height="{height}" fill="{light}"/>'
    path = "".join(
        "M{} {}h{s}v{s}h-{s}z".format(*_corner(rules, 8 * rank + file, margin), s=SQUARE)
        for rank in range(rules.ranks)
        for file in range(rules.files)
        if (rank + file) % 2 == odd
    )
    yield f'<path d="{path}" fill="{dark}"/>'
    files, ranks = "abcdefgh"[: rules.files], "12345678"[: rules.ranks]
    if turned:
        files, ranks = files[::-1], ranks[::-1]
    yield from _outer(files, ranks, colours, margin) if margin else _inner(files, ranks, colours, odd)


def _outer(files, ranks, colours, margin):
    """The frame, and the coordinates in the margin. files, ranks: their names, from the left and from the bottom."""
    width, height = SQUARE * len(files), SQUARE * len(ranks)
    yield (
        f'<rect x="{margin - 0.75}" y="{margin - 0.75}" width="{width + 1.5}" height="{height + 1.5}" fill="none" '
        f'stroke="{colours["frame"]}" stroke-width="1.5"/>'
    )
    yield f'<g fill="{colours["text"]}" font-family="{FONT}" font-size="12" text-anchor="middle" aria-hidden="true">'
    for place, name in enumerate(files):
        yield f'<text x="{margin + SQUARE * (place + 0.5)}" y="{margin + height + 16}">{name}</text>'
    for place, name in enumerate(ranks):
        yield f'<text x="{margin / 2}" y="{margin + height - SQUARE * (place + 0.5) + 4}">{name}</text>'
    yield "</g>"


def _inner(files, ranks, colours, odd):
    """The coordinates in corners of squares. odd: 1 if the square at the lower left is light, else 0."""
    height = SQUARE * len(ranks)
    yield f'<g font-family="{FONT}" font-size="9" font-weight="600" aria-hidden="true">'
    for place, name in enumerate(files):
        fill, right = colours["coordinates"][(place + odd) % 2], SQUARE * (place + 1)
        yield f'<text x="{right - 1.5}" y="{height - 2}" text-anchor="end" fill="{fill}">{name}</text>'
    for place, name in enumerate(ranks):
        fill, top = colours["coordinates"][(place + odd) % 2], height - SQUARE * (place + 1)
        yield f'<text x="2" y="{top + 9}" fill="{fill}">{name}</text>'
    yield "</g>"


def _mark(rules, last, colours):
    for square in last or ():
        x, y = _corner(rules, square)
        yield (
            f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colours["last"]}" '
            f'fill-opacity="{colours["last opacity"]}"/>'
        )


def _turn(board, colours):
    """A dot in the colour of the player to move, to the right of the board, at this player's end."""
    fill, stroke = colours["black" if board.black_to_move else "white"]
    x = MARGIN * 1.5 + SQUARE * board.rules.files
    y = MARGIN + 7 if board.black_to_move else MARGIN + SQUARE * board.rules.ranks - 7
    return f'<circle cx="{x}" cy="{y}" r="5" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'


def _pawns(rules, pawns, colour):
    fill, stroke = colour
    yield f'<g fill="{fill}" stroke="{stroke}" stroke-width="1.6" stroke-linejoin="round">'
    for square in range(64):
        if pawns >> square & 1:
            yield pawn(*_corner(rules, square))
    yield "</g>"


def pawn(x, y):
    """The element of a pawn on the square with its upper left corner at (x, y). It has no colour of its own."""
    # The pawn is enlarged about the middle of the square.
    return f'<path transform="matrix(1.14 0 0 1.14 {x - 3.15:.2f} {y - 3.5:.2f})" d="{PAWN}"/>'


def _arrows(board, line, colours):
    steps = _follow(board, line)
    numbers = []
    for number, (_, squares, black) in enumerate(steps, 1):
        corners = (_corner(board.rules, square) for square in squares)
        (x, y), (to_x, to_y) = ((left + SQUARE / 2, top + SQUARE / 2) for left, top in corners)
        length = hypot(to_x - x, to_y - y)
        dx, dy = (to_x - x) / length, (to_y - y) / length
        # (along the arrow, across it). The shaft begins beside the pawn's head, and the tip ends just before the target's
        # centre.
        half = [(12, 3), (length - 17, 3), (length - 17, 8.5)]
        outline = [*half, (length - 1, 0), *((along, -across) for along, across in reversed(half))]
        points = " ".join(f"{x + dx * a - dy * b:.1f},{y + dy * a + dx * b:.1f}" for a, b in outline)
        colour, edge = colours["arrows"][black], colours["number"]
        yield f'<polygon points="{points}" fill="{colour}" fill-opacity=".88" stroke="{edge}" stroke-width=".8"/>'
        cx, cy = x + 10 * dx, y + 10 * dy
        numbers += [
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="7.5" fill="{colour}" stroke="{edge}" stroke-width=".8"/>',
            f'<text x="{cx:.1f}" y="{cy + 3.6:.1f}" fill="{edge}" font-family="{FONT}" font-size="10" font-weight="bold" '
            f'text-anchor="middle" aria-hidden="true">{number}</text>',
        ]
    # A single move needs no number. Arrows may cross, so the numbers are drawn above all arrows.
    yield from numbers if len(steps) > 1 else ()
