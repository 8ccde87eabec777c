"""Which core a processor gets."""

import os
import shutil
from pathlib import Path

import pytest

from pawnstorm.core import native, targets

SSE = sum(1 << bit for bit in (0, 9, 13, 19, 20, 23))
AVX = sum(1 << bit for bit in (12, 22, 27, 28, 29))
BMI_AVX2 = 1 << 3 | 1 << 5 | 1 << 8


def level(basic=SSE | AVX, extended=1 | 1 << 5, leaf7=BMI_AVX2, highest=7, highest_extended=0x80000008, xcr0=0b111):
    """cpu_level() of a processor with these words; a leaf that it does not have must not be asked for."""
    leaves = {0: (highest, 0, 0, 0), 1: (0, 0, basic, 0), 0x80000000: (highest_extended, 0, 0, 0)}
    if highest_extended >= 0x80000001:
        leaves[0x80000001] = (0, 0, extended, 0)
    if highest >= 7:
        leaves[7] = (0, leaf7, 0, 0)

    def xgetbv():
        assert basic >> 27 & 1, "XGETBV is an illegal instruction where the system has not set OSXSAVE"
        return xcr0

    return native.cpu_level(lambda leaf, subleaf, register: leaves[leaf][register], xgetbv)


@pytest.mark.parametrize(
    "words, expected",
    [
        ({}, "x86-64-v3"),
        ({"basic": SSE, "leaf7": 0}, "x86-64-v2"),
        ({"basic": 0, "extended": 0, "highest": 1}, "x86-64"),
        ({"basic": 0, "highest": 1, "highest_extended": 0}, "x86-64"),
        # The system does not keep wide registers.
        *(({"xcr0": kept}, "x86-64-v2") for kept in (0b001, 0b011, 0b101)),
        ({"basic": SSE | AVX & ~(1 << 27)}, "x86-64-v2"),
        # There is no leaf 7.
        *(({"highest": highest}, "x86-64-v2") for highest in (1, 6)),
        # Every feature of v2 counts, and of v3.
        *(({"basic": (SSE | AVX) & ~(1 << bit)}, "x86-64") for bit in (0, 9, 13, 19, 20, 23)),
        ({"extended": 1 << 5}, "x86-64"),
        *(({"basic": SSE | AVX & ~(1 << bit)}, "x86-64-v2") for bit in (12, 22, 28, 29)),
        ({"extended": 1}, "x86-64-v2"),
        *(({"leaf7": BMI_AVX2 & ~(1 << bit)}, "x86-64-v2") for bit in (3, 5, 8)),
    ],
    ids=str,
)
def test_level_of_a_processor_is_the_highest_of_which_it_has_all(words, expected):
    assert level(**words) == expected


@pytest.mark.compiled
def test_probe_tells_what_the_system_says_of_this_processor():
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    flags = next((line.split() for line in told.splitlines() if line.startswith("flags")), [])
    if not flags or targets.host_platform() != "linux-x86-64":
        pytest.skip("no list of x86 features to compare with")
    wide = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= set(flags)
    older = {"popcnt", "sse4_1", "sse4_2", "ssse3", "cx16", "lahf_lm"} <= set(flags)
    level = "x86-64-v3" if older and wide else "x86-64-v2" if older else "x86-64"
    assert native.core().target == targets.target_name(targets.host_platform(), level)


@pytest.mark.compiled
def test_shipped_core_that_is_missing_is_named_and_nothing_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(native, "SHIPPED", str(tmp_path))
    with pytest.raises(RuntimeError, match=f"cannot be loaded from {tmp_path}: .*core-"):
        native._load()


@pytest.mark.compiled
def test_shipped_core_is_not_searched_with_under_other_parameters(tmp_path, monkeypatch):
    monkeypatch.setattr(native, "SHIPPED", str(tmp_path))
    monkeypatch.setattr(native, "OVERRIDES", {"RFP_MARGIN": 70})
    with pytest.raises(RuntimeError, match="PAWNSTORM_PARAMETERS works only in a clone"):
        native._load()


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """{level: path} of a folder of shipped cores, of which this processor can run all: that of each level is the same."""
    if targets.host_platform() != "linux-x86-64" or native.PLAIN_PYTHON:
        pytest.skip("one level of processor only")
    best = native.core()
    monkeypatch.setattr(native, "SHIPPED", str(tmp_path))
    monkeypatch.setattr(native, "cpu_level", lambda cpu_word, cpu_xcr0: targets.X86_64_LEVELS[-1])
    paths = {}
    for name in targets.targets_of(targets.host_platform()):
        row = targets.TARGETS[name]
        probe = (
            native.find_or_build(name, os.path.dirname(best.source), persistent=True)
            if row.level == targets.PROBE
            else None
        )
        paths[row.level] = Path(shutil.copy(probe or best.source, tmp_path / row.library))
    return paths


DAMAGES = {
    "lost": Path.unlink,
    "cut in half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut a little": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "empty": lambda path: path.write_bytes(b""),
    "overwritten": lambda path: path.write_bytes(b"x" * 9_000),
    "another library": lambda path: shutil.copy(path.with_name(targets.TARGETS["linux-probe"].library), path),
}


def test_whole_installation_says_nothing(shipped, capfd):
    assert native._load().target == "linux-x86-64-v3" and capfd.readouterr() == ("", "")


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("count", [1, 2])
def test_lower_level_is_loaded_with_one_line_where_the_best_core_is_broken(damage, count, shipped, capfd):
    for level in targets.X86_64_LEVELS[-count:]:
        DAMAGES[damage](shipped[level])
    core = native._load()
    assert core.target == targets.target_name("linux-x86-64", targets.X86_64_LEVELS[-count - 1]) and core.perft
    output, error = capfd.readouterr()
    assert output == "" and error.count("\n") == 1 and str(shipped["x86-64-v3"]) in error
    assert f"expected a complete installation; going on with the core for {core.target}, which is slower" in error


@pytest.mark.parametrize("damage", [name for name in DAMAGES if name != "another library"])
def test_the_least_level_is_loaded_where_the_probe_is_broken(damage, shipped, capfd):
    DAMAGES[damage](shipped[targets.PROBE])
    assert native._load().target == "linux-x86-64"
    output, error = capfd.readouterr()
    assert output == "" and error.count("\n") == 1 and str(shipped[targets.PROBE]) in error


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_core_is_loaded_where_all_are_broken(damage, shipped):
    for level in targets.X86_64_LEVELS:
        DAMAGES[damage](shipped[level])
    with pytest.raises(RuntimeError, match="the native core cannot be loaded from .*core-linux-x86-64-v3.so"):
        native._load()
