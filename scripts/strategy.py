"""Make the book of a solved game, a proof of it, and the game's opening.

    python scripts/strategy.py make engine/pawnstorm/proof/data/twoflags8x8.book --variant twoflags --leaf 1000 --hash 4096 \\
      --threads 2 --save table
    python scripts/strategy.py prove engine/pawnstorm/proof/data/twoflags8x8.book --proof twoflags.proof
    python scripts/verify.py twoflags.proof
    python scripts/strategy.py walk engine/pawnstorm/proof/data/twoflags8x8.book --engine dist/pawnstorm/pawnstorm --movetime 10
    python scripts/positions.py all 6 > six.epd
    python scripts/positions.py value six.epd six.jsonl --hash 4096
    python scripts/strategy.py opening engine/pawnstorm/proof/data/twoflags8x8.opening six.jsonl --plies 6

`make` proves the start position, as scripts/solve.py does. Then it writes the winner's strategy, down to the positions that a
solver with an empty table proves within --leaf expansions (engine/pawnstorm/proof/book.py, solving/book_maker.py). With
--moves N, it makes a line book of N of the winner's moves: those that games are most likely to need
(engine/pawnstorm/proof/line_book.py, solving/likely_lines.py). With --first, it proves only the position after the winner's first
move, which saves the work that the other first moves would take.

With --save FILE, the program saves the proof's table in FILE every minute and at Ctrl-C. After the proof, it decides for each
position of the winner whether the book needs a move or leaves the position to the solver (solving/decisions.py). It saves these
decisions in FILE.strategy, about a thousand at a time, or in FILE.lines with --moves. The next run reads these files.

`prove` writes the strategy of a book as a proof for scripts/verify.py. The solver adds the strategy below the book. `ends`
prints a sample of the positions at which the book's lines end, or, with --replies, of the positions after the loser's first
moves. `positions.py value` can prove that these are won, and its `check` verifies such proofs. `walk` has an engine play the
winning side. It tries all combinations of the loser's first moves (--replies of them). After these, the loser's moves are
random, or another engine plays them (--against).

`opening` writes which positions up to --plies from the start are lost. It uses the values of all positions after these plies,
which `positions.py` finds.
"""

__extra__ = "build,solve"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import contextlib
import sys
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.notation import IllegalMove, ParseError, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.pgn import reader
from pawnstorm.pgn.replaying import Replay
from pawnstorm.proof import book
from pawnstorm.proof.line_book import LineBook
from pawnstorm.proof.prover import Prover
from pawnstorm_protocol import cli
from pawnstorm_protocol.client.process import EngineError, EngineFault
from pawnstorm_tools.common import arguments, atomicfile
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.common.random_openings import epd
from pawnstorm_tools.measuring import known_values, strategy_walk
from pawnstorm_tools.solving import Missing, NotWon, TooLarge, TooLong, line_log, savefile
from pawnstorm_tools.solving.decisions import MOST_NODES, Decisions
from pawnstorm_tools.solving.run import Run

GAME, LEAF = "twoflags", 1000  # what `make` takes by default


