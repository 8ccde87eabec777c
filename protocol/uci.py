"""The UCI loop: reads stdin and never searches. Commands are a table of word -> (handler, when it may run).

A handler runs AT_ONCE, whatever the engine does; or when IDLE: one that comes during a search is kept and runs, in order, before the
next command that finds the engine idle; or IN_ORDER: at once, but not before one that is kept; or it first ENDS a running search,
which gives its best move as after `stop`.
"""

import os
import threading

from engine import native, rules
from engine.bench import DEPTH, bench
from engine.board import Board
from engine.engine import REMEDY, Engine, Limits
from engine.notation import IllegalMove, ParseError, move_text, parse_move, set_up
from engine.start import start_all
from engine.state import State
from protocol import format, parse
from protocol.options import OPTIONS, find

NAME, AUTHOR = "Pawnstorm 0.1", "the Pawnstorm authors"
AT_ONCE, IDLE, IN_ORDER, ENDS = "at once", "idle", "in order", "ends"


class Writer:
    """stdout, a line at a time from any thread, flushed. A reader that has gone ends the process: nobody is left to play for."""

    def __init__(self, stream):
        self._stream, self._lock = stream, threading.Lock()

    def __call__(self, text):
        with self._lock:
            try:
                self._stream.write(text.encode("utf-8", "backslashreplace") + b"\n")
                self._stream.flush()
            except (OSError, ValueError):
                os._exit(0)


