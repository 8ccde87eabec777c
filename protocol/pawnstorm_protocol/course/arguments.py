"""The command line of `pawnstorm course`: tables of its options, and the settings that they make."""

import argparse
import shlex
import subprocess
import sys

from pawnstorm.games.notation import ParseError, parse_fen
from pawnstorm.games.rules import EN_PASSANT_SUFFIXES
from pawnstorm.numbers import MAX_LIMIT
from pawnstorm.strength import levels
from pawnstorm.system import WINDOWS
from pawnstorm_protocol import cli
from pawnstorm_protocol.course.client import EXIT_WAIT
from pawnstorm_protocol.course.client_board import twoflags_rules
from pawnstorm_protocol.course.dialects import DIALECTS, NEWLINES, ORDERS, customized, describe
from pawnstorm_protocol.options import OPTIONS

EPILOG = """\
The client plays until the server closes the connection. It says exit when it has lost. After a win it waits for the
loser's exit: the course's own server needs that word, and takes whoever leaves first for the loser. If the loser makes
another move instead, or says nothing for --patience seconds, and more games of a tournament are to come, the client
says exit itself. The server may count that game as lost then, but the others are played. In a single game, and in the
last one, the client goes on waiting; Ctrl-C ends it.

The server pairs agents in the order in which they come; the first of two has White in their first game. Each pair plays
one game, or as many as --games or an agent's TOURNAMENT asks for, with alternating colours.

A dialect is how a server speaks. This is what White hears in a game of 30 minutes that White wins. --greeting, --role,
--move, --newline and --order replace a part of it.
DIALECTS

Exit code: 0; 1 for a client whose game or tournament was broken off, or that reached no server; 2 for a wrong
command line."""


def parse(argv):
    """Read the command line as settings. Raises SystemExit for -h, and for wrong options.

    The settings have the value of each option, under the option's name, and also
        dialect   a Dialect; None for a client that understands them all
        board     the Board from which a server's games begin
        seconds   each player's time for a game
    """
    parser = _parser()
    asked = parser.parse_args(argv)
    serving = asked.port is not None
    for flag, row in (CLIENT if serving else SERVER).items():
        if getattr(asked, row.get("dest", flag.removeprefix("--"))) != row.get("default"):
            parser.error(f"{flag} is for {'--connect' if serving else '--serve'}")
    if not serving:
        asked.dialect = None if asked.dialect == "auto" else DIALECTS[asked.dialect]
        return asked
    if asked.dialect == "auto":
        asked.dialect = "course"
    try:
        asked.dialect = customized(asked.dialect, asked.greeting, asked.role, asked.move, asked.newline, asked.order)
    except ValueError as error:
        parser.error(str(error))
    if asked.colour and not asked.engine:
        parser.error("--colour sets the agent's colour against an engine: expected --engine too")
    if asked.options and not asked.engine:
        parser.error("--option sets an option of the engine: expected --engine too")
    rules = twoflags_rules(asked.en_passant)
    try:
        asked.board = parse_fen(rules, asked.fen or rules.start_fen)
    except ParseError as error:
        parser.error(f"argument --fen: {error}")
    if asked.board.ep:
        parser.error(f"argument --fen: a Setup cannot name an en passant square: expected '-' in '{asked.fen}'")
    asked.seconds = 60 * asked.time
    if asked.engine == "pawnstorm":
        joined = subprocess.list2cmdline if WINDOWS else shlex.join
        asked.engine = joined([sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "pawnstorm"])])
    return asked


def _command(text):
    try:
        if shlex.split(text):
            return text
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a command: expected words as in a shell, each quote closed")


def _name(text):
    if not text.strip() or not text.isprintable() or '"' in text or len(text) > 60:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a name: expected up to 60 characters without quotes")
    return text


def _spin(name):
    """The argument type of a number within the bounds of a UCI option."""
    return cli.int_range(OPTIONS[name].low, OPTIONS[name].high)


