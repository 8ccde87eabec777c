"""The Windows executables under Wine: UCI, clocks, memory, the terminal, Ctrl-C, the course and a match.

They are made here as release.py makes them, unless an earlier run has made them in `windows/dist` of the folder that
PAWNSTORM_TOOLS names, as release.py's --tools does. Wants Wine and ziglang.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time
import tty
from pathlib import Path

import client
import pexpect
import pytest
from client import Client
from processes import Process
from uci_engine import options_of

from pawnstorm_tools.releasing import emulation, making, under_wine

EXECUTABLES = {"folder": "pawnstorm/pawnstorm.exe", "portable": "pawnstorm-portable.exe"}
FILES = sorted((client.ROOT / "tests" / "protocol").glob("test_uci_*.py"))
LINUX = [sys.executable, "-m", "pawnstorm"]
PLATFORM = "windows-x86-64"
LIMIT = 1200  # seconds of a run of the tests of UCI
GAME = ["--nodes", "2000", "--hash", "4"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(2 * LIMIT),
    pytest.mark.skipif(
        not shutil.which(under_wine.WINE) or importlib.util.find_spec("ziglang") is None,
        reason="expected wine and ziglang",
    ),
]


@pytest.fixture(scope="module")
def windows(tmp_path_factory):
    """A Windows that is up, with the executables in its folder `dist`."""
    tools = Path(os.environ.get("PAWNSTORM_TOOLS") or tmp_path_factory.mktemp("tools"))
    made = emulation.Windows(tools / "windows")
    with made.running():
        if not (made.folder / "dist").exists():
            release = making.Release(made.folder, {PLATFORM: made.command(made.python)}, print)
            with release.prepared([PLATFORM]):
                release.frozen(PLATFORM).rename(made.folder / "dist")  # a run that is broken off leaves none
        yield made


@pytest.fixture(scope="module", params=EXECUTABLES)
def program(request, windows):
    """An executable."""
    return windows.folder / "dist" / EXECUTABLES[request.param]


@pytest.fixture(scope="module")
def command(windows, program):
    return windows.command(program)


@pytest.fixture
def engine(command):
    with Client(command) as engine:
        engine.ask("setoption name OwnBook value false", "isready")
        yield engine


def said(*words, **env):
    """What a run of Python prints, which has to succeed."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=client.ROOT,
        env=os.environ | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    print(done.stdout[-400:])
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


def test_the_tests_of_uci_pass(command):
    said("-m", "pytest", "-q", *map(str, FILES), **{client.ENGINE: shlex.join(command)})


def test_bench_counts_what_it_counts_from_source(command):
    from test_uci_repeats import bench_by_word, bench_from_source

    assert bench_by_word(command) == bench_from_source()


@pytest.mark.parametrize("threads", [1, 2])
def test_movetime_is_kept_to_the_milliseconds(engine, threads):
    engine.ask(f"setoption name Threads value {threads}")
    times = []
    for _ in range(25):
        start = time.perf_counter()
        engine.go("movetime 50")
        times.append(1000 * (time.perf_counter() - start))
    print(f"{threads} threads: {min(times):.1f} to {max(times):.1f} ms, median {statistics.median(times):.1f}")
    assert min(times) > 35 and 40 <= statistics.median(times) <= 60


def test_largest_hash_is_allocated_searched_and_cleared_at_once(engine):
    high = options_of(engine)["Hash"].high
    start = time.perf_counter()
    assert engine.ask(f"setoption name Hash value {high}", "ucinewgame") == []
    assert engine.go("depth 9")[-2].startswith("info depth 9")
    assert engine.ask("ucinewgame") == []
    took = time.perf_counter() - start
    print(f"Hash {high}: {took:.2f} s")
    assert took < 10
    assert engine.ask(f"setoption name Hash value {int(high) + 1}") != []


def test_game_in_a_pseudo_console(windows, program, tmp_path):
    record = tmp_path / "game.pgn"
    words = ["play", "--ascii", "--level", "800", "--movetime", "50", "--pgn", emulation.windows_path(record)]
    terminal = pexpect.spawn(
        under_wine.WINE,
        [str(program), *words],
        env=under_wine.environment(windows.prefix) | {"TERM": "xterm"},
        timeout=client.DEADLINE,
        encoding="utf-8",
        dimensions=(50, 150),
    )
    try:
        for key in ("e2e4\r", "hint\r", "e2e9\r", "resign\r"):
            terminal.expect("White>")
            tty.setraw(terminal.child_fd)  # Wine reads the keys, and leaves the terminal as it was
            terminal.send(key)
        terminal.expect("resigns")
        terminal.expect(pexpect.EOF)
        terminal.wait()
        assert terminal.exitstatus == 0
    finally:
        terminal.close(force=True)
    assert re.search(r"\[Result \"0-1\"\].*\n1\. e4 ", record.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(
    "words", [[], ["bench", "30"], ["play", "--ascii"], ["play", "--ascii", "--black", "--movetime", "100000"]]
)
def test_ctrl_c_ends_it_at_once(windows, program, words):
    script = emulation.windows_path(Path(client.ROOT, "tests", "console_events.py"))
    told = json.loads(windows.run(windows.python, script, emulation.windows_path(program), *words))
    assert told["code"] == 130 and told["seconds"] < 2 and not told["err"], told


def test_words_for_people_are_utf8(command):
    done = subprocess.run(
        [*command, "naïve"], env=os.environ | {"LC_ALL": "C.UTF-8"}, stdin=subprocess.PIPE, capture_output=True
    )
    assert done.returncode == 2 and "'naïve'".encode() in done.stderr and b"\r" not in done.stderr


def test_course_client_plays_ten_games_at_a_linux_server(command):
    server = [*LINUX, "course", "--serve", "0", "--games", "10", "--sessions", "1", "--time", "1"]
    with Process(server) as serving:
        port = serving.expect("^listening on .* port ([0-9]+)$")[1]
        with Process([*command, "course", "--connect", f"127.0.0.1:{port}", *GAME]) as one:
            with Process([*LINUX, "course", "--connect", f"127.0.0.1:{port}", *GAME]) as other:
                for client_ in (one, other):
                    assert re.search("^[0-9]+ won, [0-9]+ lost$", client_.finish()[0], re.MULTILINE)
                assert serving.finish()[0].count("\ngame ") == 10


def test_course_server_plays_with_an_engine_of_its_own(windows, program, command):
    own = f'"{emulation.windows_path(program)}"'
    words = ["course", "--serve", "0", "--games", "2", "--sessions", "1", "--time", "1", "--engine", own]
    with Process([*command, *words]) as serving:
        port = serving.expect("^listening on .* port ([0-9]+)$")[1]
        with Process([*LINUX, "course", "--connect", f"127.0.0.1:{port}", *GAME]) as other:
            assert re.search("^[0-9]+ won, [0-9]+ lost$", other.finish()[0], re.MULTILINE)
        assert serving.finish()[0].count("\ngame ") == 2


@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_no_time_is_lost_in_twenty_games(command, game):
    match = ["scripts/match.py", "-variant", game, "-rounds", "10", "-games", "2"]
    engines = [word for name in "ab" for word in ("-engine", f"name={name}", f"cmd={shlex.join(command)}")]
    book = ["-openings", f"file=scripts/openings/{game}.epd", "format=epd"]
    told = said(*match, *engines, "-each", "tc=1+0.01", "-concurrency", "1", *book)
    assert "20 games" in told and "no time loss, no crash" in told
