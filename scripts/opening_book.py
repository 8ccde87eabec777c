"""Make the opening book of a game: `python scripts/opening_book.py COMMAND -h`.

    grow TREE       builds a tree of opening positions by long searches; each search is a line of the file TREE
    show TREE       prints the values of the moves at the start, or after some moves
    write TREE BOOK writes the book that the engine plays from

The tree grows where good players are most likely to play (pawnstorm_tools/opening_tree/tree.py). It can be grown further at
any time. The engine looks for the book of a game in engine/pawnstorm/openings/data/. The file must have the full name of the
game, such as breakthrough8x8.repertoire:

    python scripts/opening_book.py grow breakthrough.jsonl --variant breakthrough --nodes 20000000 --processes 1
    python scripts/opening_book.py write breakthrough.jsonl engine/pawnstorm/openings/data/breakthrough8x8.repertoire
"""

__extra__ = "build,match"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import math
import sys
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.games.notation import IllegalMove, ParseError, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_protocol import cli
from pawnstorm_tools.common import arguments, atomicfile, pool
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.opening_tree import TreeError, growing, output, writing

LARGEST = 1_000_000  # the most bytes of a book


def parse(argv):
    parser = cli.Parser(description="Make the opening book of a game.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    grown = commands.add_parser("grow", help="build a tree of opening positions by long searches")
    grown.add_argument("tree", type=Path, metavar="TREE", help="the file to write or to complete")
    grown.add_argument("--variant", default="breakthrough", help="the game (%(default)s)")
    limit = grown.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes", type=cli.positive, default=20_000_000, help="nodes of each search, on one thread (%(default)s)"
    )
    limit.add_argument(
        "--movetime",
        type=cli.positive,
        metavar="MS",
        help="milliseconds of each search, instead of nodes; results then depend on the machine and its load",
    )
    grown.add_argument(
        "--hash", type=cli.positive, default=256, metavar="MB", help="hash table of each search (%(default)s)"
    )
    grown.add_argument(
        "--searches", type=cli.positive, metavar="N", help="end when the file has N searches (at Ctrl-C)"
    )
    arguments.add_processes(grown)
    shown = commands.add_parser("show", help="print the values of a position's moves")
    shown.add_argument("tree", type=Path, metavar="TREE", help="what `grow` has written")
    shown.add_argument("moves", nargs="*", metavar="MOVE", help="the moves to the position, from the start")
    written = commands.add_parser("write", help="write the book that the engine plays from")
    written.add_argument("tree", type=Path, metavar="TREE", help="what `grow` has written")
    written.add_argument("book", type=Path, metavar="BOOK", help="the file to write")
    written.add_argument(
        "--size",
        type=cli.positive,
        default=LARGEST,
        metavar="BYTES",
        help="largest size; the paths that cost most (see --ply) are left out (%(default)s)",
    )
    for command in grown, shown, written:
        command.add_argument(
            "--margin",
            type=cli.int_range(0),
            default=5,
            metavar="CP",
            help="centipawns within which a move is as good as the best (%(default)s)",
        )
        command.add_argument(
            "--ply",
            type=cli.positive,
            default=3,
            metavar="CP",
            help="a move that loses this many centipawns costs its path as much as one more ply (%(default)s)",
        )
    return parser.parse_args(argv)


def grow(args):
    """Grow a tree until it has args.searches searches, or until Ctrl-C."""
    rules = get_rules(args.variant)
    limits = {"movetime": args.movetime} if args.movetime else {"nodes": args.nodes}
    native.core()
    with startup.when_stopped("the same command goes on"):
        growing.grow(
            args.tree, rules, limits, args.hash, args.ply, args.margin, args.searches or math.inf, args.processes
        )


def show(args):
    """Print a tree's moves for a position, best first."""
    tree = growing.read(args.tree, args.ply, args.margin)
    board = Board.start(tree.rules)
    for text in args.moves:
        board = board.push(parse_move(board, text))
    node = tree.node(board)
    if node is None or not node.edges:
        raise TreeError(f"the position after {' '.join(args.moves)} was not searched: expected moves of the tree")
    output.summary(tree)
    output.position(node, board, writing.played(node, args.margin))


def write(args):
    """Write the book of a tree."""
    atomicfile.check(args.book, read=[args.tree])
    tree = growing.read(args.tree, args.ply, args.margin)
    kept = writing.write(args.book, tree, args.margin, args.size)
    output.summary(tree)
    output.print_row(
        "book",
        f"{args.book}: {pluralize(len(kept), 'position')}, {pluralize(sum(len(entry.moves) for entry in kept), 'move')}, "
        f"{args.book.stat().st_size:,} bytes",
    )


@startup.program(UnknownGame, JournalError, TreeError, ParseError, IllegalMove, pool.PoolError)
def main(argv):
    args = parse(argv)
    return {"grow": grow, "show": show, "write": write}[args.command](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
