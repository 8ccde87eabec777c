"""An agent of the Two Flags course, with the methods that the referee expects of a UCI engine.

The agent is a TCP client that connects to a port of this machine. The user starts it, or the referee does with a command. It
gets Setup and Time for every opening. An agent that asks for a TOURNAMENT stays for the next games. Any other agent leaves
after a game; the referee then waits for it again, or starts it again.
"""

import contextlib
import socket
import subprocess
import sys

from pawnstorm.games.notation import parse_fen, set_up
from pawnstorm_protocol.client.process import EngineError, exit_reason
from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, EngineFault, now_ns, pump
from pawnstorm_protocol.course.agent import ANSWER_TIMEOUT, GREETING, GREETING_TIMEOUT, Agent
from pawnstorm_protocol.system.child import ChildProcess
from pawnstorm_tools.startup import display_name

TOURNAMENT_TIMEOUT = SECOND // 2
"""How long a new agent may take to ask for a tournament."""
MAX_GAMES = 10_000
"""The number of games that an agent's tournament is accepted for, whatever the agent asks for."""
STEP = 100 * MILLISECOND
"""How often to check that a started program still runs, until it has connected."""
MAX_PENDING = 16
"""The most connections that have not said OK. If there are more, the oldest is closed."""


class Listener:
    """A listening socket in the form that pump() needs.

    pending   the Agents that have connected and have not said OK
    """

    timeout_at = None

    def __init__(self, listener, name, dialect, log):
        self._listener, self._name, self._dialect, self._log = listener, name, dialect, log
        self.pending, self.accepted = [], False

    def pipes(self):
        return (self._listener,)

    def on_io(self, _):
        """Accept a connection, and greet it if the dialect has a greeting."""
        with contextlib.suppress(OSError):  # the client has left already
            agent = Agent(self._listener.accept()[0], self._name, self._dialect, log=self._log)
            agent.since, self.accepted = now_ns(), True
            self.pending.append(agent)
            if self._dialect.greeting:
                agent.send_line(self._dialect.greeting)
        return True


