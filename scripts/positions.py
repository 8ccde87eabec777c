"""Make positions of known value, and test engines on them: `python scripts/positions.py COMMAND -h`.

    make FILE       makes positions by random legal moves from the start, --count for each range of plies. The solver
                    finds who wins each of them, and by which moves. These positions are left out: races, repetitions (in
                    another order of moves or as a mirror image), and positions in which every move wins. Nothing else
                    affects the choice: a position that the solver cannot settle within --cap expansions stays in FILE,
                    without a value, and is one of the --count positions
    games FILE PGN  takes hard wins from games, at most one from each. The solver walks backwards from the end, to the
                    first position that it does not decide within a quarter of --cap. These wins are left out: wins by
                    a race, wins in which more than half of the moves win (moves that lose by a race do not count),
                    wins that the solver finds within --least expansions, wins with a move that it does not decide, and
                    repetitions. No engine's search affects the choice
    all PLIES       prints as EPD all positions after a number of plies, but no finished games, and only one of each pair of
                    mirror images
    value EPD FILE  the solver finds who wins each position of an EPD file, but not by which moves
    epd FILE        prints the positions of known value as EPD: openings for scripts/match.py
    check FILE      proves a sample of the values again, chosen evenly from the file, and checks the proofs as
                    scripts/verify.py does
    measure FILE    lets a UCI engine think about each position. Is a won position still won after its move? Does its
                    score say who wins, as proven? The file must be from `make` or `games`, which record the winning moves
    conversion FILE PGN    prints, for each player of a match from the positions of FILE, how often it won the games in which
                    it had the winning side

The same command continues a long run that was interrupted or killed: `make`, `games` and `value` from their file, the others
if they were given --results. The variant, the plies, the seed and --cap alone determine which positions `make` chooses.

This command made scripts/positions/twoflags.jsonl:

    python scripts/positions.py make scripts/positions/twoflags.jsonl
"""

__extra__ = "train"

from pawnstorm_tools import startup  # first, before imports that take long

# isort: split
import sys
from pathlib import Path

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.proof.prover import UNLIMITED, Prover
from pawnstorm_protocol import cli
from pawnstorm_protocol.client.process import EngineError, EngineFault
from pawnstorm_tools.common import arguments
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.common.pool import PoolError
from pawnstorm_tools.common.random_openings import epd, levels
from pawnstorm_tools.measuring import known_values, late_wins, valuation
from pawnstorm_tools.referee.opening_book import OpeningError

PLIES = ((4, 8), (9, 14))
LEAST, CAP = 100_000, 16_000_000
LEFT = ((11, 14), (15, 18), (19, 22), (23, 99))


