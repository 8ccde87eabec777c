"""Which core a processor gets."""

from pathlib import Path

import pytest

from pawnstorm.engine import native, targets

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


def test_processor_with_everything_is_v3():
    assert level() == "x86-64-v3"


def test_processor_without_avx_is_v2():
    assert level(basic=SSE, leaf7=0) == "x86-64-v2"


def test_processor_of_the_first_hour_is_the_baseline():
    assert level(basic=0, extended=0, highest=1) == "x86-64"
    assert level(basic=0, highest=1, highest_extended=0) == "x86-64"


def test_system_that_does_not_keep_wide_registers_gets_v2():
    assert level(xcr0=0b001) == level(xcr0=0b011) == level(xcr0=0b101) == "x86-64-v2"
    assert level(basic=SSE | AVX & ~(1 << 27)) == "x86-64-v2"


def test_missing_leaf_seven_is_v2():
    assert level(highest=6) == level(highest=1) == "x86-64-v2"


@pytest.mark.parametrize("bit", [0, 9, 13, 19, 20, 23])
def test_every_feature_of_v2_counts(bit):
    assert level(basic=(SSE | AVX) & ~(1 << bit)) == "x86-64"
    assert level(extended=1 << 5) == "x86-64"


@pytest.mark.parametrize(
    "words",
    [{"basic": SSE | AVX & ~(1 << bit)} for bit in (12, 22, 28, 29)]
    + [{"extended": 1}]
    + [{"leaf7": BMI_AVX2 & ~(1 << bit)} for bit in (3, 5, 8)],
    ids=str,
)
def test_every_feature_of_v3_counts(words):
    assert level(**words) == "x86-64-v2"


@pytest.mark.compiled
def test_probe_tells_what_the_system_says_of_this_processor():
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    flags = next((line.split() for line in told.splitlines() if line.startswith("flags")), [])
    if not flags or targets.here() != "linux-x86-64":
        pytest.skip("no list of x86 features to compare with")
    wide = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= set(flags)
    older = {"popcnt", "sse4_1", "sse4_2", "ssse3", "cx16", "lahf_lm"} <= set(flags)
    level = "x86-64-v3" if older and wide else "x86-64-v2" if older else "x86-64"
    assert native.core().target == targets.named(targets.here(), level)


@pytest.mark.compiled
def test_shipped_core_that_is_missing_is_named_and_nothing_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(native, "SHIPPED", str(tmp_path))
    with pytest.raises(RuntimeError, match=f"cannot be loaded from {tmp_path}: .*core-"):
        native._load()


@pytest.mark.compiled
def test_shipped_core_is_not_searched_with_under_other_parameters(tmp_path, monkeypatch):
    monkeypatch.setattr(native, "SHIPPED", str(tmp_path))
    monkeypatch.setattr(native, "OVERRIDES", {"RFP_MARGIN": 70})
    with pytest.raises(RuntimeError, match="PAWNSTORM_PARAMETERS: .*expected a checkout"):
        native._load()
