"""Options that an engine does not have, or values that they do not take, end a match before its first game."""

import pytest
from matches import fake, words

from pawnstorm_tools.programs import match as program


def started(capsys, *engines, each="tc=10", more=()):
    """(status, lines of stdout, lines of stderr) of a match of engines, each a list of words."""
    line = [word for engine in engines for word in ("-engine", *engine)]
    status = program.main([*line, "-each", *each.split(), "-variant", "hexapawn", "-games", "1", *more])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


ONE, TWO = ["name=one", f"cmd={fake('good')}"], ["name=two", f"cmd={fake('good')}"]


@pytest.mark.parametrize(
    "option, expected",
    [
        ("Hahs=16", ["one has no option 'Hahs'", "did you mean Hash?", "Hash, Ponder, UCI_Variant"]),
        ("hash=65", ["one: '65' for option hash", "expected a whole number from 1 to 64"]),
        ("Ponder=maybe", ["one: 'maybe' for option Ponder", "expected one of true, false"]),
    ],
)
def test_wrong_option_ends_the_match_before_its_first_game(option, expected, capsys):
    status, out, err = started(capsys, [*ONE, f"option.{option}"], TWO)
    assert (status, out, len(err)) == (2, [], 1)
    assert err[0].startswith("match.py: ") and all(part in err[0] for part in expected), err


def test_option_of_each_that_no_engine_has_ends_the_match(capsys):
    status, out, err = started(capsys, ONE, TWO, each="tc=10 option.Hahs=16")
    assert (status, out, len(err)) == (2, [], 1) and "one has no option 'Hahs' (did you mean Hash?)" in err[0]


@pytest.mark.parametrize(
    "other, option, warnings",
    [
        ("shy", "Ponder=false", ["match.py: two has no option 'Ponder'"]),
        ("plain", "Hash=8", ["match.py: two has no option 'Hash'"]),
        ("good", "HASH=8", []),
    ],
)
def test_option_of_each_that_one_engine_lacks_is_a_warning(other, option, warnings, capsys):
    two = ["name=two", f"cmd={fake(other)}"]
    status, _, err = started(capsys, ONE, two, each=f"tc=10 option.{option}")
    assert status == 0 and [line for line in err if "UCI_Variant" not in line] == warnings


def test_engine_that_announces_no_option_is_not_judged(capsys):
    two = ["name=two", f"cmd={fake('plain')}", "option.Style=1"]
    status, out, err = started(capsys, ONE, two, each="tc=10")
    assert status == 0 and "match.py: two has no option 'Style'" in err


def test_pondering_asked_of_all_is_not_an_option_given(capsys):
    status = program.main(words(fake("shy"), fake("good"), "-ponder", "-games", 1))
    assert status == 0 and "has no option 'Ponder'" in capsys.readouterr().err
