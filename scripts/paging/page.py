"""The page: the template filled in, with its style, its scripts, the numbers and the parts inside.

Nothing is loaded: a content security policy forbids every request, and every script but those that are written here,
the core and the worker, which is made of a text in the page.
"""

import json
from functools import cache
from pathlib import Path

from paging import numbers as engine_numbers
from paging import parts as engine_parts

FOLDER = Path(__file__).parent
BOTH = ("parts.js", "position.js", "core.js")
WORKER = (
    "timeman.js",
    "book.js",
    "prover.js",
    "solver_beside_search.js",
    "lines.js",
    "memory.js",
    "control.js",
    "deepening.js",
    "levels.js",
    "engine.js",
    "messages.js",
)


@cache
def contents():
    """(numbers, parts) of the page. Raises BuildError, PageError where there is no core."""
    numbers = engine_numbers.numbers()
    return numbers, engine_parts.parts(numbers["games"])


def script(*folders):
    """The scripts of folders, each (name, files), as one."""
    return "\n".join((FOLDER / name / file).read_text(encoding="utf-8") for name, files in folders for file in files)


def worker_script():
    """The worker's script, but for its numbers, which the page puts in front as the constant `numbers`."""
    return "'use strict';\n" + script(("both", BOTH), ("worker", WORKER))


def plain(value):
    """A value as JSON without needless spaces."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
