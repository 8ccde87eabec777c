"""The UCI options: each row's value and effect, and the numbers that are read."""

import io
from pathlib import Path

import pytest
from slow_network import stored_numbers, with_numbers

from pawnstorm.core import native
from pawnstorm.evaluation import networks
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import parse_int, pluralize
from pawnstorm_protocol.options import OPTIONS
from pawnstorm_protocol.uci import UCIEngine


@pytest.fixture
def session():
    return UCIEngine(io.BytesIO(), io.BytesIO())


def give(session, name, text):
    OPTIONS[name.lower()].set(session, text)


def settings(session):
    engine = session.engine
    return engine.multipv, engine.overhead, engine.elo, engine.own_book


def test_defaults_are_what_the_engine_begins_with(session):
    before = settings(session)
    for option in OPTIONS.values():
        option.set(session, str(option.default).lower())
    assert settings(session) == before and all(
        session.values[option.name] == option.default for option in OPTIONS.values()
    )


def test_numbers_reach_the_engine(session):
    give(session, "MultiPV", "3")
    give(session, "Move Overhead", "250")
    assert settings(session)[:2] == (3, 250)


@pytest.mark.parametrize("order", [("UCI_Elo", "UCI_LimitStrength"), ("UCI_LimitStrength", "UCI_Elo")])
def test_strength_is_limited_by_two_options_in_either_order(order, session):
    for name in order:
        assert session.engine.elo is None or name == "UCI_Elo"
        give(session, name, {"UCI_Elo": "900", "UCI_LimitStrength": "true"}[name])
    assert session.engine.elo == 900
    give(session, "UCI_LimitStrength", "false")
    assert session.engine.elo is None


def test_network_of_a_file_evaluates_until_it_is_taken_back(session, tmp_path):
    rules = get_rules("breakthrough7x6")  # its solver has no network of its own
    start = parse_fen(rules, "ppppppp/ppppppp/7/2P4/PP1PPPP/1PPPPPP w - - 0 1")
    session.engine.memory.make_tables()
    shipped = Path(networks.FOLDER, "breakthrough7x6.network")
    before = native.evaluate(rules, *start.bitboards)
    numbers = stored_numbers(shipped.read_bytes())
    numbers[-1] = 0  # centipawns of a score of 1: only what is added remains
    (tmp_path / "other").write_bytes(with_numbers(shipped.read_bytes(), numbers))
    try:
        prover = session.engine.memory.prover
        solved = prover.probe(start) and prover._query.network
        give(session, "EvalFile", str(tmp_path / "other"))
        assert native.evaluate(rules, *start.bitboards) != before
        assert prover.probe(start) and prover._query.network not in (0, solved)
        give(session, "EvalFile", "<empty>")
        assert native.evaluate(rules, *start.bitboards) == before
        assert prover.probe(start) and prover._query.network == solved
    finally:
        networks.set_eval_file(None)


@pytest.mark.parametrize("content", [None, b"", b"pawnstorm ntuple 1 twoflags8x8 check 1\n"])
def test_file_that_is_no_network_is_named(content, session, tmp_path):
    path = tmp_path / "none"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=str(path)):
        give(session, "EvalFile", str(path))
    assert session.values["EvalFile"] == "<empty>"


@pytest.mark.parametrize("order", [("OwnBook", "UCI_AnalyseMode"), ("UCI_AnalyseMode", "OwnBook")])
def test_the_book_is_not_used_in_analysis(order, session):
    for name in order:
        give(session, name, "true")
    assert not session.engine.own_book
    give(session, "UCI_AnalyseMode", "false")
    assert session.engine.own_book
    give(session, "OwnBook", "false")
    assert not session.engine.own_book


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("MultiPV", "0", "'0' for option MultiPV: expected a whole number from 1 to 64"),
        ("MultiPV", "x", "'x' for option MultiPV: expected a whole number from 1 to 64"),
        ("MultiPV", None, "'' for option MultiPV: expected a whole number from 1 to 64"),
        ("UCI_ShowWDL", "perhaps", "'perhaps' for option UCI_ShowWDL: expected true or false"),
        ("UCI_Variant", " ", "'' for option UCI_Variant: expected a game"),
        ("UCI_Variant", "chess", "unknown game 'chess'"),
    ],
)
def test_a_refused_value_is_named_and_the_old_one_is_kept(name, text, said, session):
    before = dict(session.values)
    with pytest.raises(ValueError) as error:
        give(session, name, text)
    assert said in str(error.value) and session.values == before


