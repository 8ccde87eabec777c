"""Iterative deepening: each iteration searches a ply deeper than the one before.

The main thread searches one line after the other (MultiPV). Helper threads search beside it. The solver works between
the main thread's iterations.
"""

import threading

from pawnstorm.core.parameters import ASPIRATION_GROWTH, ASPIRATION_LIMIT, ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW
from pawnstorm.core.state import MAX_DEPTH, MIN_WIN_SCORE, UNLIMITED, WIN
from pawnstorm.proof.time_sliced_solver import TimeSlicedSolver
from pawnstorm.search.limits import mate_in
from pawnstorm.search.search_control import FIRST_ITERATION_NODES
from pawnstorm.system.threads import THREAD_HINT, run_or_exit, start_all

# ns for each ms of the soft limit. The solver's head start, if the winner is known, is a quarter of that limit.
HEAD_START = 250_000
# Nodes that are searched before this head start, in about a millisecond. If the proof fails, a search of one ply is too little.
SEARCHED_FIRST = 1_000


def iterative_deepening(control, core, moves):
    """Search the root moves as deep as the control's limits allow. Returns [(score, line)], best first."""
    return IterativeDeepening(control, core, control.limits, moves).run()


class IterativeDeepening:
    """The iterations of one search. limits may be tighter than those of the control."""

    def __init__(self, control, core, limits, moves):
        self._control, self._core, self._limits, self._moves = control, core, limits, moves
        self._memory = control.memory
        self._main, self._table = control.memory.states[0], control.memory.table.address
        # A search of 2n + 1 plies sees every win and every loss in n moves. A loss takes 2n plies. One more ply is needed,
        # since the search does not notice at a leaf that a side has no move.
        by_mate = 2 * limits.mate + 1 if limits.mate else MAX_DEPTH
        self._max_depth = min(limits.depth or MAX_DEPTH, by_mate, MAX_DEPTH)
        self._multipv = max(1, min(control.multipv, len(moves)))  # lines to search
        self._lines = []
        self._searched_first = 0  # nodes that are searched before the solver works; None once it has
        self._completed_depth = 0  # depth of the main thread's last whole iteration
        self._helper_best = (0, 0, [])  # depth, score and line of the deepest iteration of a helper

    def run(self):
        """Search as deep as the limits allow; returns [(score, line)], best first."""
        control, limits = self._control, self._limits
        control.init_states(limits, self._moves)
        control.solver = self._new_solver()
        helpers = []
        for depth in range(1, self._max_depth + 1):
            if depth == 1:
                self._main.node_limit = FIRST_ITERATION_NODES
            elif not (control.stoppable or self._searched_first):
                control.allow_stop(limits.nodes)
                helpers = self._start_helpers()
            self._iterate(depth)
            finished = self._is_finished(depth)
            if self._solver_is_due(finished) and self._run_solver(depth) or finished:
                break
        if not control.stoppable:
            control.allow_stop(limits.nodes)
        for state in self._memory.states[1:]:
            state.stop = 1
        for helper in helpers:
            helper.join()
        self._take_helper_line()
        self._keep_known_win(depth)
        return self._lines

    # One iteration.

    def _iterate(self, depth):
        """Search every line to this depth, sort the lines and report them."""
        main, found = self._main, []
        for index in range(self._multipv):
            main.root_first = index
            previous_score = self._lines[index][0] if index < len(self._lines) else None
            score, line = self.search_line(depth, previous_score, index)
            if main.stop:
                # An unfinished iteration counts if it found a better move than the one it began with.
                if line and (not self._lines or index == 0 and line[0] != self._lines[0][1][0]):
                    found.append((score, line))
                break
            found.append((score, line))
        if not found and not self._lines:
            found = [(self._core.evaluate(main), self._moves[:1])]  # not even one move was searched to its end
        if len(found) == self._multipv or not self._lines:
            self._lines = sorted(found, key=lambda item: -item[0])
            score, line = self._lines[0]
            if len(found) == self._multipv and not main.stop:
                self._completed_depth = depth
            self._control.time_manager.update(line[0], score, self._control.elapsed)
            main.moves[: len(self._lines)] = [line[0] for _, line in self._lines]
            self._control.report(depth, self._lines)
        elif found:
            others = [entry for entry in self._lines if entry[1][0] != found[0][1][0]]
            self._lines = [found[0]] + others[: self._multipv - 1]
            self._control.report(depth, self._lines[:1])

    def search_line(self, depth, previous_score, index):
        """(score, line) of the best root move among those in state.moves[index:].

        The aspiration window around `previous_score` widens until the score lies inside. If the search is stopped before it has
        found a better move than state.moves[index], line is []. If `previous_score` is None, any move counts as better.
        """
        state, control, half_window = self._main, self._control, ASPIRATION_WINDOW
        if previous_score is None or depth < ASPIRATION_MIN_DEPTH or abs(previous_score) > MIN_WIN_SCORE:
            alpha, beta = -WIN, WIN
        else:
            alpha, beta = previous_score - half_window, previous_score + half_window
        while True:
            before = state.moves[index]
            score = self._core.search(depth, alpha, beta, state, self._table)
            line = list(state.pv[0][: state.pv_length[0]])
            if state.stop:
                improved = line and state.root_score > alpha and (previous_score is None or line[0] != before)
                return (state.root_score, line) if improved else (0, [])
            if alpha < score < beta or (alpha <= -WIN and beta >= WIN):
                return score, line
            half_window *= ASPIRATION_GROWTH
            if score <= alpha:
                alpha = -WIN if half_window > ASPIRATION_LIMIT else max(-WIN, score - half_window)
                if index == 0:
                    control.stop_on_ponderhit = False
                control.report_bound(depth, index + 1, score, "upper", line)
            else:
                beta = WIN if half_window > ASPIRATION_LIMIT else min(WIN, score + half_window)
                control.report_bound(depth, index + 1, score, "lower", line)

    # The helper threads.

    def _start_helpers(self):
        """Start the helper threads, as many as the system allows; returns those that run.

        Each searches the same iterations on its own record. Every second one is a ply ahead.
        """
        if self._control.node_budget:
            return []
        states = self._memory.states
        helpers = start_all(
            [
                threading.Thread(target=run_or_exit, args=(self._run_helper, state, 2 + number % 2), daemon=True)
                for number, state in enumerate(states[1:], 1)
            ],
            deep=True,
        )
        if len(helpers) < len(states) - 1:
            self._continue_with_threads(1 + len(helpers))
        return helpers

    def _run_helper(self, state, first):
        """A helper's iterations, from depth `first` on."""
        for depth in range(first, self._max_depth + 1):
            score = self._core.search(depth, -WIN, WIN, state, self._table)
            if state.stop:
                break
            found = depth, score, list(state.pv[0][: state.pv_length[0]])
            with self._control.lock:
                self._helper_best = max(self._helper_best, found)

    def _take_helper_line(self):
        """Take a helper's line if only one line is wanted, and the main thread's line is less deep and is no win."""
        depth, score, line = self._helper_best
        if depth <= self._completed_depth or self._multipv > 1 or self._lines[0][0] >= MIN_WIN_SCORE:
            return
        if line[0] in self._main.moves[: self._main.root_count]:
            self._lines = [(score, line)]
            self._control.report(depth, self._lines)

    def _continue_with_threads(self, count):
        """Warn, and go on with `count` threads, which share all nodes of the limit."""
        states = self._memory.states
        self._control.on_warning(f"only {count} of {len(states)} search threads can be started; {THREAD_HINT}")
        with self._control.lock:
            del states[count:]
        self._control.allow_stop(self._limits.nodes)

    # When to end.

    def _is_finished(self, depth):
        """Whether the search ends after this iteration."""
        control, limits = self._control, self._limits
        if self._main.stop or control.stopping:
            return True
        score = self._lines[0][0]
        mate = mate_in(score)
        if limits.prove and mate is not None:
            return True
        if limits.mate and mate is not None and depth > WIN - abs(score):
            return True  # every shallower depth found nothing, so the length is minimal
        if limits.nodes and control.nodes >= limits.nodes:
            return True
        if control.budget is None:
            return False
        with control.lock:
            # While pondering, the search does not end before ponderhit. It goes on even then if the score falls first.
            control.stop_on_ponderhit = self._is_enough(depth, score, mate)
            return control.stop_on_ponderhit and not control.pondering

    def _is_enough(self, depth, score, mate):
        """Whether the best move so far is good enough, so that no further iteration is needed.

        Time spent pondering counts towards the soft limit only.
        """
        control = self._control
        if mate is not None and not self._limits.mate:
            shortest = control.known_win[0]  # a win longer than a known one does not count yet
            if (shortest is None or WIN - score <= shortest) if mate > 0 else depth > WIN + score:
                return True
        if self._limits.movetime is not None:
            return False
        if len(self._moves) == 1 and depth >= 6:
            return True
        soft, hard = control.budget
        if score < -MIN_WIN_SCORE:
            soft = max(1, soft // 4)  # lost: only the longest resistance is left to find
        left = UNLIMITED if control.pondering else hard - (control.elapsed - control.ponderhit_at)
        return control.time_manager.should_stop(soft, left)

    # Proofs.

    def _new_solver(self):
        """The solver that works beside this search; None if the search is restricted or has a node budget."""
        control = self._control
        if not control.unrestricted or control.node_budget:
            return None
        # The winner stays the winner. The head start lets the solver prove again what it, or a book, proved at an earlier move.
        soft = control.budget[0] if control.budget is not None else 1000
        head_start = HEAD_START * soft if self._memory.outcome_known and not control.winning_moves else 0
        self._searched_first = SEARCHED_FIRST if head_start else 0
        return TimeSlicedSolver(self._memory.prover, control.board, self._moves, head_start, self._memory.book_leaf)

    def _solver_is_due(self, finished):
        """Whether the solver works after this iteration. It works at least once, even if the time is over: the search cannot
        be stopped before that.
        """
        if self._searched_first and self._main.nodes < self._searched_first and not finished:
            return False
        due = self._searched_first is not None or not finished
        self._searched_first = None
        return due

    def _run_solver(self, depth):
        """Let the solver work after an iteration; returns whether it has proven a win.

        The line of this win becomes the best line, unless the search has found a win itself. Root moves that are proven to lose
        are dropped, if any others are left.
        """
        control, main, solver = self._control, self._main, self._control.solver
        if solver is None:
            return False
        best = self._lines[0][1][0]
        solver.run_slices(best, lambda: control.stopping)
        proof = solver.proof
        if proof.value > 0 and self._lines[0][0] < MIN_WIN_SCORE:
            line = self._memory.prover.line(control.board, False) or [proof.move or best]
            self._lines = [(WIN - proof.plies, line)]
        if proof.value and not solver.reported:
            solver.reported = True
            control.report(depth, self._lines)
        left = [move for move in main.moves[: main.root_count] if move not in solver.losing_moves]
        if left:
            main.root_count = len(left)
            main.moves[: len(left)] = left
            if self._lines[0][1][0] in solver.losing_moves:
                self._lines = [(self._lines[0][0], left[:1])]
                with control.lock:
                    control.stop_on_ponderhit = False  # the moves that are left need another iteration
        return proof.value > 0

    def _keep_known_win(self, depth):
        """Replace the best line by a known or proven win, unless the best line is a win that is as short or shorter."""
        control = self._control
        plies, line = control.known_win
        proven = not line and control.solver is not None and control.solver.proof.value > 0
        if proven:
            plies = control.solver.proof.plies
        if (line or proven) and self._lines[0][0] < WIN - plies:
            line = line or self._memory.prover.line(control.board, False)
            if line:
                self._lines = [(WIN - plies, line)]
                control.report(depth, self._lines)
