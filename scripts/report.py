"""A match as one page of HTML to look at: `python scripts/report.py games.pgn -o out.html`; -h lists the flags.

The page needs no network and holds ratings, charts and every game to be played through; match.py -report makes the same. It reads the
PGN of match.py, cutechess-cli, fastchess and python-chess.
"""

import argparse
import os
import sys
from pathlib import Path

import referee  # noqa: F401  makes engine/ importable

from engine.rules import DEFAULT, UnknownGame, game
from protocol.printable import printable
from reporting import ReportError, page, reading


def main(words):
    """Make the report that the words ask for; the exit status: 0, 2 where there is none, 130 when interrupted."""
    parser = argparse.ArgumentParser(description="A match's PGN as one page of HTML, which needs no network.")
    parser.add_argument("pgn", help="the games")
    parser.add_argument("-o", dest="output", required=True, type=Path, metavar="FILE", help="the page")
    parser.add_argument("--variant", default=DEFAULT, metavar="GAME", help="the game of those without a [Variant] (%(default)s)")
    asked = parser.parse_args(words)
    try:
        page.check()
        game(asked.variant)
        if os.path.realpath(asked.pgn) == os.path.realpath(asked.output):
            raise ReportError(f"-o: '{asked.output}' is the PGN, expected another file")
        games = reading.read(asked.pgn, asked.variant)
        asked.output.write_text(page.page(games), encoding="utf-8")
    except (ReportError, UnknownGame, OSError) as error:
        print(f"report.py: {printable(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    for fault in games.faults:
        print(f"report.py: {asked.pgn}: left out {printable(fault)}", file=sys.stderr)
    print(f"{asked.output}: {len(games.records)} games" + (f", {len(games.faults)} could not be read" if games.faults else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
