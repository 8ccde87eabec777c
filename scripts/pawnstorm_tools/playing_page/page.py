"""The page: the template filled in, with its style, its scripts, the numbers and the parts inside.

Nothing is loaded: a content security policy forbids every request, and every script but those that are written here,
the core and the worker, which is made of a text in the page.
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
from pawnstorm.core.targets import TARGETS
from pawnstorm.evaluation import networks
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import book
from pawnstorm_tools import startup
from pawnstorm_tools.playing_page import PageError, opening
from pawnstorm_tools.playing_page import numbers as engine_numbers
from pawnstorm_tools.reporting import page as report
from pawnstorm_tools.reporting import picture

FOLDER = Path(__file__).parent
CORE = "wasm32"
REPORT = ("board.js", "clipboard.js", "pgn.js")
"""The scripts that the report's page has too."""
POSITIONS = startup.ROOT / "scripts" / "positions" / "twoflags.jsonl"
EXPANDED = 300_000
"""Positions with which a solver knows all about a lesson: what follows an answer is then proven in a second."""
FAMILIES = (("twoflags", "Two Flags"), ("breakthrough", "Breakthrough"), ("hexapawn", "Hexapawn"))
TIMES = (
    ("move 100", "0.1 s a move"),
    ("move 1000", "1 s a move"),
    ("move 3000", "3 s a move"),
    ("move 10000", "10 s a move"),
    ("clock 1 1", "clock: 1 min + 1 s"),
    ("clock 3 2", "clock: 3 min + 2 s"),
    ("clock 10 5", "clock: 10 min + 5 s"),
)
"""What the engine may take: milliseconds a move, or minutes and seconds for each move on both clocks."""


def page(core=None):
    """The HTML. core: the bytes of the core for WebAssembly; None: those of the cache. Raises BuildError, PageError."""
    return fill_template("page.html", core)


def fill_template(template, core=None, **more):
    """The HTML of page.html, or of a template that extends it and takes more values; otherwise as page()."""
    if find_spec("jinja2") is None:
        raise PageError("a page needs jinja2: pip install -e '.[page]'")
    numbers, parts = contents(core)
    boards = {f"{row['files']}x{row['ranks']}": backdrop(row["name"]) for row in numbers["games"]}
    own = page_script()
    return report.fill_template(
        FOLDER,
        template,
        version=__version__,
        style=style(),
        numbers=report.embed_json(
            {**numbers, "lessons": lessons(), "measures": {"square": picture.SQUARE, "margin": picture.MARGIN}}
        ),
        worker=worker_script(),
        parts={"boards": part(report.embed_json(boards).encode()), **parts},
        script=own,
        hash=report.digest(own),
        families=FAMILIES,
        times=TIMES,
        elos=list(numbers["levels"]["rows"][0])[::2],  # the same for all games
        **more,
    )


def style():
    """The report's style, which the two pages share, and the page's own."""
    return "\n".join((folder / "page.css").read_text(encoding="utf-8") for folder in (report.FOLDER, FOLDER))


def page_script():
    """The page's own scripts as one."""
    folders = report.scripts_of(FOLDER / "both") + report.scripts_of(FOLDER / "view")
    return report.joined([*(report.FOLDER / name for name in REPORT), *folders])


def worker_script():
    """The worker's script, but for its numbers, which the page puts in front as the constant `numbers`."""
    scripts = report.scripts_of(FOLDER / "both") + report.scripts_of(FOLDER / "worker")
    return "\n".join(["'use strict';", *(path.read_text(encoding="utf-8") for path in scripts)])


def lessons():
    """Positions for the "only move" training, of known value and won by one move alone: [{fen, move, within}], the shortest
    wins first; within: plies to the end at the latest.
    """
    rows = map(json.loads, POSITIONS.read_text(encoding="utf-8").splitlines()[1:])
    fitting = [row for row in rows if len(row.get("winning", ())) == 1 and row["nodes"] <= EXPANDED]
    return [
        {"fen": row["fen"], "move": row["winning"][0], "within": row["within"]}
        for row in sorted(fitting, key=lambda row: (row["within"], row["fen"]))
    ]


def backdrop(name):
    """The SVG of a game's empty board."""
    return "".join(picture.backdrop(get_rules(name), report.VARIABLES))


@cache
def contents(core=None):
    """(numbers, parts) of the page; core: as page()'s. Raises BuildError, PageError where there is no core."""
    numbers = engine_numbers.numbers()
    return numbers, parts(numbers["games"], core or find_or_build_core())


# The binary parts: the core, the records' blocks, the networks, the books and the openings.


def find_or_build_core():
    """The bytes of the core for WebAssembly, out of the cache, or built into it. Raises BuildError, PageError."""
    path = native.find_or_build(CORE, sources.cache_folder(), persistent=True)
    if not path.endswith(TARGETS[CORE].library):
        raise PageError("nothing found that links WebAssembly: expected pip install -e '.[page]'")
    with open(path, "rb") as file:
        return file.read()


def parts(games, core):
    """{name: text of a part}. games: numbers()["games"]."""
    found = {"core": core, "records": engine_numbers.blocks()}
    for row in games:
        if row["network"] and row["network"] not in found:
            kind = row["network"].rpartition(".")[2]
            found[row["network"]] = networks.EVAL_LOADERS[kind](os.path.join(networks.FOLDER, row["network"]))[1]
        if row["book"] and row["book"] not in found:
            with open(os.path.join(book.FOLDER, row["book"]), "rb") as file:
                found[row["book"]] = file.read()
        if row["opening"] and row["opening"] not in found:
            found[row["opening"]] = opening.table(get_rules(row["name"]))
    return {name: part(data) for name, data in found.items()}


def core_of(html):
    """The bytes of the core in a page. Raises PageError."""
    if found := re.search(r'data-part="core">([\w+/=]+)<', html):
        return zlib.decompress(base64.b64decode(found[1]))
    raise PageError("there is no core in the page: expected one that this program has made")


def part(data):
    """The text of a part of these bytes: compressed, which brings a checksum, and in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode()
