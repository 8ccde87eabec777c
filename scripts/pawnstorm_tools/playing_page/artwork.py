"""The pictures of the page on a web host, drawn as SVG and converted to PNG: its icons, and the picture that a
shared link shows.

The same version of vl-convert makes the same bytes, since it contains the font of all text.
"""

from xml.sax.saxutils import escape

from pawnstorm.games.notation import parse_fen, parse_square
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.reporting import picture

FONT = "Liberation Sans"
WIDTH, HEIGHT = 1200, 630
"""Pixels of the picture of a shared link, in the ratio that most services show."""
SHOWN, LAST = "1pppppp1/1p2p1pp/1p2p3/p1pp4/P2P1P2/1PP3PP/1P2P3/1PPPPPP1 b - - 0 14", ("g2", "g3")
"""A position of Breakthrough, and the move that led to it."""


def png(svg):
    """The SVG as the bytes of a PNG of the same size in pixels."""
    import vl_convert  # late: it takes long to import

    return vl_convert.svg_to_png(svg)


def icon(size, maskable=False):
    """A white pawn on four squares of a board, as PNG; size: pixels of a side.

    maskable: for systems that cut icons to a shape of their own. The corners are not transparent, and the pawn lies within
    the inner circle of 80 % that every shape keeps.
    """
    dark, light = picture.LIGHT["squares"]
    fill, stroke = picture.LIGHT["white"]
    scale = 10 if maskable else 13
    return png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 512 512">'
        f'<clipPath id="outline"><rect width="512" height="512" rx="{0 if maskable else 96}"/></clipPath>'
        f'<g clip-path="url(#outline)"><rect width="512" height="512" fill="{light}"/>'
        f'<path d="M0 256h256v256h-256zM256 0h256v256h-256z" fill="{dark}"/></g>'
        f'<path d="{picture.PAWN}" transform="translate(256 256) scale({scale}) translate(-22.5 -23.1)" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="1.6" stroke-linejoin="round"/></svg>'
    )


def link_picture(first, second):
    """The picture of a shared link, a PNG of WIDTH by HEIGHT: a board of Breakthrough, and the name with two lines of text
    below it. It has a margin, since some services crop it.
    """
    rules, colours = get_rules("breakthrough"), picture.LIGHT
    last = tuple(parse_square(rules, name) for name in LAST)
    board = picture.picture(parse_fen(rules, SHOWN), last).replace(picture.FONT, FONT)
    return png(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{colours["back"]}"/>'
        f'<g transform="translate(40 29) scale(1.4)">{board}</g>'
        f'<g font-family="{FONT}"><text x="660" y="295" font-size="84" font-weight="bold" '
        f'fill="{colours["white"][1]}">Pawnstorm</text>'
        f'<g font-size="34" fill="{colours["text"]}"><text x="663" y="362">{escape(first)}</text>'
        f'<text x="663" y="408">{escape(second)}</text></g></g></svg>'
    )