class CourseAgent(Agent):
    """An Agent with the methods of EngineProcess (protocol/pawnstorm_protocol/client/process.py).

    Its attributes bestmove, answered_at, info and searching have the meaning that they have there.
    """

    # Attributes of EngineProcess for which the course's protocol has no words.
    uciok, options, variant_line, pondering, can_ponder, notes = True, {}, None, False, False, []

    def __init__(self, settings, waker=None, log=None):
        """settings: EngineSettings. Its command is "" if no program is to be started. The agent is told the base of its clock,
        as AgentSettings.time() converts it.
        """
        self.settings, self.rules, self.dialect = settings, settings.agent.rules, settings.agent.dialect
        self.name, self.waker, self.log = f"agent at port {settings.port}", waker, log
        self.socket = self.listener = self.process = None
        self.thinking, self.info = False, b""

    # Starting and ending.

    def start(self):
        """Start the agent's program, if it has a command, and wait until an agent connects and says OK.

        A program that the referee has started may take ANSWER_TIMEOUT for this. For any other agent there is no limit.
        """
        self.searching, self.bestmove, self.answered_at = False, None, 0
        self.opening, self.in_tournament, self.side, self.begun = None, False, None, False
        self.timeout_at, self.stderr_tail = None, b""
        try:
            self.listener = self.listener or socket.create_server(("127.0.0.1", self.settings.port))
            self.listener.setblocking(False)
            if self.settings.command:
                with contextlib.suppress(BlockingIOError):
                    while True:
                        self.listener.accept()[0].close()  # connected before the program starts, so it is another agent
                self.process = ChildProcess(
                    self.settings.command,
                    cwd=self.settings.directory,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
            else:
                print(
                    f"{display_name('match.py')}: waiting for an agent at 127.0.0.1:{self.settings.port}",
                    file=sys.stderr,
                    flush=True,
                )
        except OSError as error:
            raise EngineError(f"cannot start an agent or wait for one at port {self.settings.port}: {error}") from None
        agent = self.accept_agent()
        self.socket, self.line_buffer, self.inbox = agent.socket, agent.line_buffer, agent.inbox
        self.timeout_at, self.useless_lines, self.read_at = agent.timeout_at, agent.useless_lines, agent.read_at

    def accept_agent(self):
        """Wait for the first connection that says OK; returns its Agent.

        In a dialect without an OK before the Setup, the first connection counts.
        """
        listener, deadline, arrived = (
            Listener(self.listener, self.name, self.dialect, self.log),
            now_ns() + ANSWER_TIMEOUT,
            None,
        )
        pending = listener.pending

        def done():
            nonlocal arrived
            arrived = next((agent for agent in pending if agent.next("ok") or not self.dialect.ok_before_setup), None)
            return arrived or listener.accepted

        try:
            while True:
                listener.accepted, greeted = False, []
                late = self.process and now_ns() > deadline
                try:
                    pump((self, listener, *pending), done, now_ns() + STEP, self.waker)
                    greeted = [
                        agent
                        for agent in pending
                        if (late or now_ns() - agent.since > ANSWER_TIMEOUT) and agent.greet_silent()
                    ]
                except EngineFault as fault:
                    if fault.player is self:
                        raise
                    pending.remove(fault.player)
                    fault.player.close(0)
                if arrived and arrived.probed:
                    raise EngineFault(self, "hang", f"has said OK only after a greeting; say greeting={GREETING}")
                if arrived:
                    pending.remove(arrived)
                    return arrived
                if len(pending) > MAX_PENDING:
                    pending.pop(0).close(0)
                if self.process and self.process.poll() is not None:
                    raise EngineFault(
                        self,
                        "crash",
                        f"ended before it connected and said OK: {exit_reason(self.process, self.stderr_tail)}",
                    )
                if greeted:
                    deadline = now_ns() + GREETING_TIMEOUT
                elif late:
                    raise EngineFault(self, "hang", self.silence_fault(pending))
        finally:
            for agent in pending:
                agent.close(0)

    def silence_fault(self, pending):
        """The message about a started program that has not said OK."""
        if not pending:
            return f"did not connect to port {self.settings.port} within {ANSWER_TIMEOUT / SECOND:g} s"
        if self.dialect.greeting:
            return f"has connected, and did not answer '{self.dialect.greeting}' with OK"
        return f"has connected, but has not said OK, not even to '{GREETING}'; if it waits for a Setup, say dialect=welcome"

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
        """The program's stderr, then the socket.

        stderr is read so that it never fills up. It comes first, so that its last lines are read before the end of the socket.
        """
        return [*([self.process.err] if self.process else ()), *(super().pipes() if self.socket else ())]

    def on_io(self, pipe):
        if self.process and pipe is self.process.err:
            data = pipe.read()
            self.stderr_tail = (self.stderr_tail + data)[-1000:]
            for line in data.splitlines() if self.log else ():
                self.log("!", line)
            return bool(data)
        try:
            return super().on_io(pipe)
        except EngineFault as fault:
            if fault.kind == "crash" and self.process:
                raise EngineFault(self, "crash", exit_reason(self.process, self.stderr_tail) or str(fault)) from None
            raise

    # Games.

    def new_game(self, opening=None, side=0, rules=None):
        """Tell the agent the opening and the time. The protocol cannot express an opening's right to capture en passant."""
        if self.in_tournament:
            self.reset()
        if opening != self.opening:
            self.opening, self.parts_sent, self.parts_acknowledged = opening, 0, 0
            self.prepare(parse_fen(self.rules, opening), self.settings.agent.time(self.settings.time_control.base))
            if not self.in_tournament and pump(
                (self,), lambda: self.next("tournament"), now_ns() + TOURNAMENT_TIMEOUT, self.waker
            ):
                self.in_tournament = True
                self.send_tournament_accepted(MAX_GAMES)
                self.reset()
        self.side, self.begun = side, False

    def go(self, position, words, ponder=False):
        """Send the agent its opponent's move, and ask for its own; returns the time at which it was asked."""
        self.bestmove, self.searching, self.thinking, self.info = None, True, True, b""
        moves = position.partition(" moves ")[2].split()
        if not self.begun:
            self.begun = True
            self.begin(self.side, not moves)
        if moves:
            self.send_move(moves[-1][:4])
        clocks = dict(zip(words.split()[::2], words.split()[1::2]))
        self.send_turn(self.side, [int(clocks.get(name, 0)) * MILLISECOND for name in ("wtime", "btime")])
        told = now_ns()
        self.poll_answer()
        return told

    def on_line(self, line):
        super().on_line(line)
        self.poll_answer()

    def poll_answer(self):
        """Take the agent's move, if it is to move. It may resign at any time, which raises EngineFault."""
        if not self.searching and self.side is not None and self.has_resigned():
            raise EngineFault(self, "resign", "resigns")
        found = self.poll_move() if self.searching else None
        if found:
            text, self.answered_at = found
            if text == "exit":
                raise EngineFault(self, "resign", "resigns")
            self.searching, self.bestmove = False, ["bestmove", text]

    def game_over(self, moves, winner):
        """Tell the agent the result of a game. Close the connection, unless the agent plays a tournament."""
        side, self.side, self.searching = self.side, None, False
        if not self.socket or side is None:  # the other engine failed before this agent was told of the game
            return
        decided, won = set_up(self.rules, self.opening, moves)[0].is_game_over(), winner == side
        try:
            if decided and not won:
                self.await_resignation(moves[-1][:4])
            self.send_result(winner, won, len(moves), decided)
        except EngineFault:
            return self.kill()
        if not self.in_tournament:
            self.leave()
            self.close()
            self.kill()

    # Commands of UCI for which the course's protocol has no words.

    def send(self, *lines):
        """Do nothing."""

    def sync(self):
        """Do nothing."""

    def stop(self):
        """Disconnect an agent that is still thinking, because the protocol cannot stop it."""
        if self.searching:
            self.kill()
