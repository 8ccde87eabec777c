"""What is said where the native core cannot be built."""

import shutil
import subprocess
import sys

import pytest
from checkouts import cache, checkout, copied, environment, files, python  # noqa: F401  cache, checkout: fixtures

from pawnstorm.core import build, linker
from pawnstorm.core.targets import here, of


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
@pytest.mark.parametrize(
    "fault, reason",
    [
        ("def broken(:\n", "SyntaxError"),
        ("\n\n@kernel(u64(u64))\ndef broken(word):\n    return word.nothing\n", "nothing"),
    ],
    ids=["syntax", "type"],
)
def test_kernel_that_does_not_compile_ends_the_engine_by_name(fault, reason, tmp_path):
    """It promises nothing on stdout and leaves nothing half-written."""
    checkout = copied(tmp_path)
    source = checkout / "pawnstorm" / "kernels" / "position.py"
    source.write_text(source.read_text() + fault)
    done = python(checkout, tmp_path / "cache", "-m", "pawnstorm", text="isready\n")
    assert done.returncode == 1 and done.stdout == ""
    for part in ("building the native core for", "failed", "position.py", reason):
        assert part in done.stderr, done.stderr
    assert not [name for name in files(tmp_path / "cache") if not name.endswith(".lock") and "probe" not in name]


@pytest.mark.compiled
@pytest.mark.parametrize("words", ["bench 3", "perft 3", "go perft 3", "go depth 3", "build"])
def test_missing_numba_is_one_line_and_an_exit_code(words, numbaless, checkout, cache):
    done = python(checkout, cache, "-m", "pawnstorm", *words.split(), PYTHONPATH=numbaless)
    said = [line for line in done.stderr.splitlines() if "building the native core for" in line and "failed" in line]
    assert (done.returncode, done.stdout, len(said)) == (1, "", 1), done.stderr
    assert said == done.stderr.splitlines()[-1:] and "failed: no numba here; expected numba" in said[0]
    assert "Traceback" not in done.stderr


@pytest.mark.compiled
def test_session_outlives_a_count_without_a_core(numbaless, checkout, cache):
    engine = subprocess.Popen(
        [sys.executable, "-m", "pawnstorm"],
        cwd=checkout,
        env=environment(cache, PYTHONPATH=numbaless),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for words in ("bench 3", "perft 3"):
            engine.stdin.write(words + "\n")
            engine.stdin.flush()
            answer = engine.stdout.readline()
            assert answer.startswith("info string building the native core for") and "no numba here" in answer
        answer, said = engine.communicate("d\nquit\n", timeout=60)
    finally:
        engine.kill()
    assert engine.returncode == 0 and "p p p" in answer and "Traceback" not in said


def test_failures_name_their_step(tmp_path, monkeypatch):
    with pytest.raises(build.BuildError, match="building the native core for nonsense failed"):
        build.compile_targets(["nonsense"], str(tmp_path))
    monkeypatch.setenv("CC", "/nonexistent/cc")
    with pytest.raises(build.BuildError, match="no C compiler"):
        linker.link(of(here())[0], str(tmp_path))
    monkeypatch.setenv("CC", shutil.which("false") or "false")
    with pytest.raises(build.BuildError, match="linking failed: .*false -shared"):
        linker.link(of(here())[0], str(tmp_path))
    assert files(tmp_path) == []


def test_compiler_is_the_named_one_or_none(monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent/cc")
    assert linker.c_compiler() is None
    monkeypatch.setenv("CC", f"{sys.executable} -x c")
    assert linker.c_compiler() == [sys.executable, "-x", "c"]
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert linker.c_compiler() is None
