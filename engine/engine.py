"""Engine: owns the table, the threads and their records; thinks about a Board within Limits and tells what it found.

Knows no text. Whoever owns an Engine calls its methods from one thread; on_info and on_best are called from the search's thread,
in order, on_best exactly once for each go(), whatever stopped it, and never after quit(). A search whose time is too short for a
thread runs inside go(), and on_best is called there. on_trouble is called, from either thread, with a text for people if the system
denies what a search needs; the engine goes on with what there is. If it denies the search's thread, the search runs inside go() as
well, and on_best is called there, or in the stop() or ponderhit() that it waits for.
"""

import ctypes
import math
import os
import sys
import threading
import time

from engine import book, native, timeman, weights
from engine.hashtable import HashTable
from engine.lines import complete
from engine.promise import Promise
from engine.prover import Prover
from engine.solving import Solving
from engine.start import start_all
from engine.state import MAX_DEPTH, MAX_MOVES, WIN, WIN_BOUND, State
from engine.weighing import Weighing

UNLIMITED = (1 << 64) - 1
STACK_BYTES = 64 << 20
SEARCH_SHARE = 0.875             # of the Hash; the rest is the solver's
WINDOW = 20                      # centipawns, half the first aspiration window
FIRST_NODES = 50_000             # the first iteration is not stopped, so that there is a move to play; this bounds it on crowded boards
SETTLING_DEPTH = 8               # of the search before `go mate infinite`, for a move to play where it is stopped
SETTLING_NODES = 500_000         # positions that the solver expands between two looks around
REMEDY = "expected more memory or a higher limit on processes (ulimit -v, ulimit -u)"   # where a thread cannot be started
LOGS = [int(256 * math.log(number)) for number in range(1, MAX_MOVES)]

threading.stack_size(STACK_BYTES)


class Limits:
    """What a search may use; 0 or None means no such limit. Times in milliseconds.

    depth in plies, nodes, mate in moves; prove: until it is proven who wins; movetime; clocks: (time, increment) of the side to move,
    time None where it was not given although a clock was; moves_to_go; infinite, ponder; searchmoves: the only root moves to consider,
    [] for all.
    """

    def __init__(self, depth=0, nodes=0, mate=0, prove=False, movetime=None, clock=None, moves_to_go=0, infinite=False, ponder=False,
                 searchmoves=()):
        self.depth, self.nodes, self.mate, self.prove, self.movetime, self.clock = depth, nodes, mate, prove, movetime, clock
        self.moves_to_go, self.infinite, self.ponder, self.searchmoves = moves_to_go, infinite, ponder, searchmoves

    def budget(self, overhead, ahead=timeman.LONGEST):
        """(soft, hard) milliseconds, or None where time does not limit. ahead: own moves that are expected to need thought."""
        if self.infinite:
            return None
        if self.movetime is not None:
            return timeman.fixed(self.movetime, overhead)
        if self.clock is not None:
            left, increment = self.clock
            if left is None:
                return timeman.BLIND, timeman.BLIND
            return timeman.budget(left, increment, self.moves_to_go, overhead, ahead)
        return None


class Info:
    """One report: a line of the search. score in centipawns, beyond WIN_BOUND a win; bound is "", "lower" or "upper"; time in ms."""

    def __init__(self, board, depth, seldepth, multipv, score, bound, nodes, milliseconds, hashfull, line):
        self.board, self.depth, self.seldepth, self.multipv = board, depth, seldepth, multipv
        self.score, self.bound, self.nodes, self.milliseconds = score, bound, nodes, milliseconds
        self.hashfull, self.line = hashfull, line


