"""The UCI loop: reads stdin and never searches. Commands are a table: word -> (handler, when it may run).

AT_ONCE    whatever the engine does
IDLE       when the engine is idle; one that comes during a search is kept, and runs as soon as the search has ended
IN_ORDER   at once, but not before a command that is kept
ENDS       after a running search has ended, which it stops: the best move is given as after `stop`

The thread that ends a search, or a count, runs the kept commands. `quit` and the end of input drop those of a search
that still runs.
"""

import errno
import os
import sys
import threading

from pawnstorm import __version__
from pawnstorm.core import native
from pawnstorm.core.state import State
from pawnstorm.games import rules
from pawnstorm.games.board import Board
from pawnstorm.games.notation import IllegalMove, ParseError, diagram, move_text, parse_move, set_up
from pawnstorm.numbers import counted, whole
from pawnstorm.search.bench import DEPTH, bench
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.spelling import meant
from pawnstorm.system.threads import REMEDY, start_all
from pawnstorm_protocol import format, parse
from pawnstorm_protocol.options import OPTIONS, find

NAME, AUTHOR = f"Pawnstorm {__version__}", "the Pawnstorm authors"
LEFT = errno.EPIPE, errno.EINVAL  # what a write gets when nobody reads any more; the second is Windows'
AT_ONCE, IDLE, IN_ORDER, ENDS = "at once", "idle", "in order", "ends"
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
"""For people: all commands, in lines short enough for a terminal after `info string`."""


class Writer:
    """Writes a line at a time, from any thread, and flushes it. Ends the process if nobody reads any more, or if the line
    cannot be written, which is then an error.
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
                    if error.errno not in LEFT:
                        print(f"pawnstorm: cannot write: {error.strerror}", file=sys.stderr, flush=True)
                finally:  # standard error may be closed, or full too
                    os._exit(error.errno not in LEFT)


def limits_of(values, black, faulty=False):
    """The Limits that the words of `go` ask for, as parse.go() reads them; black: whether Black is to move.

    faulty: whether a word was not understood. Then a search that has no other limit gets the time of an unknown clock:
    whoever meant to limit it will send no `stop`. Without a fault a `go` that has no limit is infinite.
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
    """(the moves that the words behind `searchmoves` name, a fault for each word that names none)."""
    moves, faults = [], []
    for word in words:
        try:
            moves.append(parse_move(board, word))
        except (ParseError, IllegalMove) as error:
            faults.append(f"{error}; not searched")
    return moves, faults


class Session:
    """What every UCI engine here answers alike, on a pair of byte streams: this one, and the players of scripts/.

    options: by their names in lower case; rules: of the first game.
    """

    def __init__(self, source, sink, name, options, rules):
        self._source, self._say, self._name, self._options = source, Writer(sink), name, options
        self._rules, self._board = rules, Board.start(rules)

    def _info_string(self, text):
        self._say("info string " + " ".join(str(text).split()))

    _fault = _info_string

    def _uci(self, rest):
        options = (option.line() for option in self._options.values())
        self._say("\n".join([f"id name {self._name}", f"id author {AUTHOR}", *options, "uciok"]))

    def _isready(self, rest):
        native.core()
        self._say("readyok")

    def _position(self, rest):
        self._board, fault = set_up(self._rules, *parse.position(rest))
        if fault:
            self._fault(fault)

    def _diagram(self, rest):
        self._say(diagram(self._board))


