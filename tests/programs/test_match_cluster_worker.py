"""A match's work in a process of a dask cluster, and which workers are refused, without a cluster."""

import contextlib
import json
import re

import evil_worker
import pytest
from matches import fake, words

from pawnstorm.games.rules import get_rules
from pawnstorm_tools.cluster import joining, workers
from pawnstorm_tools.programs import match as program
from pawnstorm_tools.referee import cluster_match, cluster_worker, commandline, game_record
from pawnstorm_tools.referee.settings import Resign

pytestmark = pytest.mark.compiled
PAIRING = (1, "1.1", 0, 1, "ppp/3/PPP w - - 0 1")


def asked(*flags):
    """The settings of a match of two fakes."""
    return commandline.parse(words(fake("good"), fake("good"), *flags))


def setup(name, *flags, slots=3):
    """What a master sends to a worker for such a match."""
    return name, cluster_worker.VERSION, *cluster_worker.pack(asked(*flags)), slots


def test_a_setup_travels_as_plain_values_and_another_version_is_told_before_it_is_unpacked():
    packed, rules = cluster_worker.pack(asked())
    assert isinstance(packed, bytes) and rules == "hexapawn"
    assert cluster_worker.prepare(("id", "another", b"no pickle", "hexapawn", 1)) == (cluster_worker.VERSION, [], [])
    assert len(set(re.findall("[0-9a-f]{16}", cluster_worker.VERSION))) == 4


def test_a_process_plays_for_two_matches_and_stops_one():
    setups = [setup(name, "-debug", "x") for name in "ab"]
    for one in setups:
        assert cluster_worker.prepare(one) == (cluster_worker.VERSION, ["Fake good", "Fake good (2)"], [])
    for one in setups * 2:
        record, lines = cluster_worker.play(one, 1, PAIRING)
        assert record["reason"] == "normal" and " 2.4 < bestmove " in lines
    session = cluster_worker._sessions["a"]
    cluster_worker.stop("a")
    assert not any(player.engine.alive() for _, players in session._slots.values() for player in players)
    assert cluster_worker.play(setups[1], 0, PAIRING)[0]["reason"] == "normal"
    cluster_worker.stop("b")
    cluster_worker.stop("b")
    assert not cluster_worker._sessions


def test_of_the_matches_whose_masters_have_gone_the_oldest_are_given_up(monkeypatch):
    monkeypatch.setattr(cluster_worker, "MAX_SESSIONS", 2)
    setups = [setup(name) for name in "abc"]
    for one in setups:
        cluster_worker.prepare(one)
    try:
        assert list(cluster_worker._sessions) == ["b", "c"]
        assert cluster_worker.play(setups[0], 0, PAIRING) is None
    finally:
        for match in "bc":
            cluster_worker.stop(match)


@pytest.mark.parametrize("where, part", [("local:0", "bad cluster 'local:0'"), ("tcp://127.0.0.1:1", "cannot join")])
def test_no_cluster_is_told(where, part, monkeypatch, capsys):
    monkeypatch.setattr(joining, "TIMEOUT", 0.5)
    assert program.main(words(fake("good"), fake("good"), "-cluster", where)) == 2
    assert part in capsys.readouterr().err


def test_workers_with_other_engines_are_left_alone():
    match = cluster_match.ClusterMatch(asked("-cluster", "local:2"))
    match.accept((cluster_worker.VERSION, ["a", "b"], ["warned"]))
    assert match.check_engines() == ["warned"] and match.names == ["a", "b"]
    with pytest.raises(workers.RefusedWorker, match="its engines are a, c; expected a, b"):
        match.accept((cluster_worker.VERSION, ["a", "c"], []))
    with pytest.raises(workers.RefusedWorker, match="its sources differ"):
        match.accept(("another", [], []))
    match.close()


def test_slots_are_as_many_as_asked_or_as_there_are_threads():
    match = cluster_match.ClusterMatch(asked("-cluster", "local:2", "-concurrency", 3))
    assert [match.slots({"nthreads": count}) for count in (1, 3, 8)] == [1, 3, 3]
    assert [match.setup({"nthreads": count})[-1] for count in (2, 8, 1)] == [1, 3, 6]
    match.close()


@pytest.fixture(scope="module")
def played():
    """(a ClusterMatch, the words of a job, its answer as decoded JSON)."""
    match, sent = cluster_match.ClusterMatch(asked("-cluster", "local:2")), setup("read", "-debug", "x", slots=1)
    match.accept(cluster_worker.prepare(sent))
    job = 0, PAIRING
    yield match, job, json.loads(json.dumps(cluster_worker.play(sent, *job)))
    cluster_worker.stop("read")
    match.close()


def test_a_game_that_was_played_is_read(played):
    match, job, answer = played
    record, lines = match.read(job, answer)
    assert record == answer[0] and b"bestmove" in lines


@pytest.mark.parametrize(
    "way, part",
    [
        ("illegal", "move 1: "),
        ("unfinished", "'reason' is normal, expected a fault"),
        ("more", "comes after the end of the game"),
        ("result", "'result' is "),
        ("reason", "'reason' is adjudication, expected normal"),
        ("number of the game", "'game' is 1000, expected 1"),
        ("name", "'white' is 'somebody', expected "),
        ("opening", "'opening' is 'ppp/3/PPP b - - 0 1', expected "),
        ("limits", "'limits' is "),
        ("variant", "'variant' is 'hexapawn', expected no such field"),
        ("log", "7, expected the lines of a log"),
    ],
)
def test_a_game_that_was_not_asked_for_or_is_none_is_refused(way, part, played):
    match, job, answer = played
    with pytest.raises(ValueError, match=re.escape(part)):
        match.read(job, evil_worker.lied(way, answer))


@pytest.mark.parametrize(
    "scores, resign, reason, fits",
    [
        ([-900, 5, -900], (2, 500), "adjudication", True),
        ([-900, 5, -900], (2, 500), "time", False),
        ([-900, 5, -400], (2, 500), "adjudication", False),
        ([-900, 5, -400], (2, 500), "time", True),
        ([None, None, None], None, "crash", True),
        ([None, None, None], None, "normal", False),
    ],
)
def test_the_reason_of_a_game_that_the_rules_do_not_end_fits_its_scores(scores, resign, reason, fits):
    moves = [[move, 1, None, score, 1, 1, 1] for move, score in zip(("a2a3", "h7h6", "b2b3"), scores)]
    rules = get_rules("twoflags")
    record = {"opening": rules.start_fen, "moves": moves, "reason": reason, "result": "0-1"}
    with contextlib.nullcontext() if fits else pytest.raises(ValueError, match="'reason' is"):
        game_record.replay(record, rules, resign and Resign(*resign))
    if fits and reason == "adjudication":
        with pytest.raises(ValueError, match="'result' is 1-0, expected 0-1"):
            game_record.replay(record | {"result": "1-0"}, rules, Resign(*resign))
