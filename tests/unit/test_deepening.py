"""Iterative deepening over a core whose searches find what a script says: which searches it asks for, when it has had
enough, and what it keeps of an iteration that is stopped.
"""

import threading
import time
from types import SimpleNamespace

import pytest
from engine_player import SOON, Player, start

from pawnstorm.core.parameters import ASPIRATION_WINDOW
from pawnstorm.core.state import UNLIMITED, WIN
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.deepening import IterativeDeepening
from pawnstorm.search.limits import Limits, mate_in
from pawnstorm.search.search_control import FIRST_ITERATION_NODES
from pawnstorm.system.threads import DEEP_STACK

BOARD = start()
A, B, C, D = BOARD.moves()[:4]
EVALUATION = 7
AGES = (10**9, 10**9)  # a budget that no test uses up


class Core:
    """Each search takes the next (score, line) of the script; one that is stopped ends with (score, line, True)."""

    def __init__(self, control, script):
        self._control, self._script = control, list(script)
        self.asked = []  # (depth, alpha, beta) of each search
        self.limits = []  # nodes that each may take
        self.armed = []  # whether it may be cut short

    def search(self, depth, alpha, beta, state, table):
        self.asked.append((depth, alpha, beta))
        self.limits.append(state.node_limit)
        self.armed.append(self._control.stoppable)
        score, line, *stopped = self._script.pop(0)
        state.pv[0][: len(line)] = line
        state.pv_length[0], state.root_score = len(line), score
        if line:  # brought to the front of the moves that are left, as the kernel does
            moves = list(state.moves[: state.root_count])
            moves.remove(line[0])
            moves.insert(state.root_first, line[0])
            state.moves[: state.root_count] = moves
        state.stop = int(bool(stopped))
        return 0 if stopped else score

    def evaluate(self, state):
        return EVALUATION

    @property
    def depths(self):
        return [depth for depth, _, _ in self.asked]


@pytest.fixture
def deepen(monkeypatch):
    """deepen(script, multipv=1, budget=None, known_win=None, solver=None, **limits): a Deepening over such a core, which is
    its `core`; what it reports is in `reports`, and in `bounds` what it says of a score outside its window.
    """
    player = Player()
    player.play(BOARD, depth=1)
    control = player.engine._control

    def make(script, multipv=1, budget=None, known_win=(None, []), solver=None, **limits):
        control.multipv, control.budget, control.known_win, control.stoppable = multipv, budget, known_win, False
        made = IterativeDeepening(control, Core(control, script), Limits(**limits), BOARD.moves())
        made.core, made.reports, made.bounds = made._core, [], []
        monkeypatch.setattr(control, "report", lambda depth, lines: made.reports.append((depth, list(lines))))
        monkeypatch.setattr(control, "report_bound", lambda depth, *words: made.bounds.append(words))
        monkeypatch.setattr(made, "_new_solver", lambda: solver)
        return made

    return make


def test_every_depth_is_searched_and_reported_once(deepen):
    made = deepen([(1, [A]), (2, [B, C]), (3, [C])], depth=3)
    assert made.run() == [(3, [C])] and made.core.depths == [1, 2, 3]
    assert made.reports == [(1, [(1, [A])]), (2, [(2, [B, C])]), (3, [(3, [C])])]


def test_first_iteration_is_never_cut_short_and_every_later_one_may_be(deepen):
    made = deepen([(1, [A])] * 3, depth=3, nodes=10**9)
    made.run()
    assert made.core.armed == [False, True, True] and made.core.limits == [FIRST_ITERATION_NODES, 10**9, 10**9]
    made = deepen([(1, [A])] * 2, depth=2)
    made.run()
    assert made.core.limits[1] == UNLIMITED


def test_search_of_one_iteration_may_be_stopped_after_it(deepen):
    """In what it does to find the line of a win that is known."""
    made = deepen([(1, [A])], depth=1)
    made.run()
    assert made.core.armed == [False] and made._control.stoppable


def test_search_that_is_stopped_before_its_first_move_plays_a_legal_one(deepen):
    assert deepen([(0, [], True)], depth=5).run() == [(EVALUATION, [BOARD.moves()[0]])]


@pytest.mark.parametrize(
    "stopped, best",
    [
        ((0, [], True), (10, [A])),
        ((12, [A, B], True), (10, [A])),  # the move that it began with, to the half of its depth
        ((12, [D], True), (12, [D])),
    ],
)
def test_stopped_iteration_counts_where_it_has_found_a_better_move(stopped, best, deepen):
    made = deepen([(10, [A]), stopped], depth=9)
    assert made.run() == [best]
    assert made.reports[1:] == ([(2, [best])] if best[1] == [D] else [])


