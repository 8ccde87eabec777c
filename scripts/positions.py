"""Positions of known value, and what engines make of them: `python scripts/positions.py COMMAND -h`.

    make FILE       draws positions by random legal moves from the start, so many for each range of plies, and finds by the solver who
                    wins each of them, and by which moves. Left out are those that a race decides at sight, those that came before, in
                    another order of moves or as a mirror image, and those in which every move wins. No other choice is made: one that
                    is not settled (--cap) keeps its place
    value EPD FILE  finds by the solver who wins each position of an EPD file, and not by which moves
    epd FILE        prints the positions of known value as EPD, openings for scripts/match.py
    check FILE      has values, evenly from the file, proven again and the proofs judged by scripts/verify.py
    measure FILE    has a UCI engine think about each: is a won position still won after its move, and does it say who wins, as proven?
                    For this the file must be one of `make`, which knows the moves
    conversion FILE PGN    tells of each player of a match from such openings how often it won the games in which it had the won side

What takes long can be interrupted, or killed, and goes on where it was when it is started again with the same words: `make` and `value` by
their file, the others where they were given --results. Which positions `make` chooses follows from the variant, the plies and the seed
alone.

scripts/positions/twoflags.jsonl is of

    python scripts/positions.py make scripts/positions/twoflags.jsonl
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import statistics
import sys
import tempfile
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from openings import candidates, epd, option
from proving import positions
from referee import ROOT, openings
from referee.clock import Control
from referee.journal import Journal, JournalError
from referee.player import Player
from referee.settings import EngineSettings
from protocol.uciclient import EngineError, EngineFault

from engine import native
from engine.notation import fen, parse_fen
from engine.prover import UNLIMITED, Prover
from engine.rules import UnknownGame, game

PLIES = ((4, 8), (9, 14))


class Unfit(ValueError):
    """A file that has not what a command needs."""


def parse(words):
    parser = argparse.ArgumentParser(description="Positions of known value, and what engines make of them.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="draw positions and find their values")
    made.add_argument("file", type=Path, help="the file to write or to complete")
    made.add_argument("--plies", type=int, nargs=2, action="append", metavar=("LEAST", "MOST"),
                      help="a range of plies from the start, given once or several times (4 8 and 9 14)")
    made.add_argument("--count", type=int, default=250, help="positions for each range (%(default)s)")
    made.add_argument("--seed", type=int, default=1, help="of the random moves (%(default)s)")
    valued = commands.add_parser("value", help="find the values of given positions")
    valued.add_argument("openings", type=Path, metavar="EPD", help="the positions, in EPD or FEN")
    valued.add_argument("file", type=Path, help="the file to write or to complete; it may be one with values of other positions")
    valued.add_argument("--count", type=int, metavar="N", help="only the first N positions (all)")
    for command in made, valued:
        command.add_argument("--variant", default="twoflags", help="the game (%(default)s)")
        command.add_argument("--cap", type=int, default=UNLIMITED, metavar="NODES", help="skip a position after so many (never)")
    listed = commands.add_parser("epd", help="print the positions of known value as EPD")
    listed.add_argument("file", type=Path, help="what `make` or `value` has written")
    checked = commands.add_parser("check", help="have values judged by scripts/verify.py")
    checked.add_argument("file", type=Path, help="what `make` or `value` has written")
    checked.add_argument("--count", type=int, default=50, help="values (%(default)s)")
    for command in made, valued, checked:
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
    for command in listed, measured:
        command.add_argument("--part", metavar="PLIES", help="only the positions of one range, such as 4-8")
    for command in checked, measured:
        command.add_argument("--results", type=Path, metavar="FILE", help="the results, written as they come")
    converted = commands.add_parser("conversion", help="tell how often the players of a match won from won positions")
    converted.add_argument("file", type=Path, help="what `make` or `value` has written")
    converted.add_argument("pgn", type=Path, help="the games of a match from its positions (scripts/match.py -pgnout)")
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
    kept = journal(asked.file, {"variant": rules.name, "parts": names, "seed": asked.seed})
    try:
        fill(asked, len(parts) * asked.count, lambda judge: positions.select(kept, parts, asked.count, judge))
    finally:
        kept.close()
        for name in names:
            summary(f"plies {name}", [record for record in kept.records.values() if record["part"] == name])
    return 0


def value(asked):
    """Complete the file by the values of given positions; prints what it then holds of them, whatever ended the run."""
    rules = game(asked.variant)
    boards = [parse_fen(rules, text) for text in islice(openings.read(asked.openings, rules), asked.count)]
    # Who wins depends on nothing but the game, so that the file may hold positions from anywhere.
    kept = journal(asked.file, {"variant": rules.name})
    try:
        fill(asked, len(boards), lambda judge: positions.appraise(kept, boards, judge))
    finally:
        kept.close()
        summary(asked.openings.name, [kept.records[text] for text in dict.fromkeys(map(fen, boards)) if text in kept.records])
    return 0


def journal(path, settings):
    """The Journal of positions in a file, which is made where there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path, positions.KIND, positions.KEY, settings)


