"""One search's control: its clock and its shares of nodes, when a stop takes hold, and what its reports say."""

from types import SimpleNamespace

import pytest
from engine_player import Player, start

from pawnstorm.core.state import UNLIMITED, WIN
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search import search_control as module
from pawnstorm.search.limits import Limits
from pawnstorm.search.search_control import SearchControl

BOARD = start()
A, B = BOARD.moves()[:2]
MS = 1_000_000  # nanoseconds
NOTHING = SimpleNamespace(value=0, plies=None)  # a proof


@pytest.fixture
def clock(monkeypatch):
    """What the clock says, in nanoseconds; it stands still."""
    clock = SimpleNamespace(now=10**12)
    monkeypatch.setattr(module, "now_ns", lambda: clock.now)
    return clock


@pytest.fixture
def begin():
    """begin(board=BOARD, multipv=1, threads=1, **limits): the control of a search that is ready to begin; its `told` are the
    reports that it makes.
    """

    def make(board=BOARD, multipv=1, threads=1, **limits):
        player = Player(threads, multipv=multipv)
        player.engine.prepare()
        control = SearchControl(player.engine, board, Limits(**limits))
        control.init_states(control.limits, board.moves())
        control.told = player.infos
        return control

    return make


def stops(control):
    return [state.stop for state in control.memory.states]


def test_milliseconds_are_counted_from_the_beginning(clock, begin):
    control = begin()
    assert control.elapsed == 0
    clock.now += 6 * MS - 1
    assert control.elapsed == 5
    clock.now += 1
    assert control.elapsed == 6


def test_table_tells_the_entries_of_the_last_64_searches_apart(begin):
    control, ages = begin(), []
    for _ in range(64):
        control.init_states(control.limits, BOARD.moves())
        ages.append(control.memory.generation)
        assert {state.generation for state in control.memory.states} == {ages[-1]}
    assert sorted(ages) == list(range(64))


def test_search_is_unrestricted_if_time_alone_limits_it(begin):
    for limits in ({}, {"infinite": True}, {"ponder": True}, {"movetime": 9}, {"clock": (1000, 0)}):
        assert begin(**limits).unrestricted, limits
    for limits in ({"depth": 3}, {"nodes": 9}, {"mate": 2}, {"prove": True}, {"searchmoves": [A]}, {"multipv": 2}):
        assert not begin(clock=(1000, 0), **limits).unrestricted, limits


def test_nodes_are_those_of_all_threads_and_of_the_solver(begin):
    control = begin(threads=3)
    for state, nodes in zip(control.memory.states, (5, 70, 900)):
        state.nodes = nodes
    assert control.nodes == 975
    control.solver = SimpleNamespace(nodes=2000, proof=NOTHING)
    assert control.nodes == 2975


@pytest.mark.parametrize("mate, exact", [(0, 0), (3, 1)])
def test_records_are_set_to_the_root_and_cut_nothing_where_a_mate_is_looked_for(mate, exact, begin):
    board = parse_fen(get_rules("twoflags"), "8/8/p7/8/8/P7/8/8 b - - 0 1")
    control = begin(board, threads=2, mate=mate)
    for state in control.memory.states:
        assert (state.own, state.opp, state.ep, state.side) == (board.own, board.opp, board.ep, 1)
        assert state.moves[: state.root_count] == board.moves() and state.root_first == 0
        assert (state.stop, state.nodes, state.node_limit, state.seldepth) == (0, 0, UNLIMITED, 0)
        assert state.full_width == exact


# The limits of nodes.


def limits_of(control):
    return [state.node_limit for state in control.memory.states]


def test_nodes_are_shared_by_the_threads(begin):
    control = begin(threads=3)
    control.allow_stop(3000)
    assert limits_of(control) == [1000] * 3
    control.allow_stop(2)
    assert limits_of(control) == [1] * 3
    control.allow_stop(0)
    assert limits_of(control) == [UNLIMITED] * 3


def test_time_too_short_for_a_timer_is_one_thread_s_number_of_nodes(begin):
    control = begin(threads=3, clock=(12, 0))
    assert control.node_budget
    for nodes, most in ((0, control.node_budget), (10**9, control.node_budget), (7, 7)):
        control.allow_stop(nodes)
        assert limits_of(control)[0] == most


@pytest.mark.parametrize("limits", [{"movetime": 1}, {"clock": (12, 0), "ponder": True}, {"clock": (9999, 0)}, {}])
def test_other_searches_have_no_such_number(limits, begin):
    assert begin(**limits).node_budget == 0


# Stop.


