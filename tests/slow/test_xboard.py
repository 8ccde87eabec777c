"""A person plays whole games against the engine in XBoard, by mouse on a virtual screen.

The command is the README's. Wants Debian's xboard, uci2wb, xvfb and xdotool. XBoard's debugging output tells what it
does, line by line, and that is waited for. XBoard reads ~/.xboardrc, the user's own, whatever HOME says; what matters
here is set on the command line, and nothing is written there.
"""

import os
import queue
import random
import re
import shlex
import shutil
import subprocess
import threading
import time

import client
import psutil
import pytest

from pawnstorm_tools.checking import naive

PATH = os.pathsep.join([os.environ["PATH"], "/usr/games"])
PROGRAMS = ("xboard", "uci2wb", "Xvfb", "xdotool")
MISSING = [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]
DEADLINE = 60.0  # seconds that only a hang takes
SQUARE = 50  # pixels, the line between two squares included, at -boardSize 49
EDGE = 2  # from the window's left and lower edge to the board
GAMES = {"twoflags": naive.twoflags, "breakthrough": naive.breakthrough}
MOVE = "[a-h][1-8][a-h][1-8]"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(MISSING), reason=f"expected {', '.join(MISSING)} to be installed"),
]


class XBoard:
    """XBoard on a screen of its own, with this engine as its opponent. arguments: further ones of the command line."""

    def __init__(self, variant, arguments):
        ready, told = os.pipe()
        self._screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(told), "-screen", "0", "800x600x24", "-nolisten", "tcp"],
            pass_fds=[told],
            stderr=subprocess.DEVNULL,
        )
        os.close(told)
        with open(ready) as number:
            self._env = {**os.environ, "PATH": PATH, "DISPLAY": ":" + number.readline().strip()}
        engine = shlex.join(["uci2wb", shlex.join(client.command("source")), str(client.ROOT)])
        settings = "-testLegality false -saveSettingsOnExit false -boardSize 49 -animateMoving false".split()
        settings += ["-soundProgram", "", "-debug", "-nameOfDebugFile", "/dev/stderr"]
        self._xboard = subprocess.Popen(
            ["xboard", "-fcp", engine, "-variant", variant, *settings, *arguments],
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        self._lines, self._seen = queue.SimpleQueue(), []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._xboard.stderr:
            self._lines.put(line.rstrip("\n"))

    def expect(self, pattern):
        """The match of the first line from now on in which this pattern is found."""
        until = time.monotonic() + DEADLINE
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                break
            self._seen.append(line)
            if match := re.search(pattern, line):
                return match
        pytest.fail(f"no line with {pattern!r} within {DEADLINE:g} s\n" + "\n".join(self._seen[-30:]))

    def find_board(self):
        """Wait for the engine's board, and ask where its upper left corner is on the screen."""
        self.expect("<first *: setup ")
        window = self._xdotool("search", "--sync", "--onlyvisible", "--name", "Pawnstorm").split()[0]
        found = dict(line.split("=") for line in self._xdotool("getwindowgeometry", "--shell", window).split())
        self._corner = int(found["X"]) + EDGE, int(found["Y"]) + int(found["HEIGHT"]) - EDGE - 8 * SQUARE

    def play(self, move):
        """Click a move's two squares; returns what XBoard then tells the engine."""
        for name in (move[:2], move[2:]):
            file, rank = naive.coordinates(name)
            x = self._corner[0] + file * SQUARE + SQUARE // 2
            y = self._corner[1] + (7 - rank) * SQUARE + SQUARE // 2
            self._xdotool("mousemove", str(x), str(y), "click", "1")
        return self.expect(f">first *: (?:usermove )?({MOVE})")[1]

    def reply(self):
        """The engine's move."""
        return self.expect(f"<first *: move ({MOVE})")[1]

    def _xdotool(self, *arguments):
        return subprocess.run(
            ["xdotool", *arguments], env=self._env, check=True, stdout=subprocess.PIPE, text=True, timeout=DEADLINE
        ).stdout

    def result(self):
        """What XBoard tells the engine at the end of a game."""
        return self.expect(">first *: result (.*)")[1]

    def close(self):
        """End it as a closed window does, with all that it started, and the screen."""
        family = [psutil.Process(self._xboard.pid), *psutil.Process(self._xboard.pid).children(recursive=True)]
        self._xboard.terminate()
        _, left = psutil.wait_procs(family, timeout=client.DEADLINE)
        for process in left:
            process.kill()
        self._xboard.wait()
        self._reader.join()
        self._xboard.stderr.close()
        self._screen.terminate()
        self._screen.wait()


@pytest.fixture
def begin():
    """A function that starts XBoard for a variant, with further arguments of its command line."""
    started = []

    def start(variant, *arguments):
        started.append(XBoard(variant, arguments))
        started[-1].find_board()
        return started[-1]

    yield start
    for xboard in started:
        xboard.close()


def play_game(xboard, game, choose):
    """A whole game with the person as White, who plays choose(position, moves so far); the position at its end.

    The two sides' moves are checked by rules that share nothing with the engine's.
    """
    position, moves = naive.start(game), []
    while not naive.over(position):
        if position.side == "w":
            move = choose(position, moves)
            assert xboard.play(move) == move
        else:
            move = xboard.reply()
            assert move in naive.moves(position)
        position = naive.play(position, move)
        moves.append(move)
    return position


@pytest.mark.parametrize("variant", GAMES)
def test_xboard_ends_the_game_when_the_engine_has_won(begin, variant):
    source = random.Random(1)
    xboard = begin(variant, "-searchDepth", "8")
    position = play_game(xboard, GAMES[variant](), lambda position, moves: source.choice(naive.moves(position)))
    assert position.side == "w", "random moves beat the engine"
    assert xboard.result() == "0-1 {mate}"


@pytest.mark.parametrize("variant", GAMES)
def test_xboard_ends_the_game_when_the_person_has_won(begin, variant):
    """The person has this engine's advice; the opponent plays as -firstOptions say."""
    with client.Client(client.command("source")) as adviser:
        adviser.ask(f"setoption name UCI_Variant value {variant}", "setoption name OwnBook value false")

        def choose(position, moves):
            adviser.send(f"position startpos moves {' '.join(moves)}")
            return adviser.go("depth 8")[-1].split()[1]

        xboard = begin(variant, "-firstOptions", "UCI_LimitStrength=1,UCI_Elo=800")
        position = play_game(xboard, GAMES[variant](), choose)
    assert position.side == "b", "the weak level won"
    assert xboard.result() == "1-0 {Black resigns}"
