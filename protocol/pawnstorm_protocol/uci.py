"""The UCI loop: reads stdin and never searches. Commands are a table: word -> (handler, when it may run).

IMMEDIATE      at once, whatever the engine does
WHEN_IDLE      when the engine is idle. During a search, the command is deferred until the search has ended
IN_ORDER       at once, unless an earlier command is deferred: then this one is deferred too
STOPS_SEARCH   after the running search has ended. The command stops the search, whose best move is written as after `stop`

When a search, perft or bench ends, its thread runs the deferred commands. If a search still
runs at `quit` or at the end of input, the deferred commands are dropped.
"""

import errno
import os
import sys
import threading

from pawnstorm import __version__
from pawnstorm.core import native
from pawnstorm.core.state import State
from pawnstorm.games import rules
from pawnstorm.games.notation import IllegalMove, ParseError, diagram, move_text, parse_move, set_up
from pawnstorm.games.position import Board
from pawnstorm.numbers import parse_int, pluralize
from pawnstorm.search.bench import DEPTH, bench
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.suggestions import did_you_mean
from pawnstorm.system.threads import THREAD_HINT, start_all
from pawnstorm_protocol import parse, uci_format
from pawnstorm_protocol.options import OPTIONS, find_option

NAME, AUTHOR = f"Pawnstorm {__version__}", "the Pawnstorm authors"
READER_GONE = errno.EPIPE, errno.EINVAL  # errors of a write after the reader closed the pipe; Windows has the second
IMMEDIATE, WHEN_IDLE, IN_ORDER, STOPS_SEARCH = "at once", "idle", "in order", "ends"
HELP = """\
uci, isready               show name and options; answer readyok
setoption name N value V   set an option; UCI_Variant is the game
ucinewgame                 forget the last game
position startpos moves M  set up the start and play moves M, such
                           as e2e4; or position fen FEN moves M
go movetime 1000           think for 1000 ms; or depth, nodes,
                           mate, wtime btime winc binc movestogo,
                           infinite, ponder, searchmoves, perft
stop                       end the search, with its best move
ponderhit                  the move pondered on was played
d, eval                    show the board; show its static score
perft 4, bench             count positions; search fixed ones
help, ?                    show this
quit                       end the program"""
"""The help text: all commands, in lines that fit a terminal even after `info string`."""


class Writer:
    """Writes and flushes a line at a time, from any thread.

    If the reader has closed the stream, the Writer ends the process with status 0. If a line cannot be written for another
    reason, such as a full disk, the Writer reports that and ends the process with status 1.
    """

    def __init__(self, stream):
        self._stream, self._lock = stream, threading.Lock()

    def __call__(self, text):
        with self._lock:
            try:
                self._stream.write(text.encode("utf-8", "backslashreplace") + b"\n")
                self._stream.flush()
            except ValueError:
                os._exit(0)
            except OSError as error:
                try:
                    if error.errno not in READER_GONE:
                        print(f"pawnstorm: cannot write: {error.strerror}", file=sys.stderr, flush=True)
                finally:  # stderr may be closed or full too
                    os._exit(error.errno not in READER_GONE)


def make_limits(values, black, faulty=False):
    """Make the Limits of a `go` command.

    values: as parse.go() returns them. black: whether Black is to move.
    faulty: whether a word of the command was not understood. If so, and if the command sets no limit, the search gets as much
    time as with an unknown clock: the sender probably meant to set a limit, and will not send `stop`. A correct `go` without a
    limit is infinite.
    """
    own, increment = ("btime", "binc") if black else ("wtime", "winc")
    clock = None
    limited = any(name in values for name in ("depth", "nodes", "mate", "prove", "movetime", "infinite"))
    if any(name in values for name in ("wtime", "btime", "winc", "binc", "movestogo")) or faulty and not limited:
        clock = (values.get(own), values.get(increment, 0))
    asked = {name: value for name, value in values.items() if name in Limits._fields}
    infinite = "infinite" in values or not (limited or clock)
    return Limits(**asked | {"clock": clock, "moves_to_go": max(0, values.get("movestogo", 0)), "infinite": infinite})


def searched_moves(words, board):
    """Read the words after `searchmoves`: (moves, faults), with a fault for each word that is not a legal move."""
    moves, faults = [], []
    for word in words:
        try:
            moves.append(parse_move(board, word))
        except (ParseError, IllegalMove) as error:
            faults.append(f"{error}; not searched")
    return moves, faults


