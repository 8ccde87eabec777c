"""One search from go() to its best move: its limits and clock, the flags that stop it, and its reports."""

import threading

from pawnstorm.core.state import MIN_WIN_SCORE, UNLIMITED, WIN
from pawnstorm.evaluation import weights
from pawnstorm.proof.pv_completion import complete_pv
from pawnstorm.search import time_budget
from pawnstorm.search.limits import Info
from pawnstorm.system.clock import now_ns

FIRST_ITERATION_NODES = 50_000
"""Node limit of the first iteration, which nothing else stops, so that there is a move to play.

Only crowded boards need more.
"""


class SearchControl:
    """The data that the engine, its timer and the threads of one search share. Each go() makes one.

    board, limits                the Board that is searched, and its Limits
    memory                       the tables and records of the search (engine/pawnstorm/search/memory.py)
    multipv, elo, seed           the engine's settings when the search began
    budget                       (soft, hard) milliseconds; None if time does not limit the search
    node_budget                  the limit of nodes that replaces a time limit too short for a timer; else 0
    timer                        the running timer, or None
    time_manager                 follows the iterations and decides when they are enough
    solver                       the TimeSlicedSolver, or None
    known_win                    (plies, line) of a win that an earlier search has proven, or (None, [])
    opening_loss                 the board's Entry if the opening of a solved game (proof/book.py) has it as lost; else None
    winning_moves                the moves that win by this opening, as {move: plies to the end}; {} if there are none

    `lock` guards the records' stop fields and these flags:

    stopping                     the search must end as soon as there is a move to play
    stoppable                    there is a move to play, so the threads may be stopped
    pondering                    the search goes on until stop or ponderhit
    stop_on_ponderhit            the search would end now if it were not pondering
    """

    def __init__(self, engine, board, limits):
        self.started = now_ns()
        self.board, self.limits = board, limits
        self.memory, self.lock = engine.memory, engine.lock
        self.multipv, self.elo, self.seed = engine.multipv, engine.elo, engine.game_seed
        self.on_info, self.on_warning = engine.on_info, engine.on_warning
        self.budget = limits.budget(engine.overhead, _moves_ahead(board))
        self.node_budget = self._node_budget()
        self.timer, self.time_manager, self.ponderhit_at = None, time_budget.TimeManager(), 0
        self.solver, self.known_win = None, (None, [])
        self.opening_loss, self.winning_moves = None, {}
        self.stopping = self.stoppable = self.stop_on_ponderhit = False
        self.pondering = limits.ponder
        self.wake = threading.Event()  # set by stop, ponderhit and quit

    def _node_budget(self):
        """Nodes for a move on a clock that has no time left to start a thread or a timer; else 0."""
        if self.budget is None or self.limits.movetime is not None or self.limits.ponder:
            return 0
        return time_budget.node_budget(self.budget[1])

    @property
    def unrestricted(self):
        """Whether the one best move is wanted, with no limit but time. Only then do book and solver take part."""
        limits = self.limits
        return not (
            self.multipv > 1 or limits.depth or limits.nodes or limits.mate or limits.prove or limits.searchmoves
        )

    def root_moves(self):
        """The root moves to consider; [] if the game is over."""
        return [move for move in self.board.moves() if not self.limits.searchmoves or move in self.limits.searchmoves]

    @property
    def elapsed(self):
        """Milliseconds since the search began."""
        return (now_ns() - self.started) // 1_000_000

    @property
    def nodes(self):
        """Moves made by all threads, and positions expanded by the solver."""
        return sum(state.nodes for state in self.memory.states) + (self.solver.nodes if self.solver is not None else 0)

    # Beginning and end.

    def init_states(self, limits, moves):
        """Set every thread's record to the root. limits: those of this part of the search; moves: the root moves."""
        memory, board = self.memory, self.board
        memory.generation = (memory.generation + 1) & 63
        if limits.mate:
            memory.table.clear(in_search=True)  # entries of pruned searches could hide a shorter win
        for state in memory.states:
            state.set_game(board.rules)
            state.own, state.opp, state.ep, state.side = board.own, board.opp, board.ep, board.black_to_move
            weights.set_weights(state, board.rules)
            state.buckets, state.generation = memory.table.buckets, memory.generation
            state.stop, state.nodes, state.node_limit, state.seldepth = 0, 0, UNLIMITED, 0
            state.full_width = 1 if limits.mate else 0
            state.root_first, state.root_count = 0, len(moves)
            state.moves[: len(moves)] = moves

    def allow_stop(self, nodes):
        """Allow stops from now on: the first iteration is complete, so there is a move to play.

        nodes: the limit for all threads together, 0 for none.
        """
        nodes, states = nodes or UNLIMITED, self.memory.states
        with self.lock:
            self.stoppable = True
            nodes = min(nodes, self.node_budget or UNLIMITED)
            searching = 1 if self.node_budget else len(states)
            for state in states:
                state.node_limit = max(1, nodes // searching) if nodes < UNLIMITED else UNLIMITED
            if self.stopping:
                self._stop_threads()

    def stop(self):
        """End the search as soon as there is a move to play. The caller holds the lock."""
        self.stopping, self.pondering = True, False
        if self.stoppable:
            self._stop_threads()

    def _stop_threads(self):
        for state in self.memory.states:
            state.stop = 1
        if self.memory.prover is not None:
            self.memory.prover.stop()

    # Reports.

    def report(self, depth, lines):
        """Report [(score, line)], best first. A proven line is completed to the end of the game."""
        lines = [self._with_proof(*lines[0]), *lines[1:]]
        elapsed = self.elapsed
        full = self.memory.table.hashfull(self.memory.generation) if elapsed >= 1000 else None
        for number, (score, line) in enumerate(lines, 1):
            if abs(score) > MIN_WIN_SCORE:
                line = complete_pv(self.board, line, WIN - abs(score))
            self._report_line(depth, number, score, "", elapsed, full, line)

    def _with_proof(self, score, line):
        """(score, line) as given, or instead what the solver or the opening has proven.

        A score that is itself a proven win or loss is kept.
        """
        best = line[0]
        if abs(score) < MIN_WIN_SCORE:
            if self.solver is not None and self.solver.proof.value < 0:
                return self.solver.proof.plies - WIN, [best, *self.memory.prover.line(self.board.push(best), False)]
            if self.opening_loss is not None:
                return self.opening_loss.plies - WIN, [best]
            if best in self.winning_moves:
                return WIN - self.winning_moves[best], [best]
        return score, line

    def report_bound(self, depth, number, score, bound, line):
        """Report a score that is only a bound, "lower" or "upper". number: the line's place, from 1."""
        elapsed = self.elapsed
        if elapsed >= 1000 and not (self.opening_loss or self.winning_moves):  # short searches are not watched
            self._report_line(depth, number, score, bound, elapsed, None, line)

    def report_known(self, depth, score, line):
        """Report a score that took no search."""
        self.on_info(Info(self.board, depth, len(line), 1, score, "", 0, self.elapsed, None, line))

    def _report_line(self, depth, number, score, bound, elapsed, full, line):
        seldepth = max(depth, self.memory.states[0].seldepth)
        self.on_info(Info(self.board, depth, seldepth, number, score, bound, self.nodes, elapsed, full, line))


def _moves_ahead(board):
    """Expected number of own moves to come that need thought (engine/pawnstorm/search/time_budget.py)."""
    rules = board.rules
    pieces, army, squares = (bin(mask).count("1") for mask in (board.own | board.opp, rules.start_pawns, rules.board))
    return time_budget.moves_ahead(pieces, 2 * army, squares, rules.quiet_diagonals != 0)
