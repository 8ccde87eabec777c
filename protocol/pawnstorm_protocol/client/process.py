"""Runs a UCI engine as a child process: starts it, writes to it, reads from it, and ends it."""

import subprocess
from contextlib import closing, nullcontext

from pawnstorm.numbers import pluralize
from pawnstorm_protocol.client.pump import SECOND, EngineFault, Stopped, now_ns, pump
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_protocol.system.child import ChildProcess, environment
from pawnstorm_protocol.system.polling import Poll
from pawnstorm_protocol.system.terminal import escaped

HANDSHAKE_TIMEOUT = 10 * SECOND
"""How long an engine may take to answer `uci` or `isready`."""
STOP_TIMEOUT = 2 * SECOND
"""How long an engine may take to answer `stop` before it counts as hanging."""
LONGEST_LINE = 1 << 20
"""The most bytes of a line. If more come without a newline, they are dropped."""
LONGEST_NOTE, MAX_NOTES = 300, 10
"""The most bytes of an `info string` line that are kept, and the most lines."""
STDERR_TIMEOUT = 0.1
"""How long to wait for the last stderr of a process that has ended, in seconds."""
LONGEST_NAME = 100
"""The most characters of an engine's name that are kept."""


class EngineError(Exception):
    """An engine cannot be used at all: there is no such program, or it does not know the game. The text is escaped."""

    def __init__(self, text):
        super().__init__(escaped(text))


