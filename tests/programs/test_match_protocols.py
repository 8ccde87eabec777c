"""Whole matches against bots of CodinGame and engines of UGI, and how their faults are judged."""

import shlex
import sys

import pytest
from client import ROOT
from matches import OWN, play_words, run_words

from pawnstorm_protocol.client.process import EngineError
from pawnstorm_tools.referee import stats

SMALL = ("breakthrough5", "breakthrough5x5")
FULL = ("breakthrough", "breakthrough8x8")
PATIENT = "st=20 first=40"
"""Limits that no sound bot oversteps, however busy the machine is."""


def player(program, *arguments):
    """The command of a program of the tests, for -engine."""
    return "cmd=" + shlex.join([sys.executable, str(ROOT / "tests" / program), *arguments])


def bot(mode, game="breakthrough5x5", limits=PATIENT):
    return [player("codingame_bot.py", mode, game), "proto=codingame", f"name={mode}", *limits.split()]


def ugi(mode, game="breakthrough5x5", limits="tc=40+1"):
    return [player("ugi_engine.py", mode, game), "proto=ugi", f"name={mode}", *limits.split()]


def own(*words, name="ours"):
    return [OWN, f"dir={ROOT}", f"name={name}", *(words or ["nodes=200"]), "option.Hash=1"]


def own_command(*words):
    """Our own program in one of its other protocols."""
    return "cmd=" + shlex.join([sys.executable, "-m", "pawnstorm", *words])


def match(one, other, variant="breakthrough5", *more):
    return play_words(["-engine", *one, "-engine", *other, "-variant", variant, *more])


def points(records):
    """What the match's first engine has of each game."""
    return [stats.points(record) for record in records]


def reasons(records):
    return [record["reason"] for record in records]


@pytest.mark.parametrize("variant, game", [SMALL, FULL])
def test_bots_of_codingame_play_whole_games_with_both_colours(variant, game):
    """Each checks all that it reads; our engine wins against random moves."""
    records = match(bot("good", game), own(), variant, "-rounds", "2")
    assert reasons(records) == ["normal"] * 4 and points(records) == [0] * 4, records
    assert len({tuple(move[0] for move in record["moves"]) for record in records}) >= 2
    assert {limits for record in records for limits in record["limits"].values()} == {"st=20 first=40", "nodes=200"}


@pytest.mark.parametrize("mode", ["message", "crlf", "blank"])
def test_messages_and_other_ends_of_lines_cost_nothing(mode):
    records = match(bot(mode), own())
    assert reasons(records) == ["normal"] * 2
    assert all(
        move[3:6] == [None] * 3 for record in records for move in record["moves"][record["first"] != "white" :: 2]
    )


@pytest.mark.parametrize("variant, game", [SMALL, FULL])
@pytest.mark.parametrize("limits", ["tc=40+1", "st=20", "nodes=5", "depth=2", "tc=9/40"])
def test_engines_of_ugi_play_whole_games_with_both_colours(variant, game, limits):
    records = match(ugi("good", game, limits), own(), variant)
    assert reasons(records) == ["normal"] * 2 and points(records) == [0] * 2, records
    assert all(move[3] == 17 for record in records for move in record["moves"][record["first"] != "white" :: 2])


def test_an_engine_of_ugi_gets_openings_with_either_side_to_move(tmp_path):
    book = tmp_path / "two.epd"
    book.write_text("ppppp/1pppp/p4/1P3/P1PPP/PPPPP w - - 0 1\nppppp/1pppp/p4/1P3/P1PPP/PPPPP b - - 0 1\n")
    records = match(
        ugi("good", "breakthrough5x6"), own(), "breakthrough5x6", "-openings", f"file={book}", "-rounds", "2"
    )
    assert reasons(records) == ["normal"] * 4 and {record["opening"].split()[1] for record in records} == {"w", "b"}


def test_a_bot_of_codingame_and_an_engine_of_ugi_play_each_other():
    records = match(bot("good"), ugi("good"), SMALL[0], "-rounds", "3")
    assert reasons(records) == ["normal"] * 6


@pytest.mark.parametrize("variant", ["breakthrough5", "breakthrough"])
def test_our_own_bot_and_ugi_engine_play_each_other(variant):
    ours = own_command("codingame", "--first", "20", "--movetime", "5", "--variant", variant)
    one = [ours, f"dir={ROOT}", "proto=codingame", "name=bot", *PATIENT.split()]
    other = [own_command("ugi"), f"dir={ROOT}", "proto=ugi", "name=ugi", "tc=20+1", "nodes=300", "option.Hash=1"]
    records = match(one, other, variant)
    assert reasons(records) == ["normal"] * 2, records


def test_two_flags_can_be_played_too():
    """The lines carry the legal moves, whatever the game; en passant and double steps are naive.py's."""
    records = match(bot("good", "twoflags8x8"), own(), "twoflags", "-rounds", "3")
    assert reasons(records) == ["normal"] * 6 and points(records) == [0] * 6