class UCISession:
    """The commands that all UCI engines of this repository share: this engine and the reference opponents of scripts/.

    source, sink: byte streams. options: name in lower case -> Option. rules: the Rules of the first game.
    """

    PROTOCOL = "uci"
    """The first command of the protocol; the names of `uciok` and `ucinewgame` begin with it."""

    def __init__(self, source, sink, name, options, rules):
        self._source, self._send, self._name, self._options = source, Writer(sink), name, options
        self._rules, self._board = rules, Board.start(rules)

    def _info_string(self, text):
        self._send("info string " + " ".join(str(text).split()))

    _report_error = _info_string

    def _uci(self, rest):
        options = (option.line() for option in self._options.values())
        self._send("\n".join([f"id name {self._name}", f"id author {AUTHOR}", *options, f"{self.PROTOCOL}ok"]))

    def _isready(self, rest):
        native.core()
        self._send("readyok")

    def _position(self, rest):
        self._board, fault = set_up(self._rules, *parse.position(rest))
        if fault:
            self._report_error(fault)

    def _diagram(self, rest):
        self._send(diagram(self._board))


class UCIEngine(UCISession):
    """The engine's session.

    engine   the Engine that searches        values   option name -> its value
    """

    GO_NUMBERS, HELP = parse.UCI_NUMBERS, HELP

    def __init__(self, source, sink):
        super().__init__(source, sink, NAME, OPTIONS, rules.get_rules(rules.DEFAULT_GAME))
        native.use_scratch(State())  # allocated now, so that a position can be read even when memory has run out
        self.engine = Engine(self._on_info, self._on_best, self._info_string)
        self.values = {option.name: option.default for option in OPTIONS.values()}
        self._deferred, self._faults, self._strict = [], 0, False
        # Held while a command runs. It is reentrant, because a command may end a search and so run the deferred commands.
        self._command_lock = threading.RLock()
        self._build_error = None  # the error if run_once() could not build the core
        # The thread of perft or bench, which `stop` ends too. _job_running is false again before the last line is written.
        self._job, self._job_running, self._cancelled = None, False, threading.Event()
        self._perft_state, self._bench_engine = State(), Engine(on_warning=self._info_string)
        self.commands = {
            self.PROTOCOL: (self._uci, IMMEDIATE),
            "isready": (self._isready, IMMEDIATE),
            "stop": (self._stop, IMMEDIATE),
            "ponderhit": (self._ponderhit, IMMEDIATE),
            "quit": (None, IMMEDIATE),
            "position": (self._position, IN_ORDER),
            "d": (self._diagram, IN_ORDER),
            "eval": (self._eval, IN_ORDER),
            "setoption": (self._setoption, WHEN_IDLE),
            f"{self.PROTOCOL}newgame": (self._ucinewgame, STOPS_SEARCH),
            "go": (self._go, STOPS_SEARCH),
            "bench": (self._bench, STOPS_SEARCH),
            "perft": (self._perft_word, STOPS_SEARCH),
            "help": (self._help, IMMEDIATE),
            "?": (self._help, IMMEDIATE),
        }

    def run(self, interactive=False):
        """Answer lines until `quit` or the end of input. Then tell all threads to end, without waiting for them.

        interactive: whether a person types the lines. That person is told which lines have no known word; UCI asks engines
        to ignore such lines.
        """
        for raw in iter(self._source.readline, b""):
            line = raw.decode("utf-8", "replace")
            word, rest = parse.command(line, self.commands)
            if word == "quit":
                break
            if word:
                self._run_command(word, rest)
            else:
                self._unknown(line, interactive)
        self._run_deferred()
        self.engine.quit()
        self._cancel()

    def run_once(self, line):
        """Run one command to its end; returns whether the whole line was understood. Raises core.build.BuildError.

        A `go` with a fault is not started, because nobody could stop it.
        """
        self._strict = True
        word, rest = parse.command(line, self.commands)
        if word != "quit":
            self._run_command(word, rest)
            self._wait()
        if self._build_error:
            raise self._build_error
        return not self._faults

    def _run_command(self, word, rest):
        handler, when = self.commands[word]
        if when == STOPS_SEARCH:
            if self._busy():
                self._stop("")
            self._wait()  # without the lock, because the thread that it waits for needs the lock
        with self._command_lock:
            if self._busy() and (when == WHEN_IDLE or when == IN_ORDER and self._deferred):
                self._deferred.append((handler, rest))
            else:
                self._run_deferred()
                self._call_handler(handler, rest)

    def _run_deferred(self):
        """Run the deferred commands in order, until the engine is busy."""
        with self._command_lock:
            while self._deferred and not self._busy():
                self._call_handler(*self._deferred.pop(0))

    def _call_handler(self, handler, rest):
        try:
            handler(rest)
        except (ValueError, MemoryError) as error:
            self._report_error(error)

    def _busy(self):
        return self.engine.searching or self._job_running

    def _wait(self):
        self.engine.wait()
        if self._job is not None:
            self._job.join()

    def _report_error(self, text):
        """Report bad input. The session goes on."""
        self._faults += 1
        self._info_string(text)

    def _unknown(self, line, interactive):
        """Report a line without a known command, and suggest a command that resembles its first word.

        If no command resembles it, the line is reported only if interactive is true: a person types. UCI asks engines to
        ignore such lines.
        """
        for word in line.split(None, 1)[:1]:
            near = did_you_mean(word, self.commands)
            if near or interactive:
                self._report_error(f"unknown command '{word[:40]}'{near or ': help lists the commands'}")

    # Called by the engine.

    def _on_info(self, report):
        self._send(uci_format.info(report, self.values["UCI_ShowWDL"]))

    def _on_best(self, board, best, ponder):
        self._send(uci_format.bestmove(board, best, ponder))
        self._run_deferred()

    # The commands.

    def _stop(self, rest):
        self.engine.stop()
        self._cancel()

    def _ponderhit(self, rest):
        self.engine.ponderhit()

    def _ucinewgame(self, rest):
        self.engine.prepare(self._rules)

    def _setoption(self, rest):
        name, text = parse.option(rest)
        find_option(self._options, name).set(self, text)

    def set_game(self, name):
        """Change to another game and its start position. Raises UnknownGame."""
        self._rules = rules.get_rules(name)
        self._board = Board.start(self._rules)
        self.engine.prepare(self._rules)
        self._send(uci_format.variant(self._rules))

    def _go(self, rest):
        values, searchmoves, faults = parse.go(rest, self.GO_NUMBERS)
        for fault in faults:
            self._report_error(fault)
        if "perft" in values:
            if not (self._strict and faults):
                self._perft(values["perft"])
            return
        chosen, others = searched_moves(searchmoves, self._board)
        for fault in others:
            self._report_error(fault)
        limits = make_limits(values, self._board.black_to_move, bool(faults or others))._replace(searchmoves=chosen)
        if not (self._strict and self._faults):
            self.engine.go(self._board, limits)

    # perft, bench, and the commands for people.

    def _start_job(self, function, *arguments):
        """Run a function in a thread, so that the loop goes on reading. The function returns the last lines to write."""
        self._cancelled.clear()
        self._perft_state.stop = 0
        job = threading.Thread(target=self._run_job, args=(function, *arguments), daemon=True)
        self._job_running = True
        if start_all([job], deep=True):
            self._job = job
        else:
            self._job_running = False
            self._report_error(f"nothing is counted: no thread can be started; {THREAD_HINT}")

    def _run_job(self, function, *arguments):
        """Run perft or bench in its thread. The session goes on even if there is no core or too little memory."""
        fault = None
        try:
            native.core()
        except RuntimeError as error:
            self._build_error = fault = error
        else:
            try:
                last = function(*arguments)
            except MemoryError as error:
                fault = str(error) or "not enough memory"
        self._job_running = False
        if fault is None:
            self._send(last)
        elif not (self._strict and self._build_error):
            self._report_error(fault)
        self._run_deferred()

    def _cancel(self):
        self._cancelled.set()
        self._perft_state.stop = 1
        self._bench_engine.stop()

    def _perft_word(self, rest):
        self._perft(parse_int(rest, 0, place="after perft"))

    def _perft(self, depth):
        self._start_job(self._count_perft, self._board, min(depth, 250))

    def _count_perft(self, board, depth):
        total = 0 if depth else 1
        for move in board.moves() if depth else []:
            child = board.push(move)
            nodes = native.perft(child.rules, child.own, child.opp, child.ep, depth - 1, self._perft_state)
            if self._cancelled.is_set():
                return "info string perft was stopped before its end"
            self._send(f"{move_text(board, move)}: {nodes}")
            total += nodes
        return f"\nNodes searched: {total}\n"

    def _bench(self, rest):
        depth = parse_int(rest, 1, place="after bench") if rest else DEPTH
        self._start_job(self._count_bench, depth)

    def _count_bench(self, depth):
        def tell(name, fen, nodes):
            self._send(f"info string {nodes} nodes: {name} {fen}")

        nodes, seconds = bench(self._bench_engine, depth, tell, self._cancelled.is_set)
        if self._cancelled.is_set():
            return "info string bench was stopped before its end"
        return f"Nodes searched: {nodes}\nNodes/second: {int(nodes / max(seconds, 1e-9))}"

    def _help(self, rest):
        # The lines are info strings, which a GUI ignores if it sent `help` by accident.
        self._send("\n".join(f"info string {line}" for line in self.HELP.splitlines()))

    def _eval(self, rest):
        board = self._board
        if board.is_game_over():
            self._info_string("the game is over, the side to move has lost")
            return
        score = native.evaluate(board.rules, board.own, board.opp, board.ep)
        race = native.race(board.rules, board.own, board.opp, board.ep)
        decided = (
            f"; a race that is {'won' if race > 0 else 'lost'} within {pluralize(abs(race), 'ply')}" if race else ""
        )
        self._send(f"info string static score {score} centipawns for the side to move{decided}")
