"""The referee and engines that fail: faults are scored, engines start again, the match goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from matches import MATCH, engines_of, fake, play, run, words

from pawnstorm_protocol.client.process import EngineError
from pawnstorm_tools.referee import commandline, schedule, stats
from pawnstorm_tools.referee.local_match import LocalMatch


# Faults.
@pytest.mark.parametrize(
    "mode, reason, part, limit",
    [
        ("hang", "hang", "nor after stop", "tc=0.2"),
        ("late", "time", "time loss, 0.", "tc=0.2"),
        ("flood", "hang", "nor after stop", "tc=0.2"),
        ("crash", "crash", "exited with status 3: something broke", "tc=10"),
        ("gone", "crash", "closed its output", "tc=10"),
        ("dies", "start", "exited with status 1", "tc=10"),
        ("illegal", "illegal", "illegal move 'a1a1'", "tc=10"),
        ("none", "illegal", "(none)", "tc=10"),
        ("empty", "illegal", "illegal move: ''", "tc=10"),
        ("nonsense", "illegal", "illegal move", "tc=10"),
        ("twice", "protocol", "without a go", "tc=10"),
        ("afterwards", "protocol", "without a go", "tc=10"),
    ],
)
def test_fault_loses_its_game_with_either_colour_and_the_match_goes_on(mode, reason, part, limit, monkeypatch):
    monkeypatch.setattr("pawnstorm_tools.referee.game.STOP_TIMEOUT", 10**9 // 2)
    records = play(fake(mode), fake("late" if mode == "afterwards" else "good"), limit=limit, variant="breakthrough5")
    assert [record["result"] for record in records] == ["0-1", "1-0"]
    assert {record["reason"] for record in records} == {reason}
    assert all(part in record["detail"] for record in records), records
    assert [stats.points(record) for record in records] == [0, 0]


@pytest.mark.parametrize("mode", ["garbage", "stderr", "plain"])
def test_noise_costs_nothing(mode):
    records = play(fake(mode), fake("good"), variant="twoflags" if mode == "plain" else "hexapawn")
    assert {record["reason"] for record in records} == {"normal"}
    assert len({tuple(move[0] for move in record["moves"]) for record in records}) == 1


def test_engine_killed_between_games_is_restarted_without_a_loss():
    asked = commandline.parse(words(fake("good"), fake("good"), "-rounds", 2))
    match = LocalMatch(asked)
    try:
        match.check_engines()
        match.first_players[1].engine.process.kill()
        records = match.run(schedule.pairings(2, 2, [asked.rules.start_fen]))
        assert {record["reason"] for record in records} == {"normal"}
    finally:
        match.close()


@pytest.mark.parametrize(
    "mode, part",
    [
        ("silent", "does not answer uci: no uciok"),
        ("stillborn", "does not answer uci: killed by signal 9"),
        ("chess", "does not know the variant 'hexapawn'"),
        ("wrong", "plays 'chess' instead"),
    ],
)
def test_engine_that_cannot_play_stops_the_match(mode, part, monkeypatch):
    if mode == "silent":
        monkeypatch.setattr("pawnstorm_protocol.client.process.HANDSHAKE_TIMEOUT", 10**9 // 2)
    with pytest.raises(EngineError, match=part):
        play(fake("good"), fake(mode))


def test_error_in_the_middle_of_a_match_comes_after_the_summary_of_its_games(tmp_path):
    engine, started = tmp_path / "engine", tmp_path / "started"
    # A program that crashes in every game and, when it is started again, removes itself.
    engine.write_text(f"#!/bin/sh\n[ -e {started} ] && rm $0\ntouch {started}\nexec {fake('crash')}\n")
    engine.chmod(0o755)
    status, output, error = run(engine, fake("good"), "-rounds", 3, variant="twoflags")
    assert status == 2 and f"cannot run '{engine}'" in error.splitlines()[-1]
    assert "Fake crash against Fake good: 2 games" in output and "Faults  2" in output


def test_engine_killed_before_its_first_uciok_is_started_again_and_loses_nothing(tmp_path):
    records = play(fake("unborn", tmp_path / "log"), fake("good"))
    assert {record["reason"] for record in records} == {"normal"} and len(records) == 2


def test_engines_killed_at_random_lose_at_most_the_game_that_they_are_in(tmp_path):
    results = tmp_path / "r.jsonl"
    line = words(fake("good"), fake("good"), "-rounds", 40, "-concurrency", 2, "-resume", results, variant="twoflags")
    chance, killed = random.Random(7), 0
    with subprocess.Popen(
        [sys.executable, str(MATCH), *line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            time.sleep(chance.uniform(0, 0.1))
            children = engines_of(process.pid)
            if killed < 25 and children and results.exists():  # before that the engines are only asked for their names
                try:
                    os.kill(chance.choice(children), signal.SIGKILL)
                except ProcessLookupError:  # it has just ended by itself
                    continue
                killed += 1
    assert process.returncode == 0 and killed > 5, killed
    records = [json.loads(line) for line in results.read_text().splitlines()[1:]]
    assert sorted(record["game"] for record in records) == list(range(1, 81))
    assert {record["reason"] for record in records} <= {"normal", "crash", "start"}
    assert sum(record["reason"] != "normal" for record in records) <= killed
    assert all("killed by signal 9" in record["detail"] for record in records if record["reason"] != "normal")
