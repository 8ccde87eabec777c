"""Random positions of known value, and what an engine makes of them: `python scripts/positions.py COMMAND -h`.

    make FILE       draws positions by random legal moves from the start, so many for each range of plies, and finds by the solver who
                    wins each of them, and by which moves. Left out are those that a race decides at sight, those that came before, in
                    another order of moves or as a mirror image, and those in which every move wins. No other choice is made: one that
                    is not settled (--cap) keeps its place
    check FILE      has values, evenly from the file, proven again and the proofs judged by scripts/verify.py
    measure FILE    has a UCI engine think about each: is a won position still won after its move, and does it say who wins, as proven?

Each can be interrupted, or killed, and goes on where it was when it is started again with the same words: `make` by its file, the others
where they were given --results. Which positions `make` chooses follows from the variant, the plies and the seed alone.

scripts/positions/twoflags.jsonl is of

    python scripts/positions.py make scripts/positions/twoflags.jsonl
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from openings import candidates, identity, option
from proving import positions
from referee import ROOT
from referee.clock import Control
from referee.journal import Journal, JournalError
from referee.player import Player
from referee.settings import EngineSettings
from referee.uciclient import EngineError, EngineFault

from engine import native
from engine.prover import UNLIMITED, Prover
from engine.rules import UnknownGame, game

PLIES = ((4, 8), (9, 14))


class Unfit(ValueError):
    """A file that has not what a command needs."""


def parse(words):
    parser = argparse.ArgumentParser(description="Random positions of known value, and what an engine makes of them.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="draw positions and find their values")
    made.add_argument("file", type=Path, help="the file to write or to complete")
    made.add_argument("--variant", default="twoflags", help="the game (%(default)s)")
    made.add_argument("--plies", type=int, nargs=2, action="append", metavar=("LEAST", "MOST"),
                      help="a range of plies from the start, given once or several times (4 8 and 9 14)")
    made.add_argument("--count", type=int, default=250, help="positions for each range (%(default)s)")
    made.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    made.add_argument("--cap", type=int, default=UNLIMITED, metavar="NODES", help="skip a position after so many (never)")
    checked = commands.add_parser("check", help="have values judged by scripts/verify.py")
    checked.add_argument("file", type=Path, help="what `make` has written")
    checked.add_argument("--count", type=int, default=50, help="values (%(default)s)")
    for command in made, checked:
        command.add_argument("--hash", type=int, default=2048, metavar="MB", help="the solver's table (%(default)s)")
        command.add_argument("--threads", type=int, default=1, help="the solver's (%(default)s)")
    measured = commands.add_parser("measure", help="have a UCI engine think about each")
    measured.add_argument("file", type=Path, help="what `make` has written")
    measured.add_argument("--engine", metavar="COMMAND", help="the engine (ours, from source)")
    measured.add_argument("--movetime", type=int, default=1000, metavar="MS", help="for each position (%(default)s)")
    measured.add_argument("--hash", type=int, default=64, metavar="MB", help="the engine's table (%(default)s)")
    measured.add_argument("--threads", type=int, default=1, help="the engine's (%(default)s)")
    measured.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE",
                          help="a UCI option for it (for Fairy-Stockfish VariantPath=scripts/variants.ini)")
    measured.add_argument("--part", metavar="PLIES", help="only the positions of one range, such as 4-8")
    for command in checked, measured:
        command.add_argument("--results", type=Path, metavar="FILE", help="the results, written as they come")
    asked = parser.parse_args(words)
    for name, value in vars(asked).items():
        if isinstance(value, int) and name != "seed" and value < 1:
            parser.error(f"argument --{name}: {value}: expected a whole number from 1")
    if asked.command == "make":
        asked.plies = asked.plies or PLIES
        for least, most in asked.plies:
            if not 0 <= least <= most:
                parser.error(f"argument --plies: {least} {most}: expected LEAST from 0 to MOST")
    return asked


def make(asked):
    """Complete the file; prints what it then holds, whatever ended the run."""
    rules = game(asked.variant)
    names = [f"{least}-{most}" for least, most in asked.plies]
    # A seed of its own for each range: otherwise the games of one would go on as those of the other began.
    parts = {name: candidates(rules, plies, f"{asked.seed} {name}") for name, plies in zip(names, asked.plies)}
    asked.file.parent.mkdir(parents=True, exist_ok=True)
    kept = Journal(asked.file, positions.KIND, positions.KEY, {"variant": rules.name, "parts": names, "seed": asked.seed})
    try:
        prover = Prover(asked.hash, asked.threads)
        with tqdm(total=len(parts) * asked.count, unit=" positions", file=sys.stderr, smoothing=0, mininterval=0.5) as bar:
            def look():
                bar.set_postfix_str(f"{judge.nodes:,} nodes for the next", refresh=False)
                bar.update(0)

            judge = positions.Judge(prover, asked.cap, look)
            for _ in positions.select(kept, parts, asked.count, identity, judge):
                bar.update()
    finally:
        kept.close()
        summary(names, kept.records.values())
    return 0


def summary(names, records):
    """Print what a file holds."""
    for name in names:
        part = [record for record in records if record["part"] == name]
        won, lost = (sum(record.get("value") == value and "rejected" not in record for record in part) for value in (1, -1))
        print(f"plies {name}: {won + lost} positions, {won} won, {lost} lost; {sum('rejected' in record for record in part)} rejected as "
              f"won by every move, {sum('skipped' in record for record in part)} skipped")
        if part:
            nodes, seconds = (sorted(record[field] for record in part) for field in ("nodes", "seconds"))
            print(f"  median {statistics.median(nodes):,.0f} nodes, {statistics.median(seconds):.1f} s; "
                  f"most {nodes[-1]:,} nodes, {seconds[-1]:.1f} s; in all {sum(nodes):,} nodes, {sum(seconds):,.0f} s", flush=True)


def load(path):
    """(id, rules, Positions) of a file that `make` has written; says what it lacks."""
    identifier, rules, records = positions.read(path)
    found = positions.of_value(rules, records)
    if not found:
        raise Unfit(f"{path} holds no position of known value yet")
    if skipped := sum("skipped" in record for record in records):
        print(f"positions.py: {skipped} positions of {path} were skipped as too hard and do not count", file=sys.stderr)
    return identifier, rules, found


def check(asked):
    """Have values checked and print the result; the exit status."""
    from proving.spotcheck import spot_check   # numba: some seconds
    identifier, _, found = load(asked.file)
    found = positions.evenly(sorted(found, key=lambda position: position.part), asked.count)
    results = Journal(asked.results, "check", positions.KEY, {"positions": identifier})
    try:
        prover = Prover(asked.hash, asked.threads)
        with (tempfile.TemporaryDirectory(prefix="positions-") as folder,
              tqdm(found, unit=" values", file=sys.stderr, smoothing=0, mininterval=0.5) as bar):
            def look():
                bar.set_postfix_str(f"{prover.nodes:,} nodes", refresh=False)
                bar.update(0)

            for position in bar:
                if position.fen not in results.records:
                    results.add(spot_check(position, prover, look, Path(folder, "proof")))
    finally:
        results.close()
        done = [record for position in found if (record := results.records.get(position.fen))]
        for record in done:
            if not record["verified"]:
                print(f"NOT verified: {record['fen']}: {record['said']}")
        print(f"{sum(record['verified'] for record in done)} of {len(done)} values verified, {len(found) - len(done)} left", flush=True)
    return 0 if all(record["verified"] for record in done) else 1


def measure(asked):
    """Measure an engine and print the result, whatever ended the run."""
    from proving import measure as measuring   # scipy
    identifier, rules, found = load(asked.file)
    parts = list(dict.fromkeys(position.part for position in found))
    if asked.part and asked.part not in parts:
        raise Unfit(f"{asked.file} has no part '{asked.part}': expected one of {', '.join(parts)}")
    found = [position for position in found if asked.part in (None, position.part)]
    usual = {"VariantPath": str(ROOT / "scripts" / "variants.ini"), "Hash": str(asked.hash), "Threads": str(asked.threads)}
    options = tuple((usual | dict(asked.option)).items())
    command, folder = (asked.engine, None) if asked.engine else (f"'{sys.executable}' -m protocol", str(ROOT))
    player = Player(0, EngineSettings(command, Control(), directory=folder, options=options), rules, ponder=False)
    results = None
    try:
        native.core()   # a fresh checkout builds it here, not in the engine
        player.start()
        if unknown := [name for name, _ in asked.option if name in player.unknown_options]:
            raise Unfit(f"{player.engine.name} has no option {', '.join(unknown)}")
        fixed = {"positions": identifier, "engine": player.engine.name, "command": command, "movetime": asked.movetime,
                 "options": [list(item) for item in options]}
        results = Journal(asked.results, "measurement", positions.KEY, fixed)
        for position in tqdm(found, unit=" positions", file=sys.stderr, smoothing=0):
            if position.fen not in results.records:
                results.add(measuring.ask(player, position, asked.movetime))
    finally:
        player.engine.quit()
        if results:
            results.close()
            answers = [(position, results.records[position.fen]) for position in found if position.fen in results.records]
            for line in measuring.failures(answers):
                print(line)
            for name in parts if len(parts) > 1 and not asked.part else ():
                told(name, [pair for pair in answers if pair[0].part == name], measuring)
            told(asked.part or "all", answers, measuring)
    return 0


def told(name, answers, measuring):
    """Print the report of one part."""
    print(f"plies {name}: {len(answers)} positions")
    print("\n".join(measuring.report(answers)), flush=True)


def main(words):
    asked = parse(words)
    try:
        return {"make": make, "check": check, "measure": measure}[asked.command](asked)
    except (UnknownGame, JournalError, positions.TooFew, Unfit, EngineError, EngineFault, OSError, MemoryError) as error:
        print(f"positions.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        goes_on = asked.command == "make" or asked.results
        print(f"positions.py: stopped; {'the same command goes on' if goes_on else 'nothing was saved, as no --results was given'}",
              file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