# Flag -> keyword arguments of argparse's add_argument().
BOTH = {
    "--dialect": dict(
        choices=["auto", *DIALECTS],
        default="auto",
        help="how the server speaks, see below; auto: the client understands them all, the server speaks `course` "
        "(%(default)s)",
    ),
    "--en-passant": dict(
        choices=list(EN_PASSANT_SUFFIXES),
        default="standard",
        help="ghost: the captured pawn stays on its square, as the course's own player plays it (%(default)s)",
    ),
    "--log": dict(metavar="FILE", help="append every line sent or received, with a note after each one not understood"),
}
CLIENT = {
    "--tournament": dict(metavar="N", type=cli.int_range(1, 10_000), default=0, help="ask for N games"),
    "--patience": dict(
        metavar="SECONDS",
        type=cli.int_range(1, 86_400),
        default=EXIT_WAIT,
        help="how long to wait for the loser's exit before saying it, see below (%(default)s)",
    ),
    "--hash": dict(metavar="MB", type=_spin("hash"), default=16, help="(%(default)s)"),
    "--threads": dict(metavar="N", type=_spin("threads"), default=1, help="(%(default)s)"),
    "--level": dict(
        metavar="ELO", type=_spin("uci_elo"), help=f"limit the playing strength, {levels.LOWEST} to {levels.HIGHEST}"
    ),
    "--nodes": dict(metavar="N", type=cli.int_range(1, MAX_LIMIT), default=0, help="search at most N nodes a move"),
    "--overhead": dict(
        metavar="MS",
        type=_spin("move overhead"),
        default=50,
        help="milliseconds of each move that the network takes (%(default)s)",
    ),
}
SERVER = {
    "--host": dict(
        metavar="ADDRESS",
        type=cli.host,
        default="127.0.0.1",
        help="the address to listen on; 0.0.0.0 lets other machines in, and :: also those with IPv6 (%(default)s)",
    ),
    "--games": dict(
        metavar="N",
        type=cli.int_range(1, 10_000),
        default=0,
        help="play a tournament of N games; without it one game, unless an agent asks for a TOURNAMENT",
    ),
    "--time": dict(
        metavar="MINUTES",
        type=cli.minutes,
        default=30.0,
        help="for each player in a game; some agents read whole minutes only (%(default)g)",
    ),
    "--engine": dict(
        metavar="COMMAND", type=_command, help="a UCI engine as the agent's opponent; `pawnstorm` is this one"
    ),
    "--option": dict(
        metavar="NAME=VALUE",
        type=cli.name_value,
        action="append",
        dest="options",
        default=[],
        help="a UCI option of that engine; may be repeated",
    ),
    "--fen": dict(help="the position to play from (the start)"),
    "--colour": dict(
        choices=["white", "black"], help="colour of the agent in its first game; colours alternate (white)"
    ),
    "--name": dict(
        metavar="NAME",
        type=_name,
        action="append",
        dest="names",
        default=[],
        help="what the agents are called, in the order in which they come; may be repeated (agent-1, agent-2, ...)",
    ),
    "--greeting": dict(metavar="TEXT", help="the first line, in place of the dialect's; '' for none"),
    "--role": dict(
        metavar="LINE",
        help="the line that tells White its colour, such as 'Color W'; Black's is derived from it; '' for none",
    ),
    "--move": dict(metavar="LINE", help="the line that reports a move, written for the move e2e4, such as 'MOVE e2e4'"),
    "--newline": dict(choices=list(NEWLINES), help="what ends a line"),
    "--order": dict(choices=list(ORDERS), help="of Setup and Time"),
    "--sessions": dict(
        metavar="N",
        type=cli.int_range(1, 10**6),
        default=0,
        help="end after N pairs have played; without it, at Ctrl-C",
    ),
    "--concurrency": dict(
        metavar="N", type=cli.int_range(1, 64), default=1, help="how many pairs play at a time (%(default)s)"
    ),
    "--pgn": dict(metavar="FILE", type=cli.appendable, help="append every game"),
}


def _parser():
    parser = cli.Parser(
        prog="pawnstorm course",
        usage="%(prog)s --connect HOST:PORT | --serve PORT [options]",
        epilog=EPILOG.replace("DIALECTS", _dialects()),
        description="Two Flags over TCP, as the course plays it: as a client with this engine, or as the server.",
    )
    side = parser.add_mutually_exclusive_group(required=True)
    side.add_argument("--connect", metavar="HOST:PORT", dest="address", type=cli.address, help="play at that server")
    side.add_argument(
        "--serve",
        metavar="PORT",
        dest="port",
        type=cli.int_range(0, 65535),
        help="be the server; 0 takes a free port and says which",
    )
    for title, rows in (("both", BOTH), ("--connect", CLIENT), ("--serve", SERVER)):
        group = parser.add_argument_group(title)
        for flag, row in rows.items():
            group.add_argument(flag, **row)
    return parser


def _dialects():
    width = max(map(len, DIALECTS))
    return "\n".join(f"  {name:{width}}  {describe(dialect)}" for name, dialect in DIALECTS.items())
