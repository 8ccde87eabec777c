"""An agent of the course as an engine of a match."""
import shlex
import socket
import sys

import matches
import pytest
from referee import commandline

from client import ROOT


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def line(port, *more, agent=()):
    return ["-engine", "proto=course", f"port={port}", *agent, "-engine", f"cmd={matches.fake('good')}", "-each", "tc=10", *map(str, more)]


def agent(port, *words):
    return [sys.executable, str(ROOT / "tests" / "course_agent.py"), str(port), *words]


def test_an_agent_that_stays_plays_every_game_with_both_colours(tmp_path):
    port = free_port()
    book = tmp_path / "two.epd"
    book.write_text("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1\n8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1\n")
    command = shlex.join([sys.executable, "-m", "protocol", "course", "--connect", f"127.0.0.1:{port}", "--nodes", "300", "--hash", "1",
                          "--tournament", "4", "--log", str(tmp_path / "log")])
    records = matches.play_words(line(port, "-openings", f"file={book}", "-rounds", 2, agent=[f"cmd={command}", f"dir={ROOT}"]))
    assert [record["reason"] for record in records] == ["normal"] * 4
    assert [record["opening"][:5] for record in records] == ["8/ppp"] * 2 + ["8/5p2"] * 2
    said = [line.split(" ", 3)[2:] for line in (tmp_path / "log").read_text().splitlines()]
    assert said.count(["<", "Reset"]) == 4 and said.count([">", "TOURNAMENT 4"]) == 1
    lost = sum((record["result"] == "0-1") == (record["game"] % 2 == 1) for record in records)
    assert said.count([">", "exit"]) == lost and sum(text.startswith("GameOver") for _, text in said) == 4


@pytest.mark.parametrize("words, reasons", [((), {"normal"}), (("company",), {"normal"}), (("eager",), {"normal"}), (("bare",), {"normal"}),
                                            (("resign=3",), {"resign"}), (("forfeit",), {"resign"}), (("slow=0.4",), {"time"})])
def test_an_agent_is_started_for_each_game(words, reasons):
    port = free_port()
    command = " ".join(agent(port, *words))
    records = matches.play_words(line(port, "-each", "tc=0.2" if "slow=0.4" in words else "tc=10", agent=[f"cmd={command}"]))
    assert len(records) == 2 and {record["reason"] for record in records} == reasons, records
    if reasons != {"normal"}:
        assert [record["result"] for record in records] == ["0-1", "1-0"]


def test_what_an_agent_says_when_it_dies_is_told(tmp_path):
    port = free_port()
    program = (f"import socket; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'OK'); s.recv(9)\n"
               "raise RuntimeError('no Setup')")
    records = matches.play_words(line(port, "-debug", tmp_path / "log", agent=[f"cmd={shlex.join([sys.executable, '-c', program])}"]))
    assert {record["reason"] for record in records} == {"start"}
    assert all("exited with status 1: RuntimeError: no Setup" in record["detail"] for record in records), records
    assert " ! RuntimeError: no Setup" in (tmp_path / "log").read_text()


def test_an_agent_that_stays_hears_of_no_game_that_it_was_not_called_to(tmp_path):
    port = free_port()
    command = shlex.join([sys.executable, "-m", "protocol", "course", "--connect", f"127.0.0.1:{port}", "--nodes", "300", "--hash", "1",
                          "--tournament", "4", "--log", str(tmp_path / "log")])
    words = line(port, agent=[f"cmd={command}", f"dir={ROOT}"])
    words[words.index(f"cmd={matches.fake('good')}")] = f"cmd={matches.fake('mortal', tmp_path / 'fake')}"
    records = matches.play_words(words)
    assert [record["reason"] for record in records] == ["normal", "start"] and records[1]["result"] == "0-1"
    said = [line.split(" ", 3)[2:] for line in (tmp_path / "log").read_text().splitlines()]
    assert said.count(["<", "Reset"]) == sum(text.startswith("GameOver") for _, text in said) == 1


@pytest.mark.parametrize("words, part", [
    ("proto=course", "without port=N"), ("proto=course port=99999", "'99999'"), ("proto=course port=9 tc=0+1", "tc='0+1'"),
    ("cmd=x port=9", "port='9' is for proto=course only"), ("proto=telnet", "'proto=telnet'"), ("proto=course port=9 nodes=3", "tc=TIME")])
def test_wrong_words_are_named(words, part):
    with pytest.raises(commandline.UsageError) as caught:
        commandline.parse(["-engine", *words.split(), "-engine", "cmd=y", "tc=1"])
    assert part in str(caught.value)


@pytest.mark.parametrize("flags, part", [(["-variant", "breakthrough"], "'breakthrough'"), (["-concurrency", "2"], "'2'"),
                                          (["-cluster", "local:2"], "'local:2'")])
def test_what_the_protocol_has_no_words_for_is_refused(flags, part):
    with pytest.raises(commandline.UsageError, match="proto=course") as caught:
        commandline.parse(line(9999, *flags))
    assert part in str(caught.value)