FAULTS = [
    ("late1", "st=40 first=0.8", "time", "time loss, "),
    ("late2", "st=0.8 first=40", "time", "time loss, "),
    ("illegal", PATIENT, "illegal", "illegal move '"),
    ("garbage", PATIENT, "illegal", "is not a move"),
    ("info", PATIENT, "illegal", "'in' is not a square"),
    ("case", PATIENT, "illegal", "is not a square of breakthrough5"),
    ("none", PATIENT, "illegal", "'No' is not a square"),
    ("twice", PATIENT, "protocol", "when it was not to move"),
    ("hang", "st=0.3 first=40", "hang", "no move within 0.300 s, nor after stop"),
    ("flood", "st=0.3 first=40", "hang", "no move within 0.300 s, nor after stop"),
    ("crash", PATIENT, "crash", "exited with status 3: something broke"),
    ("gone", PATIENT, "crash", "closed its output"),
]


@pytest.mark.parametrize("mode, limits, reason, part", FAULTS, ids=[row[0] for row in FAULTS])
def test_fault_of_a_bot_loses_its_game_with_either_colour(mode, limits, reason, part, monkeypatch):
    if reason == "hang":
        monkeypatch.setattr("pawnstorm_tools.referee.game.STOP_TIMEOUT", 10**9 // 2)
    records = match(bot(mode, limits=limits), own())
    assert reasons(records) == [reason] * 2 and points(records) == [0, 0], records
    assert all(part in record["detail"] for record in records), records
    # Its first move was played, unless that was too late.
    assert [len(record["moves"]) for record in records] == ([0, 1] if mode == "late1" else [2, 3]) or mode == "twice"


def test_a_move_before_it_is_asked_for_is_a_fault_or_no_legal_move():
    """It is heard as an answer if the referee has asked by then; the next answers are then those of the turns before."""
    records = match(bot("early"), own())
    assert points(records) == [0, 0] and set(reasons(records)) <= {"protocol", "illegal", "crash"}, records


def test_a_bot_that_ends_at_once_loses_and_one_that_is_not_there_stops_the_match():
    records = match(["cmd=false", "proto=codingame", *PATIENT.split()], own())
    assert reasons(records) == ["crash"] * 2 and points(records) == [0, 0]
    assert "exited with status 1" in records[0]["detail"]
    with pytest.raises(EngineError, match="cannot run 'no-such-bot'"):
        match(["cmd=no-such-bot", "proto=codingame"], own())


def test_codingames_own_limits_are_kept_without_a_word_of_the_user():
    records = match(bot("late1", limits=""), own())
    assert set(reasons(records)) <= {"time", "hang"} and points(records) == [0, 0]
    assert {record["limits"][record["first"]] for record in records} == {"st=0.1 first=1"}


@pytest.mark.parametrize(
    "mode, limits, reason, part",
    [
        ("late", "st=0.8", "time", "time loss, "),
        ("hang", "st=1", "hang", "no move within 1.000 s, nor after stop"),
        ("crash", "st=20", "crash", "exited with status 3: something broke"),
        ("illegal", "st=20", "illegal", "illegal move '"),
    ],
)
def test_fault_of_a_ugi_engine_loses_its_game(mode, limits, reason, part, monkeypatch):
    if reason == "hang":
        monkeypatch.setattr("pawnstorm_tools.referee.game.STOP_TIMEOUT", 10**9 // 2)
    (record,) = match(ugi(mode, limits=limits), own(), SMALL[0], "-games", "1")
    assert reasons([record]) == [reason] and points([record]) == [0], record
    assert part in record["detail"] and len(record["moves"]) == 2


def test_an_engine_that_does_not_speak_ugi_is_an_error_of_the_command_line(monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(EngineError, match="does not answer ugi: no ugiok"):
        patch.setattr("pawnstorm_protocol.client.process.HANDSHAKE_TIMEOUT", 10**9)
        match(ugi("silent"), own())
    with pytest.raises(EngineError, match="does not answer uci: exited with status 9: 'uci' before ugi"):
        match([word for word in ugi("good") if word != "proto=ugi"], own())


def test_the_program_says_what_a_bot_of_codingame_may_misunderstand(tmp_path):
    pgn = tmp_path / "games.pgn"
    line = [
        "-engine",
        *bot("message", "twoflags8x8"),
        "option.Hash=1",
        "-engine",
        *own(),
        "-pgnout",
        str(pgn),
        "-ponder",
    ]
    status, out, err = run_words([*line, "-debug", str(tmp_path / "log")])
    assert status == 0 and "message against ours: 2 games" in out and "Faults  0" in out
    assert "message: CodinGame has breakthrough alone, and this is twoflags" in err
    assert "message has no option 'Hash'" in err and "message has no option 'Ponder'" in err
    assert 'TimeControl "st=20 first=40"' in pgn.read_text()
    log = (tmp_path / "log").read_text()
    assert " message.1 > None\n" in log and " > ucinewgame" in log and " message.1 > quit" not in log
