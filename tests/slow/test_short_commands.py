"""Those commands of the documents that take less than a minute are run as they stand. tests/programs/test_document_commands.py
checks the words of the others.
"""

import itertools
import os
import re
import shutil
import subprocess
import sys

import client
import pytest
from document_commands import commands

DEADLINE = 600  # seconds, for a machine that is busy with other things
pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(4 * DEADLINE)]

OTHERS = (
    r"(pip|git|ruff|pyinstaller|python3 -m venv|(\S+ )*python -m pytest)\b",  # .ci/run and test_release.py
    r"xboard\b",  # test_xboard.py
    r"(python starter\.py|pawnstorm course --)",  # tests/protocol/test_course_*.py
    r"python scripts/match\.py -cluster ",  # tests/programs/test_match_cluster*.py
    r"python scripts/match\.py -engine proto=",  # tests/programs/test_match_protocols.py
)
"""Commands that install something, or want a second machine, a window or a reader's own agent. Other tests cover them."""
LONGER = (
    r"python scripts/(opening_book|puzzles|openspiel_match|release|train|tune|datagen|learn|spsa|bench_speed)\.py",
    r"python scripts/bench_solver\.py (--set large|--variant)",
    r"python scripts/positions\.py (games|value|measure|check|conversion)",
    r"python scripts/strategy\.py (make|opening|walk)",
    r"python scripts/openings\.py breakthrough some\.epd",
    r"python scripts/match\.py .*-rounds \d{3}",
    r"python scripts/solve\.py --variant breakthrough6x6|PAWNSTORM_PARAMETERS=",
    r".*\bdataset(\.py)? .*--games 1000",
)
"""Commands that take minutes to weeks, or read the files that such commands make."""


def begins(expressions, text):
    return any(re.match(expression, text) for expression in expressions)


def texts(group):
    """What runs here of a document's commands. The packages that a line installs first are there already."""
    found = [re.sub(r"^pip install [^&]*&& ", "", command.text) for command in group]
    return [text for text in found if not begins(OTHERS + LONGER, text)]


SHORT = {document: texts(group) for document, group in itertools.groupby(commands(), lambda command: command.document)}


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like a clone, with the files that the documents' readers have: games and a submission."""
    for name in ("engine", "protocol", "scripts", "build.spec"):
        (tmp_path / name).symlink_to(client.ROOT / name)
    (tmp_path / "submission").mkdir()
    engines = "-engine name=one cmd=pawnstorm -engine name=two cmd=pawnstorm".split()
    play = "-each st=0.01 timemargin=1000 -variant breakthrough -rounds 1 -pgnout games.pgn".split()
    run([sys.executable, client.ROOT / "scripts/match.py", *engines, *play], tmp_path)
    (tmp_path / "logs").mkdir()
    for copy in ("match.pgn", "logs/games.pgn"):
        shutil.copy(tmp_path / "games.pgn", tmp_path / copy)
    return tmp_path


def run(words, folder):
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])  # `python` and `pawnstorm` are ours
    done = subprocess.run(
        words,
        cwd=folder,
        env=os.environ | {"PATH": path},
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("document", [document for document, found in SHORT.items() if found])
def test_commands_of_a_document_run(document, folder):
    for text in SHORT[document]:
        run(["bash", "-ec", text], folder)
