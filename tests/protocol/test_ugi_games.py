"""`pawnstorm ugi` and a UGI client that is written here from the protocol's description and from what cutegames sends."""

import random

import client
import pytest

from pawnstorm_tools.checking import naive

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def command():
    """How to start the engine; tests/frozen plays a game with the executables."""
    return client.command("source")


class UGIClient(client.Client):
    """A process that speaks UGI."""

    def __init__(self, command, variant):
        super().__init__([*command, "ugi"])
        self.send("ugi")
        self.expect("ugiok")
        self.ask(f"setoption name UCI_Variant value {variant}", "setoption name Hash value 1")

    def query(self, question):
        self.send(f"query {question}")
        line = self.expect("response .*")[-1]
        return line.removeprefix("response ")

    def bestmove(self, limits):
        """The move; cutegames wants two words exactly."""
        *infos, line = self.go(limits)
        assert all(info.startswith("info ") for info in infos)
        word, move = line.split()
        return move


@pytest.mark.parametrize(
    "variant, game, opening",
    [
        ("breakthrough", "breakthrough8x8", None),
        ("twoflags", "twoflags8x8", "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"),
        ("breakthrough5", "breakthrough5x5", None),
    ],
)
def test_two_engines_play_a_whole_game_and_agree_on_each_position(command, variant, game, opening):
    """As cutegames leads it: before each move both are asked whether the game is over; it knows no rules itself. Here naive.py
    does.
    """
    game = naive.GAMES[game]
    position = naive.parse_fen(game, opening) if opening else naive.start(game)
    where, moves = f"fen {opening}" if opening else "startpos", []
    with UGIClient(command, variant) as one, UGIClient(command, variant) as two:
        for engine in (one, two):
            engine.ask("uginewgame")
        while True:
            for engine in (one, two):
                engine.sync()
                assert engine.ask("position " + where + (" moves " + " ".join(moves) if moves else "")) == []
                assert engine.query("p1turn") == ("true" if position.side == "w" else "false")
                assert engine.query("gameover") == ("true" if naive.over(position) else "false")
            if naive.over(position):
                break
            assert {engine.query("result") for engine in (one, two)} == {"none"}
            limits = ["movetime 10", "depth 3", "nodes 500", "p1time 300 p2time 300 p1inc 10 p2inc 10"][len(moves) % 4]
            move = (one if position.side == "w" else two).bestmove(limits)
            assert move in naive.moves(position)
            position = naive.play(position, move)
            moves.append(move)
        won = "p2win" if position.side == "w" else "p1win"
        assert {engine.query("result") for engine in (one, two)} == {won}
        assert one.bestmove("depth 3") == "(none)"
        one.ask("uginewgame")
        assert one.query("gameover") == "false" and one.query("p1turn") == "true"


def test_questions_during_a_search_are_answered_and_the_search_goes_on(command):
    with UGIClient(command, "breakthrough") as engine:
        engine.send("go infinite")
        engine.expect("info .* pv .*")
        assert engine.query("p1turn") == "true" and engine.query("result") == "none"
        engine.expect("info .* pv .*")
        assert len(engine.stop()[-1].split()) == 2


def test_hostile_lines_are_survived(command):
    chance = random.Random(3)
    with UGIClient(command, "breakthrough") as engine:
        for line in (
            "query " + "x" * 10**6,
            "QUERY P1TURN",
            "query p1turn\r",
            "go p1time",
            "go p1time " + "9" * 10**6 + " p2time -1 depth 1",
            b"query \xff\xfe",
            b"\x00query gameover",
            bytes(chance.randrange(32, 256) for _ in range(10**5)),
            "position startpos moves A2A3",
            "uginewgame " * 1000,
        ):
            engine.send(line)
        engine.finish()
        assert engine.query("gameover") == "false"
        assert engine.bestmove("depth 2")
