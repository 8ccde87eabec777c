"""Runs a match, from its settings to its summary."""

import hashlib
import sys

from pawnstorm.core import native
from pawnstorm.system import signals
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.referee import cluster_match, opening_book, output, schedule
from pawnstorm_tools.referee.local_match import LocalMatch
from pawnstorm_tools.referee.progress import Progress
from pawnstorm_tools.referee.results import Results
from pawnstorm_tools.startup import display_name


def run(settings, write_report):
    """Play the match; returns the exit status. Raises the error that ends the match.

    write_report(path, pgn, page): writes the report, as in programs/match.py.
    """
    match = None
    try:
        native.core()  # a fresh clone builds the core here, not in engines that must be ready in ten seconds
        fens = opening_book.positions(settings.book, settings.rules) if settings.book else [settings.rules.start_fen]
        for note in settings.notes:  # printed after the openings are read, because an error in them may say the same
            print_note(note)
        if settings.book and settings.rounds > len(fens):
            print_note(f"{settings.rounds} rounds, and openings for {len(fens)}: they are played more than once")
        match = cluster_match.ClusterMatch(settings) if settings.cluster else LocalMatch(settings)
        return play(match, settings, fens, write_report)
    finally:
        if match:
            match.close()


def print_note(text):
    """Print a note for the user on stderr."""
    print(f"{display_name('match.py')}: {escaped(text)}", file=sys.stderr)


def play(match, settings, fens, write_report):
    """Play the games of a match that were not played yet, and print the summary; returns the exit status.

    Raises EngineError, JournalError, ClusterError, OSError. If an error ends the match after the games have begun, the summary
    is printed before the error is raised.
    """
    for warning in match.check_engines():
        print_note(warning)
    tags = {name: value for name, value in (("Event", settings.event), ("Site", settings.site)) if value}
    results = Results(identity(settings, match.names, fens), settings.resume, settings.pgnout, tags, settings.append)
    games = schedule.of_match(settings, fens)
    todo, status, ended = unplayed(games, results), 0, False
    with signals.deferred():
        bar = tqdm(
            total=len(games),
            initial=len(games) - len(todo),
            unit="game",
            file=sys.stderr,
            smoothing=0,
            disable=None,  # no bar unless stderr is a terminal: in a file, it would share lines with the games' lines
        )
    progress = Progress(settings, match.names, bar, results.games)
    running = match.run(todo)
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
                records = list(results.games.values())
                print(output.summary(records, match.names, settings.pairs, settings.sprt), flush=True)
            finally:  # even if the reader of stdout has gone
                if settings.report and results.games:
                    write_report(settings.report, results.pgn(), settings.page)
            if not ended:
                print(output.stopped_line(len(unplayed(games, results)), settings.resume), flush=True)
    return status


def unplayed(games, results):
    """The Pairings of `games` that were not played yet. The Results may also have games of later rounds."""
    return [pairing for pairing in games if pairing.game not in results.games]


def identity(settings, names, fens):
    """The settings that must not change when a match is resumed. The numbers of rounds and workers may change."""
    values = {
        "variant": settings.rules.name,
        "games a round": settings.games,
        "ponder": settings.ponder,
        "openings": hashlib.sha256("\n".join(fens).encode()).hexdigest()[:16],
    }
    if not settings.swap or settings.reverse:
        values["colours"] = " ".join(["not swapped"] * (not settings.swap) + ["reversed"] * settings.reverse)
    if len(names) > 2:
        values["tournament"] = settings.tournament
    if settings.sprt:
        values["test"] = str(settings.sprt) + (" penta=false" if settings.games == 2 and not settings.pairs else "")
    if settings.resign:
        values["resign"] = [settings.resign.moves, settings.resign.score] + ["twosided"] * settings.resign.twosided
    for number, (name, engine) in enumerate(zip(names, settings.engines), 1):
        own = {
            "name": name,
            "command": engine.command,
            "directory": engine.directory,
            "options": [list(option) for option in engine.options],
            "limits": str(engine.time_control),
            "margin": engine.time_control.margin,
        }
        if engine.ponder and not settings.ponder:
            own["ponder"] = True
        if engine.proto in ("ugi", "codingame"):
            own["proto"] = engine.proto
        if engine.restart:
            own["restart"] = True
        if engine.initstr:
            own["initstr"] = list(engine.initstr)
        values[f"engine {number}"] = own
    return values
