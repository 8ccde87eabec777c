"""Play a match between two UCI engines: `python scripts/match.py -help` lists the flags."""

import hashlib
import signal
import sys

from tqdm import tqdm

from referee import openings, report, settings
from referee.results import Results, ResultsError
from referee.tournament import Match, pairings
from referee.uciclient import EngineError

from engine import native


def main(words):
    """Run the match that the words ask for; the exit status: 0, 2 for a wrong command line, 130 when interrupted."""
    if not words or words[0] in ("-h", "-help", "--help"):
        print(settings.USAGE, end="")
        return 0
    try:
        asked = settings.parse(words)
        native.core()   # a fresh checkout builds it here, not in engines that have ten seconds to be ready
        fens = [asked.rules.start_fen]
        if asked.openings:
            fens = openings.arranged(openings.read(asked.openings, asked.rules), asked.order, asked.seed)
        if asked.rounds > len(fens):
            print(f"match.py: {asked.rounds} rounds but {len(fens)} openings: they are played more than once", file=sys.stderr)
        match = Match(asked)
    except (settings.UsageError, openings.OpeningError, OSError) as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    try:
        return play(match, asked, fens)
    except (EngineError, ResultsError, OSError) as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:   # before the first game
        return 130
    finally:
        match.close()


def play(match, asked, fens):
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for warning in match.check_engines():
        print(f"match.py: {warning}", file=sys.stderr)
    results = Results(fixed(asked, match.names, fens), asked.resume, asked.pgnout)
    games = pairings(asked.games, asked.rounds, fens)
    todo = [pairing for pairing in games if pairing.game not in results.games]
    won = sum(map(report.points, results.games.values()))
    status = 0
    bar = tqdm(total=len(games), initial=len(results.games), unit="game", file=sys.stderr, smoothing=0)
    running = match.run(todo)
    try:
        for record in running:
            results.add(record)
            won += report.points(record)
            bar.set_postfix_str(f"{won} - {len(results.games) - won}", refresh=False)
            bar.update()
    except KeyboardInterrupt:
        status = 130
    finally:
        running.close()
        bar.close()
    print(report.summary(list(results.games.values()), match.names, pairs=asked.games == 2))
    if status:
        print(f"Stopped: {len(games) - len(results.games)} games are left"
              + ("; the same command goes on with them." if asked.resume else "."))
    return status


def fixed(asked, names, fens):
    """What must be the same when a match is resumed; the number of rounds and of workers may change."""
    return {
        "variant": asked.rules.name, "games a round": asked.games, "ponder": asked.ponder,
        "openings": hashlib.sha256("\n".join(fens).encode()).hexdigest()[:16],
    } | {f"engine {number}": {"name": name, "command": engine.command, "directory": engine.directory,
                              "options": [list(option) for option in engine.options], "limits": str(engine.control),
                              "margin": engine.control.margin}
         for number, (name, engine) in enumerate(zip(names, asked.engines), 1)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
