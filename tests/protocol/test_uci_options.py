"""Points 7 and 24: setoption, well and badly said, during a search, and at the limits of memory."""

import mmap
import os
import queue
import sys
import time

import pytest
from client import DEADLINE, ENGINE, Client
from uci_audit import audit, root
from uci_engine import command, engine, info_strings, options_of, process  # noqa: F401

from pawnstorm.strength.levels import HIGHEST, LOWEST


@pytest.mark.parametrize(
    "command_text",
    [
        "setoption",
        "setoption name Nonesuch value 3",
        "setoption name Hash value",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value 0",
        "setoption name UCI_Elo value strong",
        "setoption name Ponder value perhaps",
        "setoption name Hash 32",
    ],
)
def test_07_bad_options_are_ignored_with_an_info_string(engine, command_text):
    assert info_strings(engine.ask(command_text))
    audit(root(), engine.go("depth 3"))


def test_07_option_names_are_case_insensitive(engine):
    assert engine.ask("setoption name uci_VARIANT value hexapawn")[0].startswith("info string variant hexapawn ")
    engine.ask("setoption name uci_variant value twoflags")
    assert (
        engine.ask("setoption name HASH value 8", "setoption name move OVERHEAD value 20", "setoption name clear hash")
        == []
    )
    assert engine.ask("setoption name multipv value 2") == []
    assert {info.get("multipv") for info in audit(root(), engine.go("depth 3")).infos} == {1, 2}


def test_07_clear_hash_accepts_a_value(engine):
    assert (
        engine.ask(
            "setoption name Clear Hash", "setoption name Clear Hash value", "setoption name Clear Hash value true"
        )
        == []
    )


@pytest.mark.parametrize("name", ["Hash", "Threads", "MultiPV", "Move Overhead"])
def test_24_minimum_and_maximum_are_accepted(engine, name):
    """A table of the maximum size may not be written to before it is used: memory that is only mapped costs nothing."""
    option = options_of(engine)[name]
    for value in option.low, option.high, option.low, option.default:
        engine.send(f"setoption name {name} value {value}")
        assert ready_without_eating_memory(engine) == []
        engine.send("ucinewgame")
        assert ready_without_eating_memory(engine) == []
        audit(root(), engine.go("nodes 2000"))


def ready_without_eating_memory(engine):
    """sync, but the process is killed when it takes more than 2 GB of memory on the way."""
    engine.send("isready")
    lines, until = [], time.monotonic() + DEADLINE
    while time.monotonic() < until:
        if resident(engine.process.pid) > 2 << 30:
            engine.kill()
            pytest.fail("a table was written to before it was used")
        try:
            lines.append(engine.receive(0.02))
        except queue.Empty:
            continue
        if lines[-1] in ("readyok", None):
            break
    assert lines[-1:] == ["readyok"]
    return lines[:-1]


def resident(pid):
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def nodes(engine):
    """Of a search of a second at most."""
    return audit(root(), engine.go("nodes 30000")).infos[-1]["nodes"]


def test_24_strength_is_limited_only_while_the_option_is_set(engine):
    engine.ask(f"setoption name UCI_Elo value {LOWEST}")
    assert nodes(engine) > 10_000
    engine.ask("setoption name UCI_LimitStrength value true")
    assert nodes(engine) < 5_000
    engine.ask(f"setoption name UCI_Elo value {HIGHEST}", "ucinewgame")
    assert nodes(engine) > 10_000


def weak_openings(engine):
    """The first moves of six games of the lowest level."""
    for option in "UCI_Variant value breakthrough", f"UCI_Elo value {LOWEST}", "UCI_LimitStrength value true":
        engine.ask(f"setoption name {option}")
    found = []
    for _ in range(6):
        engine.ask("ucinewgame", "position startpos")
        found.append(audit(root("breakthrough"), engine.go("movetime 1000")).best)
    return found


def test_24_weak_openings_vary_from_game_to_game_and_repeat_in_another_process(command):
    with Client(command) as one, Client(command) as other:
        first = weak_openings(one)
        assert len(set(first)) > 1 and weak_openings(other) == first


@pytest.mark.skipif(sys.platform != "linux" or ENGINE in os.environ, reason="limits its own child's memory")
def test_24_memory_that_cannot_be_had_is_reported_and_the_old_table_stays(command):
    with Client(command) as engine:
        look_for_memory(engine)


def look_for_memory(engine):
    import resource  # Windows has none

    high = int(options_of(engine)["Hash"].high)
    if high < 2048:
        pytest.skip("this machine's memory is too small to ask for too much")
    assert engine.ask("setoption name Hash value 8") == []
    audit(root(), engine.go("depth 5"))
    resource.prlimit(engine.process.pid, resource.RLIMIT_AS, (1 << 30, 1 << 30))
    for _ in range(2):
        assert info_strings(engine.ask("setoption name Hash value 2048"))
        audit(root(), engine.go("depth 6"))
    assert engine.ask("setoption name Hash value 16") == []
    audit(root(), engine.go("depth 6"))


@pytest.mark.parametrize("busy", ["go movetime 300", "go infinite", "bench 9"])
def test_07_lines_kept_during_a_search_follow_it_without_another_line(engine, busy):
    """They run in order, after the best move or the last line of a count."""
    engine.send("\n".join([busy, "setoption name UCI_Variant value hexapawn", "d"]))
    if "infinite" in busy:
        engine.send("stop")
    lines = engine.expect("Fen: .*")
    end, variant = (
        next(number for number, line in enumerate(lines) if line.startswith(start))
        for start in ("bestmove" if busy.startswith("go") else "Nodes searched:", "info string variant hexapawn ")
    )
    assert end < variant and lines[-1].startswith("Fen: ppp/3/PPP w ")


@pytest.mark.parametrize("how", ["quit", "eof"])
def test_07_lines_kept_during_a_search_that_has_ended_come_before_the_end(command, how):
    """And those of a search that the end cuts off are dropped."""
    for go, ended in ("go infinite", False), ("go movetime 200", True):
        with Client(command) as engine:
            engine.send("\n".join([go, "setoption name UCI_Variant value hexapawn", "d"]))
            if ended:
                engine.expect("bestmove .*")
            assert ("Game: hexapawn" in engine.leave(how)) == ended