def parse(argv):
    parser = cli.Parser(description="Make the book of a solved game, a proof of it, or its opening.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="solve a game and write its book")
    make.add_argument("book", type=Path, help="the file to write")
    make.add_argument("--variant", help=f"the game, such as twoflags7x7 ({GAME})")
    make.add_argument(
        "--leaf",
        type=cli.int_range(1, MOST_NODES),
        metavar="N",
        help=f"end the book at positions proven within N expansions ({LEAF})",
    )
    make.add_argument(
        "--moves",
        type=cli.positive,
        metavar="N",
        help="make a line book of N moves of the winner: those that games are most likely to need",
    )
    make.add_argument(
        "--games",
        type=Path,
        metavar="FILE",
        help="a PGN file; if one of its games leaves the line book in a position, this position counts as likely",
    )
    make.add_argument(
        "--extend",
        type=Path,
        metavar="BOOK",
        help="a line book to extend; the start is not proven again, and the book determines the game. With --moves and "
        "--games: add moves where the games leave the book, until it has --moves moves in all. With --leaf: add moves until "
        "each line ends in a position proven within --leaf expansions",
    )
    make.add_argument(
        "--first",
        metavar="MOVE",
        help="the winner's first move, if it is known; the program then proves only the position after this move",
    )
    arguments.add_save(make, "the proof's table")
    prove = commands.add_parser("prove", help="write the strategy of a book as a proof")
    prove.add_argument("book", type=Path, help="the file to read")
    prove.add_argument(
        "--proof", type=Path, required=True, metavar="FILE", help="the file to write, for scripts/verify.py"
    )
    prove.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="what `make --save FILE` has saved: its proofs are not searched for again",
    )
    ends = commands.add_parser("ends", help="print, as EPD, positions at which a book's lines end")
    ends.add_argument("book", type=Path, help="the file to read")
    ends.add_argument(
        "--count", type=cli.positive, default=100, metavar="N", help="positions, drawn at random (%(default)s)"
    )
    ends.add_argument(
        "--replies",
        type=cli.positive,
        metavar="N",
        help="instead of the ends, print positions after the loser's first N moves",
    )
    walk = commands.add_parser("walk", help="have an engine win the game of a book")
    walk.add_argument("book", type=Path, help="the file to read")
    walk.add_argument("--engine", required=True, metavar="COMMAND", help="a UCI engine")
    walk.add_argument(
        "--movetime", type=cli.positive, default=10, metavar="MS", help="for each of its moves (%(default)s)"
    )
    walk.add_argument(
        "--replies",
        type=cli.positive,
        default=3,
        metavar="N",
        help="try all choices for the first N moves of the loser (%(default)s)",
    )
    walk.add_argument(
        "--sample", type=cli.positive, metavar="N", help="play on from only N of the positions, drawn at random"
    )
    walk.add_argument("--against", metavar="COMMAND", help="a UCI engine that plays the loser after these moves")
    walk.add_argument(
        "--against-movetime", type=cli.positive, default=1000, metavar="MS", help="for each of its moves (%(default)s)"
    )
    arguments.add_uci_options(walk, "Fairy-Stockfish needs VariantPath=scripts/variants.ini", "--against-option")
    walk.add_argument("--seed", type=int, default=1, help="seed of all that is drawn at random (%(default)s)")
    opening = commands.add_parser("opening", help="write which early positions are lost")
    opening.add_argument("opening", type=Path, help="the file to write")
    opening.add_argument("values", type=Path, help="the file of `positions.py value` for all positions after --plies")
    opening.add_argument(
        "--plies", type=cli.positive, required=True, metavar="N", help="from the start to the positions of known value"
    )
    arguments.add_solver(make)
    arguments.add_solver(prove)
    args = parser.parse_args(argv)
    if args.command == "make":
        arguments.check_save(make, args)
        if args.games and not args.moves:
            make.error("argument --games: expected --moves too")
        if args.extend and (bool(args.games) == bool(args.leaf) or args.first or args.variant):
            make.error("argument --extend: expected either --games or --leaf too, and not --first or --variant")
        if args.extend and args.leaf and args.moves:
            make.error("argument --extend: expected no --moves with --leaf, which alone determines the number of moves")
    return args