def test_stopped_iteration_of_several_lines_replaces_the_first_alone(deepen):
    made = deepen([(10, [A]), (5, [B]), (1, [C]), (8, [A, D]), (6, [B, D]), (0, [], True)], multipv=3, depth=9)
    assert made.run() == [(8, [A, D]), (5, [B]), (1, [C])]
    assert made.reports[1:] == [(2, [(8, [A, D])])]
    made = deepen([(10, [A]), (5, [B]), (12, [D], True)], multipv=2, depth=9)
    assert made.run() == [(12, [D]), (10, [A])]


def test_lines_are_sorted_and_searched_again_in_that_order(deepen):
    made = deepen([(1, [A]), (5, [B]), (4, [B]), (3, [A])], multipv=2, depth=2)
    assert made.run() == [(4, [B]), (3, [A])] and made.reports[0] == (1, [(5, [B]), (1, [A])])


def test_score_outside_its_window_is_reported_with_its_line_and_searched_again(deepen):
    made = deepen([(-100, [A]), (200, [A]), (30, [A])])
    made._control.stop_on_ponderhit = True
    assert made.search_line(10, 0, 1) == (30, [A]) and made._control.stop_on_ponderhit
    assert made.bounds == [(2, -100, "upper", [A]), (2, 200, "lower", [A])]
    first, second, third = made.core.asked
    assert -WIN < second[1] < -100 < first[1] < 0 < first[2] == second[2]
    assert third[1] == second[1] and 200 < third[2] < WIN


@pytest.mark.parametrize("score, bound", [(-ASPIRATION_WINDOW, "upper"), (ASPIRATION_WINDOW, "lower")])
def test_score_at_the_edge_of_its_window_is_only_a_bound(score, bound, deepen):
    """A best move whose score falls is an open question again: at ponderhit the answer must not come at once."""
    made = deepen([(score, [A]), (1, [A])])
    made._control.stop_on_ponderhit = True
    assert made.search_line(10, 0, 0) == (1, [A]) and made.bounds == [(1, score, bound, [A])]
    assert made._control.stop_on_ponderhit == (bound == "lower")


@pytest.mark.parametrize("sign", [1, -1])
def test_window_that_has_widened_far_enough_is_open(sign, deepen):
    """On that side; so a win that appears is found at once, and the search ends whatever it finds."""
    scores = [sign * 100 * 4**number for number in range(5)]
    made = deepen([*((score, [A]) for score in scores), (sign * WIN, [A])])
    assert made.search_line(10, 0, 0)[0] in (*scores, sign * WIN)
    assert made.core.asked[-1][2 if sign > 0 else 1] == sign * WIN and len(made.core.asked) < 6


@pytest.mark.parametrize("depth, guess", [(1, 50), (10, None), (10, WIN - 9), (10, 9 - WIN)])
def test_window_is_open_without_a_guess_near_the_root_and_where_a_win_is_known(depth, guess, deepen):
    made = deepen([(50, [A])])
    made.search_line(depth, guess, 0)
    assert made.core.asked == [(depth, -WIN, WIN)]


# When it is enough, with a clock that is never used up.


@pytest.mark.parametrize(
    "script, words",
    [
        ([(0, [A]), (WIN - 5, [B])], {"budget": AGES}),
        ([(WIN - 7, [A]), (WIN - 5, [B])], {"budget": AGES, "known_win": (5, [C])}),  # the first is longer than known
        ([(0, [A]), (WIN - 9, [A])], {"prove": True}),
        ([(0, [A]), (10 - WIN, [A])], {"prove": True}),
    ],
)
def test_search_ends_with_the_win_or_the_proof_that_it_is_for(script, words, deepen):
    assert deepen(script, **words).run() == script[-1:]


def test_known_win_is_played_where_the_search_has_found_none_or_a_longer_one(deepen):
    for score in (100, WIN - 7):
        made = deepen([(score, [A])], depth=1, known_win=(5, [C, D]))
        assert made.run() == [(WIN - 5, [C, D])] == made.reports[-1][1]
    for score in (WIN - 5, WIN - 3):
        assert deepen([(score, [A])], depth=1, known_win=(5, [C, D])).run() == [(score, [A])]


def test_loss_is_looked_into_to_the_depth_of_its_end(deepen):
    """A longer resistance may be found until then."""
    made = deepen([(4 - WIN, [A])] * 5, budget=AGES)
    made.run()
    assert made.core.depths == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("score", [WIN - 3, 4 - WIN])
def test_go_mate_ends_when_nothing_shorter_can_have_been_overlooked(score, deepen):
    made = deepen([(score, [A])] * 9, mate=4, budget=AGES)
    made.run()
    assert made.core.depths[-1] == WIN - abs(score) + 1


