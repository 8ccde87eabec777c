"""`pawnstorm course --serve`: lets agents in, pairs them, and starts their games.

One thread serves all connections that are not in a game: new ones, agents that wait for an opponent, pairs that are being
sent Setup and Time, and agents that were sent away. Each contest has a thread of its own, which starts when both players have
answered. So if an agent does not answer, its opponent does not lose a game, and other pairs do not wait.
"""

import errno
import socket
import sys
import threading
from collections import deque

from pawnstorm.system.threads import SMALL_STACK, stacks_of, start_all
from pawnstorm_protocol.addresses import host_name
from pawnstorm_protocol.client.pump import SECOND, EngineFault, Stopped, now_ns
from pawnstorm_protocol.course.agent import ANSWER_TIMEOUT, GREETING, GREETING_TIMEOUT, LINGER_TIME, Agent
from pawnstorm_protocol.course.contest import Contest
from pawnstorm_protocol.course.opponent import Opponent
from pawnstorm_protocol.system.polling import Poll, Waker, max_sources

MAX_CONNECTIONS = 256
"""The most connections that are not in a game. If another comes, the one that has been silent for longest is sent away.

If none is silent, the new one is sent away. Besides these, as many connections of agents that were sent away may be open.
"""
OK_TIMEOUT = 30 * SECOND
"""How long a new connection may take to say OK."""
OPPONENT_TIMEOUT = 3600 * SECOND
"""How long an agent may wait for an opponent."""
RESERVED, PER_CONTEST = 32, 8
"""Descriptors reserved for other uses: RESERVED for files and for modules that are loaded late, PER_CONTEST for each contest."""
MAX_MESSAGES = 100
"""The most messages about agents that were sent away. More of them would drown the results."""
GREETING_HINT = f"answers a greeting only: start the server with --greeting {GREETING}"
"""The reason for sending away an agent that says OK only after a greeting."""
NO_ANSWER_HINT = f", not even to '{GREETING}'; if it waits for a Setup, start the server with --dialect welcome"
PAUSE = SECOND // 4
"""How long the server accepts no connections after the system had no resources for another one."""


