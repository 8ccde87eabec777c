"""The cache of the checker's machine code: taken where it is sound and nobody else's, made anew where it is not."""

import importlib
import sys
from pathlib import Path

import pytest

from pawnstorm.system import cache
from pawnstorm_tools import checking
from pawnstorm_tools.common import machinecode
from pawnstorm_tools.solving import kernels as solving
from pawnstorm_tools.training import kernels as training

pytestmark = pytest.mark.compiled
NAMES = ("tiny_below", "tiny_above")
BELOW = "from numba import types\nfrom pawnstorm_tools.common.machinecode import compiled\n\n\n@compiled(types.int64())\ndef below():\n    return {}\n"
ABOVE = (
    "from numba import types\nfrom pawnstorm_tools.common.machinecode import compiled\nfrom tiny_below import below\n\n\n"
    "@compiled(types.int64())\ndef above():\n    return 10 * below()\n"
)


class Tiny:
    """Two modules of one kernel each, the second calling the first, in place of the checker's; and the folder of their
    cache.
    """

    def __init__(self, folder):
        self.folder, self.root = folder, folder / "cache"
        (folder / "tiny_above.py").write_text(ABOVE)
        self.write(1)

    def write(self, number):
        """Change the function that is called, in the other module."""
        (self.folder / "tiny_below.py").write_text(BELOW.format(number))

    def load(self):
        """As a fresh process would: (what the kernels say, whether all machine code came out of the cache)."""
        for name in NAMES:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        machinecode.load(NAMES)
        below, above = (getattr(sys.modules[name], name.removeprefix("tiny_")) for name in NAMES)
        return above(), all(kernel.stats.cache_hits for kernel in (below, above))

    def cached(self):
        """The folders of machine code."""
        return sorted(self.root.glob("kernels-*"))

    def files(self):
        return sorted(path for path in self.cached()[0].rglob("*.nbc"))


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # sources change within a second here
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PAWNSTORM_CACHE", str(tmp_path / "cache"))
    yield Tiny(tmp_path)
    for name in NAMES:
        sys.modules.pop(name, None)


def test_second_run_compiles_nothing(tiny, capsys):
    assert tiny.load() == (10, False)
    assert "compiling the checker, once" in capsys.readouterr().err
    assert tiny.load() == (10, True) and capsys.readouterr().err == ""
    assert len(tiny.files()) == 2 and tiny.cached()[0].stat().st_mode & 0o777 == 0o700


def test_change_in_a_called_function_of_another_file_is_noticed(tiny):
    tiny.load()
    tiny.write(2)
    assert tiny.load() == (20, False)
    tiny.write(1)
    assert tiny.load() == (10, True) and len(tiny.cached()) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-9] + b"x" + path.read_bytes()[-8:]),
        lambda path: path.with_name(path.name + cache.DIGEST).unlink(),
        lambda path: path.with_name("more.nbc").write_bytes(b"more"),
    ],
)
def test_damaged_cache_is_made_anew(tiny, damage, capsys):
    tiny.load()
    damage(tiny.files()[-1])
    capsys.readouterr()
    assert tiny.load() == (10, False) and "compiling the checker" in capsys.readouterr().err
    assert tiny.load() == (10, True)


def test_cache_that_others_can_write_to_is_not_used(tiny, capsys):
    tiny.load()
    folder = tiny.cached()[0]
    before = sorted(folder.rglob("*"))
    folder.chmod(0o777)
    assert tiny.load() == (10, False) and sorted(folder.rglob("*")) == before
    said = capsys.readouterr().err
    assert "others can write to" in said and ": compiling the checker for this run alone" in said


def test_without_a_place_for_it_the_checker_is_compiled_for_the_run(tiny, capsys):
    tiny.root.write_text("no folder")
    for _ in range(2):
        assert tiny.load() == (10, False)
        assert "Not a directory" in (said := capsys.readouterr().err) or "File exists" in said
    assert not list(tiny.folder.rglob("*.nb*"))


def test_disk_that_fills_up_costs_no_run(tiny, monkeypatch, capsys):
    from numba.core.caching import IndexDataCacheFile

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert tiny.load() == (10, False)
    assert "No space left on device: compiling the checker for this run alone" in capsys.readouterr().err


def test_change_in_a_folder_below_is_noticed(tiny):
    below = tiny.folder / "below" / "deeper"
    below.mkdir(parents=True)
    (below / "more.py").write_text("NUMBER = 1\n")
    tiny.load()
    (below / "more.py").write_text("NUMBER = 2\n")
    assert tiny.load() == (10, False) and len(tiny.cached()) == 2


@pytest.mark.parametrize(
    "package, kept", [(checking, machinecode.MODULES), (solving, solving.MODULES), (training, training.MODULES)]
)
def test_every_module_that_is_compiled_is_kept(package, kept):
    (folder,) = map(Path, package.__path__)
    compiled = {path.stem for path in folder.glob("*.py") if "import compiled" in path.read_text()}
    assert {f"{package.__name__}.{name}" for name in compiled} == set(kept)
