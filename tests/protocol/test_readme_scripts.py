"""The scripts of the READMEs run as they stand."""

import re
import subprocess
import sys

import client
import pytest

pytestmark = pytest.mark.compiled


def run(name, tmp_path, file="README.md"):
    """The output of a README's block of Python with that first line, started where nothing of the checkout lies."""
    client.build_core()
    path, readme = tmp_path / "script.py", (client.ROOT / file).read_text()
    path.write_text(re.search(rf"^```python\n(# {name}\n.*?)^```$", readme, re.M | re.S)[1])
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


def test_script_of_the_package_analyses_plays_and_solves(tmp_path):
    lines = run("pawnstorm", tmp_path)
    assert all(re.fullmatch(r"[+-]\d\.\d\d( [a-h][1-8][a-h][1-8])+", line) for line in lines[:3])
    assert re.fullmatch("(white|black) wins", lines[-2]) and lines[-1].startswith("Solution(winner='black', plies=")


def test_script_for_python_chess_analyses_and_plays(tmp_path):
    lines = run("python-chess", tmp_path, "protocol/README.md")
    assert all(re.fullmatch(r"[#+-]+\d+ 1\. \S.*", line) for line in lines[:3])
    assert lines[-1] in ("1-0", "0-1")
