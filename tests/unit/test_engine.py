"""The Engine class: every go() has one best move, whatever ends it and whenever; settings hold; the bench repeats
itself.
"""

import random
import threading
import time

import pytest

from pawnstorm.engine import bench, native, timeman
from pawnstorm.engine.deepening import Deepening
from pawnstorm.engine.engine import Engine
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen, parse_fen
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.hashtable import MAX_MEBIBYTES, HashTable
from pawnstorm.engine.limits import Limits, mate_in

SOON = 10.0  # seconds that only a hang takes
FINISHED = "4P3/8/8/8/8/8/p7/8 b - - 0 1"
WON = "8/4P3/8/8/8/8/p7/8 w - - 0 1"
FORCED = "8/8/8/8/3p3p/3P4/8/8 b - - 0 1"


@pytest.fixture(scope="module", autouse=True)
def core():
    """The library, built before any clock of a test runs."""
    return native.core()


class Player:
    """An engine with what it has told."""

    def __init__(self, **settings):
        self.infos, self.bests, self.answered = [], [], threading.Event()
        self.engine = Engine(self.infos.append, self._on_best)
        for name, value in settings.items():
            setattr(self.engine, name, value)

    def _on_best(self, board, best, ponder):
        self.bests.append((board, best, ponder))
        self.answered.set()

    def go(self, board, **limits):
        """Start; the best move of this search is then the only one."""
        self.infos.clear(), self.bests.clear(), self.answered.clear()
        self.engine.go(board, Limits(**limits))

    def answer(self):
        """The best move, None where there is none; exactly one has come, and it is legal."""
        assert self.engine.wait(SOON) and self.answered.wait(SOON)
        ((board, best, ponder),) = self.bests
        assert best in board.moves() if board.moves() else best is None
        assert ponder is None or ponder in board.push(best).moves()
        assert self.infos and not self.engine.searching
        return best

    def silent(self, seconds=0.05):
        """Assert that no best move comes for a while, and that the engine says that it is still searching."""
        assert not self.answered.wait(seconds) and self.engine.searching and not self.engine.wait(0.001)


def start(name="twoflags"):
    return Board.start(game(name))


@pytest.fixture
def player():
    one = Player()
    yield one
    one.engine.stop()
    assert one.engine.wait(SOON)


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


def test_ponder_waits_for_ponderhit_and_then_keeps_to_its_clock(player):
    player.go(start(), ponder=True, movetime=60)
    player.silent(0.15)
    player.engine.ponderhit()
    player.answer()


def test_ponder_that_has_found_all_waits_too(player):
    player.go(start(), ponder=True, depth=1)
    player.silent()
    player.engine.ponderhit()
    player.answer()


def test_ponder_ends_by_stop(player):
    player.go(start(), ponder=True, movetime=10_000)
    player.silent()
    player.engine.stop()
    player.answer()


def test_clock_runs_from_ponderhit_not_before(player):
    """The hard limit at least: that of `movetime` is all there is."""
    player.go(start("breakthrough"), ponder=True, movetime=300)
    player.silent(0.1)
    hit = time.monotonic()
    player.engine.ponderhit()
    player.answer()
    assert time.monotonic() - hit > 0.25


@pytest.mark.compiled
def test_ponderhit_answers_at_once_where_pondering_has_found_enough(player, monkeypatch):
    """No further iteration is waited for, though the clock would allow one."""
    monkeypatch.setattr(timeman.TimeManager, "is_enough", lambda manager, soft, left: True)
    player.go(start("breakthrough"), ponder=True, clock=(10**8, 0))
    player.silent(0.5)
    seen = len(player.engine._control.time_manager.scores)
    player.engine.ponderhit()
    player.answer()
    assert len(player.engine._control.time_manager.scores) == seen


@pytest.mark.compiled
def test_ponderhit_lets_an_open_question_be_thought_about(player, monkeypatch):
    """The time manager says no until it is asked with a clock that runs, and then it is told what that clock has left,
    counted from ponderhit.
    """
    asked = []
    monkeypatch.setattr(
        timeman.TimeManager, "is_enough", lambda manager, soft, left: asked.append(left) or left < 10**8
    )
    player.go(start("breakthrough"), ponder=True, clock=(10**7, 0))
    player.silent(0.2)
    assert min(asked) > 10**8 and not player.engine._control.settled
    hard, hit = player.engine._control.budget[1], time.monotonic()
    player.engine.ponderhit()
    player.answer()
    assert hard - 1000 * (time.monotonic() - hit) - 1 <= asked[-1] <= hard


def test_falling_score_opens_a_settled_question_again(player):
    """An iteration under way that falls below its window: the answer must not come at once."""

    class Core:
        """A search that falls below its first window."""

        scores = [-100, -30]

        def search(self, depth, alpha, beta, state, table):
            return self.scores.pop(0)

    player.go(start(), depth=1)
    player.answer()
    player.engine._control.settled = True
    line = Deepening(player.engine._control, Core(), Limits(depth=10), start().moves())
    assert line.search_line(10, 0, 0)[0] == -30 and not Core.scores
    assert not player.engine._control.settled


