"""Engine searches a Board within Limits, reports what it finds, and gives the best move.

It knows no protocol. The owner of an Engine calls its methods from one thread at a time. on_best may change settings.

The search's thread calls on_info and on_best, in order. It calls on_best exactly once for each go(), whatever stopped
the search. After quit() it calls on_best only if the call was already under way. If the time is too short for a thread,
the search runs inside go(), and on_best is called there.

If the system denies a thread or memory, the engine goes on with what it has. It calls on_warning with a message for people,
in the search's thread or in the owner's. If there is no thread for the search, the search runs inside go(). If there is no
memory for a search, the engine gives a move without a search. In both cases on_best is called in go(), or in stop() or
ponderhit() if the limits wait for one of them. If memory runs out while the search runs in its thread, the engine also gives
a move without a search, but calls on_best in that thread.
"""

import functools
import sys
import threading

from pawnstorm.core import native
from pawnstorm.core.state import WIN, State
from pawnstorm.openings import repertoire
from pawnstorm.proof import book
from pawnstorm.proof.proof_search import proof_search
from pawnstorm.search.deepening import iterative_deepening
from pawnstorm.search.limits import Limits
from pawnstorm.search.memory import Memory
from pawnstorm.search.search_control import FIRST_ITERATION_NODES, SearchControl
from pawnstorm.strength.skill import skill_search
from pawnstorm.system import clock
from pawnstorm.system.threads import THREAD_HINT, run_or_exit, start_all

BOOKS = {
    "book": book.for_game,
    "opening": functools.partial(book.for_game, kind="opening"),
    "repertoire": repertoire.for_game,
}
"""For each kind of file, the function that returns a game's file, or None if the game has none."""


