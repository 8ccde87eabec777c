"""The words of `pawnstorm course`."""

import argparse
import os
import shlex
import sys
import threading

from engine import levels
from engine.notation import ParseError, parse_fen
from engine.rules import EN_PASSANT
from protocol.course.account import rules_of
from protocol.course.client import PATIENCE
from protocol.course.dialects import DIALECTS, NEWLINES, ORDERS, adapted, described
from protocol import gamefile, signals
from protocol.debuglog import DebugLog
from protocol.options import OPTIONS
from protocol.parse import LARGEST

EPILOG = """\
A client plays until the server closes the connection. It says exit when it has lost. A server such as the course's
own waits for that word and books whoever leaves as the loser, so after a win the client never leaves first. If its
opponent plays on or stays silent instead, and more games of a tournament are to come, it says exit itself: to the
opponent's next move, or after --patience seconds. That game may then be booked as lost, but the others are played.
In a single game, and in the last one, it waits; Ctrl-C ends it.

A server pairs agents as they come, the first of two with White. Each pair plays one game, or as many as --games or
the agents' own TOURNAMENT asks for, with alternating colours.

What a server of each dialect says to White, in a game of 30 minutes that White wins; --greeting, --role, --move,
--newline and --order replace a part of it.
DIALECTS

Exit code: 0; 1 for a client whose game or tournament was broken off, or that reached no server; 2 for a wrong
command line."""


def run(words):
    """Do what the words ask; returns the exit code. SystemExit for -h, and for words that cannot be understood."""
    parser = _parser()
    asked = parser.parse_args(words)
    for name, default in (CLIENT if asked.serve is not None else SERVER).items():
        if getattr(asked, name) != default:
            parser.error(f"--{name.replace('_', '-')} is for --{'connect' if asked.serve is not None else 'serve'}")
    if asked.serve is not None:
        _complete(asked, parser)
    signals.interrupt_once()
    sys.stdout.reconfigure(errors="replace")
    try:
        log = DebugLog(asked.log) if asked.log else None
        return _serve(asked, log) if asked.serve is not None else _connect(asked, log)
    except OSError as error:
        print(f"pawnstorm: {error}", file=sys.stderr)
        return 1


def _connect(asked, log):
    from protocol.course.session import Session

    asked.dialect = None if asked.dialect == "auto" else DIALECTS[asked.dialect]
    writer = log.writer("client") if log else lambda mark, text: None

    def note(text):
        writer("#", text)
        _print(text, sys.stderr if text.startswith("warning") else sys.stdout)

    host, port = asked.connect
    try:
        session = Session(asked.connect, asked, note, writer)
    except (OSError, UnicodeError, MemoryError) as error:     # UnicodeError: of a host's name
        print(f"pawnstorm: cannot play at {host}:{port}: {error}", file=sys.stderr)
        return 1
    broken = False
    try:
        broken = session.run()
    finally:    # also at Ctrl-C
        session.close()
        outcomes = [won for won, _ in session.client.results]
        note(f"{outcomes.count(True)} won, {outcomes.count(False)} lost"
             + ("; the connection was closed before the end" if broken else ""))
    return int(broken)


def _complete(asked, parser):
    """Make a Server's settings of the words."""
    if asked.dialect == "auto":
        asked.dialect = "course"
    try:
        asked.dialect = adapted(asked.dialect, asked.greeting, asked.role, asked.move, asked.newline, asked.order)
    except ValueError as error:
        parser.error(str(error))
    if asked.colour and not asked.engine:
        parser.error("--colour is the agent's against an engine: expected --engine beside it")
    rules = rules_of(asked.en_passant)
    try:
        asked.board = parse_fen(rules, asked.fen or rules.start_fen)
    except ParseError as error:
        parser.error(f"argument --fen: {error}")
    if asked.board.ep:
        parser.error(f"argument --fen: an en passant square cannot be told by a Setup: expected '-' in '{asked.fen}'")
    asked.port, asked.seconds, asked.options = asked.serve, 60 * asked.time, asked.option
    asked.names = asked.name
    asked.engine = itself() if asked.engine == "pawnstorm" else asked.engine


