"""A PGN takes memory in proportion to its size, whatever it holds."""

import subprocess
import sys

import pytest
from matches import ROOT

SIZE = 6_000_000
TIMES = 8
"""Most bytes of memory for a byte of the file: the file itself, its text, copies of parts of it."""
MEASURE = """
import re, sys
from pawnstorm import pgn

def peak():     # ru_maxrss would begin at the parent's
    with open("/proc/self/status") as status:
        return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", status.read())[1])

before = peak()
games = sum(1 for _ in pgn.read(sys.argv[1]))
print(games, peak() - before)
"""


@pytest.mark.parametrize(
    "part, games",
    [
        ("{" + "a b" * (SIZE // 3) + "}", 1),
        ("{" + "\n" * SIZE + "}", 1),
        ("{" + "x\n" * (SIZE // 2), 0),
        ("; " + "a" * SIZE + "\n", 1),
        ('\n[Event "' + "\\" * SIZE + '"]\n', 1),
    ],
    ids=["words", "lines", "open", "rest of a line", "tag"],
)
def test_a_huge_comment_or_tag_takes_a_few_times_its_size(part, games, tmp_path):
    path = tmp_path / "g.pgn"
    path.write_text(f'[Event "x"]\n\n1. e4 {part} 1-0\n')
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, path], cwd=ROOT / "scripts", capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    found, taken = map(int, done.stdout.split())
    assert found == games and taken < TIMES * SIZE
