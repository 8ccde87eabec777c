"""Every go() of the Engine class has one best move, whatever ends it and whenever."""

import random
import threading

import pytest
from engine_player import FINISHED, SOON, Player, core, player, start  # noqa: F401

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import game
from pawnstorm.search.deepening import Deepening
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
        player.go(start(name), **limits)
        player.answer()


def test_infinite_waits_for_stop(player):
    player.go(start(), infinite=True)
    player.silent()
    player.engine.stop()
    player.answer()


@pytest.mark.parametrize("text", [FINISHED, WON], ids=["finished", "won"])
def test_infinite_waits_for_stop_where_nothing_is_left_to_find(player, text):
    player.go(parse_fen(game("twoflags"), text), infinite=True)
    player.silent()
    player.engine.stop()
    player.answer()


def test_finished_game_has_no_best_move_and_is_lost(player):
    player.go(parse_fen(game("twoflags"), FINISHED), depth=5)
    assert player.answer() is None
    (info,) = player.infos
    assert (info.depth, mate_in(info.score), info.line) == (0, 0, [])


@pytest.mark.parametrize("depth, left, taken", [(5, 2, False), (6, 2, True), (6, 1, False)])
def test_helper_that_has_looked_deeper_has_the_last_word(depth, left, taken, player):
    """Unless the solver has meanwhile left its move out."""
    board = start()
    player.go(board, depth=1)
    player.answer()
    control, (first, second) = player.engine._control, board.moves()[:2]
    main = control.memory.states[0]
    main.moves[:2], main.root_count = [first, second], left
    deepening = Deepening(control, None, Limits(), board.moves())
    deepening._lines, deepening._whole, deepening._ahead = [(10, [first])], 5, (depth, 30, [second])
    deepening._take_ahead()
    assert deepening._lines == ([(30, [second])] if taken else [(10, [first])])


def test_stop_and_ponderhit_without_a_search_do_nothing(player):
    for _ in range(3):
        player.engine.stop()
        player.engine.ponderhit()
    assert player.engine.wait(0) and not player.bests
    player.go(start(), depth=3 if not native.PLAIN else 1)
    player.answer()
    player.engine.stop()
    assert len(player.bests) == 1
    player.go(start(), infinite=True)
    player.silent()


def test_quit_is_silent(player):
    player.go(start(), infinite=True)
    player.engine.quit()
    assert player.engine.wait(SOON) and not player.bests


def test_quit_while_pondering_is_silent(player):
    player.go(start(), ponder=True, movetime=10)
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
    rng, one = random.Random(20), Player()
    one.engine.set_threads(threads)
    boards = [start("twoflags5x5"), start("breakthrough4x4"), start("hexapawn"), parse_fen(game("twoflags"), FINISHED)]
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
    one = Player()
    one.engine.multipv = 3
    one.go(start("breakthrough"), depth=7 if not native.PLAIN else 2)
    one.answer()
    story = [(info.depth, info.milliseconds, info.nodes) for info in one.infos]
    assert all(
        one <= two for key in range(3) for one, two in zip([row[key] for row in story], [row[key] for row in story[1:]])
    )
    assert (
        len(story) > 3
        and one.infos[0].depth == 1
        and not one.infos[0].bound
        and all(info.seldepth >= info.depth for info in one.infos)
    )


@pytest.mark.compiled
def test_node_limit_holds():
    one = Player()
    for nodes in (1, 1000, 50_000):
        one.go(start("breakthrough"), nodes=nodes)
        one.answer()
        assert one.engine.nodes <= nodes + 1000  # the first iteration and a quiescence are always finished


def test_searchmoves_alone_are_played():
    board, one = start(), Player()
    for move in board.moves()[:6]:
        one.go(board, depth=3 if not native.PLAIN else 1, searchmoves=[move])
        assert one.answer() == move and {info.line[0] for info in one.infos} == {move}


@pytest.mark.parametrize(
    "score, moves",
    [
        (29999, 1),
        (29998, 1),
        (29997, 2),
        (29995, 3),
        (-29998, -1),
        (-29996, -2),
        (-30000, 0),
        (29000, None),
        (-29000, None),
        (0, None),
    ],
)
def test_mate_in_counts_moves(score, moves):
    assert mate_in(score) == moves
