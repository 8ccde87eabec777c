"""`pawnstorm codingame` and a referee that is written here from CodinGame's statement: whole games, limits, hostile input."""

import os
import random
import subprocess
import time

import client
import pytest

from pawnstorm_tools.checking import naive

GAME = naive.GAMES["breakthrough8x8"]
FIRST, FURTHER = 1.0, 0.1  # seconds that CodinGame allows
pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def command():
    """How to start the engine; tests/frozen plays a game with the executables."""
    return client.command("source")


class Bot:
    """The process, as CodinGame's referee talks to it. times: seconds of each answer."""

    def __init__(self, command, *words):
        self.times = []
        self.process = subprocess.Popen(
            [*command, "codingame", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=client.ROOT,
            text=True,
        )

    def turn(self, last, legal):
        """The bot's move."""
        begin = time.monotonic()
        self.process.stdin.write("\n".join([last or "None", str(len(legal)), *legal, ""]))
        self.process.stdin.flush()
        move = self.process.stdout.readline().split()
        self.times.append(time.monotonic() - begin)
        assert move and move[0] in legal, (move, legal)
        return move[0]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind:
            self.process.kill()
        said = self.process.communicate(timeout=client.DEADLINE)
        assert kind or (self.process.returncode, *said) == (0, "", "")


def play_game(players):
    """The winner's index of a game, 0 White; players: functions of (the last move, the legal moves, the position)."""
    position, last, side = naive.start(GAME), None, 0
    while moves := naive.moves(position):
        last = players[side](last, moves, position)
        position, side = naive.play(position, last), 1 - side
    return 1 - side


@pytest.mark.parametrize("colour", [0, 1])
def test_whole_game_is_won_against_a_random_player(command, colour):
    chance = random.Random(colour)
    with Bot(command, "--first", "20", "--movetime", "20") as bot:
        players = [lambda last, moves, position: chance.choice(moves)] * 2
        players[colour] = lambda last, moves, position: bot.turn(last, moves)
        assert play_game(players) == colour


def test_two_bots_play_a_whole_game(command):
    with Bot(command, "--first", "10", "--movetime", "10") as one, Bot(command, "--level", "1000") as other:
        play_game([lambda last, moves, position, bot=bot: bot.turn(last, moves) for bot in (one, other)])


@pytest.mark.slow
@pytest.mark.parametrize("colour", [0, 1])
def test_limits_of_codingame_are_kept(command, colour):
    """A process a game, its start within the first move's time, against a player that looks two plies ahead, so that games
    are long. One move in a hundred may be late.
    """
    if os.getloadavg()[0] > os.cpu_count():
        pytest.skip("the machine is busy: nobody can answer within 0.1 s who waits that long for a processor")
    first, further = [], []
    for seed in range(5):
        chance = random.Random(seed)

        def reply(last, moves, position, chance=chance):
            """A move after which the opponent cannot take the pawn, if there is one; wins at once if it can."""
            if won := [move for move in moves if naive.over(naive.play(position, move))]:
                return won[0]
            safe = [
                move
                for move in moves
                if not any(answer[2:] == move[2:] for answer in naive.moves(naive.play(position, move)))
            ]
            return chance.choice(safe or moves)

        with Bot(command) as bot:
            players = [reply] * 2
            players[colour] = lambda last, moves, position, bot=bot: bot.turn(last, moves)
            play_game(players)
        first.append(bot.times[0])
        further += bot.times[1:]
    late = sum(taken > FURTHER for taken in further)
    print(f"first {max(first):.3f} s, further {max(further):.3f} s, {late} of {len(further)} late")
    assert sum(taken > FIRST for taken in first) == 0 and late <= len(further) / 100, (first, sorted(further)[-5:])


@pytest.mark.parametrize(
    "text, code, out, part",
    [
        ("", 0, 0, ""),
        ("None\n2\na2a3\nb2b3\n", 0, 1, "'c2c3', 'd2d3', 'e2e3', 'f2f3', 'g2g3', ... are missing"),
        ("NONE\r\n1\r\nA2A3\r\n", 0, 1, "are missing"),
        ("None\n2\na2a3\n", 1, 0, "the input ends after 1 legal moves: expected 2"),
        ("None\n2\na2", 1, 0, "expected 2"),
        ("None\nmany\n", 1, 0, "'many' after 'None' as the number of legal moves"),
        ("a2a5\n1\na7a6\n", 0, 1, "the opponent's move 'a2a5': illegal move 'a2a5' in"),
        ("\x1b[2J\n1\na7a6\n", 0, 1, "the opponent's move"),
        ("x" * 10**6 + "\n1\n" + "y" * 10**6 + "\n", 0, 1, "the opponent's move 'xxx"),
        ("x" * 10**6, 1, 0, "expected the number of legal moves"),
        ("\n" * 10**6, 0, 0, ""),
        ("None\n1000\n" + "a2a3\n" * 1000, 0, 1, "are missing"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_input_that_is_no_game_is_survived_or_named(command, text, code, out, part):
    done = subprocess.run(
        [*command, "codingame", "--first", "10"],
        input=text.encode(),
        capture_output=True,
        cwd=client.ROOT,
        timeout=client.DEADLINE,
    )
    said = done.stderr.decode()
    assert (done.returncode, done.stdout.count(b"\n")) == (code, out), said
    assert said.count("\n") == bool(part) and part in said and len(said) < 300 and "Traceback" not in said


@pytest.mark.parametrize("streams", ["1>&-", "2>&-", "| head -c 0", "<&-"])
def test_closed_streams_leave_no_traceback(command, streams):
    """Where stderr is closed its messages are lost; they do not come to stdout."""
    script = f'printf "a2a5\\n1\\na7a6\\nNone\\n1\\na2a3\\n" | ( "$@" codingame --first 10 {streams} )'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *command], capture_output=True, text=True, cwd=client.ROOT, timeout=client.DEADLINE
    )
    assert "Traceback" not in done.stderr and "Error" not in done.stderr
    assert done.stdout == ("a7a6\na2a3\n" if streams == "2>&-" else "")
