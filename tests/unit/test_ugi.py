"""UGI: its words in place of UCI's, and its questions."""

import io

import pytest

from pawnstorm.numbers import MAX_LIMIT
from pawnstorm_protocol import parse
from pawnstorm_protocol.uci import UCIEngine, make_limits
from pawnstorm_protocol.ugi import CLOCKS, UGIEngine


def answers(*lines):
    """What is said to these lines."""
    said = io.BytesIO()
    UGIEngine(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), said).run()
    return said.getvalue().decode().splitlines()


@pytest.mark.parametrize(
    "variant, position, turn, over, result",
    [
        ("twoflags", "startpos", "true", "false", "none"),
        ("twoflags", "startpos moves e2e4", "false", "false", "none"),
        ("twoflags", "fen 8/8/8/8/8/8/P7/7p w - - 0 1", "true", "true", "p2win"),
        ("breakthrough5", "fen 4P/p4/5/5/5 b - - 0 1", "false", "true", "p1win"),
        ("breakthrough5", "fen 5/4P/p4/5/5 w - - 0 1 moves e4e5", "false", "true", "p1win"),
        ("twoflags", "fen 8/8/8/p7/P7/8/8/8 w - - 0 1", "true", "true", "p2win"),
        ("twoflags", "fen 8/8/8/p7/P7/8/8/8 b - - 0 1", "false", "true", "p1win"),
    ],
)
def test_questions_about_a_position(variant, position, turn, over, result):
    asked = ["query p1turn", " query\tgameover ", "query result"]
    lines = answers(f"setoption name UCI_Variant value {variant}", f"position {position}", *asked)
    assert [line for line in lines if "variant" not in line] == [f"response {word}" for word in (turn, over, result)]


@pytest.mark.parametrize(
    "question, named", [("", "''"), ("p1trun", "'p1trun' after query (did you mean p1turn?)"), ("x" * 10**6, "'xxx")]
)
def test_question_that_is_none_of_ugi_is_named(question, named):
    (line,) = answers(f"query {question}")
    assert line.startswith(f"info string {named}") and line.endswith("expected p1turn, gameover, result")
    assert len(line) < 200


def test_handshake_has_the_words_of_ugi_and_no_word_of_uci():
    lines = answers("ugi", "uci", "ucinewgame", "isready")
    assert lines[0].startswith("id name Pawnstorm ") and "ugiok" in lines and lines[-1] == "readyok"
    assert lines[-3:-1] == [
        "info string unknown command 'uci' (did you mean ugi?)",
        "info string unknown command 'ucinewgame' (did you mean uginewgame?)",
    ]


def test_new_game_begins_at_the_start():
    """cutegames may ask who is to move before it sets up a position."""
    assert answers("position startpos moves e2e4", "uginewgame", "query p1turn") == ["response true"]


def test_clocks_have_the_names_of_ugi():
    line = "p1time 1000 p2time 2000 p1inc 10 p2inc 20"
    values, _, faults = parse.go(line, UGIEngine.GO_NUMBERS)
    assert not faults
    assert [make_limits(values, black).clock for black in (False, True)] == [(1000, 10), (2000, 20)]
    for word in CLOCKS:
        _, _, (fault,) = parse.go(f"{word} x", UGIEngine.GO_NUMBERS)
        assert fault == f"'x' after {word}: expected a whole number"
        assert parse.go(f"{word} {10**20}", UGIEngine.GO_NUMBERS)[0] == {CLOCKS[word]: MAX_LIMIT}
    _, _, faults = parse.go("wtime 5", UGIEngine.GO_NUMBERS)
    assert "'wtime' after go" in faults[0] and "p1time" in faults[0] and len(faults) == 2
    assert "p1time" not in parse.go("x")[2][0]


def test_help_lists_all_commands():
    lines = answers("help")
    assert max(map(len, lines)) < 80 and all(line.startswith("info string ") for line in lines)
    words = set(" ".join(lines).replace(",", " ").replace(";", " ").split())
    commands = UGIEngine(io.BytesIO(), io.BytesIO()).commands
    assert {*commands, *UGIEngine.GO_NUMBERS, *parse.WORDS} <= words
    assert not {"uci", "ucinewgame", *CLOCKS.values()} & words
    others = {word.replace("uci", "ugi") for word in UCIEngine(io.BytesIO(), io.BytesIO()).commands}
    assert set(commands) == others | {"query"}


@pytest.mark.compiled
def test_bestmove_has_one_move_and_no_word_after_it():
    said = io.BytesIO()
    session = UGIEngine(io.BytesIO(), said)
    session._run_command("go", "depth 5")
    session._wait()
    assert len(said.getvalue().decode().splitlines()[-1].split()) == 2