def fill(asked, total, judging):
    """Go through the records that judging(Judge) yields, `total` of them, with a bar for progress."""
    prover = Prover(asked.hash, asked.threads)
    with tqdm(total=total, unit=" positions", file=sys.stderr, smoothing=0, mininterval=0.5) as bar:
        def look():
            bar.set_postfix_str(f"{judge.nodes:,} nodes for the next", refresh=False)
            bar.update(0)

        judge = positions.Judge(prover, asked.cap, look)
        for _ in judging(judge):
            bar.update()


def summary(title, records):
    """Print what some records hold."""
    won, lost = (sum(record.get("value") == value and "rejected" not in record for record in records) for value in (1, -1))
    rejected, skipped = (sum(name in record for record in records) for name in ("rejected", "skipped"))
    print(f"{title}: {won + lost} positions, {won} won, {lost} lost; "
          + (f"{rejected} rejected as won by every move, " if rejected else "") + f"{skipped} skipped")
    if records:
        nodes, seconds = (sorted(record[field] for record in records) for field in ("nodes", "seconds"))
        print(f"  median {statistics.median(nodes):,.0f} nodes, {statistics.median(seconds):.1f} s; "
              f"most {nodes[-1]:,} nodes, {seconds[-1]:.1f} s; in all {sum(nodes):,} nodes, {sum(seconds):,.0f} s", flush=True)


def load(path):
    """(id, rules, Positions) of a file that `make` or `value` has written; says what it lacks."""
    identifier, rules, records = positions.read(path)
    found = positions.of_value(rules, records)
    if not found:
        raise Unfit(f"{path} holds no position of known value yet")
    if skipped := sum("skipped" in record for record in records):
        print(f"positions.py: {skipped} positions of {path} were skipped as too hard and do not count", file=sys.stderr)
    return identifier, rules, found


def of_part(asked, found):
    """The positions of the part that was asked for, all without one."""
    parts = list(dict.fromkeys(position.part for position in found))
    if asked.part and asked.part not in parts:
        raise Unfit(f"{asked.file} has no part '{asked.part}': expected one of {', '.join(parts)}")
    return [position for position in found if asked.part in (None, position.part)]


def listing(asked):
    """Print the positions of a file as EPD."""
    _, _, found = load(asked.file)
    print("\n".join(epd(position.board) for position in of_part(asked, found)), flush=True)
    return 0


def check(asked):
    """Have values checked and print the result; the exit status."""
    identifier, _, found = load(asked.file)
    found = positions.evenly(sorted(found, key=lambda position: position.part), asked.count)
    results = Journal(asked.results, "check", positions.KEY, {"positions": identifier})
    from proving.spotcheck import spot_check   # numba: some seconds
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
    identifier, rules, found = load(asked.file)
    from proving import measure as measuring   # scipy
    if any(position.winning is None for position in found):
        raise Unfit(f"{asked.file} does not tell which moves win: expected a file that `make` has written")
    found = of_part(asked, found)
    parts = list(dict.fromkeys(position.part for position in found))
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
            for name in parts if len(parts) > 1 else ():
                told(name, [pair for pair in answers if pair[0].part == name], measuring)
            told(asked.part or "all", answers, measuring)
    return 0


def told(name, answers, measuring):
    """Print the report of one part."""
    print(f"plies {name}: {len(answers)} positions")
    print("\n".join(measuring.report(answers)), flush=True)


def conversion(asked):
    """Print what the players of a match made of won positions."""
    _, rules, found = load(asked.file)
    from proving import conversion as converting   # scipy
    outcomes, left_out = converting.read(asked.pgn, rules, found)
    for line in left_out:
        print(f"left out      {line}")
    if not outcomes:
        raise Unfit(f"none of the {len(left_out)} games in {asked.pgn} was played to its end from a position whose value "
                    f"{asked.file} tells")
    for line in converting.failures(outcomes):
        print(line)
    print("\n".join(converting.report(outcomes, len(left_out))), flush=True)
    return 0


COMMANDS = {"make": make, "value": value, "epd": listing, "check": check, "measure": measure, "conversion": conversion}


def main(words):
    asked = parse(words)
    try:
        return COMMANDS[asked.command](asked)
    except (UnknownGame, openings.OpeningError, JournalError, positions.TooFew, Unfit, EngineError, EngineFault, OSError,
            MemoryError) as error:
        print(f"positions.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        goes_on = asked.command in ("make", "value") or getattr(asked, "results", None)
        print(f"positions.py: stopped; {'the same command goes on' if goes_on else 'nothing was saved'}", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