def make(args):
    """Solve a game and write its book."""
    extended = args.extend and read_lines(args.extend, args.moves)
    rules = get_rules(extended.game if extended else args.variant or GAME)
    leaf_nodes = args.leaf or (extended.leaf_nodes if extended else LEAF)
    kept = args.save and Path(f"{args.save}.{'lines' if args.moves else 'strategy'}")
    read = [path for path in (args.games, args.extend) if path]
    atomicfile.check(args.book, args.save, kept, read=read)  # checked before hours of work, not after them
    root = Board.start(rules)
    first = parse_move(root, args.first) if args.first else 0
    games = [Replay(rules, game).boards for game in reader.read(args.games)] if args.games else []
    native.core()
    prover = Prover(args.hash, args.threads, endings=True)
    with (
        savefile.lock_file(args.save),
        contextlib.closing(line_log.open_log(rules, leaf_nodes, kept) if args.moves else Decisions(rules, kept)) as log,
        contextlib.closing(
            # reprove=False: `prove` proves the whole strategy of the book again.
            Run(prover, rules.name, args.save, args.every, args.keep, reprove=False)
        ) as run,
    ):
        if not extended:
            run.prove(root.push(first) if first else root, rules.name)
            run.save()
        from pawnstorm_tools.solving import book_maker  # numba: some seconds

        if args.moves:
            from pawnstorm_tools.training.own_search import OwnSearch

            if extended:
                book_maker.extend_lines(run, root, extended, args.book, args.moves, log, OwnSearch, games)
            else:
                book_maker.make_lines(run, root, first, leaf_nodes, args.book, args.moves, log, OwnSearch, games)
        elif extended:
            book_maker.complete_lines(run, root, extended, leaf_nodes, args.book, log)
        else:
            book_maker.make(run, root, first, leaf_nodes, args.book, log)


def read_lines(path, moves):
    """Read a line book to which a run adds moves. Raises BadFile, OSError, MemoryError.

    moves: how many the new book gets; None if nothing limits them
    """
    found = LineBook(path)
    if moves and found.moves >= moves:
        raise BadFile(f"--moves {moves}: {path} has {found.moves} moves already, expected a larger number")
    return found


def read(path):
    """Read the book of a file. Raises BadFile, OSError, MemoryError."""
    found = book.read(path)
    if not found.leaf_nodes:
        raise BadFile(f"{path} is an opening: expected a book, which `make` writes")
    return found


def prove(args):
    """Write the strategy of a book as a proof."""
    savefile.require_locks(args.proof)
    atomicfile.check(args.proof, read=[path for path in (args.book, args.table) if path])
    found = read(args.book)
    native.core()
    from pawnstorm_tools.solving import book_maker, table_save  # numba: some seconds

    prover = Prover(args.hash, args.threads, endings=True)
    if args.table:
        table_save.load(args.table, prover.table, get_rules(found.game).name)
    book_maker.write_proof(found, prover, args.proof)


def walk(args):
    """Have an engine play the winning side of a book's game. Returns the exit status: 0 if there was at least one game and the
    engine won them all, otherwise 1.
    """
    found = read(args.book)
    native.core()
    opponent = (args.against, args.against_movetime, args.against_option) if args.against else None
    won = strategy_walk.run(found, args.engine, args.movetime, args.replies, args.seed, args.sample, opponent)
    return 0 if won else 1


def ends(args):
    """Print, as EPD, positions at which a book's lines end, or positions after the loser's first moves."""
    found = read(args.book)
    native.core()
    if args.replies:
        boards = strategy_walk.first_positions(found, args.replies, args.count)
    else:
        from pawnstorm_tools.solving import book_maker  # numba: some seconds

        boards = book_maker.ends(found, Board.start(get_rules(found.game)), args.count)
    for board in boards:
        print(epd(board))


def opening(args):
    """Write the table of the early positions that are lost."""
    atomicfile.check(args.opening, read=[args.values])
    _, rules, records = known_values.read(args.values)
    known = {
        position.board.canonical().bitboards: position.within for position in known_values.of_value(rules, records)
    }
    from pawnstorm_tools.solving import book_maker  # numba: some seconds

    book_maker.make_opening(args.opening, rules, known, args.plies)


@startup.program(
    UnknownGame,
    ParseError,
    IllegalMove,
    BadFile,
    NotWon,
    savefile.BadSave,
    TooLarge,
    TooLong,
    EngineError,
    EngineFault,
    JournalError,
    Missing,
)
def main(argv):
    args = parse(argv)
    return {"make": make, "prove": prove, "ends": ends, "walk": walk, "opening": opening}[args.command](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
