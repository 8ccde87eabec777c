"""A UCI engine as a child process, driven by whoever referees its games."""

import os
import select
import shlex
import subprocess
from contextlib import closing, nullcontext

from protocol.appendfile import AppendFile
from protocol.printable import printable
from protocol.pump import SECOND, EngineFault, now, pump
from protocol.tether import Tethered

HANDSHAKE = 10 * SECOND
"""How long an engine may take to answer uci or isready."""
GRACE = 2 * SECOND
"""How long an engine may take to answer stop before it counts as hanging."""
LONGEST_LINE = 1 << 20
"""Bytes without a newline after which what has come so far is forgotten."""
LONGEST_NOTE, MOST_NOTES = 300, 10
"""Bytes of an `info string` line, and such lines, that are kept."""
LONGEST_NAME = 100
"""Letters of an engine's name that are kept."""


class EngineError(Exception):
    """An engine cannot play this match at all: no such program, or it does not know the game. The text is escaped."""

    def __init__(self, text):
        super().__init__(printable(text))


class Engine:
    """One engine process, started by start() and again after kill(). Every method may raise EngineFault.

    answer      the words of the last bestmove line; answered is when it was read (nanoseconds)
    info        the last `info` line with a score of the running or last search, undecoded
    searching   a go was sent and its bestmove has not come; pondering: that go was a ponder
    notes       what its `info string` lines said since this was last emptied, each text once, the first MOST_NOTES
    """

    def __init__(self, command, directory=None, wake=None, log=None, initstr=(), stderr=None):
        """wake: a descriptor that ends every wait once it is readable; log: a DebugLog's writer; initstr: lines to send before `uci`;
        stderr: a file to which its stderr goes, of which nothing is heard then."""
        self.command, self.directory, self.wake, self.log = command, directory, wake, log
        self.initstr, self.stderr = initstr, stderr
        self.process = None
        self.name = command

    # Life and death.

    def start(self):
        """Run the program up to uciok."""
        self.options, self.variant_line = {}, None
        self.ready = self.uciok = self.searching = self.pondering = False
        self.answer, self.answered, self.info = None, 0, b""
        self.partial, self.errors = b"", b""
        self.notes = []
        # Debian puts games into a folder that is not on root's path.
        games = os.environ | {"PATH": os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/games"}
        try:
            with closing(AppendFile(self.stderr)) if self.stderr else nullcontext(subprocess.PIPE) as errors:
                self.process = Tethered(
                    shlex.split(self.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
                    cwd=self.directory, env=games)
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot run '{self.command}': {error}") from None
        self.out = self.process.stdout.fileno()
        self.err = self.process.stderr.fileno() if self.process.stderr else None
        if self.log:
            self.log("#", f"started {self.command} as process {self.process.pid}")
        self.send(*self.initstr, "uci")
        self.expect(lambda: self.uciok, HANDSHAKE, "uciok")

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        """End the process and its children at once."""
        if self.process is None:
            return
        self.process.end()
        if self.log:
            self.log("#", f"ended, status {self.process.returncode}")
        self.process = None

    def quit(self):
        """Ask the engine to end, then make sure of it."""
        try:
            if self.alive():
                self.send("quit")
                self.process.wait(1)
        except (EngineFault, subprocess.TimeoutExpired):
            pass
        finally:
            self.kill()

    # Talking.

    due = None      # nothing is to be done at any time

    def pipes(self):
        # stderr first: its last words are read before the end of its output.
        return (self.out,) if self.err is None else (self.err, self.out)

    def send(self, *lines):
        if self.log:
            for line in lines:
                self.log(">", line)
        try:
            text = "".join(line + "\n" for line in lines)
            os.write(self.process.stdin.fileno(), text.encode("utf-8", "surrogateescape"))
        except OSError:
            raise self.crash() from None

    def go(self, position, words, ponder=False):
        """Start a search; returns when it was sent."""
        self.answer, self.info = None, b""
        self.searching, self.pondering = True, ponder
        self.send(position, f"go ponder {words}" if ponder else f"go {words}")
        return now()

    def ponderhit(self):
        self.pondering = False
        self.send("ponderhit")
        return now()

    def stop(self):
        """End the running search, if any; its answer is dropped."""
        if not self.searching:
            return
        self.pondering = False
        self.send("stop")
        self.expect(lambda: not self.searching, GRACE, "bestmove after stop")
        self.answer = None

    def sync(self):
        """Wait until the engine has done everything that was sent to it."""
        self.ready = False
        self.send("isready")
        self.expect(lambda: self.ready, HANDSHAKE, "readyok")

    def expect(self, done, patience, what):
        if not pump((self,), done, now() + patience, self.wake):
            raise EngineFault(self, "hang", f"no {what} within {patience / SECOND:g} s")

    def new_game(self, opening=None, side=0):
        """Make ready for a game; UCI tells its opening and the side with each position."""
        self.send("ucinewgame")
        self.sync()

    def game_over(self, moves, winner):
        """A game has ended; UCI has no word for it. moves: their texts; winner: 0 White, 1 Black."""

    # Listening.

    def hear(self, pipe):
        """Read what has come through one of the two pipes; False when a closed stderr need not be watched any more."""
        data = os.read(pipe, 1 << 16)
        heard = now()
        if pipe == self.err:
            if self.log:
                for line in data.splitlines():
                    self.log("!", line)
            self.errors = (self.errors + data)[-1000:]
            return bool(data)
        if not data:
            raise self.crash()
        *lines, self.partial = (self.partial + data).split(b"\n")
        if len(self.partial) > LONGEST_LINE:
            if self.log:
                self.log("#", f"forgot {len(self.partial)} bytes without a newline")
            self.partial = b""
        for line in lines:
            if self.log:
                self.log("<", line)
            if line.startswith(b"info string variant "):
                self.variant_line = line.decode("utf-8", "replace").split()
            elif line.startswith(b"info string "):
                self.noted(line)
            elif line.startswith(b"info"):
                told = line.partition(b" string ")[0]   # what follows is free text, whatever words it has
                if b" score " in told and not (b" multipv " in told and b" multipv 1 " not in told):
                    self.scored(told)
            else:
                self.obey(line, heard)
        return True

    def scored(self, line):
        """Take in an info line with a score, undecoded and up to `string`."""
        self.info = line

    def noted(self, line):
        """Take in an `info string` line."""
        if len(self.notes) < MOST_NOTES:
            note = printable(" ".join(line[:LONGEST_NOTE].decode("utf-8", "replace").split()[2:]))
            if note not in self.notes:
                self.notes.append(note)

    def obey(self, line, heard):
        """Take in a line that is not an info line; unknown ones are passed over, as UCI asks."""
        words = line.decode("utf-8", "replace").split()
        match words:
            case ["bestmove", *_]:
                if not self.searching or self.pondering:
                    raise EngineFault(self, "protocol", f"'{' '.join(words)[:40]}' without a go that asked for it")
                self.searching, self.answer, self.answered = False, words, heard
            case ["readyok"]:
                self.ready = True
            case ["uciok"]:
                self.uciok = True
            case ["id", "name", *name]:
                self.name = printable(" ".join(name))[:LONGEST_NAME]
            case ["option", "name", *rest] if "type" in rest:
                split = rest.index("type")
                self.options[" ".join(rest[:split]).lower()] = rest[split:]

    def crash(self):
        """The fault of an engine whose pipe has closed."""
        return EngineFault(self, "crash", how_ended(self.process, self.errors) or "closed its output")


def how_ended(process, errors):
    """How a process has ended, with the last line of its stderr: `errors` and what is left in the pipe. None if it goes on."""
    try:
        code = process.wait(0.5)
    except subprocess.TimeoutExpired:
        return None
    try:
        if process.stderr and select.select([process.stderr], [], [], 0)[0]:
            errors += os.read(process.stderr.fileno(), 1 << 16)
    except OSError:
        pass
    ending = f"killed by signal {-code}" if code < 0 else f"exited with status {code}"
    last = errors.decode("utf-8", "replace").strip().splitlines()
    return ending + (f": {last[-1][:200]}" if last else "")
