"""The pages: their names, their sources, and their order in the menu. The sources are read where they lie."""

from pathlib import Path

from pawnstorm_tools import startup

HERE = Path(__file__).parent.relative_to(startup.ROOT).as_posix()
GROUPS = {
    "Use": {
        "protocol": "protocol/README.md",
        "uci": "protocol/UCI.md",
        "guis": "protocol/GUIS.md",
        "course": "protocol/COURSE.md",
        "python": "engine/PYTHON.md",
        "environments": "engine/ENVIRONMENTS.md",
        "research": "engine/RESEARCH.md",
        "programs": "scripts/README.md",
        "matches": "scripts/pawnstorm_tools/referee/README.md",
        "reports": "scripts/pawnstorm_tools/reporting/README.md",
        "clusters": "scripts/pawnstorm_tools/cluster/README.md",
        "playing": "scripts/pawnstorm_tools/playing_page/README.md",
        "solving": "scripts/pawnstorm_tools/solving/PROGRAMS.md",
        "positions": "scripts/pawnstorm_tools/measuring/POSITIONS.md",
        "datasets": "scripts/pawnstorm_tools/datasets/README.md",
        "reference": f"{HERE}/reference.rst",
        "changelog": ".github/CHANGELOG.md",
    },
    "Results": {
        "solved": "scripts/pawnstorm_tools/solving/README.md",
        "two-flags": "scripts/pawnstorm_tools/solving/TWO_FLAGS.md",
        "paper": "scripts/pawnstorm_tools/solving/paper.md",
        "proofs": "scripts/pawnstorm_tools/solving/PROOFS.md",
        "reproducing": "scripts/pawnstorm_tools/solving/REPRODUCING.md",
        "saved-files": "scripts/pawnstorm_tools/solving/SAVED_FILES.md",
        "runs": "scripts/pawnstorm_tools/solving/RUNS.md",
        "measured": "scripts/pawnstorm_tools/measuring/README.md",
        "changes": "scripts/pawnstorm_tools/measuring/CHANGES.md",
        "books": "scripts/pawnstorm_tools/measuring/BOOKS.md",
        "book-6x6": "scripts/pawnstorm_tools/measuring/BOOK_6X6.md",
        "left-out": "scripts/pawnstorm_tools/measuring/LEFT_OUT.md",
        "speed": "scripts/pawnstorm_tools/measuring/SPEED.md",
        "solver": "scripts/pawnstorm_tools/measuring/SOLVER.md",
        "solver-left-out": "scripts/pawnstorm_tools/measuring/SOLVER_LEFT_OUT.md",
        "sample": "scripts/positions/sample/README.md",
    },
    "Develop": {
        "engine": "engine/README.md",
        "extending": "engine/EXTENDING.md",
        "training": "scripts/pawnstorm_tools/training/README.md",
        "solver-networks": "scripts/pawnstorm_tools/training/SOLVER_NETWORKS.md",
        "releases": "scripts/pawnstorm_tools/releasing/README.md",
        "contributing": ".github/CONTRIBUTING.md",
        "security": ".github/SECURITY.md",
    },
}
"""Heading in the menu -> {name of a page: its source, relative to the clone}. The page `solved` is solved.html."""
FRONT = "index"
PAGES = {FRONT: "README.md"} | {name: path for group in GROUPS.values() for name, path in group.items()}
"""Name of a page -> its source."""


def menu():
    """The menu, in MyST. Sphinx reads it from a document, so it is appended to the front page."""
    return "".join(
        f"\n\n```{{toctree}}\n:caption: {caption}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"
        for caption, pages in GROUPS.items()
    )
