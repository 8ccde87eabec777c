"""The cores of every target: made together as alone, and made again the same; what they offer, need and count."""

import importlib.util
import re
import shutil
import subprocess

import pytest
import test_perft

from pawnstorm.core import build, linker, native
from pawnstorm.core.exports import EXPORTS
from pawnstorm.core.targets import PLATFORMS, PROBE, TARGETS, host_platform, targets_of
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine
from pawnstorm_tools.releasing import cores

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not importlib.util.find_spec("ziglang"), reason="ziglang is not installed"),
]
LEVELS = [name for name in targets_of(host_platform()) if TARGETS[name].level != PROBE]
MAGIC = {".so": b"\x7fELF", ".dll": b"MZ", ".dylib": b"\xcf\xfa\xed\xfe", ".wasm": b"\0asm"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of all cores, made in one run."""
    folder = tmp_path_factory.mktemp("cores")
    cores.make(PLATFORMS, folder)
    return folder


@pytest.mark.parametrize("name", TARGETS)
def test_every_target_has_a_library_of_its_systems_kind(name, made):
    target = TARGETS[name]
    library = (made / target.library).read_bytes()
    assert library.startswith(MAGIC[PLATFORMS[target.platform].library_suffix]) and len(library) < 200_000
    offered = ["cpu_word", "cpu_xcr0"] if target.level == PROBE else [*EXPORTS]
    assert all(symbol.encode() in library for symbol in offered)


@pytest.mark.parametrize(
    "name", [name for platform in PLATFORMS if "linux" in platform for name in targets_of(platform)]
)
def test_library_for_linux_needs_nothing(name, made):
    """Other systems' linkers refuse what is undefined."""
    if not shutil.which("nm"):
        pytest.skip("nm is not installed")
    listed = subprocess.run(["nm", "-D", made / TARGETS[name].library], capture_output=True, text=True, check=True)
    symbols = re.findall(r"^[0-9a-f ]* (\w) (\S+)$", listed.stdout, re.M)
    assert {letter for letter, _ in symbols} == {"T"}


def test_library_linked_elsewhere_is_the_same(made, tmp_path):
    for name, target in TARGETS.items():
        shutil.copy(build.object_file(name, made), tmp_path)
        linker.link(name, str(tmp_path))
        assert (tmp_path / target.library).read_bytes() == (made / target.library).read_bytes(), name


@pytest.mark.parametrize("name", LEVELS)
def test_core_made_alone_is_the_one_made_with_all_others(name, made, tmp_path):
    """So that it is as fast, too."""
    build.compile_targets([name], str(tmp_path))
    linker.link(name, str(tmp_path))
    assert (tmp_path / TARGETS[name].library).read_bytes() == (made / TARGETS[name].library).read_bytes()


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_counts_what_is_known_and_what_the_best_one_counts(name, made, monkeypatch):
    if LEVELS.index(name) > LEVELS.index(native.core().target):
        pytest.skip(f"this processor cannot run {name}")
    expected = bench(Engine())[0]
    path = str(made / TARGETS[name].library)
    monkeypatch.setattr(native, "_core", native.Core(native._functions(path, native.SIGNATURES), name, path))
    assert bench(Engine())[0] == expected
    for variant, fen, depth, count in (case.values for case in test_perft.cases()):
        assert test_perft.perft(parse_fen(get_rules(variant), fen), depth) == count, (variant, fen, depth)


def test_zig_links_for_this_machine_where_there_is_no_compiler(made, tmp_path, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    name = targets_of(host_platform())[-1]
    shutil.copy(build.object_file(name, made), tmp_path)
    library = linker.link(name, str(tmp_path))
    assert set(native._functions(library, native.SIGNATURES)) == set(EXPORTS)