class Server:
    """The server. It listens as soon as it is made; run() serves.

    port   the port on which it listens
    """

    def __init__(self, settings, say, record=None, log=None):
        """Raises OSError. say(text) prints a line for people. record(text) takes the PGN of a game. log: a DebugLog.

        settings: host, port, dialect, board, seconds, games, sessions (0 for no limit), concurrency; names (given to the agents
        in turn; [] for numbers); engine (a command or None), options (the engine's), and colour (the agent's colour in its
        first game against the engine).
        """
        self._settings, self._say, self._record, self._log = settings, say, record, log
        self._listener = _listening(settings.host, settings.port)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._note = log.writer("server") if log else lambda mark, text: None
        self._end_waker = Waker()  # woken when a contest has ended
        self._stop = Waker()  # woken when all contests must end
        self._new, self._waiting = {}, deque()  # agents that have not said OK -> their deadline; agents that have
        self._pairs = {}  # pairs of agents that have said OK (one agent alone against an engine) -> their deadline
        self._count, self._named, self._running, self._ended = 0, 0, [], deque()
        self._contests_left = settings.sessions or None
        self._leaving = {}  # agents that have been sent away -> the time until which they are still read
        self._paused_until = 0  # the time until which no connection is accepted
        self._messages_left = MAX_MESSAGES
        spare = max_sources() - RESERVED - PER_CONTEST * settings.concurrency
        self._max_connections = max(4, min(MAX_CONNECTIONS, spare // 2))

    def run(self):
        """Serve until all contests that were asked for have ended, or until a KeyboardInterrupt.

        At the end, tell each agent that is not in a contest that the server was stopped.
        """
        try:
            while self._contests_left != 0 or self._running:
                self._step()
        finally:
            self._stop.wake()
            self._listener.close()
            for thread in self._running:
                if thread.ident:  # None if the thread was never started
                    thread.join()
            for agent in self._present():
                agent.leave("the server was stopped")
                agent.close(0)
            for agent in self._leaving:
                agent.close(0)
            for waker in (self._stop, self._end_waker):
                waker.close()

    def stop(self):
        """End run() from another thread, and break off the games under way."""
        self._contests_left = 0
        for waker in (self._stop, self._end_waker):
            waker.wake()

    def _present(self):
        """All agents that are not in a contest yet."""
        return [*self._new, *self._waiting, *(agent for pair in self._pairs for agent in pair)]

    def _step(self):
        """Wait for the next event or deadline, and deal with it."""
        owners = {agent.socket: agent for agent in (*self._present(), *self._leaving)}
        poll = Poll([*owners, self._end_waker, *([] if self._paused_until > now_ns() else [self._listener])])
        for pipe in poll.wait(self._seconds_until_due()):
            if pipe is self._end_waker:
                pipe.take()
                if self._ended:
                    self._running.remove(self._ended.popleft())
            elif pipe not in owners:
                self._accept()
            elif owners[pipe] in self._leaving:
                if not owners[pipe].drain():
                    self._close(owners[pipe])
            else:
                self._serve_agent(owners[pipe], owners[pipe].on_io, pipe)
        for agent in self._present():
            if agent.timeout_at is not None and agent.timeout_at <= now_ns():
                self._serve_agent(agent, agent.on_timeout)
        for agent, until in list(self._new.items()):
            if until <= now_ns():
                self._new[agent] = now_ns() + GREETING_TIMEOUT
                self._serve_agent(agent, self._probe, agent)
        for agent, until in list(self._leaving.items()):
            if until <= now_ns():
                self._close(agent)
        while self._waiting and now_ns() - self._waiting[0].since > OPPONENT_TIMEOUT:
            self._drop(self._waiting[0], f"no opponent within {OPPONENT_TIMEOUT // SECOND} s")
        for pair, until in list(self._pairs.items()):
            for agent in pair if until <= now_ns() else ():
                if not agent.is_set_up:
                    self._drop(agent, f"no OK within {ANSWER_TIMEOUT // SECOND} s")
        self._begin()

    def _seconds_until_due(self):
        """The seconds until the next deadline; None if there is none."""
        moments = [agent.timeout_at for agent in self._present() if agent.timeout_at is not None]
        moments += [
            *self._new.values(),
            *self._leaving.values(),
            *(agent.since + OPPONENT_TIMEOUT for agent in self._waiting),
        ]
        moments += [until for pair, until in self._pairs.items() if not _all_set_up(pair)]
        moments += [self._paused_until] if self._paused_until > now_ns() else []
        return max(0, min(moments) - now_ns()) / SECOND if moments else None

    def _accept(self):
        try:
            connection, address = self._listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                self._paused_until = now_ns() + PAUSE
            return  # with any other error the connection has gone already
        self._count += 1
        name = f"agent-{self._count}"
        agent = Agent(connection, name, self._settings.dialect, self._stop, self._log and self._log.writer(name))
        self._note("#", f"{name} comes from {address[0]}")
        if len(self._present()) >= self._max_connections:
            if not self._new:
                return self._drop(agent, "the server is full")
            self._drop(next(iter(self._new)), "the server is full, and this connection was silent")
        self._new[agent] = now_ns() + OK_TIMEOUT
        self._serve_agent(agent, agent.greet, self._settings.board, self._settings.seconds)

    def _probe(self, agent):
        """Greet a silent agent. If it was greeted before, raise EngineFault."""
        if not agent.greet_silent():
            raise EngineFault(
                agent, "hang", f"no OK within {OK_TIMEOUT / SECOND:g} s{NO_ANSWER_HINT if agent.probed else ''}"
            )

    def _serve_agent(self, agent, call, *arguments):
        """If an agent is still in _present(), call a function for it. Send the agent away if an EngineFault is raised.

        Then send Setup and Time to an agent of a pair, and read the first message of a new agent, which must be OK.
        """
        if agent not in self._present():
            return
        try:
            call(*arguments)
            if any(agent in pair for pair in self._pairs):
                agent.send_setup(self._settings.board, self._settings.seconds)
        except EngineFault as fault:
            return self._drop(agent, str(fault))
        if agent in self._new and (agent.inbox or agent.useless_lines):
            message = agent.inbox.popleft()[0] if agent.inbox else None
            if message and message.text == "OK" and agent.probed:
                self._drop(agent, GREETING_HINT)
            elif message and message.text == "OK":
                del self._new[agent]
                agent.parts_acknowledged, agent.since = agent.parts_sent, now_ns()
                self._name(agent)
                self._waiting.append(agent)
            else:
                self._drop(agent, f"expected OK, not '{message.text}'" if message else "expected OK")

    def _name(self, agent):
        """Give an agent the next name of the settings, if they have names."""
        names = self._settings.names
        if names:
            name = names[self._named % len(names)]
            self._named += 1
            self._note("#", f"{agent.name} is {name}")
            agent.name, agent.log = name, self._log and self._log.writer(name)

    def _drop(self, agent, reason):
        """Send an agent away. Its connection is still read for LINGER_TIME, so that the reason can reach it."""
        self._new.pop(agent, None)
        if agent in self._waiting:
            self._waiting.remove(agent)
        for pair in [pair for pair in self._pairs if agent in pair]:
            del self._pairs[pair]
            self._waiting.extendleft(other for other in pair if other is not agent)  # first in the queue again
        text = f"{agent.name} is sent away: {reason}"
        self._note("#", text)
        if self._messages_left:
            self._messages_left -= 1
            self._say(text if self._messages_left else "more are sent away; --log has them")
        agent.leave(reason)
        if len(self._leaving) >= self._max_connections:
            self._close(next(iter(self._leaving)))
        self._leaving[agent] = now_ns() + LINGER_TIME

    def _close(self, agent):
        del self._leaving[agent]
        agent.close(0)

    def _begin(self):
        """Start contests of pairs that have answered, up to the limit. Form new pairs and send them Setup and Time."""
        needed = 1 if self._settings.engine else 2
        for pair in filter(_all_set_up, list(self._pairs)):
            if self._has_capacity():
                del self._pairs[pair]
                self._contest(*pair)
        while len(self._waiting) >= needed and self._has_capacity():
            pair = tuple(self._waiting.popleft() for _ in range(needed))
            self._pairs[pair] = now_ns() + ANSWER_TIMEOUT
            for agent in pair:
                self._serve_agent(agent, agent.send_setup, self._settings.board, self._settings.seconds)

    def _has_capacity(self):
        """Whether another contest may start."""
        return len(self._running) < self._settings.concurrency and self._contests_left != 0

    def _contest(self, *players):
        settings = self._settings
        if settings.engine:
            players += (
                Opponent(settings.engine, settings.options, self._stop, self._log and self._log.writer("engine")),
            )
            if settings.colour == "black":
                players = players[::-1]
        if self._contests_left is not None:
            self._contests_left -= 1
        contest = Contest(
            players, settings.board, settings.seconds, settings.games, self._log_and_print, self._record, self._stop
        )
        thread = threading.Thread(target=self._run_contest, args=(contest,))
        self._running.append(thread)
        with stacks_of(SMALL_STACK):
            started = start_all([thread])
        if not started:
            self._running.remove(thread)
            for player in players:
                player.leave("the server has no thread for another game")
                player.close()

    def _log_and_print(self, text):
        self._note("#", text)
        self._say(text)

    def _run_contest(self, contest):
        try:
            contest.play()
        except Stopped:
            pass
        except Exception:
            import traceback

            traceback.print_exc(file=sys.stderr)
        finally:
            self._ended.append(threading.current_thread())
            self._end_waker.wake()


def _listening(host, port):
    """A socket that listens on a host and port. Raises OSError.

    If a name has several addresses, the socket listens on an IPv4 address, because many agents know only IPv4. `::` includes
    IPv4 if the system supports that.
    """
    try:
        found = socket.getaddrinfo(host_name(host), port, type=socket.SOCK_STREAM)
        family, _, _, _, address = min(found, key=lambda row: row[0] != socket.AF_INET)
        return socket.create_server(
            address, family=family, backlog=MAX_CONNECTIONS, dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6()
        )
    except OSError as error:
        raise OSError(f"cannot listen on {host} port {port}: {error.strerror.partition(' (while')[0]}") from None


def _all_set_up(pair):
    """Whether all agents of a pair have answered Setup and Time."""
    return all(agent.is_set_up for agent in pair)