def parse(argv):
    parser = cli.Parser(description="Positions of known value, and what engines make of them.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="draw positions and find their values")
    made.add_argument("file", type=Path, help="the file to write or to complete")
    arguments.add_plies(made, PLIES, "a range of plies from the start, given once or several times", several=True)
    made.add_argument("--count", type=cli.positive, default=250, help="positions for each range (%(default)s)")
    arguments.add_seed(made)
    late = commands.add_parser("games", help="take hard wins from games, and find all their winning moves")
    late.add_argument("file", type=Path, help="the file to write or to complete")
    late.add_argument("games", type=Path, metavar="PGN", help="the games; more may be appended later")
    arguments.add_plies(late, LEFT, "a range of plies to the end, given once or several times", several=True)
    late.add_argument("--count", type=cli.positive, default=500, help="positions in all (%(default)s)")
    late.add_argument(
        "--least",
        type=cli.int_range(0),
        default=LEAST,
        metavar="NODES",
        help="leave out what the solver decides within NODES expansions from an empty table (%(default)s)",
    )
    late.add_argument(
        "--cap",
        type=cli.positive,
        default=CAP,
        metavar="NODES",
        help="most expansions to decide the moves of a position; a quarter of this to decide the position (%(default)s)",
    )
    late.add_argument(
        "--hash", type=cli.positive, default=1024, metavar="MB", help="size of each process's table (%(default)s)"
    )
    arguments.add_processes(late)
    every = commands.add_parser("all", help="print all positions after some plies as EPD")
    every.add_argument("plies", type=cli.positive, metavar="PLIES", help="from the start")
    valued = commands.add_parser("value", help="find the values of given positions")
    valued.add_argument("openings", type=Path, metavar="EPD", help="the positions, in EPD or FEN")
    valued.add_argument(
        "file", type=Path, help="the file to write or to complete; it may be one with values of other positions"
    )
    valued.add_argument("--count", type=cli.positive, metavar="N", help="only the first N positions (all)")
    for command in made, late, every, valued:
        command.add_argument("--variant", default="twoflags", help="the game (%(default)s)")
    for command in made, valued:
        command.add_argument(
            "--cap",
            type=cli.positive,
            default=UNLIMITED,
            metavar="NODES",
            help="skip a position that takes more expansions (never)",
        )
    listed = commands.add_parser("epd", help="print the positions of known value as EPD")
    listed.add_argument("file", type=Path, help="what `make`, `games` or `value` has written")
    checked = commands.add_parser("check", help="prove values again, and check the proofs as scripts/verify.py does")
    checked.add_argument("file", type=Path, help="what `make`, `games` or `value` has written")
    checked.add_argument("--count", type=cli.positive, default=50, help="how many values to check (%(default)s)")
    checked.add_argument("--moves", action="store_true", help="also check the position after each move")
    for command in made, valued, checked:
        arguments.add_solver(command, 2048)
    measured = commands.add_parser("measure", help="have a UCI engine think about each position")
    measured.add_argument("file", type=Path, help="what `make` or `games` has written")
    measured.add_argument("--engine", metavar="COMMAND", help="the engine (ours, from source)")
    measured.add_argument(
        "--movetime",
        type=cli.positive,
        nargs="+",
        default=[1000],
        metavar="MS",
        help="time for each position; with several times, all positions are measured once with each time (1000)",
    )
    arguments.add_solver(measured, 64, "the engine's table")
    arguments.add_uci_options(measured, "for Fairy-Stockfish VariantPath=scripts/variants.ini")
    for command in listed, measured:
        command.add_argument("--part", metavar="PLIES", help="only the positions of one range, such as 4-8")
    for command in checked, measured:
        command.add_argument("--results", type=Path, metavar="FILE", help="the results, written as they come")
    converted = commands.add_parser(
        "conversion", help="print how often each player of a match won the games in which it had the winning side"
    )
    converted.add_argument("file", type=Path, help="what `make`, `games` or `value` has written")
    converted.add_argument(
        "pgn", type=Path, help="the games of a match that began from the positions of `file` (scripts/match.py -pgnout)"
    )
    return parser.parse_args(argv)


def make(args):
    oracle = valuation.Oracle(Prover(args.hash, args.threads), args.cap)
    valuation.make(args.file, args.variant, args.plies, args.count, args.seed, oracle)


def take_from_games(args):
    late_wins.make(
        args.file, args.variant, args.games, args.plies, args.count, args.least, args.cap, args.hash, args.processes
    )


def print_all(args):
    boards = levels(get_rules(args.variant), args.plies)[-1]
    for board in boards:
        print(epd(board))


def value(args):
    oracle = valuation.Oracle(Prover(args.hash, args.threads), args.cap)
    valuation.value(args.file, args.variant, args.openings, args.count, oracle)


def print_epd(args):
    positions = known_values.load(args.file).of_part(args.part)
    print("\n".join(epd(position.board) for position in positions), flush=True)


# The imports that take long are below, so that a fault of the file is reported before them.


def check(args):
    file = known_values.load(args.file)
    from pawnstorm_tools.measuring import proof_check  # numba

    return 0 if proof_check.check(file, args.count, args.moves, Prover(args.hash, args.threads), args.results) else 1


def measure(args):
    file = known_values.load(args.file)
    from pawnstorm_tools.measuring import engine_measurement  # scipy

    options = {"Hash": str(args.hash), "Threads": str(args.threads)} | dict(args.option)
    engine_measurement.measure(file, args.part, args.engine, options, args.movetime, args.results)


def conversion(args):
    file = known_values.load(args.file)
    from pawnstorm_tools.measuring import conversion  # scipy

    conversion.tell(file, args.pgn)


COMMANDS = {
    "make": make,
    "games": take_from_games,
    "all": print_all,
    "value": value,
    "epd": print_epd,
    "check": check,
    "measure": measure,
    "conversion": conversion,
}


@startup.program(
    UnknownGame,
    OpeningError,
    JournalError,
    PoolError,
    valuation.TooFew,
    known_values.Unsuitable,
    EngineError,
    EngineFault,
)
def main(argv):
    args = parse(argv)
    goes_on = args.command in ("make", "games", "value") or getattr(args, "results", None)
    with startup.when_stopped("the same command goes on" if goes_on else "nothing was saved"):
        return COMMANDS[args.command](args)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