def test_stop_takes_hold_when_there_is_a_move_to_play(begin):
    control = begin(threads=2)
    control.stop()
    assert control.stopping and stops(control) == [0, 0]
    control.allow_stop(0)
    assert stops(control) == [1, 1]


def test_stop_of_an_armed_search_reaches_every_thread_and_the_solver(begin, monkeypatch):
    control, asked = begin(threads=2, ponder=True), []
    monkeypatch.setattr(control.memory.prover, "stop", lambda: asked.append(1))
    control.allow_stop(0)
    assert stops(control) == [0, 0] and control.pondering
    control.stop()
    assert stops(control) == [1, 1] and asked and not control.pondering


# Reports.


def test_lines_are_told_best_first_with_what_was_spent(clock, begin):
    control = begin(threads=2, multipv=2)
    control.memory.states[0].nodes, control.memory.states[0].seldepth = 123, 9
    clock.now += 42 * MS
    control.report(5, [(30, [A, B]), (-7, [B])])
    assert [(info.multipv, info.score, info.pv) for info in control.told] == [(1, 30, [A, B]), (2, -7, [B])]
    for info in control.told:
        assert info.board is BOARD and (info.depth, info.seldepth, info.bound) == (5, 9, "")
        assert (info.nodes, info.milliseconds) == (123, 42)
    control.report(10, [(30, [A])])
    assert control.told[-1].seldepth == 10, "no line is shorter than the depth of its iteration"


def test_table_is_looked_through_after_a_second(clock, begin):
    control = begin()
    clock.now += 1000 * MS - 1
    control.report(5, [(30, [A])])
    clock.now += 1
    control.report(5, [(30, [A])])
    assert [info.hashfull for info in control.told] == [None, 0]


def test_bounds_are_told_after_a_second_and_never_where_the_opening_is_solved(clock, begin):
    control = begin()
    clock.now += 1000 * MS - 1
    control.report_bound(5, 2, 30, "lower", [A])
    assert control.told == []
    clock.now += 1
    control.report_bound(5, 2, 30, "lower", [A])
    (info,) = control.told
    assert (info.multipv, info.score, info.bound, info.pv, info.hashfull) == (2, 30, "lower", [A], None)
    control.winning_moves = {A: 9}
    control.report_bound(5, 1, 30, "upper", [A])
    control.winning_moves, control.opening_loss = {}, SimpleNamespace(plies=10)
    control.report_bound(5, 1, 30, "upper", [A])
    assert len(control.told) == 1


def test_known_score_takes_no_nodes(clock, begin):
    control = begin()
    clock.now += 3 * MS
    control.report_known(1, WIN - 2, [A, B])
    (info,) = control.told
    assert (info.depth, info.seldepth, info.multipv, info.score) == (1, 2, 1, WIN - 2)
    assert (info.nodes, info.milliseconds, info.hashfull, info.pv) == (0, 3, None, [A, B])


@pytest.mark.parametrize("score", [WIN - 5, 5 - WIN])
def test_line_of_a_proven_score_is_completed_to_its_end(score, begin, monkeypatch):
    monkeypatch.setattr(module, "complete_pv", lambda board, line, plies: line + [B] * (plies - len(line)))
    control = begin(multipv=2)
    control.report(3, [(score, [A]), (100, [A])])
    assert [info.pv for info in control.told] == [[A, B, B, B, B], [A]]


@pytest.mark.parametrize(
    "known, told",
    [
        ({"solver": SimpleNamespace(nodes=0, proof=SimpleNamespace(value=-1, plies=12))}, 12 - WIN),
        ({"opening_loss": SimpleNamespace(plies=14)}, 14 - WIN),
        ({"winning_moves": {A: 9}}, WIN - 9),
        ({"winning_moves": {B: 9}}, 30),
        ({"solver": SimpleNamespace(nodes=0, proof=NOTHING)}, 30),
    ],
)
def test_what_solver_or_opening_have_proven_is_told_of_the_best_move(known, told, begin, monkeypatch):
    control = begin(multipv=2)
    monkeypatch.setattr(module, "complete_pv", lambda board, line, plies: line)
    monkeypatch.setattr(control.memory.prover, "line", lambda board, *words: [])
    for name, value in known.items():
        setattr(control, name, value)
    control.report(3, [(30, [A]), (20, [B])])
    assert [info.score for info in control.told] == [told, 20] and control.told[0].pv == [A]
    control.report(3, [(WIN - 5, [A])])
    assert control.told[-1].score == WIN - 5, "what the search has proven itself is told as it is"
