"""The words that make an agent of the course an engine of a match, and those that are refused."""

import pytest
from course_matches import BLACK_FIRST, START, line, parsed

from pawnstorm_tools.referee import agent_keys, commandline, opening_book


@pytest.mark.parametrize(
    "words, part",
    [
        ("proto=course", "without port=N"),
        ("proto=course port=99999", "'99999'"),
        ("proto=course port=9 tc=0+1", "tc='0+1'"),
        ("cmd=x port=9", "port='9' is for proto=course only"),
        ("proto=course port=9 nodes=3", "tc=TIME"),
        ("proto=course port=9 enpassant=on", "'on' is not one of standard, ghost, off"),
        ("proto=course port=9 dialect=french", "'french' is not a valid dialect: expected course, welcome"),
        ("proto=course port=9 role=Red", "'Red' does not tell White its colour: expected White or W"),
    ],
)
def test_wrong_words_are_named(words, part):
    with pytest.raises(commandline.UsageError) as caught:
        commandline.parse(["-engine", *words.split(), "-engine", "cmd=y", "tc=1"])
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "flags, part",
    [
        (["-variant", "breakthrough"], "'breakthrough'"),
        (["-concurrency", "2"], "'2'"),
        (["-cluster", "local:2"], "'local:2'"),
    ],
)
def test_what_the_protocol_has_no_words_for_is_refused(flags, part):
    with pytest.raises(commandline.UsageError, match="proto=course") as caught:
        commandline.parse(line(9999, *flags))
    assert part in str(caught.value)


def test_agents_that_disagree_about_en_passant_cannot_meet():
    agents = "-engine proto=course port=9 enpassant=ghost -engine proto=course port=10".split()
    last = "-engine cmd=y -each tc=60".split()
    with pytest.raises(commandline.UsageError, match="agents that play ghost and standard cannot meet"):
        commandline.parse([*agents, *last])
    asked = commandline.parse([*last, *agents, "-tournament", "gauntlet"])
    first, ghost, standard = asked.engines
    assert agent_keys.rules_between(asked.rules, first, ghost).name == "twoflags-ghost"
    assert agent_keys.rules_between(asked.rules, first, standard) is asked.rules


def test_openings_have_white_to_move_unless_the_agent_reads_the_other_ones(tmp_path):
    book = tmp_path / "both.epd"
    book.write_text(f"{BLACK_FIRST}\n{START}\n")
    for words, expected in (((), [START]), (("firstmove=either",), [BLACK_FIRST, START])):
        asked = parsed(*words, "-openings", f"file={book}")
        assert opening_book.positions(asked.book, asked.rules) == expected
    book.write_text(f"{BLACK_FIRST}\n")
    asked = parsed("-openings", f"file={book}")
    with pytest.raises(opening_book.OpeningError, match="Black is to move in every opening.*firstmove=either"):
        opening_book.positions(asked.book, asked.rules)


@pytest.mark.parametrize(
    "tc, words, told, warned",
    [
        ("120", (), 120, False),
        ("90", (), 60, True),
        ("10", (), 60, True),
        ("90", ("minutes=fractions",), 90, False),
        ("90", ("dialect=assign",), 90, False),
        ("90.5", ("dialect=assign",), 90, True),
    ],
)
def test_an_agent_is_told_whole_minutes_with_a_warning(tc, words, told, warned):
    engine = parsed(*words, f"tc={tc}").engines[0]
    assert engine.agent.time(engine.time_control.base) == told
    warning = agent_keys.clock_warning(engine)
    assert ("minutes=fractions" in warning and f"{tc} s" in warning) if warned else warning == ""