def mate_in(score):
    """Moves to the end of the game that a score proves, negative where the side to move loses, None for any other score."""
    if score > WIN_BOUND:
        return (WIN - score + 1) // 2
    if score < -WIN_BOUND:
        return -((WIN + score) // 2)
    return None


class Engine:
    """One player. multipv (lines to report), overhead (ms a move), elo, own_book and games may be set between searches, as by the
    methods for the rest.

    own_book: whether the strategy of a solved game is played where it is timed play at full strength that is asked for.
    elo: the strength to play at (engine/levels.py), None for all of it. Such a player searches with one thread.
    """

    def __init__(self, on_info=None, on_best=None, on_trouble=None):
        self.on_info, self.on_best = on_info or (lambda info: None), on_best or (lambda board, best, ponder: None)
        self.on_trouble = on_trouble or _complain
        self.multipv, self.overhead, self.elo, self.own_book = 1, 10, None, True
        self.games = 0                      # begun so far; the number seeds the errors of a weaker player
        self._table, self._states, self._threads, self._generation = None, [], 1, 0
        self._hash, self._prover, self._solving = 16, None, None
        self._proven = False                # whether the solver has proven who wins the last position
        self._promise, self._due = Promise(), (None, [])   # what the last searches have told, and what of it is due in this one
        self._lock = threading.Lock()       # guards the flags below and the states' stop fields
        self._wake = threading.Event()      # set by stop, ponderhit and quit
        self._stopping = self._armed = self._silent = self._pondering = False
        self._thread = self._timer = None
        self._kept = None                   # (board, line): what was found without a thread, to be told at stop or ponderhit
        self._number = 0                    # of the search, by which a timer that comes too late is known
        self.searching = False              # whether a go() has yet to give its best move

    # Settings, between searches.

    def set_hash(self, mebibytes):
        """Replace the tables, of the search and the solver, by empty ones that share it.

        Raises MemoryError, and keeps the old ones, where the memory cannot be had.
        """
        if self._table is not None or mebibytes != self._hash:
            self._table, self._prover = HashTable(mebibytes, SEARCH_SHARE), Prover(mebibytes, share=1 - SEARCH_SHARE)
        self._hash = mebibytes

    def set_threads(self, count):
        """Search with `count` threads from now on."""
        self._threads = count
        self._make_records()

    def new_game(self):
        """Forget everything: the table, history and killers. A weaker player errs in other places than in the last game."""
        self.clear_hash()
        self.games += 1
        self._generation, self._proven, self._promise = 0, False, Promise()
        for state in self._states:
            _reset(state)

    def prepare(self):
        """Have all memory at hand, and a new game begun: the first touch of a page may take longer than a short search."""
        self._make_table()
        self._make_records()
        self.new_game()

    def _make_records(self):
        """A record for each thread that is to search."""
        count = self._threads if self.elo is None else 1
        del self._states[count:]
        while len(self._states) < count:
            self._states.append(_reset(State()))

    def _make_table(self):
        """Tables, of less than the default size where that cannot be had. Raises MemoryError."""
        while self._table is None:
            try:
                self._table, self._prover = HashTable(self._hash, SEARCH_SHARE), Prover(self._hash, share=1 - SEARCH_SHARE)
            except MemoryError:
                if self._hash == 1:
                    raise
                self._hash //= 2

    def clear_hash(self):
        """Empty the tables."""
        if self._table is not None:
            self._table.clear()
            self._prover.clear()

    # Searching.

    def go(self, board, limits):
        """Start thinking; returns at once. No search may be running."""
        self.wait()
        self._make_records()
        self._make_table()
        with self._lock:
            self._number += 1
            self._stopping = self._armed = False
        self.searching, self._pondering, self._solving = True, limits.ponder, None
        self._started = time.monotonic_ns()
        self._budget, self._timer = limits.budget(self.overhead, _moves_ahead(board)), None
        self._judge, self._settled, self._hit = timeman.Judge(), False, 0
        self._wake.clear()
        self._hasty = self._hasty_nodes(limits)
        if self._hasty:
            self._thread = None
            self._guarded(self._think, board, limits)
            return
        self._thread = threading.Thread(target=self._guarded, args=(self._think, board, limits), daemon=True)
        if not (limits.ponder or self._start_timer()) or not start_all([self._thread]):
            self._thread = None
            self._think_here(board, limits)

    def stop(self):
        """Make the search give its best move soon. Without a search nothing happens."""
        self._stop(self._number)

    def _stop(self, number):
        """Stop the search of that number, unless it has ended."""
        with self._lock:
            if number != self._number:
                return
            self._stopping = True
            self._pondering = False
            if self._armed:
                for state in self._states:
                    state.stop = 1
                self._prover.stop()
        self._wake.set()
        self._tell_kept()

    def ponderhit(self):
        """The expected move was played: the search goes on as the timed one it was asked as."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            self._hit = self._elapsed()
            ended = self._settled or self._kept is not None
            timed = ended or self._start_timer()
        if not timed:
            self.on_trouble(f"no thread can be started for the clock: the search ends now; {REMEDY}")
        if ended or not timed:
            self.stop()
        self._wake.set()

    def wait(self, seconds=None):
        """Wait for the search to end; returns whether it has."""
        if self._thread is not None:
            self._thread.join(seconds)
        return not self.searching

    def quit(self):
        """Stop without another word."""
        with self._lock:
            self._silent = True
        self.stop()

    # The rest runs in the search's thread, but for the timer's call of _stop().

    def _guarded(self, function, *arguments):
        """A search thread that dies says so and takes the process with it: a silent engine would lose its game anyway."""
        try:
            function(*arguments)
        except BaseException:
            import traceback
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)

    def _hasty_nodes(self, limits):
        """Nodes for a move on a clock that has no time left to start a thread or a timer; else 0."""
        if self._budget is None or limits.movetime is not None or limits.ponder:
            return 0
        return timeman.hasty(self._budget[1])

    def _start_timer(self):
        """Start the clock of the budget, from now. Returns whether that was possible; no budget needs none."""
        if self._budget is None:
            return True
        seconds = min(self._budget[1] / 1000, threading.TIMEOUT_MAX)
        self._timer = threading.Timer(seconds, self._stop, (self._number,))
        self._timer.daemon = True
        return bool(start_all([self._timer]))

    def _elapsed(self):
        return (time.monotonic_ns() - self._started) // 1_000_000

    def _think(self, board, limits):
        line = self._find(board, limits)
        # `go infinite` and `go ponder` end when they are told to, even where nothing is left to find.
        while not self._stopping and (limits.infinite or self._pondering):
            self._wake.wait()
            self._wake.clear()
        self._tell(board, line)

    def _think_here(self, board, limits):
        """Search in the caller's thread, which hears no stop until the end: what would need a stop, or a clock, is made short."""
        if self._timer is not None:
            self._timer.cancel()
        del self._states[1:]
        free = limits.infinite or limits.ponder or self._budget is not None or not (limits.depth or limits.nodes)
        nodes = min(limits.nodes or FIRST_NODES, FIRST_NODES) if free else limits.nodes
        self.on_trouble("no thread can be started for the search: "
                        + (f"it ends after {nodes} nodes" if free else "it cannot be stopped") + f"; {REMEDY}")
        line = self._strategy(board, limits) or self._find(
            board, Limits(depth=limits.depth, nodes=nodes, mate=limits.mate, searchmoves=limits.searchmoves))
        if limits.infinite or limits.ponder:
            self._kept = board, line
        else:
            self._tell(board, line)

    def _tell_kept(self):
        if self._kept is not None:
            kept, self._kept = self._kept, None
            self._tell(*kept)

    def _find(self, board, limits):
        """The line to play, best first, [] where the game is over."""
        core = native.core()
        moves = [move for move in board.moves() if not limits.searchmoves or move in limits.searchmoves]
        strategy = self._strategy(board, limits)
        if strategy:
            best = strategy
        elif moves:
            # `go mate` asks for a fact; nobody plays by it.
            if limits.prove and not (limits.searchmoves or limits.depth or limits.nodes):
                search = self._settle
            else:
                search = self._iterate if self.elo is None or limits.mate or limits.prove else self._weigh
            otherwise = self._searches_otherwise(limits) or self.elo is not None
            self._due = (None, []) if otherwise else self._promise.recall(board)
            score, best = search(core, board, limits, moves)[0]
            self._proven = self._solving is not None and self._solving.proof.value != 0
            if not otherwise:
                self._promise.make(board, score, best)
        else:
            best = []
            self.on_info(Info(board, 0, 0, 1, -WIN, "", 0, self._elapsed(), None, []))
        return best

    def _tell(self, board, line):
        """Give the best move."""
        if self._timer is not None:
            self._timer.cancel()
        # Whoever reads the best move finds the engine idle.
        self.searching = False
        with self._lock:
            if self._silent:
                return
            self.on_best(board, line[0] if line else None, line[1] if len(line) > 1 else None)

    def _strategy(self, board, limits):
        """The moves of the solved game's strategy from here, reported, [] where it has none or is not to be used."""
        if self._budget is None or self._searches_otherwise(limits) or not self.own_book or self.elo is not None:
            return []
        try:
            strategy = book.of(board.rules)
        except (OSError, ValueError) as error:
            _complain(f"{error}; playing without it")
            self.own_book = False
            return []
        entry = strategy.look(board) if strategy is not None else None
        if entry is None:
            return []
        self._proven = True
        line = strategy.line(board)
        self.on_info(Info(board, 1, len(line), 1, entry.value * (WIN - entry.plies), "", 0, self._elapsed(), None, line))
        return line

    def _searches_otherwise(self, limits):
        """Whether less is asked for than the best move, or more: then neither book nor solver has a part in it."""
        return bool(self.multipv > 1 or limits.depth or limits.nodes or limits.mate or limits.prove or limits.searchmoves)

    def _prepare(self, board, limits, moves):
        """Set every thread's record to the root."""
        self._generation = (self._generation + 1) & 63
        if limits.mate:
            self._table.clear(hastily=True)   # what pruning left behind could hide a shorter win
        for state in self._states:
            state.set_game(board.rules)
            state.own, state.opp, state.ep, state.side = board.own, board.opp, board.ep, board.black
            weights.fill(state, board.rules)
            state.buckets, state.generation = self._table.buckets, self._generation
            state.stop, state.nodes, state.node_limit, state.seldepth = 0, 0, UNLIMITED, 0
            state.exact = 1 if limits.mate else 0
            state.root_first, state.root_count = 0, len(moves)
            state.moves[:len(moves)] = moves

    def _arm(self, limits):
        """From here on the search may be cut short: its first iteration is complete and there is a move to play."""
        nodes = limits.nodes or UNLIMITED
        with self._lock:
            self._armed = True
            nodes = min(nodes, self._hasty or UNLIMITED)
            searching = 1 if self._hasty else len(self._states)
            for state in self._states:
                state.node_limit = max(1, nodes // searching) if nodes < UNLIMITED else UNLIMITED
                if self._stopping:
                    state.stop = 1

    def _iterate(self, core, board, limits, moves):
        """Iterative deepening of the first thread, with the others beside it. Returns [(score, line)], best first."""
        self._prepare(board, limits, moves)
        main = self._states[0]
        helpers = []
        # A search 2n + 1 plies deep has seen every win in n moves and every loss; that a side has no move is seen a ply above the leaves.
        max_depth = min(limits.depth or MAX_DEPTH, 2 * limits.mate + 1 if limits.mate else MAX_DEPTH, MAX_DEPTH)
        count = max(1, min(self.multipv, len(moves)))
        lines = []
        self._solving = self._solver(board, limits, moves)
        for depth in range(1, max_depth + 1):
            if depth == 2:
                self._arm(limits)
                helpers = self._start_helpers(core, max_depth)
                if len(helpers) < len(self._states) - 1 and not self._hasty:
                    self._make_do(1 + len(helpers), limits)
            elif depth == 1:
                main.node_limit = FIRST_NODES
            found = []
            for index in range(count):
                main.root_first = index
                guess = lines[index][0] if index < len(lines) else None
                score, line = self._search(core, board, main, depth, guess, index)
                if main.stop:
                    # An unfinished iteration counts where it found a better move than the one it began with.
                    if line and (not lines or index == 0 and line[0] != lines[0][1][0]):
                        found.append((score, line))
                    break
                found.append((score, line))
            if not found and not lines:
                found = [(core.evaluate(main), moves[:1])]   # not even one move was searched to its end
            if len(found) == count or not lines:
                lines = sorted(found, key=lambda item: -item[0])
                self._judge.hear(lines[0][1][0], lines[0][0], self._elapsed())
                main.moves[:len(lines)] = [line[0] for _, line in lines]
                self._report(board, depth, lines, main)
            elif found:
                lines = [found[0]] + [entry for entry in lines if entry[1][0] != found[0][1][0]][:count - 1]
                self._report(board, depth, lines[:1], main)
            if self._finished(limits, depth, lines, main, len(moves)):
                break
            if self._solving is not None and self._solve(board, depth, lines, main):
                break
        if not self._armed:
            self._arm(limits)
        for state in self._states[1:]:
            state.stop = 1
        for helper in helpers:
            helper.join()
        self._keep_promise(board, depth, lines, main)
        return lines

    def _keep_promise(self, board, depth, lines, main):
        """Put a win that was told before, or is proven, in the place of a longer one, or of none."""
        plies, line = self._due
        proven = not line and self._solving is not None and self._solving.proof.value > 0
        if proven:
            plies = self._solving.proof.plies
        if (line or proven) and lines[0][0] < WIN - plies:
            line = line or self._prover.line(board, False)
            if line:
                lines[:] = [(WIN - plies, line)]
                self._report(board, depth, lines, main)

    def _solver(self, board, limits, moves):
        """The Solving of this search, None where it has none."""
        if self._searches_otherwise(limits) or self._hasty:
            return None
        # A won game stays won: the proof of the last move, or of the book's, is found again before anything else.
        patience = 500_000 * (self._budget[0] if self._budget is not None else 1000) if self._proven else 0
        return Solving(self._prover, board, moves, patience)

    def _solve(self, board, depth, lines, main):
        """Let the solver work after an iteration. Returns whether the search ends with what it found, which is then in lines."""
        solving, best = self._solving, lines[0][1][0]
        solving.work(best, self._stopped)
        proof = solving.proof
        if proof.value > 0 and lines[0][0] < WIN_BOUND:
            lines[:] = [(WIN - proof.plies, self._prover.line(board, False) or [proof.move or best])]
        if proof.value and not solving.told:
            solving.told = True
            self._report(board, depth, lines, main)
        left = [move for move in main.moves[:main.root_count] if move not in solving.beaten]
        if left:
            main.root_count = len(left)
            main.moves[:len(left)] = left
            if best in solving.beaten:
                lines[:] = [(lines[0][0], left[:1])]
                with self._lock:
                    self._settled = False   # what it leaves has not been looked at
        return proof.value > 0

    def _stopped(self):
        return self._stopping

    def _settle(self, core, board, limits, moves):
        """The solver, with all threads, until it is proven who wins. Returns [(score, line)] and reports the same."""
        lines, main = self._iterate(core, board, Limits(depth=SETTLING_DEPTH), moves), self._states[0]
        solving = self._solving = Solving(self._prover, board, moves)
        self._prover.use(len(self._states))
        told = 0
        while not solving.proof.value and not self._stopping:
            solving.settle(SETTLING_NODES)
            if self._elapsed() - told >= 1000:
                told = self._elapsed()
                self._report(board, SETTLING_DEPTH, lines, main)
        self._prover.use(1)
        proof = solving.proof
        if proof.value:
            score = WIN - proof.plies if proof.value > 0 else proof.plies - WIN
            lines = [(score, self._prover.line(board) or lines[0][1])]
            self._report(board, SETTLING_DEPTH, lines, main)
        return lines

    def _weigh(self, core, board, limits, moves):
        """The search of a weaker player (engine/weighing.py): each move by itself, a ply deeper each time.

        Returns [(score, line)] as the player sees them, best first, and reports the same. Only finished iterations count.
        """
        self._prepare(board, limits, moves)
        main, weighing = self._states[0], Weighing(self.elo, self.games, board, moves, self.multipv)
        lines, reached = weighing.first(), 1
        main.node_limit = FIRST_NODES
        for depth in range(1, min(limits.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            if depth == 2:
                self._arm(limits)
                main.node_limit = min(main.node_limit, weighing.nodes)
            weighing.begin()
            for index, (_, (move, *_)) in enumerate(lines):
                main.root_first, main.root_count, main.moves[index] = index, index + 1, move
                score, line = self._look(core, main, depth, weighing.alpha(move))
                if main.stop:
                    break
                weighing.hear(move, score, line)
            if main.stop:
                break
            lines, reached = weighing.views(), depth
            timed = self._budget is not None and not self._pondering
            if self._stopping or main.nodes >= main.node_limit or timed and self._elapsed() >= self._budget[0]:
                break
        if not self._armed:
            self._arm(limits)
        self._report(board, reached, lines[:max(1, self.multipv)], main)
        return lines

    def _look(self, core, state, depth, alpha):
        """(score, line) of the one root move that the record names; exact above alpha, otherwise a bound."""
        table, beta = self._table.address, WIN if alpha == -WIN else alpha + 1
        score = core.search(depth, alpha, beta, state, table)
        if score > alpha and beta < WIN and not state.stop:
            score = core.search(depth, alpha, WIN, state, table)
        return score, list(state.pv[0][:state.pv_length[0]])

    def _search(self, core, board, state, depth, guess, index):
        """One iteration for one line, within a window around `guess` that widens until the score lies inside."""
        table = self._table.address
        half = WINDOW
        if guess is None or depth < 4 or abs(guess) > WIN_BOUND:
            alpha, beta = -WIN, WIN
        else:
            alpha, beta = guess - half, guess + half
        while True:
            before = state.moves[index]
            score = core.search(depth, alpha, beta, state, table)
            line = list(state.pv[0][:state.pv_length[0]])
            if state.stop:
                improved = line and state.root_score > alpha and (guess is None or line[0] != before)
                return (state.root_score, line) if improved else (0, [])
            if alpha < score < beta or (alpha <= -WIN and beta >= WIN):
                return score, line
            half *= 3
            if score <= alpha:
                alpha = -WIN if half > 1000 else max(-WIN, score - half)
                if index == 0:
                    self._settled = False
                self._report_bound(board, depth, score, "upper", line, state, index)
            else:
                beta = WIN if half > 1000 else min(WIN, score + half)
                self._report_bound(board, depth, score, "lower", line, state, index)

    def _start_helpers(self, core, max_depth):
        """The other threads, as many as can be started: the same iterations on their own records, every second one a ply ahead."""
        if self._hasty:
            return []

        def deepen(state, first):
            for depth in range(first, max_depth + 1):
                core.search(depth, -WIN, WIN, state, self._table.address)
                if state.stop:
                    break

        threads = [threading.Thread(target=self._guarded, args=(deepen, state, 2 + number % 2), daemon=True)
                   for number, state in enumerate(self._states[1:], 1)]
        return start_all(threads)

    def _make_do(self, count, limits):
        """Go on with so many threads, which share what the others were to have, and say so."""
        self.on_trouble(f"only {count} of {len(self._states)} search threads can be started; {REMEDY}")
        with self._lock:
            del self._states[count:]
        self._arm(limits)

    def _finished(self, limits, depth, lines, main, choices):
        """Whether the search ends after this iteration."""
        if main.stop or self._stopping:
            return True
        score, line = lines[0]
        mate = mate_in(score)
        if limits.prove and mate is not None:
            return True
        if limits.mate and mate is not None and depth > WIN - abs(score):
            return True   # depth by depth nothing was overlooked: the length is minimal
        if limits.nodes and self.nodes >= limits.nodes:
            return True
        if self._budget is None:
            return False
        with self._lock:
            # What would end the search now ends it at ponderhit, unless the score falls before.
            self._settled = self._enough(limits, depth, score, choices)
            return self._settled and not self._pondering

    def _enough(self, limits, depth, score, choices):
        """Whether this iteration was the last that the move deserves; the time spent pondering counts like any other."""
        mate = mate_in(score)
        if mate is not None and not limits.mate:
            longest = self._due[0]   # a longer win than was told before is none yet
            if (longest is None or WIN - score <= longest) if mate > 0 else depth > WIN + score:
                return True
        if limits.movetime is not None:
            return False
        if choices == 1 and depth >= 6:
            return True
        soft, hard = self._budget
        if score < -WIN_BOUND:
            soft = max(1, soft // 4)   # lost: what is left to find is the longest way there
        return self._judge.enough(soft, UNLIMITED if self._pondering else hard - (self._elapsed() - self._hit))

    @property
    def nodes(self):
        """Moves made by all threads in the last search, or so far in the running one, and positions expanded by its solver."""
        return sum(state.nodes for state in self._states) + (self._solving.nodes if self._solving is not None else 0)

    def _report(self, board, depth, lines, main):
        if self._solving is not None and self._solving.proof.value < 0 and lines[0][0] > -WIN_BOUND:
            best = lines[0][1][0]
            lines = [(self._solving.proof.plies - WIN, [best, *self._prover.line(board.push(best), False)])]
        elapsed = self._elapsed()
        full = self._table.permille(self._generation) if elapsed >= 1000 else None
        for number, (score, line) in enumerate(lines, 1):
            if abs(score) > WIN_BOUND:
                line = complete(board, line, WIN - abs(score))
            self.on_info(Info(board, depth, max(depth, main.seldepth), number, score, "", self.nodes, elapsed, full, line))

    def _report_bound(self, board, depth, score, bound, line, main, index):
        elapsed = self._elapsed()
        if elapsed >= 1000:   # of interest only to somebody who is watching
            self.on_info(Info(board, depth, max(depth, main.seldepth), index + 1, score, bound, self.nodes, elapsed, None, line))


def _complain(text):
    print(f"pawnstorm: {text}", file=sys.stderr, flush=True)


def _moves_ahead(board):
    """Own moves of the game that are expected to need thought (engine/timeman.py)."""
    rules, pieces = board.rules, board.own | board.opp
    return timeman.moves_ahead(pieces.bit_count(), 2 * rules.army.bit_count(), rules.board.bit_count(), rules.diagonals != 0)


def _reset(state):
    """A record as a new one is; writing it all has its pages at hand."""
    ctypes.memset(ctypes.addressof(state), 0, ctypes.sizeof(state))
    state.logs[1:] = LOGS
    return state
