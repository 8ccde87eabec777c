"""The table of the search's numbers: its bounds, that each is read, and values from the environment."""

import ast

import client
import pytest

from pawnstorm.core import parameters
from pawnstorm.core.parameters import PARAMETERS

ENGINE = client.ROOT / "engine"


def test_values_lie_in_their_bounds_and_can_be_stepped():
    for row in PARAMETERS:
        assert row.low <= row.value <= row.high and 1 <= row.step <= row.high - row.low, row.name
    assert len({row.name for row in PARAMETERS}) == len(PARAMETERS)


def test_every_row_is_a_constant_that_is_read():
    read = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "pawnstorm.core.parameters":
                read |= {alias.name for alias in node.names}
    assert {row.name for row in PARAMETERS} == read - {"OVERRIDES"}
    assert all(getattr(parameters, row.name) == parameters.OVERRIDES.get(row.name, row.value) for row in PARAMETERS)


def test_values_of_the_environment_are_read():
    assert parameters._overrides("") == {}
    assert parameters._overrides("RFP_MARGIN=70  LMR_PV=0") == {"RFP_MARGIN": 70, "LMR_PV": 0}


@pytest.mark.parametrize(
    "text, named",
    [
        ("RFP_MARGINS=70", "RFP_MARGINS"),
        ("RFP_MARGIN", "20 to 200"),
        ("RFP_MARGIN=7.5", "20 to 200"),
        ("RFP_MARGIN=19", "20 to 200"),
        ("RFP_MARGIN=201", "20 to 200"),
        ("LMR_PV=\u0663", "0 to 3072"),
        ("LMR_PV=" + "0" * 5000, "0 to 3072"),
    ],
)
def test_bad_values_of_the_environment_are_refused(text, named):
    with pytest.raises(ValueError, match="PAWNSTORM_PARAMETERS.*expected") as refused:
        parameters._overrides(text)
    assert named in str(refused.value)
