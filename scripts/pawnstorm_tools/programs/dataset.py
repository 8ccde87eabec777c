"""Make a dataset of positions with values: `python scripts/dataset.py breakthrough FOLDER`; -h lists the flags.

The engine plays the games against itself, or they come from PGN files. Each row is one position: the move played, the score
of a search, the result of the game, and who wins, if the solver proves it. The folder gets Parquet or npz files, and a card
that says how they were made. The same command continues an interrupted run.
"""

import hashlib
import re
import shlex
import sys
from pathlib import Path

import pawnstorm
from pawnstorm import pgn
from pawnstorm.core import native
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.search.settings import HASH
from pawnstorm.system import textfile
from pawnstorm_protocol import cli
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools import startup
from pawnstorm_tools.common import arguments
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.common.pool import PoolError
from pawnstorm_tools.datasets import DatasetError
from pawnstorm_tools.datasets.card import Head
from pawnstorm_tools.datasets.run import FORMATS, Run, Work

GAMES, NODES, PLIES = 1000, 5000, (3, 9)
"""Defaults of --games, --nodes and --plies for games that the engine plays itself."""
MAX_GAMES = 1 << 31
"""The number of a game is an int32."""
SHOWN = 3
"""The maximum number of faulty games that stderr names."""


def license_id(text):
    """Parses the name of a licence as Hugging Face writes it, such as cc-by-4.0. Raises ValueError."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]{0,60}", text):
        raise ValueError(f"'{text[:60]}': expected a licence as Hugging Face names it, such as mit or cc-by-4.0")
    return text


def parse(argv):
    parser = cli.Parser(
        description="Make a dataset of positions with values. The same command continues a run that was stopped."
    )
    parser.add_argument("game", help="twoflags, breakthrough, or a game with its size, such as breakthrough6x6")
    parser.add_argument("folder", type=Path, help="the folder to write, or to continue")
    parser.add_argument("--games", type=cli.int_range(1, MAX_GAMES), help=f"number of games ({GAMES}; with --pgn all)")
    parser.add_argument("--pgn", type=Path, nargs="+", metavar="FILE", help="take the games from these files")
    parser.add_argument(
        "--nodes",
        type=cli.positive,
        help=f"of the search of each position ({NODES}; with --pgn, by default, the scores are those of the comments)",
    )
    parser.add_argument(
        "--expansions",
        type=cli.int_range(0),
        default=1000,
        metavar="N",
        help="the most positions that the solver expands for each position; 0: no solver (%(default)s)",
    )
    arguments.add_plies(parser, PLIES, "random moves at the beginning of a game")
    parser.add_argument("--random", type=cli.fraction, metavar="SHARE", help="share of random moves after these (0)")
    parser.add_argument("--seed", type=int, default=1, help="of the random moves and of the splits (%(default)s)")
    parser.add_argument(
        "--validation",
        type=cli.fraction,
        default=0.1,
        metavar="SHARE",
        help="share of the games in this split (%(default)s)",
    )
    parser.add_argument("--format", choices=FORMATS, default="parquet", help="parquet or npz (%(default)s)")
    parser.add_argument(
        "--keep-duplicates",
        action="store_true",
        help="write a position for every game that reaches it, not only for the first",
    )
    parser.add_argument(
        "--shard",
        type=cli.positive,
        default=5000,
        metavar="GAMES",
        help="games in each pair of files, train and validation (%(default)s)",
    )
    parser.add_argument(
        "--license",
        type=cli.typed(license_id),
        metavar="ID",
        help="of the dataset, for the card (mit; with --pgn unknown)",
    )
    parser.add_argument(
        "--hash",
        type=cli.typed(HASH.parse),
        default=16,
        metavar="MB",
        help="memory that each process uses for its search, and again for its solver (%(default)s)",
    )
    arguments.add_processes(parser)
    args = parser.parse_args(argv)
    if args.pgn and args.plies is not PLIES:
        parser.error("argument --plies: not with --pgn, whose games get no random moves")
    if args.pgn and args.random is not None:
        parser.error("argument --random: not with --pgn, whose moves are known")
    return args


def command(args):
    """The command that makes the dataset again; it names files without their folders."""
    words = ["pawnstorm", "dataset", args.game, args.folder.resolve().name]
    if args.pgn:
        words += ["--pgn", *(path.name for path in args.pgn)]
    else:
        words += ["--plies", *args.plies, "--random", args.random or 0]
    words += ["--games", args.games] if args.games else []
    words += ["--nodes", args.nodes] if args.nodes else []
    words += ["--expansions", args.expansions, "--seed", args.seed, "--validation", args.validation]
    words += ["--format", args.format, "--shard", args.shard, "--hash", args.hash]
    words += ["--keep-duplicates"] if args.keep_duplicates else []
    return shlex.join(map(str, words))


def work(args, rules):
    """(the Work, [[name, SHA-256]] of the PGN files)."""
    if not args.pgn:
        settings = rules.name, args.nodes, args.expansions, args.hash, args.seed, args.plies, args.random
        return Work("pawnstorm_tools.datasets.own_games", settings, range(args.games)), []
    games = [game for path in args.pgn for game in pgn.all_games(textfile.text(path, "surrogateescape"))]
    if not games:
        raise DatasetError(f"{', '.join(map(str, args.pgn))}: expected PGN with a game")
    items = list(enumerate(games))[: args.games]
    files = [[path.name, hashlib.sha256(path.read_bytes()).hexdigest()] for path in args.pgn]
    return Work(
        "pawnstorm_tools.datasets.pgn_games", (rules.name, args.nodes, args.expansions, args.hash), items
    ), files


@startup.program(UnknownGame, DatasetError, JournalError, PoolError)
def main(argv):
    args = parse(argv)
    rules = get_rules(args.game)
    args.game = rules.name
    if not args.pgn:
        args.games, args.nodes, args.random = args.games or GAMES, args.nodes or NODES, args.random or 0.0
    source, files = work(args, rules)
    names = "game nodes expansions hash seed plies random format shard validation keep_duplicates"
    settings = {name: getattr(args, name) for name in names.split()}
    settings |= {"plies": list(args.plies), "files": files, "version": pawnstorm.__version__}
    head = Head(command(args), args.license or ("unknown" if args.pgn else "mit"))
    with startup.when_stopped("what is done is written; the same command goes on"):
        run = Run(args.folder, settings, source, head, args.processes)
        try:
            native.core()  # built once, before several processes need it
            run.go()
        finally:
            run.close()
            report(run)


def report(run):
    """Print what the folder holds."""
    rows, faults = run.rows(), run.faults()
    for fault in faults[:SHOWN]:
        print(f"{startup.display_name('dataset.py')}: left out {escaped(fault)}", file=sys.stderr)
    unread = f"; {pluralize(len(faults), 'game')} left out" if faults else ""
    splits = ", ".join(f"{number:,} {split}" for split, number in rows.items())
    print(
        f"{run.folder}: {pluralize(sum(rows.values()), 'position')} ({splits}){unread}; README.md is the card",
        flush=True,
    )