@pytest.mark.parametrize(
    "text, number", [("7", 7), ("+7", 7), ("-7", -7), ("007", 7), ("0", 0), ("9" * 20, 10**20 - 1)]
)
def test_whole_numbers(text, number):
    assert parse_int(text) == number


@pytest.mark.parametrize("text", ["", "+", "--7", "7.0", "1e3", "1_000", " 7", "٣", "²", "seven"])
def test_anything_else_is_no_whole_number(text):
    with pytest.raises(ValueError, match="expected a whole number$"):
        parse_int(text)


@pytest.mark.parametrize(
    "low, high, expected",
    [(1, None, "a whole number from 1"), (None, 5, "a whole number to 5"), (1, 5, "a whole number from 1 to 5")],
)
def test_numbers_out_of_bounds_are_named_with_the_bounds(low, high, expected):
    text = "9" * 10**6 if high else "-3"
    with pytest.raises(ValueError) as error:
        parse_int(text, low, high, "after depth")
    assert str(error.value) == f"'{text[:40]}' after depth: expected {expected}"


def test_one_is_singular_and_all_else_plural():
    assert [pluralize(number, "ply") for number in (0, 1, 2000)] == ["0 plies", "1 ply", "2,000 plies"]
    assert (pluralize(1, "game"), pluralize(3, "game"), pluralize(2, "entry")) == ("1 game", "3 games", "2 entries")


@pytest.mark.compiled  # the search runs in a thread of its own
@pytest.mark.parametrize("count", [False, True])
def test_options_set_during_a_search_are_set_in_order_by_the_thread_that_ends_it(count):
    said = io.BytesIO()
    session = UCIEngine(io.BytesIO(), said)
    session._run_command(*(("perft", "30") if count else ("go", "infinite")))
    for word, rest in [
        ("setoption", "name MultiPV value 3"),
        ("setoption", "name UCI_Variant value nonesuch"),
        ("setoption", "name UCI_Variant value hexapawn"),
        ("position", "startpos moves a1a2"),
        ("setoption", "name MultiPV value 2"),
        ("d", ""),
    ]:
        session._run_command(word, rest)
    assert session.engine.multipv == 1 and b"hexapawn" not in said.getvalue()
    session._stop("")
    session._wait()
    text = said.getvalue().decode()
    said_last = [
        text.index(part)
        for part in ("was stopped" if count else "bestmove ", "nonesuch", "variant hexapawn", "Fen: ppp/P2")
    ]
    assert said_last == sorted(said_last) and session.engine.multipv == 2 and not session._deferred


@pytest.mark.parametrize("line, near", [("isredy", "isready"), ("  GO depth 3", "go"), ("debug on", None), ("", None)])
def test_line_without_a_command_is_answered_if_its_first_word_is_like_one(line, near):
    said = io.BytesIO()
    UCIEngine(io.BytesIO(f"{line}\n".encode()), said).run()
    answer = f"info string unknown command '{line.split()[0]}' (did you mean {near}?)\n" if near else ""
    assert said.getvalue().decode() == answer


def test_a_new_game_is_read_before_its_first_search(session, monkeypatch):
    """GUIs may send ucinewgame before UCI_Variant. If the first search read the book, it would have no time left."""
    read = []
    monkeypatch.setattr(session.engine, "_game_file", lambda rules, kind: read.append((rules.full_name, kind)))
    session.set_game("breakthrough6x6")
    assert ("breakthrough6x6", "book") in read
