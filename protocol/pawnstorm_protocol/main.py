"""The command `pawnstorm`, also run by `python -m pawnstorm`."""

import os
import sys

USAGE = """\
pawnstorm                 speak UCI on stdin and stdout, until quit
pawnstorm play            play against it in this terminal; see `pawnstorm play -h`
pawnstorm course          play by the TCP protocol of the Two Flags course, or be its server; see `pawnstorm course -h`
pawnstorm ugi             speak UGI, the Universal Game Interface, in place of UCI
pawnstorm codingame       be a bot for CodinGame's Breakthrough; see `pawnstorm codingame -h`
pawnstorm build           compile the native core now, not at the first use
pawnstorm bench [DEPTH]   search fixed positions; print the node count, which is the same for every build, and the speed
pawnstorm COMMAND         run one UCI command, such as `go perft 6`, then exit
pawnstorm --version

After `pip install 'pawnstorm[data,match,report,solve]'`, also:

pawnstorm match           play matches and tournaments between engines (help: `pawnstorm match -help`; `-h` for the others)
pawnstorm report          make an HTML page of a match
pawnstorm diagram         draw a position
pawnstorm solve           find out who wins a position
pawnstorm verify          check a proof of who wins
pawnstorm dataset         write a dataset of positions with values, as Parquet or npz
pawnstorm players         run one of the reference opponents as a UCI engine

UCI commands:
"""
TOOLS = {
    "match": "match",
    "report": "report",
    "diagram": "report",
    "solve": "solve",
    "verify": "solve",
    "dataset": "data",
    "players": "match",
}
"""Program of pawnstorm_tools -> the optional dependencies in pyproject.toml that it needs. The executables lack the programs."""
WORDS = ("play", "course", "ugi", "codingame", "build")
"""The first words of a command line that are neither a program of TOOLS nor a UCI command."""
GREETING = """\
This is {}, a protocol of GUIs and referees. Type for example `position startpos`, then `go movetime 1000`; `help` \
lists all commands, `quit` ends. To play in this terminal, start `pawnstorm play`."""


def main():
    """Run the command line, then end the process with the exit code. This never returns."""
    try:
        code = run(sys.argv[1:])
    except RuntimeError as error:  # the core could not be built
        print(f"pawnstorm: {error}", file=sys.stderr)
        code = 1
    except BrokenPipeError:  # the reader has closed the pipe
        code = 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"pawnstorm: {where}{error.strerror or error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        code = 130  # the status of a program that Ctrl-C ends in a shell; a traceback would help nobody
    if sys.stderr is not None:
        sys.stderr.flush()
    # Search threads may still be inside a kernel; nothing they hold matters any more.
    os._exit(code)


def run(argv):
    """Run the command line's words; returns the exit code."""
    try:
        from pawnstorm.system import console
        from pawnstorm_protocol.uci import HELP, NAME, UCIEngine
    except ValueError as error:  # PAWNSTORM_PARAMETERS is wrong
        raise RuntimeError(error) from error

    if sys.stdin is None or sys.stdout is None:
        return 1  # it was started with a closed stream, so it can talk to nobody
    console.use_utf8()
    if broken := next((word for word in argv if not _encodable(word)), None):
        return _usage_error(f"{repr(os.fsencode(broken)[:60])[1:]} is not UTF-8")
    if argv[:1] in (["-h"], ["--help"], ["help"], ["?"]):
        _print_help(USAGE + HELP)
    elif argv[:1] in (["--version"], ["build"], ["ugi"]) and len(argv) > 1:
        return _usage_error(f"'{argv[1][:60]}' after {argv[0]}: expected nothing")
    elif argv == ["--version"]:
        print(NAME, flush=True)
    elif argv[:1] == ["play"]:
        from pawnstorm_protocol import play

        return play.run(argv[1:])
    elif argv[:1] == ["course"]:
        from pawnstorm_protocol.course import command

        return command.run(argv[1:])
    elif argv[:1] == ["codingame"]:
        from pawnstorm_protocol import codingame

        return codingame.run(argv[1:])
    elif argv[:1] and argv[0] in TOOLS:
        if sys.version_info < (3, 11):
            return _usage_error(f"'{argv[0]}' does not run in Python {sys.version.split()[0]}: expected 3.11 or later")
        try:
            from pawnstorm_tools import programs
        except ModuleNotFoundError:
            extra = TOOLS[argv[0]]
            return _usage_error(
                f"'{argv[0]}' is not part of the executables: expected pip install 'pawnstorm[{extra}]'"
            )
        programs.start(argv[0], TOOLS[argv[0]], argv[1:])
    elif argv == ["build"]:
        from pawnstorm.core import native

        core = native.core()
        print(f"native core for {core.target}: {core.source}", flush=True)
    elif argv == ["ugi"]:
        from pawnstorm_protocol.ugi import UGIEngine

        _converse(UGIEngine)
    elif not argv:
        _converse(UCIEngine)
    else:
        console.exit_on_interrupt()
        session = UCIEngine(sys.stdin.buffer, sys.stdout.buffer)
        if argv[0] not in session.commands:
            return _usage_error(_unknown_command(argv[0], session.commands))
        elif not session.run_once(" ".join(argv)):
            return 2
    return 0


def _converse(engine):
    """Answer stdin with a UCIEngine or a subclass of it. In a terminal, first print what can be typed."""
    from pawnstorm.system import console
    from pawnstorm_protocol.uci import NAME

    console.exit_on_interrupt()
    session = engine(sys.stdin.buffer, sys.stdout.buffer)
    typed = sys.stdin.isatty() and sys.stdout.isatty()  # no GUI
    if typed:
        _print_help(f"{NAME}. {GREETING.format(engine.PROTOCOL.upper())}")
    session.run(typed)


def _unknown_command(word, commands):
    """The error message for a first word that is neither one of these UCI commands nor in USAGE."""
    from pawnstorm.suggestions import did_you_mean

    shown, first = word[:60], word.split(" ")[0]
    if first != word and first in (*WORDS, *commands):
        return f"'{shown}' is one word: expected pawnstorm {shown}, without quotes"
    if word.startswith("--"):
        from pawnstorm_protocol import play

        if word.partition("=")[0] in play.flags():
            return f"'{shown}' is a flag of play: expected pawnstorm play {shown}"
    known = ["--version", "--help"] if word.startswith("-") else [*WORDS, *TOOLS, *commands]
    return f"unknown word '{shown}'{did_you_mean(word, known)}: expected {', '.join(WORDS)} or a command of UCI"


def _print_help(text):
    """Print text wrapped to the width of the terminal."""
    from pawnstorm_protocol.system import terminal  # imported late, because a GUI never needs it

    print(terminal.wrap(text, terminal.width(sys.stdout)), flush=True)


def _encodable(word):
    """Whether a word of the command line was UTF-8. Python turns other bytes into surrogates, which cannot be printed."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _usage_error(text):
    """Print what is wrong with the command line; returns the exit code."""
    print(f"pawnstorm: {text}; `pawnstorm -h` lists the commands", file=sys.stderr)
    return 2
