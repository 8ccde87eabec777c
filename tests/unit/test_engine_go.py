"""Every go() of the Engine class has one best move, whatever ends it and whenever."""

import random
import threading

import pytest
from engine_player import FINISHED, SOON, Player, player, start  # noqa: F401

from pawnstorm.core import native
from pawnstorm.core.state import WIN
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits, mate_in

WON = "8/4P3/8/8/8/8/p7/8 w - - 0 1"


@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 2},
        {"nodes": 300},
        {"movetime": 20},
        {"clock": (200, 0)},
        {"clock": (0, 0)},
        {"clock": (-5, 0)},
        {"clock": (None, 0)},
        {"mate": 1, "depth": 2},
        {"clock": (10**15, 0), "depth": 2},
        {"movetime": 0},
    ],
)
def test_go_ends_by_its_limit_with_one_best_move(player, limits):
    for name in ("twoflags5x5", "breakthrough4x5"):
        player.play(start(name), **limits)


@pytest.mark.parametrize("text", [start().rules.start_fen, FINISHED, WON], ids=["start", "finished", "won"])
def test_infinite_waits_for_stop_also_where_nothing_is_left_to_find(player, text):
    player.go(parse_fen(get_rules("twoflags"), text), infinite=True)
    player.silent()
    player.engine.stop()
    player.answer()


def test_finished_game_has_no_best_move_and_is_lost(player):
    assert player.play(parse_fen(get_rules("twoflags"), FINISHED), depth=5) is None
    (info,) = player.infos
    assert (info.depth, mate_in(info.score), info.pv) == (0, 0, [])


def test_stop_and_ponderhit_without_a_search_do_nothing(player):
    for _ in range(3):
        player.engine.stop()
        player.engine.ponderhit()
    assert player.engine.wait(0) and not player.bests
    player.play(start(), depth=3 if not native.PLAIN_PYTHON else 1)
    player.engine.stop()
    assert len(player.bests) == 1
    player.go(start(), infinite=True)
    player.silent()


@pytest.mark.parametrize("limits", [{"infinite": True}, {"ponder": True, "movetime": 10}])
def test_quit_is_silent(player, limits):
    player.go(start(), **limits)
    player.engine.quit()
    assert player.engine.wait(SOON) and not player.bests


@pytest.mark.parametrize("limits", [{"depth": 1}, {"infinite": True}], ids=str)
def test_best_move_that_nobody_takes_holds_up_no_stop_and_no_quit(limits):
    """As when a GUI has stopped reading, and the pipe is full."""
    given, taken = threading.Event(), threading.Event()

    def on_best(board, best, ponder):
        given.set()
        taken.wait(SOON)

    def end():
        engine.stop()
        given.wait(SOON)
        engine.stop()
        engine.ponderhit()
        engine.quit()

    engine = Engine(on_best=on_best)
    engine.go(start(), Limits(**limits))
    ender = threading.Thread(target=end)
    ender.start()
    ender.join(SOON / 2)
    assert given.is_set() and not ender.is_alive()
    taken.set()
    assert engine.wait(SOON)


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_at_any_moment_gives_one_best_move(threads):
    """From another thread, before the search has begun, in it, or after its end."""
    rng, one = random.Random(20), Player(threads)
    boards = [
        start("twoflags5x5"),
        start("breakthrough4x4"),
        start("hexapawn"),
        parse_fen(get_rules("twoflags"), FINISHED),
    ]
    for _ in range(50):
        one.go(
            rng.choice(boards),
            **rng.choice([{"infinite": True}, {"depth": 3}, {"movetime": 2}, {"ponder": True, "movetime": 5}]),
        )
        stopper = threading.Timer(rng.choice([0, 0.0002, 0.001, 0.005]), one.engine.stop)
        stopper.start()
        one.answer()
        stopper.join()


def test_depth_time_and_nodes_never_go_backwards():
    one = Player(multipv=3)
    one.play(start("breakthrough"), depth=7 if not native.PLAIN_PYTHON else 2)
    for column in zip(*((info.depth, info.milliseconds, info.nodes) for info in one.infos)):
        assert len(column) > 3 and list(column) == sorted(column)
    assert one.infos[0].depth == 1 and not one.infos[0].bound
    assert all(info.seldepth >= info.depth for info in one.infos)


@pytest.mark.compiled
def test_node_limit_holds():
    one = Player()
    for nodes in (1, 1000, 50_000):
        one.play(start("breakthrough"), nodes=nodes)
        assert one.engine.nodes <= nodes + 1000  # the first iteration and a quiescence are always finished


def test_searchmoves_alone_are_played():
    board, one = start(), Player()
    for move in board.moves()[:6]:
        assert one.play(board, depth=3 if not native.PLAIN_PYTHON else 1, searchmoves=[move]) == move
        assert {info.pv[0] for info in one.infos} == {move}


def test_mate_in_counts_moves():
    assert [mate_in(WIN - plies) for plies in (1, 2, 3, 5)] == [1, 1, 2, 3]
    assert [mate_in(plies - WIN) for plies in (0, 2, 4)] == [0, -1, -2]
    assert mate_in(WIN - 1000) is mate_in(0) is mate_in(1000 - WIN) is None