def _serve(asked, log):
    from protocol.course.server import Server

    threading.stack_size(1 << 20)   # the engine's threads have more, and these are many
    if asked.engine and (fault := _fault(asked)):
        print(f"pawnstorm: --engine: {fault}", file=sys.stderr)
        return 1
    lock = threading.Lock()
    if asked.pgn:
        gamefile.append(asked.pgn, "")

    def say(text):
        with lock:
            _print(text, sys.stdout)

    def record(text):
        try:
            with lock:
                gamefile.append(asked.pgn, text)
        except OSError as error:
            print(f"pawnstorm: --pgn '{asked.pgn}' cannot be written: {error.strerror}; the game is", file=sys.stderr)
            say(text)

    server = Server(asked, say, record if asked.pgn else None, log)
    say(f"listening on {asked.host} port {server.port}")
    server.run()
    return 0


def _fault(asked):
    """Why the engine cannot play, None where it can: better said now than to the first agent that comes."""
    from protocol.course.opponent import Opponent
    from protocol.pump import EngineFault

    engine = Opponent(asked.engine, asked.options)
    try:
        engine.prepare(asked.board, asked.seconds)
    except EngineFault as fault:
        return fault
    finally:
        engine.leave()


def _print(text, stream):
    """Tell people; whoever has closed the stream does not want to know."""
    try:
        print(text, file=stream, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())    # or the end of the process would complain once more


def itself():
    """The command that starts this engine."""
    return shlex.join([sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "protocol"])