class Uci:
    """One session on a pair of byte streams."""

    def __init__(self, source, sink):
        self._source, self._say = source, Writer(sink)
        self._engine = Engine(self._on_info, self._on_best, self._info_string)
        self._variant, self._rules = rules.DEFAULT, rules.game(rules.DEFAULT)
        self._board = Board.start(self._rules)
        self._values = {key: option.default for key, option in OPTIONS.items()}
        self._deferred, self._faults, self._strict = [], 0, False
        # A thread that counts (perft, bench), which `stop` ends too; idle as soon as its last line is out.
        self._job, self._counting, self._cancelled = None, False, threading.Event()
        self._counter, self._bencher = State(), Engine(on_trouble=self._info_string)
        self.commands = {
            "uci": (self._uci, AT_ONCE), "isready": (self._isready, AT_ONCE), "stop": (self._stop, AT_ONCE),
            "ponderhit": (self._ponderhit, AT_ONCE), "quit": (None, AT_ONCE), "position": (self._position, IN_ORDER),
            "d": (self._diagram, IN_ORDER), "eval": (self._eval, IN_ORDER), "setoption": (self._setoption, IDLE),
            "ucinewgame": (self._ucinewgame, ENDS), "go": (self._go, ENDS), "bench": (self._bench, ENDS),
            "perft": (self._perft_word, ENDS),
        }

    def run(self):
        """Answer lines until `quit` or the end of input. All threads are told to end; returns at once."""
        for raw in iter(self._source.readline, b""):
            word, rest = parse.command(raw.decode("utf-8", "replace"), self.commands)
            if word == "quit":
                break
            if word:
                self._run_command(word, rest)
        self._engine.quit()
        self._cancel()

    def once(self, line):
        """Do what one line that begins with a command asks, and wait for its end; returns whether all of it was understood.

        Nobody could correct the line or stop it: a `go` that is not understood is not begun.
        """
        self._strict = True
        word, rest = parse.command(line, self.commands)
        if word != "quit":
            self._run_command(word, rest)
            self._wait()
        return not self._faults

    def _run_command(self, word, rest):
        handler, when = self.commands[word]
        if self._busy() and (when == IDLE or when == IN_ORDER and self._deferred):
            self._deferred.append((handler, rest))
            return
        if when == ENDS and self._busy():
            self._stop("")
        if when == ENDS:
            self._wait()
        if not self._busy():
            deferred, self._deferred = self._deferred, []
            for late, words in deferred:
                self._guard(late, words)
        self._guard(handler, rest)

    def _guard(self, handler, rest):
        try:
            handler(rest)
        except (ValueError, MemoryError) as error:
            self._fault(error)

    def _busy(self):
        return self._engine.searching or self._counting

    def _wait(self):
        self._engine.wait()
        if self._job is not None:
            self._job.join()

    def _info_string(self, text):
        self._say("info string " + " ".join(text.split()))

    def _fault(self, text):
        """Tell of bad input; the rest goes on."""
        self._faults += 1
        self._info_string(str(text))

    # What the engine tells.

    def _on_info(self, report):
        self._say(format.info(report, self._values["uci_showwdl"]))

    def _on_best(self, board, best, ponder):
        self._say(format.bestmove(board, best, ponder))

    # The commands.

    def _uci(self, rest):
        lines = [f"id name {NAME}", f"id author {AUTHOR}", *(option.line() for option in OPTIONS.values()), "uciok"]
        self._say("\n".join(lines))

    def _isready(self, rest):
        native.core()
        self._say("readyok")

    def _stop(self, rest):
        self._engine.stop()
        self._cancel()

    def _ponderhit(self, rest):
        self._engine.ponderhit()

    def _ucinewgame(self, rest):
        self._engine.prepare()

    def _position(self, rest):
        board, fault = set_up(self._rules, *parse.position(rest))
        if fault:
            self._fault(fault)
        self._board = board

    def _setoption(self, rest):
        name, text = parse.option(rest)
        value = find(OPTIONS, name).parse(text)
        apply = {
            "uci_variant": self._set_variant, "hash": self._engine.set_hash, "threads": self._engine.set_threads,
            "clear hash": lambda value: self._engine.clear_hash(),
            "multipv": lambda value: setattr(self._engine, "multipv", value),
            "move overhead": lambda value: setattr(self._engine, "overhead", value),
        }.get(name.lower())
        if apply:
            apply(value)
        self._values[name.lower()] = value
        self._engine.elo = self._values["uci_elo"] if self._values["uci_limitstrength"] else None
        self._engine.own_book = self._values["ownbook"] and not self._values["uci_analysemode"]

    def _set_variant(self, value):
        game = rules.game(value)
        self._variant, self._rules = game.name, game
        self._board = Board.start(game)
        self._engine.new_game()
        self._say(format.variant(game.name, game))

    def _go(self, rest):
        values, searchmoves, faults = parse.go(rest)
        for fault in faults:
            self._fault(fault)
        if "perft" in values:
            if not (self._strict and faults):
                self._perft(max(0, values["perft"]))
            return
        limits = self._limits(values, searchmoves)
        if not (self._strict and self._faults):
            self._engine.go(self._board, limits)

    def _limits(self, values, searchmoves):
        chosen = []
        for word in searchmoves:
            try:
                chosen.append(parse_move(self._board, word))
            except (ParseError, IllegalMove) as error:
                self._fault(f"{error}; not searched")
        own, increment = ("btime", "binc") if self._board.black else ("wtime", "winc")
        clock = None
        if any(name in values for name in ("wtime", "btime", "winc", "binc", "movestogo")):
            clock = (values.get(own), values.get(increment, 0))
        limited = clock or any(name in values for name in ("depth", "nodes", "mate", "prove", "movetime"))
        return Limits(depth=max(0, values.get("depth", 0)), nodes=max(0, values.get("nodes", 0)),
                      mate=max(0, values.get("mate", 0)), prove="prove" in values, movetime=values.get("movetime"), clock=clock,
                      moves_to_go=max(0, values.get("movestogo", 0)), ponder="ponder" in values,
                      infinite="infinite" in values or not limited, searchmoves=chosen)

    # Counting, and what helps a person.

    def _count(self, function, *arguments):
        """Run in a thread, so that the loop goes on reading."""
        self._cancelled.clear()
        self._counter.stop = 0
        job = threading.Thread(target=function, args=arguments, daemon=True)
        self._counting = True
        if start_all([job]):
            self._job = job
        else:
            self._counting = False
            self._fault(f"nothing is counted: no thread can be started; {REMEDY}")

    def _cancel(self):
        """End a running count."""
        self._cancelled.set()
        self._counter.stop = 1
        self._bencher.stop()

    def _perft_word(self, rest):
        depth = parse.integer(rest.split()[0]) if rest.split() else None
        if depth is None:
            raise ValueError(f"'{rest[:20]}' behind perft: expected a depth")
        self._perft(max(0, depth))

    def _perft(self, depth):
        self._count(self._count_perft, self._board, min(depth, 250))

    def _count_perft(self, board, depth):
        total = 0 if depth else 1
        for move in board.moves() if depth else []:
            child = board.push(move)
            nodes = native.perft(child.rules, child.own, child.opp, child.ep, depth - 1, self._counter)
            if self._cancelled.is_set():
                self._counting = False
                self._info_string("perft was stopped before its end")
                return
            self._say(f"{move_text(board, move)}: {nodes}")
            total += nodes
        self._counting = False
        self._say(f"\nNodes searched: {total}\n")

    def _bench(self, rest):
        words = rest.split()
        depth = parse.integer(words[0]) if words else DEPTH
        if depth is None or depth < 1:
            raise ValueError(f"'{rest[:20]}' behind bench: expected a depth")
        self._count(self._count_bench, depth)

    def _count_bench(self, depth):
        def tell(name, fen, nodes):
            self._say(f"info string {nodes} nodes: {name} {fen}")

        nodes, seconds = bench(self._bencher, depth, tell, self._cancelled.is_set)
        self._counting = False
        if self._cancelled.is_set():
            self._info_string("bench was stopped before its end")
            return
        self._say(f"Nodes searched: {nodes}\nNodes/second: {int(nodes / max(seconds, 1e-9))}")

    def _diagram(self, rest):
        self._say(format.diagram(self._board))

    def _eval(self, rest):
        board = self._board
        if board.over():
            self._info_string("the game is over, the side to move has lost")
            return
        score = native.evaluate(board.rules, board.own, board.opp, board.ep)
        race = native.race(board.rules, board.own, board.opp, board.ep)
        decided = f"; a race that is {'won' if race > 0 else 'lost'} within {abs(race)} plies" if race else ""
        self._say(f"info string static score {score} centipawns for the side to move{decided}")
