"""The examples of the documents run as they stand, here with the packages of the tests (tests/slow/test_examples.py runs
each with nothing but what it names)."""

import re
import sys

import client
import pytest
from examples import DOCUMENTS, examples

pytestmark = pytest.mark.compiled
ALL = examples()


@pytest.fixture(scope="module", autouse=True)
def core():
    client.build_core()


def of(document, number=1):
    return ALL[f"{document}:{number}"]


def test_every_block_of_python_names_its_packages():
    blocks = sum((client.ROOT / document).read_text().count("```python\n") for document in DOCUMENTS)
    assert blocks == len(ALL)


def test_example_of_the_package_analyses_plays_and_solves(tmp_path):
    lines = of("README.md").run(sys.executable, tmp_path)
    assert all(re.fullmatch(r"[+-]\d\.\d\d( [a-h][1-8][a-h][1-8])+", line) for line in lines[:3])
    assert re.fullmatch("(white|black) wins", lines[-2]) and lines[-1].startswith("Solution(winner='black', plies=")


def test_example_for_python_chess_analyses_and_plays(tmp_path):
    lines = of("protocol/GUIS.md").run(sys.executable, tmp_path)
    assert all(re.fullmatch(r"[#+-]+\d+ 1\. \S.*", line) for line in lines[:3])
    assert lines[-1] in ("1-0", "0-1")


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("engine/")])
def test_example_for_researchers_runs(name, tmp_path):
    example = ALL[name]
    for package in example.packages:
        if not package.startswith("pawnstorm"):
            pytest.importorskip(package)
    assert example.run(sys.executable, tmp_path)
