"""What is said where the native core cannot be built."""

import re
import sys

import pytest
from checkouts import cache, checkout, copied, files, python  # noqa: F401  cache, checkout: fixtures

from pawnstorm.core import linker


@pytest.fixture(scope="module")
def numbaless(tmp_path_factory):
    """A folder for PYTHONPATH that hides numba. The state of the compiler is part of the cache's folder, so that no
    core is found there.
    """
    folder = tmp_path_factory.mktemp("numbaless")
    (folder / "numba").mkdir()
    (folder / "numba" / "__init__.py").write_text('raise ImportError("no numba here")\n')
    (folder / "numba" / "_version.py").touch()
    return str(folder)


@pytest.mark.compiled
def test_kernel_that_does_not_compile_ends_the_engine_by_name(tmp_path):
    """It promises nothing on stdout and leaves nothing half-written."""
    checkout = copied(tmp_path)
    source = checkout / "pawnstorm" / "kernels" / "position.py"
    source.write_text(source.read_text() + "\n\n@kernel(u64(u64))\ndef broken(word):\n    return word.nothing\n")
    done = python(checkout, tmp_path / "cache", "-m", "pawnstorm", text="isready\n")
    assert done.returncode == 1 and done.stdout == ""
    for part in ("building the native core for", "failed", "position.py", "nothing"):
        assert part in done.stderr, done.stderr
    assert not [name for name in files(tmp_path / "cache") if not name.endswith(".lock") and "probe" not in name]


@pytest.mark.compiled
@pytest.mark.parametrize("words", ["perft 3", "go depth 3", "build"])
def test_missing_numba_is_one_line_and_an_exit_code(words, numbaless, checkout, cache):
    done = python(checkout, cache, "-m", "pawnstorm", *words.split(), PYTHONPATH=numbaless)
    said = [line for line in done.stderr.splitlines() if "building the native core for" in line and "failed" in line]
    assert (done.returncode, done.stdout, len(said)) == (1, "", 1), done.stderr
    assert said == done.stderr.splitlines()[-1:] and "failed: no numba here; expected numba" in said[0]
    assert "Traceback" not in done.stderr


@pytest.mark.compiled
def test_session_outlives_a_count_without_a_core(numbaless, checkout, cache):
    """Each count waits for the one before, also one that is then refused."""
    lines = "bench 3\nperft 3\nperft x\nd\nquit\n"
    done = python(checkout, cache, "-m", "pawnstorm", text=lines, PYTHONPATH=numbaless)
    told = re.findall("^info string building the native core for .*no numba here", done.stdout, re.MULTILINE)
    assert (done.returncode, len(told)) == (0, 2), done.stdout
    assert "p p p" in done.stdout and "Traceback" not in done.stderr


def test_compiler_is_the_named_one_or_none(monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent/cc")
    assert linker.c_compiler() is None
    monkeypatch.setenv("CC", f"{sys.executable} -x c")
    assert linker.c_compiler() == [sys.executable, "-x", "c"]
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert linker.c_compiler() is None