@pytest.mark.compiled
def test_time_spent_pondering_counts(player):
    player.go(start("breakthrough"), ponder=True, clock=(600, 0))
    player.silent(0.5)
    assert player.engine._control.settled and player.engine._control.budget[1] < 100
    player.engine.stop()
    player.answer()


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


def test_ponderhit_twice_or_without_ponder_changes_nothing(player):
    player.go(start(), infinite=True)
    player.engine.ponderhit()
    player.silent()
    player.engine.stop()
    player.answer()


def test_quit_is_silent(player):
    player.go(start(), infinite=True)
    player.engine.quit()
    assert player.engine.wait(SOON) and not player.bests


def test_quit_while_pondering_is_silent(player):
    player.go(start(), ponder=True, movetime=10)
    player.engine.quit()
    assert player.engine.wait(SOON) and not player.bests


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


@pytest.mark.parametrize("threads", [1, 2, 3, 4])
def test_any_number_of_threads_plays(threads):
    one = Player()
    one.engine.set_threads(threads)
    for limits in (
        {"depth": 4 if not native.PLAIN else 2},
        {"nodes": 2000 if not native.PLAIN else 100},
        {"movetime": 30},
    ):
        one.go(start(), **limits)
        one.answer()
    one.go(parse_fen(game("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 w - - 0 1"), depth=10 if not native.PLAIN else 4)
    one.answer()
    assert mate_in(one.infos[-1].score) == 2


def test_threads_may_change_between_searches():
    one = Player()
    for threads in (3, 1, 2):
        one.engine.set_threads(threads)
        one.go(start("breakthrough"), depth=3 if not native.PLAIN else 1)
        one.answer()


def test_depth_time_and_nodes_never_go_backwards():
    one = Player()
    one.engine.multipv = 3
    one.go(start("breakthrough"), depth=7 if not native.PLAIN else 2)
    one.answer()
    story = [(info.depth, info.milliseconds, info.nodes) for info in one.infos]
    assert all(
        one <= two for key in range(3) for one, two in zip([row[key] for row in story], [row[key] for row in story[1:]])
    )
    assert one.infos[0].depth == 1 and not one.infos[0].bound and all(info.seldepth >= info.depth for info in one.infos)


def test_forced_move_is_reported_and_played_soon():
    board = parse_fen(game("twoflags"), FORCED)
    assert len(board.moves()) == 1
    one = Player()
    begun = time.monotonic()
    one.go(board, clock=(600_000, 0))
    one.answer()
    assert time.monotonic() - begun < 5


def test_prepared_engine_has_its_table_and_records_before_the_first_search(monkeypatch):
    cleared = []
    monkeypatch.setattr(HashTable, "clear", lambda table: cleared.append(table.size))
    one = Player()
    one.engine.set_hash(4)
    one.engine.set_threads(2)
    one.engine.prepare()
    assert cleared == [7 << 19, 1 << 19] and len(one.engine.memory.states) == 2
    one.go(start(), depth=3)
    one.answer()
    assert cleared == [7 << 19, 1 << 19]


@pytest.mark.compiled
@pytest.mark.parametrize("elo", [None, 1500])
def test_last_milliseconds_are_not_spent_on_starting_threads(elo, monkeypatch):
    """Neither for the search, nor for its helpers, nor for the timer; the answer is there when go() is back."""

    def denied(thread):
        raise AssertionError(f"{thread} is started")

    one = Player()
    one.engine.elo = elo
    one.engine.set_threads(3)
    monkeypatch.setattr(threading.Thread, "start", denied)
    one.go(start("breakthrough"), clock=(12, 1))
    assert one.bests and one.answer() and 0 < one.engine.nodes < timeman.node_budget(1) + 1000


@pytest.mark.compiled
def test_last_milliseconds_are_kept_by_nodes_where_a_timer_would_come_late(monkeypatch):
    """The timer never comes here; with time in plenty, or while pondering, there is no such limit."""
    monkeypatch.setattr(Engine, "_start_timer", lambda engine, control: True)
    monkeypatch.setattr(timeman.TimeManager, "is_enough", lambda manager, soft, left: False)
    one = Player()
    one.go(start("breakthrough"), clock=(20, 0))
    one.answer()
    assert one.engine.nodes < timeman.node_budget(1) + 1000
    for limits in ({"clock": (60_000, 0)}, {"clock": (20, 0), "ponder": True}):
        one.go(start("breakthrough"), **limits)
        one.silent(0.1)
        one.engine.stop()
        one.answer()
        assert one.engine.nodes > 10 * timeman.node_budget(1)


def test_moves_ahead_are_those_of_the_board():
    """The first move of a clock gets more where fewer moves are to be thought about."""
    softs = []
    for board in (
        start("breakthrough"),
        parse_fen(game("breakthrough"), "pppp4/pppp4/8/8/8/8/PPPP4/PPPP4 w - - 0 1"),
        start(),
    ):
        one = Player()
        one.go(board, clock=(60_000, 0), depth=1)
        one.answer()
        softs.append(one.engine._control.budget[0])
    assert softs[0] < softs[1] == softs[2]


@pytest.mark.compiled
def test_node_limit_holds():
    one = Player()
    for nodes in (1, 1000, 50_000):
        one.go(start("breakthrough"), nodes=nodes)
        one.answer()
        assert one.engine.nodes <= nodes + 1000  # the first iteration and a quiescence are always finished


def described(one):
    """What the last search told, time apart."""
    return [(info.depth, info.seldepth, info.score, info.nodes, info.line) for info in one.infos] + [
        best for _, *best in one.bests
    ]


@pytest.mark.parametrize("name", ["twoflags", "breakthrough6", "hexapawn5x5"])
def test_new_game_makes_a_search_repeatable(name):
    one, limits = Player(), {"nodes": 20_000 if not native.PLAIN else 200}
    one.go(start(name), **limits)
    one.answer()
    first = described(one)
    one.go(start("breakthrough"), **limits)
    one.answer()
    one.engine.new_game()
    one.go(start(name), **limits)
    one.answer()
    assert described(one) == first


def test_hash_that_cannot_be_had_leaves_the_old_table():
    one = Player()
    one.engine.set_hash(1)
    one.go(start(), depth=3 if not native.PLAIN else 1)
    one.answer()
    first = described(one)
    with pytest.raises(MemoryError):
        one.engine.set_hash(MAX_MEBIBYTES + 1)
    assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 7 << 17
    one.engine.new_game()
    one.go(start(), depth=3 if not native.PLAIN else 1)
    one.answer()
    assert described(one) == first


def test_hash_that_cannot_be_had_before_any_search_leaves_the_default():
    one = Player()
    with pytest.raises(MemoryError):
        one.engine.set_hash(MAX_MEBIBYTES + 1)
    one.go(start("hexapawn"), depth=2)
    one.answer()
    assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 14 << 20


def test_hash_may_change_between_searches():
    one = Player()
    for mebibytes in (1, 8, 2):
        one.engine.set_hash(mebibytes)
        one.go(start("twoflags5x5"), depth=3 if not native.PLAIN else 1)
        one.answer()
        assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 7 * mebibytes << 17


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


# The bench.


def test_bench_positions_are_unfinished_and_of_both_families():
    for name, text in bench.POSITIONS:
        rules = game(name)
        board = parse_fen(rules, text) if text else Board.start(rules)
        assert board.moves() and (not text or fen(board) == text)
    assert {name.rstrip("0123456789x") for name, _ in bench.POSITIONS} >= {"twoflags", "breakthrough", "hexapawn"}


def test_bench_repeats_its_nodes():
    depth, told = 6 if not native.PLAIN else 1, []
    one = Engine()
    first, _ = bench.bench(one, depth, lambda *row: told.append(row))
    assert [row[0] for row in told] == [name for name, _ in bench.POSITIONS] and sum(row[2] for row in told) == first
    assert bench.bench(one, depth)[0] == bench.bench(Engine(), depth)[0] == first


def test_bench_ends_where_it_is_told_to():
    told = []
    nodes, _ = bench.bench(Engine(), 1, lambda *row: told.append(row), lambda: len(told) == 2)
    assert len(told) == 2 and nodes == told[0][2] + told[1][2]


# The book.


@pytest.mark.compiled
def test_book_is_played_in_timed_games():
    """The start of Two Flags is won by White: told at once, as a mate, by either side."""
    one = Player()
    for limits in ({"movetime": 5000}, {"clock": (10**6, 0)}):
        begun = time.monotonic()
        one.go(start(), **limits)
        best = one.answer()
        assert time.monotonic() - begun < 2 and mate_in(one.infos[-1].score) > 0
        one.go(start().push(best), **limits)
        one.answer()
        assert mate_in(one.infos[-1].score) < 0 and one.engine.nodes == 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 5},
        {"nodes": 1000},
        {"infinite": True},
        {"infinite": True, "movetime": 50},
        {"infinite": True, "clock": (10**6, 0)},
        {"mate": 2},
        {"movetime": 50, "searchmoves": [8 | 16 << 6]},
    ],
)
def test_searches_that_use_no_book(limits, player):
    player.go(start(), **limits)
    time.sleep(0.05)
    player.engine.stop()
    player.answer()
    assert player.engine.nodes > 0


@pytest.mark.compiled
@pytest.mark.parametrize("settings", [{"own_book": False}, {"multipv": 2}, {"elo": 1500}])
def test_settings_that_use_no_book(settings):
    one = Player(**settings)
    one.go(start(), movetime=50)
    one.answer()
    assert one.engine.nodes > 0


@pytest.mark.compiled
def test_damaged_book_is_said_once_and_not_used(monkeypatch, capsys):
    def damaged(rules):
        raise ValueError("damaged")

    monkeypatch.setattr("pawnstorm.engine.proof.book.of", damaged)
    one = Player()
    for _ in range(2):
        one.go(start(), movetime=20)
        one.answer()
    assert one.engine.nodes > 0 and capsys.readouterr().err.count("damaged") == 1
