"""The two scripts of the README run as they stand."""

import re
import subprocess
import sys

import client
import pytest

pytestmark = pytest.mark.compiled

NAMES = ("pawnstorm", "python-chess")


def script(name):
    """The README's block of Python whose first line is that name."""
    return re.search(rf"^```python\n(# {name}\n.*?)^```$", (client.ROOT / "README.md").read_text(), re.M | re.S)[1]


def run(name, tmp_path):
    """What the script prints, started where nothing of the checkout lies."""
    client.build_core()
    path = tmp_path / "script.py"
    path.write_text(script(name))
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_script_has_ten_lines(name):
    code = [line for line in script(name).splitlines() if line and not line.startswith("#")]
    assert len(code) <= 10


@pytest.mark.parametrize("name", NAMES)
def test_script_does_not_depend_on_the_clock(name):
    """A limit of time leaves an engine without a processor too few lines to show."""
    assert re.search(r"Limit\(nodes=[\d_]+\)", script(name)) and "Limit(time" not in script(name)


def test_script_of_the_package_analyses_plays_and_solves(tmp_path):
    lines = run("pawnstorm", tmp_path)
    assert all(re.fullmatch(r"[+-]\d\.\d\d( [a-h][1-8][a-h][1-8])+", line) for line in lines[:3])
    assert re.fullmatch("(white|black) wins", lines[-2]) and lines[-1].startswith("Solution(winner='black', plies=")


def test_script_for_python_chess_analyses_and_plays(tmp_path):
    lines = run("python-chess", tmp_path)
    assert all(re.fullmatch(r"[#+-]+\d+ 1\. \S.*", line) for line in lines[:3])
    assert lines[-1] in ("1-0", "0-1")
