"""Makes the page: fills in the template with its style, its scripts, the numbers and the parts.

The page loads nothing. Its content security policy forbids all requests, and all scripts except its own, the core, and the
worker, which is made from a text in the page.
"""

import base64
import json
import os
import re
import zlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pawnstorm import __version__
from pawnstorm.core import native, sources
from pawnstorm.core.state import SOLVER_OUTPUTS
from pawnstorm.core.targets import TARGETS
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import get_rules
from pawnstorm.openings import repertoire
from pawnstorm.proof import book
from pawnstorm_tools import startup
from pawnstorm_tools.playing_page import PageError, opening
from pawnstorm_tools.playing_page import numbers as engine_numbers
from pawnstorm_tools.reporting import page as report
from pawnstorm_tools.reporting import picture

FOLDER = Path(__file__).parent
TEXTS = FOLDER / "texts.json"
"""The texts in the page's language."""
CORE = "wasm32"
MARGIN = 0
"""The margin around the page's boards, for picture.backdrop(): they have their coordinates in the squares."""
REPORT = ("board.js", "clipboard.js", "pgn.js")
"""The scripts that the report's page has too."""
PUZZLES = startup.ROOT / "scripts" / "positions" / "puzzles.jsonl"
"""The file that scripts/puzzles.py has made."""
GLYPHS = (
    ("!", "good-move"),
    ("?", "mistake"),
    ("!!", "excellent-move"),
    ("??", "blunder"),
    ("!?", "interesting-move"),
    ("?!", "dubious-move"),
)
"""Marks of moves, in the order of PGN's numeric annotation glyphs 1 to 6."""
FAMILIES = ("twoflags", "breakthrough", "hexapawn")
"""The families of the games that the page offers, in this order."""
TIMES = ("move 100", "move 1000", "move 3000", "move 10000", "clock 1 1", "clock 3 2", "clock 10 5")
"""The engine's time: milliseconds a move, or, on both clocks, minutes for the game and seconds added for each move."""


def page(core=None):
    """The HTML of the page. core: the bytes of the core for WebAssembly; None: from the cache. Raises BuildError, PageError."""
    return fill_template("page.html", core)


def fill_template(template, core=None, **more):
    """The HTML of page.html, or of a template that extends it and takes the values `more`. core, errors: as for page()."""
    if find_spec("jinja2") is None:
        raise PageError("a page needs jinja2: pip install -e '.[page]'")
    numbers, parts = contents(core)
    boards = {
        f"{row['files']}x{row['ranks']}": report.backdrops(get_rules(row["name"]), MARGIN) for row in numbers["games"]
    }
    own, early = page_script(), (FOLDER / "early.js").read_text(encoding="utf-8")
    return report.fill_template(
        FOLDER,
        template,
        picture.BOARDS,
        version=__version__,
        style=style(),
        texts=texts(),
        numbers=report.embed_json(
            {**numbers, "puzzles": puzzles(), "measures": {"square": picture.SQUARE, "margin": MARGIN}}
        ),
        worker=worker_script(),
        parts={"boards": part(report.embed_json(boards).encode()), **parts},
        script=own,
        hash=report.digest(own),
        early=early,
        early_hash=report.digest(early),
        families=FAMILIES,
        glyphs=GLYPHS,
        times=TIMES,
        elos=list(numbers["levels"]["rows"][0])[::2],  # the same for all games
        **more,
    )


def texts():
    """All words for people, {name: text}, or {name: {"one": text, "other": text}} for what is counted."""
    return json.loads(TEXTS.read_text(encoding="utf-8"))


def style():
    """The style of the playing page: first the style of the report's page, then the rules that only the playing page has."""
    return "\n".join((folder / "page.css").read_text(encoding="utf-8") for folder in (report.FOLDER, FOLDER))


def page_script():
    """The scripts that run in the page itself, joined into one. Some of them also belong to the report or to the worker."""
    folders = report.scripts_of(FOLDER / "both") + report.scripts_of(FOLDER / "view")
    return report.joined([*(report.FOLDER / name for name in REPORT), *folders])


def worker_script():
    """The worker's script without its numbers; the page puts them in front as the constant `numbers`."""
    scripts = report.scripts_of(FOLDER / "both") + report.scripts_of(FOLDER / "worker")
    return "\n".join(["'use strict';", *(path.read_text(encoding="utf-8") for path in scripts)])


def puzzles():
    """The puzzles from easy to hard: [{game, fen, move, within, grade}]; within: an upper bound on the plies to the end of the
    game; grade: an Elo. The solver refutes every other move within a second.
    """
    rows = map(json.loads, PUZZLES.read_text(encoding="utf-8").splitlines()[1:])
    return [
        {field: row[field] for field in ("game", "fen", "move", "within", "grade")}
        for row in sorted(rows, key=lambda row: (row["grade"], row["within"], row["id"]))
    ]


def contents(core=None):
    """(numbers, parts): the numbers and texts for the page's scripts, and its binary parts. core: as for page().

    Raises BuildError or PageError if there is no core.
    """
    numbers, parts = engine_contents(core)
    return {**numbers, "texts": texts()}, parts


@cache
def engine_contents(core):
    """contents() without the texts: the same in all languages."""
    numbers = engine_numbers.numbers()
    return numbers, parts(numbers["games"], core or find_or_build_core())


# The binary parts: the core, the records' blocks, the networks, the books and the openings.


def find_or_build_core():
    """The bytes of the core for WebAssembly, from the cache; built into it if needed. Raises BuildError, PageError."""
    path = native.find_or_build(CORE, sources.cache_folder(), persistent=True)
    if not path.endswith(TARGETS[CORE].library):
        raise PageError("no linker for WebAssembly found: run pip install -e '.[page]'")
    with open(path, "rb") as file:
        return file.read()


def parts(games, core):
    """{name: text of a part}. games: numbers()["games"]."""
    found = {"core": core, "records": engine_numbers.blocks()}
    for row in games:
        if row["network"] and row["network"] not in found:
            read = networks.read_network if row["learned"] else networks.load_ntuple
            found[row["network"]] = read(os.path.join(networks.FOLDER, row["network"]))[1]
        if row["solver"] and row["solver"] not in found:
            path = os.path.join(networks.FOLDER, row["solver"])
            found[row["solver"]] = networks.read_network(path, form=networks.SOLVER_FORMAT, outputs=SOLVER_OUTPUTS)[1]
        for folder, name in (book.FOLDER, row["book"]), (repertoire.FOLDER, row["repertoire"]):
            if name and name not in found:
                with open(os.path.join(folder, name), "rb") as file:
                    found[name] = file.read()
        if row["opening"] and row["opening"] not in found:
            found[row["opening"]] = opening.table(get_rules(row["name"]))
    return {name: part(data) for name, data in found.items()}


def core_of(html):
    """The bytes of the core in a page. Raises PageError."""
    if found := re.search(r'data-part="core">([\w+/=]+)<', html):
        return zlib.decompress(base64.b64decode(found[1]))
    raise PageError("there is no core in the page: expected a page that this program has made")


def part(data):
    """The text of a part: its bytes, compressed (which adds a checksum) and then written in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode()
