"""The course's server and clients in threads of the test's own process, and connections that say what a test wants."""

import contextlib
import re
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import course_agent

from pawnstorm_protocol.course import arguments
from pawnstorm_protocol.course.server import Server
from pawnstorm_protocol.course.session import Session

COURSE = ("--dialect", "course")  # a client that says so need not wait for a greeting
DEADLINE = 60  # seconds that only a hang takes


def words(*asked):
    """The settings that the words of `pawnstorm course` make."""
    return arguments.parse([*map(str, asked)])


class Task:
    """A thread; join() returns what the call returned and raises what it raised."""

    def __init__(self, call, *arguments):
        threads = ThreadPoolExecutor(1)
        self._call = threads.submit(call, *arguments)
        threads.shutdown(wait=False)

    def join(self):
        return self._call.result(DEADLINE)


class Lines(list):
    """Lines that several threads append; expect() waits for one."""

    def __init__(self):
        super().__init__()
        self._changed = threading.Condition()

    def append(self, line):
        with self._changed:
            super().append(line)
            self._changed.notify_all()

    def expect(self, pattern, count=1):
        """Wait until so many lines have matched; returns the last of them."""

        def found():
            matching = [line for line in list(self) if re.search(pattern, line)]
            return matching[count - 1] if len(matching) >= count else None

        with self._changed:
            assert self._changed.wait_for(found, DEADLINE), f"no line {pattern!r} in {self}"
        return found()


class Serving:
    """A server in a thread, which the end of the block stops.

    said, log, games   what it prints, `name mark text` of each line of its log, the PGN of each game
    """

    def __init__(self, *asked):
        self.said, self.log, self.games = Lines(), Lines(), []
        self._server = Server(words("--serve", 0, *asked), self.said.append, self.games.append, self)
        self.port, self._task = self._server.port, Task(self._server.run)

    def writer(self, name):
        return lambda mark, text: self.log.append(f"{name} {mark} {text}")

    def ready(self, count):
        """Wait until so many agents have said OK and that has been heard."""
        self.log.expect("agent-[0-9]+ < OK", count)

    def join(self):
        """What it has printed when it ends by itself."""
        self._task.join()
        return "\n".join(self.said)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.stop()
        self._task.join()


class Playing(Task):
    """Our client in a thread. notes: what it prints; join() returns whether something was broken off."""

    def __init__(self, port, *asked):
        settings = words("--connect", f"127.0.0.1:{port}", "--nodes", 300, "--hash", 1, *asked)
        self.notes = Lines()
        self._session = Session(settings, self.notes.append, lambda mark, text: None)
        super().__init__(self._play)

    def _play(self):
        try:
            return self._session.run()
        finally:
            self._session.close()

    @property
    def results(self):
        return self._session.client.results


class Agent(Task):
    """The minimal agent of course_agent.py in a thread; join() returns its reports."""

    def __init__(self, port, *asked):
        super().__init__(self._play, port, asked)

    def _play(self, port, asked):
        with course_agent.Agent(port, asked) as agent, contextlib.suppress(SystemExit):
            agent.run()
        return agent.reports


class Raw:
    """A connection that says what a test wants."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=DEADLINE)
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def say(self, data):
        self.socket.sendall(data)

    def hear(self):
        """The next line; b"" at the end."""
        try:
            return self.lines.readline().strip()
        except ConnectionResetError:
            return b""

    def answer(self, *answers):
        for expected, answer in answers:
            assert (heard := self.hear()).startswith(expected), (expected, heard)
            self.say(answer)


@contextlib.contextmanager
def introduced(port, pawns=b"Wa2 "):
    """Two agents that have both got Setup and Time, and White's Begin. The first to connect and to say OK is White."""
    with Raw(port) as one, Raw(port) as two:
        one.say(b"OK\n")
        two.say(b"OK\r\n")
        for agent in (one, two):
            agent.answer((b"Setup " + pawns, b"OK\n"), (b"Time", b"OK"))
        assert one.hear() == b"Begin"
        yield one, two
