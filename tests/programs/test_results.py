"""Results on disk: a match that is killed goes on where it was, and nothing is lost, played twice or torn."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest
from matches import MATCH, engines_of, fake, play, words
from processes import wait_until

from pawnstorm import pgn
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.referee.results import Results


def command(*given, **more):
    return [sys.executable, str(MATCH), *words(*given, **more)]


def size(path):
    return path.stat().st_size if path.exists() else 0


def test_killed_tournament_resumes_and_plays_nothing_twice(tmp_path):
    results, pgn_file, chance = tmp_path / "r.jsonl", tmp_path / "g.pgn", random.Random(3)
    flags = ["-rounds", 6, "-concurrency", 2, "-resume", results, "-pgnout", pgn_file]
    line = command(*[fake("good")] * 3, *flags, variant="breakthrough5")
    for _ in range(2):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        enough = size(results) + chance.randrange(1, 3000)
        wait_until(lambda: size(results) >= enough or process.poll() is not None)
        assert process.poll() is None, "it has ended too soon"
        process.kill()
        process.wait()
    done = subprocess.run(line, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "36 games" in done.stdout, done.stderr
    records = [json.loads(text) for text in results.read_text().splitlines()[1:]]
    assert sorted(record["game"] for record in records) == list(range(1, 37))
    rounds = [read.tags["Round"] for read in pgn.read(pgn_file)]
    assert sorted(rounds) == [f"{a}.{b}" for a in range(1, 7) for b in range(1, 7)]
    assert [pgn_file.read_text().count(text) for text in ("[Event ", "[Result ", "\n\n[")] == [36, 36, 35]
    refused = subprocess.run([*line, "-tournament", "gauntlet"], capture_output=True, text=True)
    assert refused.returncode == 2 and "'tournament' was" in refused.stderr


def test_resume_drops_a_torn_line_completes_the_pgn_and_refuses_another_match(tmp_path):
    path, pgn_file = tmp_path / "r.jsonl", tmp_path / "g.pgn"
    fixed = {"variant": "hexapawn", "games a round": 2}
    results = Results(fixed, str(path))
    with pytest.raises(JournalError, match="in use by a match that is running"):
        Results(fixed, str(path))
    for record in play(fake("good"), fake("good")):
        results.add(record)
    results.close()
    with open(path, "a") as file:
        file.write('{"game": 3, "res')
    again = Results(fixed, str(path), str(pgn_file))
    assert again.games == results.games and again.id == results.id and path.read_text().endswith("}\n")
    assert len(list(pgn.read(pgn_file))) == 2
    again.close()
    Results(fixed, str(path), str(pgn_file)).close()
    assert len(list(pgn.read(pgn_file))) == 2
    with pytest.raises(JournalError, match="another match; .*: 'games a round' was 2, now 1$"):
        Results(fixed | {"games a round": 1}, str(path))
    path.write_text("something else\n")
    with pytest.raises(JournalError, match="not the results file"):
        Results(fixed, str(path))


ENGINE = {"name": "A", "command": "a -x", "limits": "10+0.1", "options": [["Hash", "64"], ["Threads", "1"]]}


@pytest.mark.parametrize(
    "change, said",
    [
        ({"options": [["Hash", "32"], ["Threads", "1"]]}, "engine 1: option Hash was 64, now 32"),
        ({"options": [["Threads", "1"]]}, "engine 1: option Hash was 64, now not given"),
        ({"options": [["Threads", "1"], ["Hash", "64"]]}, "engine 1: the options came in another order"),
        ({"limits": "5+0.1", "restart": True}, "engine 1: tc was 10+0.1, now 5+0.1, restart was not given, now true"),
        ({"command": "b -x"}, 'engine 1: cmd was "a -x", now "b -x"'),
        ({"options": "nonsense"}, "engine 1: options was "),
    ],
)
def test_match_of_other_settings_names_those_that_differ(change, said, tmp_path):
    """And no others."""
    fixed, path = {"variant": "hexapawn", "openings": "0a", "engine 1": ENGINE}, str(tmp_path / "r")
    Results(fixed, path).close()
    with pytest.raises(JournalError) as caught:
        Results(fixed | {"engine 1": ENGINE | change}, path)
    told = str(caught.value)
    assert f"another file: {said}" in told and "hexapawn" not in told and "Threads" not in told.partition(" was")[0]
    with pytest.raises(JournalError, match="the openings were others; engine 1: "):
        Results(fixed | {"openings": "0b", "engine 1": ENGINE | change}, path)


FIXED = {"variant": "hexapawn", "games a round": 2}
HEAD = '{"match": "0123456789ab", "settings": {"variant": "hexapawn", "games a round": 2}}'


@pytest.mark.parametrize(
    "text",
    [
        "notes without a newline",
        '{"match": 1',
        '{"match": "0123-56',
        HEAD.replace("hexapawn", "twoflags")[:-10],
        HEAD + "\nmy notes\ntorn",
        HEAD + "\n[]\n",
        '{"match": "0123456789ab", "settings": []}\n',
        HEAD.replace("hexapawn", "twoflags") + '\n{"game": 1, "re',
        "\n",
        "\xe9",
    ],
)
def test_a_file_that_is_not_this_matchs_stays_as_it_is(tmp_path, text):
    path = tmp_path / "r"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(JournalError, match="not the results file|belongs to another match"):
        Results(FIXED, str(path))
    assert path.read_text(encoding="latin-1") == text


@pytest.mark.parametrize("left", [1, 11, 12, 17, 23, 24, 40, len(HEAD)])
def test_a_first_line_that_was_cut_short_is_written_again(tmp_path, left):
    path = tmp_path / "r"
    path.write_text(HEAD[:left])
    results = Results(FIXED, str(path))
    results.close()
    assert json.loads(path.read_text()) == {"match": results.id, "settings": FIXED} and path.read_text().endswith("}\n")


def test_interrupt_prints_the_table_and_leaves_no_engine(tmp_path):
    results = tmp_path / "r.jsonl"
    line = command(fake("good"), fake("good"), "-rounds", 5000, "-concurrency", 2, "-resume", results)
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    wait_until(lambda: size(results) >= 1_000 and len(engines_of(process.pid)) == 4)
    engines = engines_of(process.pid)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=10)[0]
    assert process.returncode == 130
    assert "Score" in output and "the same command goes on" in output
    assert len(engines) == 4 and not any(os.path.exists(f"/proc/{pid}") for pid in engines)


@pytest.mark.parametrize("left", [1, 30, 200, 400, -30, -2, -1])
def test_pgn_cut_off_by_a_kill_is_made_whole(tmp_path, left):
    path, pgn_file = tmp_path / "r.jsonl", tmp_path / "g.pgn"
    fixed = {"variant": "hexapawn", "games a round": 2}
    results = Results(fixed, str(path), str(pgn_file))
    for record in play(fake("good"), fake("good"), "-rounds", 2):
        results.add(record)
    results.close()
    whole = pgn_file.read_text()
    last = whole.rindex("[Event ")
    pgn_file.write_text(whole[:last] + whole[last:][:left])
    Results(fixed, str(path), str(pgn_file)).close()
    assert pgn_file.read_text() == whole


def test_pgn_of_another_match_stays_as_it_is_and_new_games_begin_on_a_line_of_their_own(tmp_path):
    pgn_file = tmp_path / "g.pgn"
    pgn_file.write_text('[Event "other"]\n\n1. e4 {cut')
    results = Results({"variant": "hexapawn"}, None, str(pgn_file))
    for record in play(fake("good"), fake("good")):
        results.add(record)
    results.close()
    assert pgn_file.read_text().startswith('[Event "other"]\n\n1. e4 {cut\n\n[Event "hexapawn match"]\n')
    assert [found.tags["Event"] for found in pgn.read(pgn_file)] == ["hexapawn match"] * 2
