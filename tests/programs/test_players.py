"""The opponents of the past as UCI engines: they play whole games by the rules."""

import sys
import time

import client
import pytest
from known_players import BOTH, BREAKTHROUGH, TWOFLAGS

from pawnstorm.games.notation import parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.opponents import players


def test_every_known_player_is_there():
    assert len(TWOFLAGS) == 4 and len(BREAKTHROUGH) == 10
    assert set(TWOFLAGS + BREAKTHROUGH + BOTH) == set(players.PLAYERS)


def command(name):
    client.build_core()
    return [sys.executable, "scripts/players.py", "--player", name]


def started(name, variant=None, seed=3):
    engine = client.Client(command(name))
    engine.send("uci")
    engine.options = engine.expect("uciok")
    engine.send(f"setoption name Seed value {seed}")
    if variant:
        engine.send(f"setoption name UCI_Variant value {variant}")
    engine.sync()
    return engine


def best(lines):
    return lines[-1].split()[1]


GAMES = [(name, "twoflags") for name in TWOFLAGS + BOTH] + [(name, "breakthrough") for name in BREAKTHROUGH + BOTH]
LIMITS = {"mcts": "nodes 40", "seed001": "depth 2"}


def play(white, black, variant, limits, plies=1000):
    """The moves of a game between two clients, each legal, to its end or so far; limits: what each is told after go."""
    board, moves = Board.start(get_rules(variant)), []
    for engine in (white, black):
        engine.send("ucinewgame")
    while not board.is_game_over():
        if len(moves) == plies:
            return moves
        engine = black if board.black_to_move else white
        engine.send(f"position startpos moves {' '.join(moves)}")
        lines = engine.go(limits[board.black_to_move])
        assert any(line.startswith("info depth") and " score " in line for line in lines)
        moves.append(best(lines))
        board = board.push(parse_move(board, moves[-1]))
    engine = black if board.black_to_move else white
    engine.send(f"position startpos moves {' '.join(moves)}")
    assert engine.go("nodes 10") == ["info depth 0 score mate 0", "bestmove (none)"]
    return moves


@pytest.mark.compiled
@pytest.mark.parametrize("name, variant", GAMES)
def test_player_plays_a_game_by_the_rules_and_alike_with_a_seed(name, variant):
    """A whole game as White, and the beginning of one as Black."""
    limit = LIMITS.get(name, "nodes 100")
    with started(name, variant) as one, started("random", variant) as other:
        first = play(one, other, variant, (limit, ""))
        assert play(one, other, variant, (limit, ""), plies=12) == first[:12]
        play(other, one, variant, ("", limit), plies=20)


@pytest.mark.compiled
def test_seed_zero_plays_another_game_each_time():
    with started("random", seed=0) as one:
        moves = set()
        for _ in range(8):
            one.send("ucinewgame")
            one.send("position startpos")
            moves.add(best(one.go("")))
        assert len(moves) > 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ("seed000-coded", "seed001", "seed002", "seed004", "naive-random", "mcts"))
def test_stop_is_answered_and_infinite_waits_for_it(name):
    with started(name) as engine:
        # In the ninth move seed001 no longer plays at random; it needs a depth that lasts.
        engine.send("position fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 9" if name in TWOFLAGS else "position startpos")
        engine.send("go infinite" if name != "seed001" else "go infinite depth 12")
        engine.quiet(0.4)
        engine.sync()
        start = time.monotonic()
        engine.stop()
        assert time.monotonic() - start < 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ("seed000-reported", "seed001", "seed002", "seed004", "mcts"))
def test_movetime_and_nodes_are_obeyed(name):
    with started(name) as engine:
        engine.send("position startpos moves" + (" a2a3 a7a6 b2b3 b7b6 c2c3 c7c6" if name in TWOFLAGS else ""))
        start = time.monotonic()
        engine.go("movetime 150")
        assert time.monotonic() - start < 1
        words = engine.go("nodes 50")[-2].split()
        # seed000 goes through the moves of the nodes that it is in when it stops.
        assert int(words[words.index("nodes") + 1]) <= (500 if name == "seed000-reported" else 50)


@pytest.mark.compiled
def test_ponder_waits_for_ponderhit():
    with started("seed000-coded") as engine:
        assert "option name Ponder type check default false" in engine.options
        engine.send("position startpos moves e2e4")
        engine.send("go ponder movetime 100")
        engine.quiet(0.4)
        engine.send("ponderhit")
        engine.expect("bestmove .* ponder .*", 5)
        engine.send("go ponder wtime 1000 btime 1000")
        engine.quiet(0.1)
        engine.stop()
        engine.send("go infinite depth 2")
        engine.send("ponderhit")
        engine.quiet(0.2)
        engine.stop()


@pytest.mark.compiled
def test_searchmoves_are_the_only_choice():
    with started("seed002") as engine:
        assert best(engine.go("depth 2 searchmoves h2h3")) == "h2h3"
        assert best(engine.go("depth 2 searchmoves h2h5 a2a3")) == "a2a3"


@pytest.mark.compiled
@pytest.mark.parametrize(
    "name, accepted, refused",
    (
        ("seed000-coded", "pawnsonly", "breakthrough"),
        ("seed002", "TwoFlags8x8", "twoflags7x6"),
        ("seed004", "breakthrough6", "twoflags"),
        ("naive-pieces", "breakthrough", "chess"),
        ("random", "hexapawn", "chess"),
    ),
)
def test_a_player_plays_its_own_games_only(name, accepted, refused):
    with started(name) as engine:
        assert engine.ask(f"setoption name UCI_Variant value {accepted}")[0].startswith("info string variant ")
        refusal = engine.ask(f"setoption name UCI_Variant value {refused}")
        assert len(refusal) == 1 and refused in refusal[0] and not refusal[0].startswith("info string variant")
        engine.send("position startpos")
        assert engine.go("nodes 20")[-1] != "bestmove (none)"


@pytest.mark.compiled
def test_seed000_survives_the_opponents_en_passant():
    for name in ("seed000-coded", "seed000-reported"):
        with started(name) as engine:
            engine.send("position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6")
            assert best(engine.go("depth 3")) in ("c7d6", "e7d6")


@pytest.mark.compiled
def test_bad_input_is_survived():
    with started("greedy") as engine:
        for line in (
            "position fen nonsense",
            "position startpos moves e2e5",
            "setoption name Nothing value 1",
            "setoption name Seed value x",
            "go perft 3",
            "position",
            b"\xff\xfe",
        ):
            assert all(answer.startswith("info string") for answer in engine.ask(line))
        assert best(engine.go("")) != "(none)"
