"""The cores of every CPU level, as they are frozen."""

import client
import pytest

from pawnstorm.core import native
from pawnstorm.core.targets import PROBE, TARGETS, host_platform, targets_of
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine

pytestmark = [pytest.mark.frozen, pytest.mark.compiled]


NAMES = [name for name in targets_of(host_platform()) if TARGETS[name].level != PROBE]


@pytest.mark.parametrize("name", NAMES)
def test_every_level_counts_alike(name, monkeypatch):
    if NAMES.index(name) > NAMES.index(native.core().target):
        pytest.skip(f"this processor cannot run {name}")
    expected = bench(Engine(), 6)[0]
    (path,) = (client.frozen() / "pawnstorm").rglob(TARGETS[name].library)
    monkeypatch.setattr(native, "_core", native.Core(native._functions(str(path), native.SIGNATURES), name, str(path)))
    assert native.core().target == name and bench(Engine(), 6)[0] == expected