@pytest.mark.compiled
def test_go_mate_sees_that_a_side_runs_out_of_moves():
    """a3a4 a6a5, and White has none; it takes a ply more to see than the last move."""
    one = Player()
    one.play(parse_fen(get_rules("twoflags"), "8/8/p7/8/8/P7/8/8 w - - 0 1"), mate=1)
    assert mate_in(one.infos[-1].score) == -1


# The threads and the solver beside it.


def test_helpers_search_every_depth_to_the_last_every_second_one_a_ply_ahead(deepen):
    made, depths = deepen([], depth=5), {}
    memory = made._memory
    memory.resize_states(4)

    def search(depth, alpha, beta, state, table):
        assert (alpha, beta) == (-WIN, WIN)
        depths.setdefault(memory.states.index(state), []).append(depth)
        return 0

    made._core = SimpleNamespace(search=search)
    for helper in made._start_helpers():
        helper.join()
    assert depths == {1: [3, 4, 5], 2: [2, 3, 4, 5], 3: [3, 4, 5]}


@pytest.mark.parametrize("depth, left, taken", [(5, 2, False), (6, 2, True), (6, 1, False)])
def test_helper_that_has_looked_deeper_has_the_last_word(depth, left, taken, deepen):
    """Unless the solver has meanwhile left its move out."""
    made = deepen([])
    made._main.moves[:2], made._main.root_count = [A, B], left
    made._lines, made._completed_depth, made._helper_best = [(10, [A])], 5, (depth, 30, [B])
    made._take_helper_line()
    assert made._lines == ([(30, [B])] if taken else [(10, [A])])


def test_helpers_end_with_the_search_on_the_stack_of_a_deep_one(deepen, monkeypatch):
    made, sizes, stopped, begin = deepen([(1, [A])] * 3, depth=3), [], [], threading.Thread.start
    made._memory.resize_states(3)
    searched = made.core.search

    def search(depth, alpha, beta, state, table):
        if state is made._main:
            return searched(depth, alpha, beta, state, table)
        until = time.monotonic() + SOON
        while not state.stop and time.monotonic() < until:
            time.sleep(0.001)
        stopped.append(state.stop)
        return 0

    def start_thread(thread):
        sizes.append(threading.stack_size())
        threading.stack_size(sizes[-1])  # to ask for the size sets it to the usual one
        begin(thread)

    monkeypatch.setattr(made.core, "search", search)
    monkeypatch.setattr(threading.Thread, "start", start_thread)
    assert made.run() == [(1, [A])]
    assert stopped == [1, 1] and sizes == [DEEP_STACK] * 2


def solver(value, losing=()):
    """One that has proven who wins, in five plies by B, or that moves lose."""
    return SimpleNamespace(
        run_slices=lambda best, stopped: None,
        proof=SimpleNamespace(value=value, plies=5, move=B),
        losing_moves=set(losing),
        reported=False,
        nodes=0,
    )


def test_win_that_the_solver_proves_is_reported_and_ends_the_search(deepen):
    made = deepen([(10, [A])], budget=AGES, solver=solver(1))
    assert made.run() == [(WIN - 5, [B])] and made.reports == [(1, [(10, [A])]), (1, [(WIN - 5, [B])])]


def test_proven_win_is_played_though_the_move_before_it_was_refuted(deepen):
    proven = solver(1, losing=[A])
    proven.proof.move = C
    assert deepen([(10, [A])], budget=AGES, solver=proven).run() == [(WIN - 5, [C])]


def test_loss_that_the_solver_proves_is_reported_once_and_the_search_goes_on(deepen):
    made = deepen([(-10, [A]), (-20, [A])], depth=2, solver=solver(-1))
    assert made.run() == [(-20, [A])] and [depth for depth, _ in made.reports] == [1, 1, 2]


def test_moves_that_the_solver_has_refuted_are_searched_no_more(deepen):
    made = deepen([(10, [A]), (5, [C])], depth=2, solver=solver(0, losing=[A, B]))
    left = len(BOARD.moves()) - 2
    assert made.run() == [(5, [C])]
    assert made._main.root_count == left and not {A, B} & set(made._main.moves[:left])


def test_refuted_best_move_is_not_played(deepen):
    made = deepen([(10, [A])], depth=1, solver=solver(0, losing=[A]))
    ((_, line),) = made.run()
    assert line[0] != A and len(line) == 1


def test_moves_that_all_lose_are_all_kept(deepen):
    made = deepen([(10, [A])], depth=1, solver=solver(0, losing=BOARD.moves()))
    assert made.run() == [(10, [A])] and made._main.root_count == len(BOARD.moves())
