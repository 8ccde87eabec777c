"""An agent of the Two Flags course where the referee expects a UCI engine: it has the same methods, so that a game need
not know which of the two plays.

The agent is a TCP client: it connects to a port of this machine, by itself or started by a command for each game.
It gets Setup and Time for every opening. One that asks for a TOURNAMENT stays for the next games; any other is
waited for, or started, again.
"""

import contextlib
import socket
import subprocess
import sys

from pawnstorm.games.notation import parse_fen, set_up
from pawnstorm_protocol.client.process import EngineError, how_ended
from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, EngineFault, now, pump
from pawnstorm_protocol.course.agent import ANSWERS, GREETED, GREETING, Agent
from pawnstorm_protocol.system.child import ChildProcess
from pawnstorm_tools.startup import named

ASKS = SECOND // 2
"""How long a new agent may take to ask for a tournament."""
MOST_GAMES = 10_000
"""What one that asks is promised, whatever it asks for."""
STEP = 100 * MILLISECOND
"""Between two looks at whether a program that is to connect still runs."""
MOST_STRANGERS = 16
"""Connections that have not said OK; the first of more is closed."""


class Listener:
    """A listening socket as pump() wants its players: `strangers` are the Agents that have connected and have not said
    OK.
    """

    due = None

    def __init__(self, listener, name, dialect, log):
        self._listener, self._name, self._dialect, self._log = listener, name, dialect, log
        self.strangers, self.accepted = [], False

    def pipes(self):
        return (self._listener,)

    def hear(self, _):
        """Accept a connection, and greet it where the dialect does so."""
        with contextlib.suppress(OSError):  # it has gone already
            agent = Agent(self._listener.accept()[0], self._name, self._dialect, log=self._log)
            agent.since, self.accepted = now(), True
            self.strangers.append(agent)
            if self._dialect.greeting:
                agent.say(self._dialect.greeting)
        return True


