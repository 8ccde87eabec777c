"""Values and names of options, compared with what an engine has announced."""

import pytest

from pawnstorm_protocol.client.option_faults import name_fault, value_fault

SPIN = "type spin default 16 min 1 max 64"
STYLE = "type combo default Normal var Solid var Very Risky var Normal"


@pytest.mark.parametrize(
    "value, announced",
    [
        ("1", SPIN),
        ("64", SPIN),
        ("-7", "type spin default 0"),
        ("7", "type spin default 0 min x max"),
        ("true", "type check default false"),
        ("False", "type check default false"),
        ("Very Risky", STYLE),
        ("solid", STYLE),
        ("any", "type combo default any"),
        ("", "type string default <empty>"),
        ("abc", "type string default x var y"),
        ("x", "type button"),
        ("x", "type"),
        ("x", "type slider min 1 max 2"),
    ],
)
def test_value_that_an_option_takes(value, announced):
    assert value_fault("O", value, announced.split()) is None


@pytest.mark.parametrize(
    "value, announced, expected",
    [
        ("0", SPIN, "a whole number from 1 to 64"),
        ("65", SPIN, "a whole number from 1 to 64"),
        ("", SPIN, "a whole number from 1 to 64"),
        ("1.5", "type spin default 0", "a whole number"),
        ("1", "type check default false", "true, false"),
        ("Risky", STYLE, "Solid, Very Risky, Normal"),
    ],
)
def test_value_that_an_option_does_not_take(value, announced, expected):
    fault = value_fault("Some Option", value, announced.split())
    assert f"'{value}' for option Some Option: expected" in fault and fault.endswith(expected)


def test_game_that_is_not_listed_can_be_asked_for():
    assert value_fault("UCI_Variant", "twoflags7x6", "type combo default chess var chess".split()) is None


def test_long_list_of_names_is_cut():
    fault = name_fault(["Hahs"], ["Hash", *(f"Weight{number}" for number in range(1000))])
    assert "no option 'Hahs' (did you mean Hash?)" in fault and fault.endswith(" ...") and len(fault) < 500