class EngineProcess:
    """One engine. start() starts it, and may be called again after kill(). Every method may raise EngineFault.

    name         the name that the engine gives itself; until then, its command
    options      name in lower case -> the words of the option's announcement, from `type` on
    option_names    the options' names as the engine writes them
    bestmove     the words of the last `bestmove` line, None during a search
    answered_at  when that line was read, in nanoseconds
    info         the last `info` line with a score, of the running or the last search, undecoded
    searching    whether a `go` was sent and its `bestmove` has not come yet
    pondering    whether that `go` was a `go ponder`
    notes        texts of the `info string` lines since this list was last emptied, without repetitions, at most MAX_NOTES
    """

    PROTOCOL = "uci"
    """The first command of the protocol; the names of `uciok` and `ucinewgame` begin with it."""
    can_ponder = True
    """Whether the protocol has `go ponder`."""

    def __init__(self, command, directory=None, waker=None, log=None, initstr=(), stderr=None):
        """Start nothing yet.

        command     the program with its arguments, as for a shell
        directory   where it runs
        waker       a Waker. While it is readable, every wait raises Stopped
        log         a DebugLog's writer
        initstr     lines to send before the first command
        stderr      the path of a file for the engine's stderr, which is then not read; None to read it
        """
        self.command, self.directory, self.waker, self.log = command, directory, waker, log
        self.initstr, self.stderr = initstr, stderr
        self.process = None
        self.name = command

    # Starting and ending.

    def _reason(self, error):
        """Why the program could not be started. If the folder or the stderr file is at fault, the text names its option."""
        path, reason = getattr(error, "filename", None), getattr(error, "strerror", None) or str(error)
        option = {self.directory: "dir=", self.stderr: "stderr="}.get(path) if path else None
        return f"{option}'{path}': {reason}" if option else reason

    def start(self):
        """Run the program and finish the handshake. Raises EngineError if it cannot be run."""
        self.options, self.option_names, self.variant_line = {}, [], None
        self.ready = self.uciok = self.searching = self.pondering = False
        self.bestmove, self.answered_at, self.info = None, 0, b""
        self.unsent, self.partial, self.stderr_tail = b"", b"", b""
        self.notes = []
        try:
            with closing(AppendFile(self.stderr)) if self.stderr else nullcontext(subprocess.PIPE) as errors:
                self.process = ChildProcess(
                    self.command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    bufsize=0,
                    cwd=self.directory,
                    env=environment(),
                )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot run '{self.command}': {self._reason(error)}") from None
        self.input_writer, self.out, self.err = self.process.input_writer, self.process.out, self.process.err
        if self.log:
            self.log("#", f"started {self.command} as process {self.process.pid}")
        self.shake_hands()

    def shake_hands(self):
        """Ask the engine for its name and options. Raises EngineFault if it does not answer."""
        try:
            self.send(*self.initstr, self.PROTOCOL)
            self.expect(lambda: self.uciok, HANDSHAKE_TIMEOUT, f"{self.PROTOCOL}ok")
        except EngineFault as fault:
            raise EngineFault(self, fault.kind, f"'{self.command}' does not answer {self.PROTOCOL}: {fault}") from None

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
        """Ask the engine to quit, and kill it if it still runs after a second.

        If its input is full and the Waker is readable, the engine is killed at once.
        """
        try:
            if self.alive():
                self.send("quit", timeout=SECOND)
                self.process.wait(1)
        except (EngineFault, Stopped, subprocess.TimeoutExpired):
            pass
        finally:
            self.kill()

    # Talking.

    timeout_at = None  # for pump(): this player has no timeouts

    def pipes(self):
        # stderr comes first, so that its last lines are read before the end of stdout.
        heard = (self.out,) if self.err is None else (self.err, self.out)
        return (self.input_writer, *heard) if self.unsent else heard

    def send(self, *lines, timeout=HANDSHAKE_TIMEOUT):
        """Write lines. While the engine's input is full, read its output; otherwise both sides would wait for each other."""
        if self.log:
            for line in lines:
                self.log(">", line)
        try:
            text = "".join(line + "\n" for line in lines)
            self.unsent += text.encode("utf-8", "surrogateescape")
            self.write()
        except OSError:
            raise self.crash_fault() from None
        if self.unsent:
            self.expect(lambda: not self.unsent, timeout, "read of its input")

    def write(self):
        """Write as much of `unsent` as the engine's input takes."""
        self.unsent = self.unsent[self.input_writer.write(self.unsent) :]

    def go(self, position, words, ponder=False):
        """Start a search; returns the time at which `go` was sent."""
        self.bestmove, self.info = None, b""
        self.searching, self.pondering = True, ponder
        self.send(position, f"go ponder {words}" if ponder else f"go {words}")
        return now_ns()

    def ponderhit(self):
        self.pondering = False
        self.send("ponderhit")
        return now_ns()

    def stop(self):
        """End the running search, if any, and drop its answer."""
        if not self.searching:
            return
        self.pondering = False
        self.send("stop", timeout=STOP_TIMEOUT)
        self.expect(lambda: not self.searching, STOP_TIMEOUT, "bestmove after stop")
        self.bestmove = None

    def sync(self):
        """Wait until the engine has processed everything that was sent to it."""
        self.ready = False
        self.send("isready")
        self.expect(lambda: self.ready, HANDSHAKE_TIMEOUT, "readyok")

    def expect(self, done, timeout, what):
        if not pump((self,), done, now_ns() + timeout, self.waker):
            raise EngineFault(self, "hang", f"no {what} within {timeout / SECOND:g} s")

    def new_game(self, opening=None, side=0, rules=None):
        """Prepare a game. UCI needs neither opening (a FEN) nor side: each `position` command has both."""
        self.send(f"{self.PROTOCOL}newgame")
        self.sync()

    def game_over(self, moves, winner):
        """Do nothing: UCI has no command for the end of a game. moves: their texts. winner: 0 for White, 1 for Black."""

    def refuse(self, board, move):
        """Do nothing: UCI has no command for an illegal move. board: the Board on which the move is illegal."""

    # Listening.

    def on_io(self, pipe):
        """Read from a pipe, or write into it; returns False if the pipe need not be watched any more."""
        if pipe is self.input_writer:
            try:
                self.write()
            except OSError:
                raise self.crash_fault() from None
            return bool(self.unsent)
        data = pipe.read()
        heard = now_ns()
        if pipe is self.err:
            if self.log:
                for line in data.splitlines():
                    self.log("!", line)
            self.stderr_tail = (self.stderr_tail + data)[-1000:]
            return bool(data)
        if not data:
            raise self.crash_fault()
        *lines, self.partial = (self.partial + data).split(b"\n")
        if len(self.partial) > LONGEST_LINE:
            if self.log:
                self.log("#", f"forgot {pluralize(len(self.partial), 'byte')} without a newline")
            self.partial = b""
        for line in lines:
            if self.log:
                self.log("<", line)
            self.on_line(line, heard)
        return True

    def on_info(self, line):
        """Keep an `info` line with a score. line: its bytes, up to the word `string`."""
        self.info = line

    def on_info_string(self, line):
        """Add the text of an `info string` line to `notes`."""
        if len(self.notes) < MAX_NOTES:
            note = escaped(" ".join(line[:LONGEST_NOTE].decode("utf-8", "replace").split()[2:]))
            if note not in self.notes:
                self.notes.append(note)

    def on_line(self, line, heard):
        """Process a line. heard: when it was read. Unknown lines are ignored, as UCI demands."""
        if line.startswith(b"info string variant "):
            self.variant_line = line.decode("utf-8", "replace").split()
        elif line.startswith(b"info string "):
            self.on_info_string(line)
        elif line.startswith(b"info"):
            info = line.partition(b" string ")[0]  # `string` begins free text, which may have any words
            if b" score " in info and not (b" multipv " in info and b" multipv 1 " not in info):
                self.on_info(info)
        else:
            self.on_words(line.decode("utf-8", "replace").split(), heard)

    def on_words(self, words, heard):
        """Process the words of a line that is not an `info` line."""
        if words[:1] == ["bestmove"]:
            if not self.searching or self.pondering:
                raise EngineFault(self, "protocol", f"'{' '.join(words)[:40]}' without a go that asked for it")
            self.searching, self.bestmove, self.answered_at = False, words, heard
        elif words == ["readyok"]:
            self.ready = True
        elif words == [f"{self.PROTOCOL}ok"]:
            self.uciok = True
        elif words[:2] == ["id", "name"]:
            self.name = escaped(" ".join(words[2:]))[:LONGEST_NAME]
        elif words[:2] == ["option", "name"] and "type" in words[2:]:
            split = words.index("type", 2)
            name = " ".join(words[2:split])
            self.options[name.lower()] = words[split:]
            self.option_names.append(escaped(name))

    def crash_fault(self):
        """The fault of an engine whose pipe has closed."""
        return EngineFault(self, "crash", exit_reason(self.process, self.stderr_tail) or "closed its output")


def exit_reason(process, errors):
    """How a process has ended, with the last line of its stderr; None if it still runs.

    errors: the bytes of its stderr that have been read. The rest is still in the pipe.
    """
    try:
        code = process.wait(0.5)
    except subprocess.TimeoutExpired:
        return None
    try:
        if process.err and Poll([process.err]).wait(STDERR_TIMEOUT):
            errors += process.err.read()
    except OSError:
        pass
    ending = f"killed by signal {-code}" if code < 0 else f"exited with status {code}"
    last = errors.decode("utf-8", "replace").strip().splitlines()
    return ending + (f": {last[-1][:200]}" if last else "")