class CourseAgent(Agent):
    """What EngineProcess of protocol/pawnstorm_protocol/client/process.py is for an engine; answer, answered, info and
    searching are as there.
    """

    # What an agent has no words for.
    uciok, options, variant_line, pondering, info, notes = True, {}, None, False, b"", []

    def __init__(self, settings, wake=None, log=None):
        """settings: EngineSettings; its command is "" where nobody is to be started, its clock's base the time that the
        agent is told.
        """
        self.settings, self.rules, self.dialect = settings, settings.agent.rules, settings.agent.dialect
        self.name, self.wake, self.log = f"agent at port {settings.port}", wake, log
        self.socket = self.listener = self.process = None

    # Life and death.

    def start(self):
        """Wait for an agent that connects and says OK. One that is started has ANSWERS for it; any other may take its
        time.
        """
        self.searching, self.answer, self.answered = False, None, 0
        self.opening, self.staying, self.side, self.begun = None, False, None, False
        self.due, self.errors = None, b""
        try:
            self.listener = self.listener or socket.create_server(("127.0.0.1", self.settings.port))
            self.listener.setblocking(False)
            if self.settings.command:
                with contextlib.suppress(BlockingIOError):
                    while True:
                        self.listener.accept()[0].close()  # what has connected before the start is not this agent
                self.process = ChildProcess(
                    self.settings.command,
                    cwd=self.settings.directory,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
            else:
                print(
                    f"{named('match.py')}: waiting for an agent at 127.0.0.1:{self.settings.port}",
                    file=sys.stderr,
                    flush=True,
                )
        except OSError as error:
            raise EngineError(f"cannot have an agent at port {self.settings.port}: {error}") from None
        agent = self.admitted()
        self.socket, self.wire, self.inbox = agent.socket, agent.wire, agent.inbox
        self.due, self.unasked, self.heard = agent.due, agent.unasked, agent.heard

    def admitted(self):
        """The first connection that says OK, or, where the dialect wants none before the Setup, the first of all."""
        listener, deadline, arrived = Listener(self.listener, self.name, self.dialect, self.log), now() + ANSWERS, None
        strangers = listener.strangers

        def done():
            nonlocal arrived
            arrived = next((agent for agent in strangers if agent.next("ok") or not self.dialect.answered), None)
            return arrived or listener.accepted

        try:
            while True:
                listener.accepted, greeted = False, []
                late = self.process and now() > deadline
                try:
                    pump((self, listener, *strangers), done, now() + STEP, self.wake)
                    greeted = [
                        agent for agent in strangers if (late or now() - agent.since > ANSWERS) and agent.probe()
                    ]
                except EngineFault as fault:
                    if fault.engine is self:
                        raise
                    strangers.remove(fault.engine)
                    fault.engine.close(0)
                if arrived and arrived.probed:
                    raise EngineFault(self, "hang", f"has answered a greeting only; say greeting={GREETING}")
                if arrived:
                    strangers.remove(arrived)
                    return arrived
                if len(strangers) > MOST_STRANGERS:
                    strangers.pop(0).close(0)
                if self.process and self.process.poll() is not None:
                    raise EngineFault(
                        self, "crash", f"has not connected and said OK: {how_ended(self.process, self.errors)}"
                    )
                if greeted:
                    deadline = now() + GREETED
                elif late:
                    raise EngineFault(self, "hang", self.silence(strangers))
        finally:
            for agent in strangers:
                agent.close(0)

    def silence(self, strangers):
        """What is wrong with a program that has been started and has not said OK."""
        if not strangers:
            return f"did not connect to port {self.settings.port} within {ANSWERS / SECOND:g} s"
        if self.dialect.greeting:
            return f"has connected, and did not answer '{self.dialect.greeting}' with OK"
        return f"has connected, and said no OK, nor to '{GREETING}'; if it waits for a Setup, say dialect=welcome"

    def alive(self):
        return self.socket is not None

    def kill(self):
        """Close the connection and end the program, if there is one, at once."""
        if self.socket:
            self.socket.close()
            self.socket = None
        if self.process:
            self.process.end()
            self.process = None

    def quit(self):
        if self.socket:
            self.leave()
            self.close()
        self.kill()
        if self.listener:
            self.listener.close()
            self.listener = None

    # Listening.

    def pipes(self):
        """The program's stderr, which must never fill up, before the socket, whose end comes after its last words."""
        return [*([self.process.err] if self.process else ()), *(super().pipes() if self.socket else ())]

    def hear(self, pipe):
        if self.process and pipe is self.process.err:
            data = pipe.read()
            self.errors = (self.errors + data)[-1000:]
            for line in data.splitlines() if self.log else ():
                self.log("!", line)
            return bool(data)
        try:
            return super().hear(pipe)
        except EngineFault as fault:
            if fault.kind == "crash" and self.process:
                raise EngineFault(self, "crash", how_ended(self.process, self.errors) or str(fault)) from None
            raise

    # Games.

    def new_game(self, opening=None, side=0):
        """Tell the agent the opening and the time. The protocol has no word for an opening's right to take en passant."""
        if self.staying:
            self.reset()
        if opening != self.opening:
            self.opening, self.told, self.agreed = opening, 0, 0
            self.prepare(parse_fen(self.rules, opening), self.settings.agent.time(self.settings.control.base))
            if not self.staying and pump((self,), lambda: self.next("tournament"), now() + ASKS, self.wake):
                self.staying = True
                self.accept(MOST_GAMES)
                self.reset()
        self.side, self.begun = side, False

    def go(self, position, words, ponder=False):
        """Tell the agent that it is to move, and by which move of its opponent; returns when it was told."""
        self.answer, self.searching = None, True
        moves = position.partition(" moves ")[2].split()
        if not self.begun:
            self.begun = True
            self.begin(self.side, not moves)
        if moves:
            self.relay(moves[-1][:4])
        clocks = dict(zip(words.split()[::2], words.split()[1::2]))
        self.call(self.side, [int(clocks.get(name, 0)) * MILLISECOND for name in ("wtime", "btime")])
        told = now()
        self.find()
        return told

    def take(self, line):
        super().take(line)
        self.find()

    def find(self):
        """Take what it has played, if it is to move; it may resign at any time."""
        if not self.searching and self.side is not None and self.gives_up():
            raise EngineFault(self, "resign", "resigns")
        found = self.played() if self.searching else None
        if found:
            text, self.answered = found
            if text == "exit":
                raise EngineFault(self, "resign", "resigns")
            self.searching, self.answer = False, ["bestmove", text]

    def game_over(self, moves, winner):
        """Tell the agent how a game has ended; one that does not stay has gone then."""
        side, self.side, self.searching = self.side, None, False
        if not self.socket or side is None:  # the other engine had failed before this one heard of the game
            return
        decided, won = set_up(self.rules, self.opening, moves)[0].over(), winner == side
        try:
            if decided and not won:
                self.concede(moves[-1][:4])
            self.over(winner, won, len(moves), decided)
        except EngineFault:
            return self.kill()
        if not self.staying:
            self.leave()
            self.close()
            self.kill()

    # UCI, for which the course has no words.

    def send(self, *lines):
        """Nothing."""

    def sync(self):
        """Nothing."""

    def stop(self):
        """An agent cannot be stopped: one that is still thinking is given up."""
        if self.searching:
            self.kill()
