"""Play a match between UCI engines, two or many: `python scripts/match.py -help` lists the flags."""

import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)    # Ctrl-C while the modules are loaded ends it without a word

import hashlib
from pathlib import Path

try:
    from tqdm import tqdm
except ModuleNotFoundError:
    sys.exit("match.py: tqdm is missing: expected after pip install '.[scripts]'")

import referee  # noqa: F401  makes engine/ and protocol/ importable
from cluster.workers import ClusterError
from referee import clustered, commandline, openings, report, schedule
from referee.journal import JournalError
from referee.progress import Progress
from referee.results import Results
from referee.tournament import Match
from protocol import signals
from protocol.appendfile import AppendFile, check_regular
from protocol.printable import printable
from protocol.uciclient import EngineError

from engine import native
from engine.build import BuildError
from reporting import ReportError

LONGEST = 1000
"""Letters of an error that are printed."""


def main(words):
    """Run the match that the words ask for; the exit status: 0, 2 for a wrong command line, 130 when interrupted."""
    if not words:
        print(commandline.SHORT_USAGE, end="", file=sys.stderr)
        return 2
    if told := commandline.question(words):
        print(told, end="")
        return 0
    try:
        return run(words)
    except (commandline.UsageError, openings.OpeningError, EngineError, JournalError, ClusterError, ReportError, BuildError,
            OSError) as error:
        print(f"match.py: {printable(str(error))[:LONGEST]}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:   # before the first game, or once the summary was printed
        return 130


def run(words):
    """main() without its -help; raises what ends the match."""
    match = None
    try:
        asked = commandline.parse(words)
        for note in asked.notes:
            print(f"match.py: {printable(note)}", file=sys.stderr)
        if asked.report:
            from reporting import page      # numpy, which takes longer to load than a match to begin
            page.check()
            check_regular(asked.report, "which is written as a whole")
            AppendFile(asked.report).close()    # so that it cannot be written is said before anything was played
        native.core()   # a fresh checkout builds it here, not in engines that have ten seconds to be ready
        fens = openings.positions(asked.book, asked.rules) if asked.book else [asked.rules.start_fen]
        if asked.book and asked.rounds > len(fens):
            print(f"match.py: {asked.rounds} rounds, and openings for {len(fens)}: they are played more than once", file=sys.stderr)
        match = clustered.ClusterMatch(asked) if asked.cluster else Match(asked)
        return play(match, asked, fens)
    finally:
        if match:
            match.close()


def play(match, asked, fens):
    """Play what is left of the match and print its summary, whatever ends it; the exit status.

    Raises EngineError, JournalError, ClusterError, OSError, after the summary once games were played.
    """
    for warning in match.check_engines():
        print(f"match.py: {printable(warning)}", file=sys.stderr)
    tags = {name: value for name, value in (("Event", asked.event), ("Site", asked.site)) if value}
    results = Results(fixed(asked, match.names, fens), asked.resume, asked.pgnout, tags, asked.append)
    games = schedule.pairings(asked.games, asked.rounds, fens, schedule.meetings(asked.tournament, len(match.names)),
                              asked.swap, asked.reverse)
    status, ended = 0, False
    with signals.deferred():
        bar = tqdm(total=len(games), initial=len(results.games), unit="game", file=sys.stderr, smoothing=0)
    progress = Progress(asked, match.names, bar, results.games)
    running = match.run([pairing for pairing in games if pairing.game not in results.games])
    try:
        while not progress.decided() and (record := next(running, None)):
            results.add(record)
            with signals.deferred():
                progress.add(record)
        ended = True
    except KeyboardInterrupt:
        status = 130
    finally:
        with signals.deferred():
            running.close()
            results.close()
            bar.close()
            try:
                print(report.summary(list(results.games.values()), match.names, asked.games == 2, asked.sprt), flush=True)
            finally:    # even if nobody reads our output any more
                if asked.report and results.games:
                    write_report(asked.report, results)
            if not ended:
                print(f"Stopped: {len(games) - len(results.games)} games are left"
                      + ("; the same command goes on with them." if asked.resume else "."), flush=True)
    return status


def write_report(path, results):
    """The page of HTML on the games so far, read from their PGN as that of any other match."""
    from reporting import page, reading
    Path(path).write_text(page.page(reading.parse(results.pgn(), "the match")), encoding="utf-8")


def fixed(asked, names, fens):
    """What must be the same when a match is resumed; the number of rounds and of workers may change."""
    values = {
        "variant": asked.rules.name, "games a round": asked.games, "ponder": asked.ponder,
        "openings": hashlib.sha256("\n".join(fens).encode()).hexdigest()[:16],
    }
    if not asked.swap or asked.reverse:
        values["colours"] = " ".join(["not swapped"] * (not asked.swap) + ["reversed"] * asked.reverse)
    if len(names) > 2:
        values["tournament"] = asked.tournament
    if asked.sprt:
        values["test"] = str(asked.sprt)
    if asked.resign:
        values["resign"] = [asked.resign.moves, asked.resign.score] + ["twosided"] * asked.resign.twosided
    for number, (name, engine) in enumerate(zip(names, asked.engines), 1):
        own = {"name": name, "command": engine.command, "directory": engine.directory,
               "options": [list(option) for option in engine.options], "limits": str(engine.control),
               "margin": engine.control.margin}
        if engine.ponder and not asked.ponder:
            own["ponder"] = True
        if engine.restart:
            own["restart"] = True
        if engine.initstr:
            own["initstr"] = list(engine.initstr)
        values[f"engine {number}"] = own
    return values


if __name__ == "__main__":
    signals.interrupt_once()
    for stream in filter(None, (sys.stdout, sys.stderr)):   # either may be closed
        stream.reconfigure(errors="backslashreplace")   # a name need not fit the terminal's encoding
    status = main(sys.argv[1:])
    signals.ignore()    # it is over
    sys.exit(status)
