"""The report of a short match."""

import shlex
import sys
from pathlib import Path

from pawnstorm_tools.releasing.documents import check_libraries, run

STRENGTHS = (4000, 1000, 250)
"""Nodes a move of each engine. Nodes, not time: then the same games are played each time."""
MATCH = "-each option.Hash=4 -variant breakthrough -openings file=scripts/openings/breakthrough.epd -rounds 2".split()


def sample_report(path, page=None):
    """Play 12 games, each engine against each other, and write the report to a file.

    The games are the same each time, but not how long the moves took. page: the address of page.py's page, seen from the
    report, in which the positions then open. Raises DocumentsError.
    """
    check_libraries("jinja2", "tqdm", "vl_convert")
    path = Path(path).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    command = shlex.join([sys.executable, "-m", "pawnstorm"])
    engines = []
    for nodes in STRENGTHS:
        engines += ["-engine", f"name={nodes:,} nodes", f"cmd={command}", f"nodes={nodes}"]
    report = [f"file={path}", *([f"page={page}"] if page else [])]
    run("the sample report", [sys.executable, "scripts/match.py", *engines, *MATCH, "-report", *report])