# The client's and the server's own words, with their defaults.
CLIENT = {"tournament": 0, "patience": PATIENCE, "hash": 16, "threads": 1, "level": None, "nodes": 0, "overhead": 50}
SERVER = {"host": "127.0.0.1", "games": 0, "time": 30.0, "engine": None, "option": [], "fen": None, "greeting": None, "role": None,
          "move": None, "newline": None, "order": None, "name": [], "colour": None, "sessions": 0, "concurrency": 1, "pgn": None}


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Of a fixed width: to ask the terminal for its own takes a module that nothing else needs."""

    def __init__(self, prog):
        super().__init__(prog, width=130)


def _parser():
    parser = argparse.ArgumentParser(
        prog="pawnstorm course", usage="%(prog)s --connect HOST:PORT | --serve PORT [options]", epilog=_epilog(),
        allow_abbrev=False, formatter_class=Formatter,
        description="Two Flags over TCP, as the course plays it: as a client with this engine, or as the server.")
    side = parser.add_mutually_exclusive_group(required=True)
    side.add_argument("--connect", metavar="HOST:PORT", type=_address, help="play at that server")
    side.add_argument("--serve", metavar="PORT", type=_number(0, 65535), help="be the server; 0 takes a free port and says which")
    both = parser.add_argument_group("both")
    both.add_argument("--dialect", choices=["auto", *DIALECTS], default="auto",
                      help="how the server speaks, see below; auto: the client understands them all, the server speaks "
                           "`course` (%(default)s)")
    both.add_argument("--en-passant", choices=list(EN_PASSANT), default="standard",
                      help="ghost: the captured pawn stays on its square, as the course's own player plays it (%(default)s)")
    both.add_argument("--log", metavar="FILE", help="append every line sent or received, and which were not understood")
    client = parser.add_argument_group("--connect")
    client.add_argument("--tournament", metavar="N", type=_number(1, 10_000), default=CLIENT["tournament"], help="ask for N games")
    client.add_argument("--patience", metavar="SECONDS", type=_number(1, 86_400), default=CLIENT["patience"],
                        help="how long to wait for the loser's exit before saying it, see below (%(default)s)")
    client.add_argument("--hash", metavar="MB", type=_option("hash"), default=CLIENT["hash"], help="(%(default)s)")
    client.add_argument("--threads", metavar="N", type=_option("threads"), default=CLIENT["threads"], help="(%(default)s)")
    client.add_argument("--level", metavar="ELO", type=_option("uci_elo"),
                        help=f"limit the playing strength, {levels.LOWEST} to {levels.HIGHEST}")
    client.add_argument("--nodes", metavar="N", type=_number(1, LARGEST), default=CLIENT["nodes"],
                        help="search at most N nodes a move")
    client.add_argument("--overhead", metavar="MS", type=_option("move overhead"), default=CLIENT["overhead"],
                        help="milliseconds of each move that the network takes (%(default)s)")
    server = parser.add_argument_group("--serve")
    server.add_argument("--host", metavar="ADDRESS", default=SERVER["host"],
                        help="the address to listen on; 0.0.0.0 lets other machines in (%(default)s)")
    server.add_argument("--games", metavar="N", type=_number(1, 10_000), default=SERVER["games"],
                        help="play a tournament of N games; without it one game, unless an agent asks for a TOURNAMENT")
    server.add_argument("--time", metavar="MINUTES", type=_minutes, default=SERVER["time"],
                        help="for each player in a game; some agents read whole minutes only (%(default)g)")
    server.add_argument("--engine", metavar="COMMAND", type=_command,
                        help="a UCI engine as the agent's opponent; `pawnstorm` is this one")
    server.add_argument("--option", metavar="NAME=VALUE", type=_pair, action="append", default=SERVER["option"],
                        help="a UCI option of that engine; may be repeated")
    server.add_argument("--fen", help="the position to play from (the start)")
    server.add_argument("--colour", choices=["white", "black"],
                        help="of the agent in its first game against the engine; it alternates (white)")
    server.add_argument("--name", metavar="NAME", type=_name, action="append", default=SERVER["name"],
                        help="what the agents are called, in the order in which they come; may be repeated (agent-1, agent-2, ...)")
    server.add_argument("--greeting", metavar="TEXT", help="the first line, in place of the dialect's; '' for none")
    server.add_argument("--role", metavar="LINE",
                        help="what tells White its colour, such as 'Color W', and Black likewise; '' for none")
    server.add_argument("--move", metavar="LINE", help="how a move is told, shown by e2e4, such as 'MOVE e2e4'")
    server.add_argument("--newline", choices=list(NEWLINES), help="what ends a line")
    server.add_argument("--order", choices=list(ORDERS), help="of Setup and Time")
    server.add_argument("--sessions", metavar="N", type=_number(1, 10**6), default=SERVER["sessions"],
                        help="end after N pairs have played; without it, at Ctrl-C")
    server.add_argument("--concurrency", metavar="N", type=_number(1, 64), default=SERVER["concurrency"],
                        help="how many pairs play at a time (%(default)s)")
    server.add_argument("--pgn", metavar="FILE", help="append every game")
    return parser


def _epilog():
    return EPILOG.replace("DIALECTS", "\n".join(f"  {name:<8} {described(dialect)}" for name, dialect in DIALECTS.items()))


def _address(text):
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port[:6]) < 65536:
        raise argparse.ArgumentTypeError(f"'{text}' is not HOST:PORT, as in localhost:9999")
    return host.strip("[]"), int(port)


def _number(least, most):
    def number(text):
        if not (text.isascii() and text.isdecimal() and len(text) < 17 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a whole number from {least} to {most}")
        return int(text)
    return number


def _option(name):
    def value(text):
        try:
            return OPTIONS[name].parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return value


def _minutes(text):
    try:
        minutes = float(text)
    except ValueError:
        minutes = -1.0
    if not 0 < minutes <= 10_000:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a number of minutes, as in 30 or 0.5")
    return minutes


def _command(text):
    try:
        if shlex.split(text):
            return text
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a command")


def _name(text):
    if not text.strip() or not text.isprintable() or '"' in text or len(text) > 60:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a name: expected up to 60 letters without quotes")
    return text


def _pair(text):
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not NAME=VALUE, as in Hash=64")
    return name, value
