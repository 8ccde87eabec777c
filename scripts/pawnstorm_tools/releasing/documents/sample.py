"""The report of a short match."""

import shlex
import sys
from pathlib import Path

from pawnstorm_tools.releasing.documents import check_libraries, run

STRENGTHS = (4000, 1000, 250)
"""Nodes a move of each engine. A limit of nodes, unlike one of time, gives the same games each time."""
MATCH = "-each option.Hash=4 -variant breakthrough -openings file=scripts/openings/breakthrough.epd -rounds 2".split()


def sample_report(path, page=None):
    """Play 12 games, every engine against every other one, and write the report to a file.

    The games are the same each time; the times of the moves differ. page: the address of page.py's page, relative to the
    report; each position then has a link that opens it there. Raises DocumentsError.
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
