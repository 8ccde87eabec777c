"""`pawnstorm course --serve`: lets agents in, brings them together, and has their games played, each contest in a thread of its own."""

import os
import select
import socket
import sys
import threading
from collections import deque

from protocol.course.agent import Agent
from protocol.course.contest import Contest
from protocol.course.opponent import Opponent
from protocol.pump import MILLISECOND, SECOND, EngineFault, Stopped, now

MOST_CONNECTIONS = 256
"""That wait; then whoever has been silent for longest is sent away, or the newcomer."""
SILENT = 30 * SECOND
"""How long a new connection may take to say OK."""
WAITING = 3600 * SECOND
"""How long an agent may wait for an opponent."""


class Server:
    """Listens from the beginning; run() serves. Raises OSError.

    settings: host, port, dialect, board, seconds, games, engine (a command or None), options, sessions (0: no end), concurrency.
    """

    def __init__(self, settings, say, record=None, log=None):
        """say(text) tells people; record(text) takes PGN; log: a DebugLog."""
        self._settings, self._say, self._record, self._log = settings, say, record, log
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        self._listener = socket.create_server((settings.host, settings.port), family=family, backlog=MOST_CONNECTIONS)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._note = log.writer("server") if log else lambda mark, text: None
        self._wake, self._waker = os.pipe()     # readable once a contest has ended
        self._stop, self._stopper = os.pipe()   # readable once all are to end
        self._new, self._waiting = {}, deque()  # agents that have not said OK -> until when they may; agents that have
        self._count, self._running, self._ended = 0, [], deque()
        self._left = settings.sessions or None
        self._leaving = set()                   # agents that are sent away at this moment

    def run(self):
        """Serve until all contests that were asked for have ended, or KeyboardInterrupt, after which everybody has been told."""
        try:
            while self._left != 0 or self._running:
                self._step()
        finally:
            os.write(self._stopper, b"x")
            self._listener.close()
            for thread in self._running:
                thread.join()
            for agent in [*self._new, *self._waiting]:
                agent.leave("the server was stopped")
                agent.close(0)

    def _step(self):
        """Wait for something to happen, and deal with it."""
        poll = select.poll()
        owners = {agent.pipes()[0]: agent for agent in (*self._new, *self._waiting)}
        for pipe in (*owners, self._listener.fileno(), self._wake):
            poll.register(pipe, select.POLLIN)
        for pipe, _ in poll.poll(self._sleep()):
            if pipe == self._wake:
                os.read(pipe, 1)
                self._running.remove(self._ended.popleft())
            elif pipe in owners:
                self._attend(owners[pipe], owners[pipe].hear, pipe)
            else:
                self._accept()
        for agent in [*self._new, *self._waiting]:
            if agent.due is not None and agent.due <= now():
                self._attend(agent, agent.lapse)
        for agent, until in list(self._new.items()):
            if until <= now():
                self._drop(agent, f"no OK within {SILENT // SECOND} s")
        while self._waiting and now() - self._waiting[0].since > WAITING:
            self._drop(self._waiting[0], f"no opponent within {WAITING // SECOND} s")
        self._bring_together()

    def _sleep(self):
        """Milliseconds to the next thing that happens by itself."""
        moments = [agent.due for agent in (*self._new, *self._waiting) if agent.due is not None]
        moments += [*self._new.values(), *(agent.since + WAITING for agent in self._waiting)]
        return max(0, min(moments) - now()) / MILLISECOND if moments else None

    def _accept(self):
        try:
            connection, address = self._listener.accept()
        except OSError:     # it has gone already, or there are no descriptors left
            return
        self._count += 1
        name = f"agent-{self._count}"
        agent = Agent(connection, name, self._settings.dialect, self._stop, self._log and self._log.writer(name))
        self._note("#", f"{name} comes from {address[0]}")
        if len(self._new) + len(self._waiting) + len(self._leaving) >= MOST_CONNECTIONS:
            if not self._new:
                self._note("#", f"{name} is sent away: the server is full")
                agent.leave("the server is full")
                return agent.close(0)
            self._drop(next(iter(self._new)), "the server is full, and this connection was silent")
        self._new[agent] = now() + SILENT
        self._attend(agent, agent.greet)

    def _attend(self, agent, call, *arguments):
        """Have an agent do something, unless it is gone, and send it away where that goes wrong."""
        if agent not in self._new and agent not in self._waiting:
            return
        try:
            call(*arguments)
        except EngineFault as fault:
            return self._drop(agent, str(fault))
        if agent not in self._new:
            return
        if not self._settings.dialect.answered:
            self._let_in(agent)
        elif agent.inbox or agent.ignored:
            message = agent.inbox.popleft()[0] if agent.inbox else None
            if message and message.text == "OK":
                self._let_in(agent)
            else:
                self._drop(agent, f"expected OK, not '{message.text}'" if message else "expected OK")

    def _let_in(self, agent):
        del self._new[agent]
        agent.since = now()
        self._waiting.append(agent)

    def _drop(self, agent, reason):
        self._new.pop(agent, None)
        if agent in self._waiting:
            self._waiting.remove(agent)
        self._send_away(agent, reason)

    def _send_away(self, agent, reason):
        """Close a connection; that takes a moment, for which nobody waits."""
        def close():
            agent.close()
            self._leaving.discard(agent)

        self._note("#", f"{agent.name} is sent away: {reason}")
        agent.leave(reason)
        self._leaving.add(agent)
        threading.Thread(target=close, daemon=True).start()

    def _bring_together(self):
        """Begin what contests can begin."""
        settings = self._settings
        needed = 1 if settings.engine else 2
        while len(self._waiting) >= needed and len(self._running) < settings.concurrency and self._left != 0:
            players = [self._waiting.popleft() for _ in range(needed)]
            if settings.engine:
                players.append(Opponent(settings.engine, settings.options, self._stop, self._log and self._log.writer("engine")))
            if self._left is not None:
                self._left -= 1
            contest = Contest(players, settings.board, settings.seconds, settings.games, self._tell, self._record, self._stop)
            thread = threading.Thread(target=self._hold, args=(contest,))
            self._running.append(thread)
            thread.start()

    def _tell(self, text):
        self._note("#", text)
        self._say(text)

    def _hold(self, contest):
        """A contest's thread."""
        try:
            contest.play()
        except Stopped:
            pass
        except Exception:
            import traceback
            traceback.print_exc(file=sys.stderr)
        finally:
            self._ended.append(threading.current_thread())
            os.write(self._waker, b"x")