class Engine:
    """One player. Its owner may set these attributes between searches:

    multipv     lines to report
    overhead    milliseconds lost on each move between the clock and the engine
    elo         the strength to play at (strength/levels.py), with one thread; None for full strength
    own_book    whether to use the books of a solved game (proof/book.py) and the opening books of others
                (openings/repertoire.py), in timed play at full strength
    game_seed   games begun so far; the number seeds the errors of a weaker player

    searching is true while a go() has yet to give its best move.
    """

    def __init__(self, on_info=None, on_best=None, on_warning=None):
        self.on_info, self.on_best = on_info or (lambda info: None), on_best or (lambda board, best, ponder: None)
        self.on_warning = on_warning or _warn
        self.multipv, self.overhead, self.own_book, self.game_seed = 1, 10, True, 0
        self.elo: int | None = None
        self.memory = Memory()
        self.lock = threading.Lock()  # guards _silent, and the control's flags; not held while a callback runs
        self._scratch = State()  # for the search's thread, so that it lists moves without allocating
        self.searching = self._silent = False
        self._threads, self._thread = 1, None
        self._ended = threading.Event()  # set when the search's thread has nothing left to do
        self._control = None  # of the running search, or of the last
        self._unreadable = set()  # (game, kind) of the books that could not be read
        self._pending = None  # (control, line) found without a thread, kept until stop or ponderhit

    # Settings, between searches.

    def set_hash(self, mebibytes):
        """Set the total size of the search's and the solver's tables, and empty them.

        If the new tables cannot be allocated, raises MemoryError and keeps the old ones.
        """
        self.memory.set_hash(mebibytes)

    def set_threads(self, count):
        """Search with `count` threads from now on. If memory runs out, raises MemoryError and keeps the old number."""
        before, self._threads = self._threads, count
        try:
            self._resize_states()
        except MemoryError:
            self._threads = before
            self._resize_states()
            raise

    def new_game(self):
        """Forget everything: the tables, history and killers. A weaker player then makes other errors than before."""
        self.memory.new_game()
        self.game_seed += 1

    def prepare(self, rules=None):
        """Allocate all memory and begin a new game.

        rules: the game that is played next, or None. Its networks are read, and also its books if `own_book` is set.

        Without this call, the next searches would do the work. The first access to a page of memory, or the reading of a file,
        could take longer than a short search.
        """
        self.memory.make_tables()
        self._resize_states()
        self.new_game()
        if rules is not None:
            self.memory.prepare(rules)
            for kind in BOOKS if self.own_book else ():
                self._game_file(rules, kind)

    def clear_hash(self):
        self.memory.clear()

    def _resize_states(self):
        self.memory.resize_states(self._threads if self.elo is None else 1)

    # Searching.

    def go(self, board, limits):
        """Start a search and return its SearchControl; stop(control) stops only this search. No search may be running.

        go() returns at once, unless the search runs inside it.
        """
        self.wait()
        memory_error = self._allocate()
        control = SearchControl(self, board, limits)
        with self.lock:
            if self.memory.prover is not None:
                self.memory.prover.clear_stop()
            self._control = control
        self.searching = True
        self._ended.clear()
        if memory_error is not None:
            self._thread = None
            self._finish_inline(control, limits, self._best_static_move(control, memory_error))
            return control
        if control.node_budget:
            self._thread = None
            run_or_exit(self._think, control)
            return control
        self._thread = threading.Thread(target=run_or_exit, args=(self._think_in_thread, control), daemon=True)
        if not (limits.ponder or self._start_timer(control)) or not start_all([self._thread], deep=True):
            self._thread = None
            self._think_inline(control)
        return control

    def _allocate(self):
        """Allocate what a search needs; returns the MemoryError if not even a small table and one record fit."""
        try:
            self.memory.make_tables()
            self._resize_states()
        except MemoryError as error:
            if self.memory.table is None or not self.memory.states:
                return error
            self.on_warning(f"{error}; the search goes on with {len(self.memory.states)} of {self._threads} threads")
        return None

    def stop(self, control=None):
        """Make the running search give its best move soon. With `control`, do so only if go() returned it for this search."""
        control = control or self._control
        with self.lock:
            if control is None or control is not self._control:
                return
            control.stop()
        control.wake.set()
        self._give_pending()

    def ponderhit(self):
        """Tell the search that the expected move was played: it goes on under the limits other than `ponder`."""
        control = self._control
        with self.lock:
            if control is None or not control.pondering:
                return
            control.pondering = False
            control.ponderhit_at = control.elapsed
            ended = control.stop_on_ponderhit or self._pending is not None
            timed = ended or self._start_timer(control)
        if not timed:
            self.on_warning(f"no thread can be started for the clock: the search ends now; {THREAD_HINT}")
        if ended or not timed:
            self.stop()
        control.wake.set()

    def wait(self, seconds=None):
        """Wait for the search to end; returns whether it has."""
        if self._thread is not None:
            clock.wait(self._ended, seconds)  # not join(): a Ctrl-C in it marks a running thread as ended (bpo-45274)
        return not self.searching

    def quit(self):
        """Stop the search; it gives no best move."""
        with self.lock:
            self._silent = True
        self.stop()

    @property
    def nodes(self):
        """Moves that all threads made, plus positions that the solver expanded, in the running search or else the last."""
        return self._control.nodes if self._control is not None else 0

    def _start_timer(self, control):
        """Start a timer that ends the search when its budget, counted from now, is used up.

        Returns False if the search needs a timer but none can be started, else True.
        """
        if control.budget is None:
            return True
        seconds = min(control.budget[1] / 1000, threading.TIMEOUT_MAX)
        control.timer = clock.Timer(seconds, self.stop, (control,))
        control.timer.daemon = True
        return bool(start_all([control.timer]))

    # The rest runs in the search's thread.

    def _think_in_thread(self, control):
        native.use_scratch(self._scratch)
        self._think(control)

    def _think(self, control):
        line = self._find_line(control)
        # `go infinite` and `go ponder` end at stop or ponderhit, even if nothing is left to find.
        while not control.stopping and (control.limits.infinite or control.pondering):
            control.wake.wait()
            control.wake.clear()
        self._give_best_move(control, line)

    def _think_inline(self, control):
        """Search in the caller's thread.

        That thread cannot call stop() meanwhile, so a search that needs a stop or a clock is cut short.
        """
        limits = control.limits
        if control.timer is not None:
            control.timer.cancel()
        del self.memory.states[1:]
        endless = limits.infinite or limits.ponder or control.budget is not None or not (limits.depth or limits.nodes)
        nodes = min(limits.nodes or FIRST_ITERATION_NODES, FIRST_ITERATION_NODES) if endless else limits.nodes
        outcome = f"it ends after {nodes} nodes" if endless else "it cannot be stopped"
        self.on_warning(f"no thread can be started for the search: {outcome}; {THREAD_HINT}")
        line = self._book_line(control)
        if not line:
            control.limits = Limits(depth=limits.depth, nodes=nodes, mate=limits.mate, searchmoves=limits.searchmoves)
            line = self._find_line(control)
        self._finish_inline(control, limits, line)

    def _finish_inline(self, control, limits, line):
        """Give the best move, in the caller's thread, or keep it if these limits wait for stop() or ponderhit()."""
        if limits.infinite or limits.ponder:
            self._pending = control, line
        else:
            self._give_best_move(control, line)

    def _find_line(self, control):
        """The line to play: [] if the game is over, a single move if memory runs out during the search."""
        try:
            return self._choose_line(control)
        except MemoryError as error:
            return self._best_static_move(control, error)

    def _best_static_move(self, control, error):
        """The move with the best static score, as a line of one move; [] if the game is over.

        error: the MemoryError that leaves no room for a search.
        """
        native.core_or_exit()
        self.on_warning(f"{str(error) or 'not enough memory'}; the move is given without a search")
        children = {move: control.board.push(move) for move in control.root_moves()}
        if not children:
            control.report_known(0, -WIN, [])
            return []
        scores = {
            move: WIN - 1 if child.is_game_over() else -native.evaluate(child.rules, *child.bitboards)
            for move, child in children.items()
        }
        best = max(scores, key=scores.get)
        control.report_known(1, scores[best], [best])
        return [best]

    def _choose_line(self, control):
        """The line to play; [] if the game is over. Raises MemoryError."""
        core, board, limits = native.core_or_exit(), control.board, control.limits
        moves = control.root_moves()
        line = self._book_line(control)
        if line:
            return line
        opening = self._book(control, "opening")
        if opening is not None:
            control.opening_loss, control.winning_moves = opening.probe(board), opening.winning_moves(board)
            moves = list(control.winning_moves) or moves
        if not moves:
            control.report_known(0, -WIN, [])
            return []
        # `go mate` asks for a fact, not for a move to play: every level answers it with full strength.
        if limits.prove and not (limits.searchmoves or limits.depth or limits.nodes):
            search = proof_search
        else:
            search = iterative_deepening if control.elo is None or limits.mate or limits.prove else skill_search
        memory, carries_on = self.memory, control.unrestricted and control.elo is None
        if carries_on:
            control.known_win = memory.proven_win.recall(board)
        score, line = search(control, core, moves)[0]
        solved = control.solver is not None and control.solver.proof.value != 0
        memory.outcome_known = solved or memory.winning_book
        if carries_on:
            memory.proven_win.remember(board, score, line)
        return line

    def _book_line(self, control):
        """Report a book's line from the searched board, and return it; [] if no book has one or none is to be used."""
        return self._strategy_line(control) or self._opening_line(control)

    def _strategy_line(self, control):
        """Report the line of the solved game's strategy from the searched board, and return it; [] if it has none."""
        strategy = self._book(control, "book")
        entry = strategy.probe(control.board) if strategy is not None else None
        if entry is None:
            return []
        self.memory.outcome_known = True
        self.memory.winning_book |= entry.value > 0
        self.memory.book_leaf = strategy.leaf_nodes
        line = strategy.line(control.board)
        control.report_known(1, entry.value * (WIN - entry.plies), line)
        return line

    def _opening_line(self, control):
        """Report a line of the opening book from the searched board, and return it.

        Its first move is chosen at random. The result is [] if the book has none or the last search has proven a win.
        """
        known = self._book(control, "repertoire")
        if known is None or self.memory.proven_win.recall(control.board)[0] is not None:
            return []
        choices = known.choices(control.board)
        if not choices:
            return []
        choice = repertoire.pick(choices)
        line = known.line(control.board, choice.move)
        control.report_known(1, choice.score, line)
        return line

    def _book(self, control, kind):
        """The game's file of this kind, a key of BOOKS; None if it has none, or if none may be used."""
        if control.budget is None or not control.unrestricted or not self.own_book or control.elo is not None:
            return None
        return self._game_file(control.board.rules, kind)

    def _game_file(self, rules, kind):
        """A game's file of this kind, a key of BOOKS; None if the game has none, or if the file cannot be read."""
        if (rules.full_name, kind) in self._unreadable:
            return None
        try:
            return BOOKS[kind](rules)
        except (OSError, ValueError, MemoryError) as error:
            _warn(f"{str(error) or f'not enough memory for the {kind}'}; playing without it")
            self._unreadable.add((rules.full_name, kind))
            return None

    # The best move.

    def _give_best_move(self, control, line):
        if control.timer is not None:
            control.timer.cancel()
            control.timer = None  # it refers to the engine and would keep its memory alive
        with self.lock:
            silent = self._silent
            # The engine must be idle by the time that the best move is read.
            self.searching = False
        if not silent:  # without the lock, so that a slow reader does not hold up stop() or quit()
            self.on_best(control.board, line[0] if line else None, line[1] if len(line) > 1 else None)
        self._ended.set()

    def _give_pending(self):
        if self._pending is not None:
            kept, self._pending = self._pending, None
            self._give_best_move(*kept)


def _warn(text):
    print(f"pawnstorm: {text}", file=sys.stderr, flush=True)
