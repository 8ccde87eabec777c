"""Draw a board: `python scripts/diagram.py FEN [--variant GAME] [--move e2e4] [--line "e7e5 d2d4"] [--dark] -o board.svg`.

The picture is an SVG file that needs no other files, or a PNG file if its name ends in .png.
"""

import argparse
from pathlib import Path

from pawnstorm.games.notation import ParseError, fen, parse_fen, parse_move, parse_square
from pawnstorm.games.rules import DEFAULT_GAME, get_rules
from pawnstorm_protocol import cli
from pawnstorm_tools import startup
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.reporting.picture import picture

PNG_SCALE = 2
"""Pixels of the PNG for each pixel of the SVG."""


def parse_last(board, text):
    """(from, to) of the last move, which led to the board. Raises ParseError if it cannot have done so."""
    if len(text) not in (4, 5) or text[4:] not in ("", "q"):
        raise ParseError(f"'{text[:20]}' is not a move: expected two squares such as e2e4")
    source, target = parse_square(board.rules, text[:2]), parse_square(board.rules, text[2:4])
    # If Black is to move, White made the last move.
    movers, doubles = (
        (board.white_pawns, board.rules.double_step_squares)
        if board.black_to_move
        else (board.black_pawns, board.rules.flip(board.rules.double_step_squares))
    )
    ahead = ((target >> 3) - (source >> 3)) * (1 if board.black_to_move else -1)
    aside = abs((target & 7) - (source & 7))
    pawns = board.white_pawns | board.black_pawns
    twice = ahead == 2 and aside == 0 and doubles >> source & 1 and not pawns >> (source + target) // 2 & 1
    if not (ahead == 1 and aside <= 1 or twice) or not movers >> target & 1 or pawns >> source & 1:
        raise ParseError(f"'{text}' has not led to {fen(board)}: the FEN is the position after the move")
    return source, target


def parse_line(board, text):
    """The legal moves that a text names. Raises ParseError, IllegalMove."""
    line = []
    for word in text.split():
        line.append(parse_move(board, word))
        board = board.push(line[-1])
    return line


def picture_file(text):
    """Parse the name of the file to write. A name without a suffix, such as that of a device, is for SVG."""
    path = Path(text)
    if path.suffix.lower() not in ("", ".svg", ".png"):
        raise argparse.ArgumentTypeError(f"'{path.suffix[:40]}' of '{text[-80:]}': expected .svg or .png")
    return path


def parse(argv):
    parser = cli.Parser(description="Draw a position as SVG or PNG.")
    parser.add_argument("fen", help="the position, after the move of --move")
    parser.add_argument("--variant", default=DEFAULT_GAME, metavar="GAME", help="the game (%(default)s)")
    parser.add_argument("--move", metavar="MOVE", help="the last move, whose squares are marked")
    parser.add_argument("--line", default="", metavar="MOVES", help="moves from the position, drawn as arrows")
    parser.add_argument("--dark", action="store_true", help="for a dark page")
    parser.add_argument(
        "-o",
        dest="output",
        type=picture_file,
        metavar="FILE",
        help="where to write it: SVG, or PNG if it ends in .png (SVG to standard output)",
    )
    return parser.parse_args(argv)


@startup.program(ValueError)  # the base of all errors in a game's name, a FEN or a move
def main(argv):
    args = parse(argv)
    board = parse_fen(get_rules(args.variant), args.fen)
    last = parse_last(board, args.move) if args.move else None
    svg = picture(board, last, parse_line(board, args.line), args.dark)
    if args.output and args.output.suffix.lower() == ".png":
        import vl_convert  # late: SVG needs no library

        atomicfile.write(args.output, vl_convert.svg_to_png(svg, scale=PNG_SCALE))
    elif args.output:
        atomicfile.write(args.output, svg.encode())
    else:
        print(svg, end="")
