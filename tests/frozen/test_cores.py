"""The cores of every CPU level, as they are frozen."""

import client
import pytest

from pawnstorm.engine import native
from pawnstorm.engine.bench import bench
from pawnstorm.engine.build import LEVELS
from pawnstorm.engine.engine import Engine

pytestmark = [pytest.mark.frozen, pytest.mark.compiled]


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_counts_alike(name, monkeypatch):
    if LEVELS.index(name) > LEVELS.index(native.core().level):
        pytest.skip(f"this processor cannot run {name}")
    expected = bench(Engine(), 6)[0]
    (path,) = (client.frozen() / "pawnstorm").rglob(f"core-{name}.so")
    monkeypatch.setattr(native, "_core", native.Core(native._functions(str(path), native.SIGNATURES), name, str(path)))
    assert native.core().level == name and bench(Engine(), 6)[0] == expected