class Uci(Session):
    """The engine's session.

    engine   thinks for it        values   of the options, by their names
    """

    def __init__(self, source, sink):
        super().__init__(source, sink, NAME, OPTIONS, rules.game(rules.DEFAULT))
        native.use_scratch(State())  # a position can then be read however little memory is left
        self.engine = Engine(self._on_info, self._on_best, self._info_string)
        self.values = {option.name: option.default for option in OPTIONS.values()}
        self._deferred, self._faults, self._strict = [], 0, False
        # Held while a command runs. One that is running may end a search, and so run the kept ones: hence reentrant.
        self._turn = threading.RLock()
        self._unbuilt = None  # why once() had no core to count with
        # A thread for perft and bench, which `stop` ends too. The engine is idle again before the last line is written.
        self._job, self._counting, self._cancelled = None, False, threading.Event()
        self._counter, self._bencher = State(), Engine(on_trouble=self._info_string)
        self.commands = {
            "uci": (self._uci, AT_ONCE),
            "isready": (self._isready, AT_ONCE),
            "stop": (self._stop, AT_ONCE),
            "ponderhit": (self._ponderhit, AT_ONCE),
            "quit": (None, AT_ONCE),
            "position": (self._position, IN_ORDER),
            "d": (self._diagram, IN_ORDER),
            "eval": (self._eval, IN_ORDER),
            "setoption": (self._setoption, IDLE),
            "ucinewgame": (self._ucinewgame, ENDS),
            "go": (self._go, ENDS),
            "bench": (self._bench, ENDS),
            "perft": (self._perft_word, ENDS),
            "help": (self._help, AT_ONCE),
            "?": (self._help, AT_ONCE),
        }

    def run(self, typed=False):
        """Answer lines until `quit` or the end of input. Tells all threads to end, and does not wait for them.

        typed: whether a person types the lines, who is told of one that has no known word. UCI asks for silence.
        """
        for raw in iter(self._source.readline, b""):
            line = raw.decode("utf-8", "replace")
            word, rest = parse.command(line, self.commands)
            if word == "quit":
                break
            if word:
                self._run_command(word, rest)
            else:
                self._unknown(line, typed)
        self._catch_up()
        self.engine.quit()
        self._cancel()

    def once(self, line):
        """Run one command to its end; returns whether all of the line was understood. Raises core.build.BuildError.

        A `go` that is not understood is not begun: nobody is there to stop it.
        """
        self._strict = True
        word, rest = parse.command(line, self.commands)
        if word != "quit":
            self._run_command(word, rest)
            self._wait()
        if self._unbuilt:
            raise self._unbuilt
        return not self._faults

    def _run_command(self, word, rest):
        handler, when = self.commands[word]
        if when == ENDS:
            if self._busy():
                self._stop("")
            self._wait()  # without the lock: the thread that it waits for takes it
        with self._turn:
            if self._busy() and (when == IDLE or when == IN_ORDER and self._deferred):
                self._deferred.append((handler, rest))
            else:
                self._catch_up()
                self._guard(handler, rest)

    def _catch_up(self):
        """Run the kept commands in order, unless the engine is busy."""
        with self._turn:
            while self._deferred and not self._busy():
                self._guard(*self._deferred.pop(0))

    def _guard(self, handler, rest):
        try:
            handler(rest)
        except (ValueError, MemoryError) as error:
            self._fault(error)

    def _busy(self):
        return self.engine.searching or self._counting

    def _wait(self):
        self.engine.wait()
        if self._job is not None:
            self._job.join()

    def _fault(self, text):
        """Report bad input. The session goes on."""
        self._faults += 1
        self._info_string(text)

    def _unknown(self, line, typed):
        """Say which command may be meant by the first word of a line that has none. One like no other is skipped, as UCI
        asks, unless a person types.
        """
        for word in line.split(None, 1)[:1]:
            near = meant(word, self.commands)
            if near or typed:
                self._fault(f"unknown command '{word[:40]}'{near or ': help lists the commands'}")

    # Called by the engine.

    def _on_info(self, report):
        self._say(format.info(report, self.values["UCI_ShowWDL"]))

    def _on_best(self, board, best, ponder):
        self._say(format.bestmove(board, best, ponder))
        self._catch_up()

    # The commands.

    def _stop(self, rest):
        self.engine.stop()
        self._cancel()

    def _ponderhit(self, rest):
        self.engine.ponderhit()

    def _ucinewgame(self, rest):
        self.engine.prepare()

    def _setoption(self, rest):
        name, text = parse.option(rest)
        find(self._options, name).set(self, text)

    def set_game(self, name):
        """Play another game from now on. Raises UnknownGame."""
        self._rules = rules.game(name)
        self._board = Board.start(self._rules)
        self.engine.new_game()
        self._say(format.variant(self._rules))

    def _go(self, rest):
        values, searchmoves, faults = parse.go(rest)
        for fault in faults:
            self._fault(fault)
        if "perft" in values:
            if not (self._strict and faults):
                self._perft(values["perft"])
            return
        chosen, others = searched_moves(searchmoves, self._board)
        for fault in others:
            self._fault(fault)
        limits = limits_of(values, self._board.black, bool(faults or others))._replace(searchmoves=chosen)
        if not (self._strict and self._faults):
            self.engine.go(self._board, limits)

    # perft, bench, and what helps a person.

    def _count(self, function, *arguments):
        """Run a function in a thread, so that the loop goes on reading. It returns its last lines."""
        self._cancelled.clear()
        self._counter.stop = 0
        job = threading.Thread(target=self._counted, args=(function, *arguments), daemon=True)
        self._counting = True
        if start_all([job], deep=True):
            self._job = job
        else:
            self._counting = False
            self._fault(f"nothing is counted: no thread can be started; {REMEDY}")

    def _counted(self, function, *arguments):
        """What the thread of a count does. The session goes on if there is no core or too little memory."""
        fault = None
        try:
            native.core()
        except RuntimeError as error:
            self._unbuilt = fault = error
        else:
            try:
                last = function(*arguments)
            except MemoryError as error:
                fault = str(error) or "not enough memory"
        self._counting = False
        if fault is None:
            self._say(last)
        elif not (self._strict and self._unbuilt):
            self._fault(fault)
        self._catch_up()

    def _cancel(self):
        self._cancelled.set()
        self._counter.stop = 1
        self._bencher.stop()

    def _perft_word(self, rest):
        self._perft(whole(rest, 0, place="behind perft"))

    def _perft(self, depth):
        self._count(self._count_perft, self._board, min(depth, 250))

    def _count_perft(self, board, depth):
        total = 0 if depth else 1
        for move in board.moves() if depth else []:
            child = board.push(move)
            nodes = native.perft(child.rules, child.own, child.opp, child.ep, depth - 1, self._counter)
            if self._cancelled.is_set():
                return "info string perft was stopped before its end"
            self._say(f"{move_text(board, move)}: {nodes}")
            total += nodes
        return f"\nNodes searched: {total}\n"

    def _bench(self, rest):
        depth = whole(rest, 1, place="behind bench") if rest else DEPTH
        self._count(self._count_bench, depth)

    def _count_bench(self, depth):
        def tell(name, fen, nodes):
            self._say(f"info string {nodes} nodes: {name} {fen}")

        nodes, seconds = bench(self._bencher, depth, tell, self._cancelled.is_set)
        if self._cancelled.is_set():
            return "info string bench was stopped before its end"
        return f"Nodes searched: {nodes}\nNodes/second: {int(nodes / max(seconds, 1e-9))}"

    def _help(self, rest):
        # As info strings: a GUI that sends one of these words by accident cannot misread them.
        self._say("\n".join(f"info string {line}" for line in HELP.splitlines()))

    def _eval(self, rest):
        board = self._board
        if board.over():
            self._info_string("the game is over, the side to move has lost")
            return
        score = native.evaluate(board.rules, board.own, board.opp, board.ep)
        race = native.race(board.rules, board.own, board.opp, board.ep)
        decided = f"; a race that is {'won' if race > 0 else 'lost'} within {counted(abs(race), 'ply')}" if race else ""
        self._say(f"info string static score {score} centipawns for the side to move{decided}")
