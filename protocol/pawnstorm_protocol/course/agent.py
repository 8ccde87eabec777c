"""The server's side of the conversation with one agent. pump() (protocol/pawnstorm_protocol/client/pump.py) listens to it."""

import socket
from collections import deque

from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, EngineFault, now_ns, pump
from pawnstorm_protocol.course import dialects, messages
from pawnstorm_protocol.course.messages import LineBuffer, TooLong
from pawnstorm_protocol.system.polling import Poll

ANSWER_TIMEOUT = 10 * SECOND
"""How long an agent may take to say OK or Ready."""
EXIT_TIMEOUT = SECOND // 2
"""How long the server waits for the exit of an agent that has lost, before it sends the result."""
LINE_TIMEOUT = 50 * MILLISECOND
"""The time after which bytes without a newline count as a complete line, if no more come and they are a message."""
GREETING, GREETING_TIMEOUT = "Connected", 2 * SECOND
"""The greeting for a silent agent, which may be waiting for one, and how long the agent may take to answer."""
LINGER_TIME = 1 * SECOND
"""How long a connection is still read after the last line was sent. Closing it at once could lose that line."""
MAX_UNREAD = 64
"""The most useless messages in a row: too early, out of place, or not understood."""


class Agent:
    """One agent at a connected socket. Raises EngineFault if the agent leaves, is silent for too long, or sends too much.

    name                the agent's name in results
    log                 a DebugLog's writer, or None
    info                the last UCI `info` line before the agent's last move, in bytes. (The course's own server would
                        relay this line as a move)
    thinking            whether the agent has been asked for a move and has not answered
    inbox               (message, the time in nanoseconds at which it was read) for each message that nobody has taken yet
    timeout_at          when bytes without a newline count as a message
    useless_lines       the number of useless lines in a row
    parts_sent          how many of the dialect's two parts, Setup and Time, were sent to the agent
    parts_acknowledged  how many of these it has answered with OK
    probed              whether it was greeted because it said nothing
    """

    def __init__(self, connection, name, dialect, waker=None, log=None):
        self.name, self.dialect, self.waker, self.log = name, dialect, waker, log
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket, self.line_buffer, self.inbox = connection, LineBuffer(), deque()
        self.timeout_at, self.useless_lines, self.read_at, self.parts_sent, self.parts_acknowledged = None, 0, 0, 0, 0
        self.probed, self.thinking, self.info = False, False, b""

    # Listening.

    def pipes(self):
        return (self.socket,)

    def on_io(self, _):
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        self.timeout_at, self.read_at = None, now_ns()
        if not data:
            if not messages.parse(self.line_buffer.peek()):
                raise EngineFault(self, "crash", "closed the connection")
            self.on_timeout()
            return True
        try:
            lines = self.line_buffer.feed(data)
        except TooLong as error:
            raise EngineFault(self, "protocol", f"sent {error}") from None
        for line in lines:
            self.on_line(line)
        if self.line_buffer.partial and messages.parse(self.line_buffer.peek()):
            self.timeout_at = self.read_at + LINE_TIMEOUT
        return True

    def on_timeout(self):
        """Treat the bytes that have come without a newline as a line."""
        self.timeout_at = None
        self.on_line(self.line_buffer.take())

    def on_line(self, line):
        if self.log:
            self.log("<", line)
        found = messages.parse(line)
        if self.thinking and line.lower().startswith("info "):
            self.info = line.lower().encode()
        elif not found:
            self.useless_lines += 1
            if self.log:
                self.log("#", "not understood")
        self.thinking = self.thinking and all(message.kind != "move" for message in found)
        self.inbox.extend((message, self.read_at) for message in found)
        if len(self.inbox) + self.useless_lines > MAX_UNREAD:
            raise EngineFault(self, "protocol", f"sent more than {MAX_UNREAD} lines that were not expected")

    def next(self, *kinds):
        """Take the next (message, time) of one of these kinds; None if there is none.

        The messages before it are dropped: all messages, if none is of these kinds.
        """
        while self.inbox:
            message, heard = self.inbox.popleft()
            if message.kind in kinds:
                self.useless_lines = 0
                return message, heard
            self.useless_lines += 1
            if self.log:
                self.log("#", f"out of place: {message.text}")
        return None

    def expect(self, kind, timeout):
        """Wait for a message of this kind, at most `timeout` nanoseconds."""
        if not pump((self,), lambda: self.next(kind), now_ns() + timeout, self.waker):
            raise EngineFault(self, "hang", f"has not said {kind.capitalize()} within {timeout / SECOND:g} s")

    # Talking.

    def send_line(self, text):
        if self.log:
            self.log(">", text)
        data = text.encode() + self.dialect.newline
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            raise EngineFault(self, "crash", "closed the connection") from None
        if sent < len(data):
            raise EngineFault(self, "hang", "does not read what it is sent")

    def greet(self, board, seconds):
        """Send the dialect's greeting, if it has one.

        In a dialect whose client does not say OK before the setup, send the first of Setup and Time at once.
        """
        if self.dialect.greeting:
            self.send_line(self.dialect.greeting)
        if not self.dialect.ok_before_setup:
            self._tell(board, seconds)

    def greet_silent(self):
        """Greet an agent that has said nothing; returns False if it was greeted before."""
        if self.probed or self.dialect.greeting:
            return False
        self.probed = True
        self.send_line(GREETING)
        return True

    @property
    def is_set_up(self):
        """Whether the agent has been sent the position and the time for a game, and has said OK to both."""
        return self.parts_acknowledged == len(self.dialect.order)

    def send_setup(self, board, seconds):
        """Send Setup and Time in the dialect's order, the second only after the agent's OK to the first.

        Does not wait: while an OK is missing, it returns, and must be called again later.
        """
        while not self.is_set_up:
            if self.parts_acknowledged == self.parts_sent:
                self._tell(board, seconds)
            elif self.next("ok"):
                self.parts_acknowledged += 1
            else:
                return

    def prepare(self, board, seconds):
        """Send Setup and Time, unless they were sent before, and wait for the agent's OKs."""

        def done():
            self.send_setup(board, seconds)
            return self.is_set_up

        if not pump((self,), done, now_ns() + ANSWER_TIMEOUT, self.waker):
            raise EngineFault(self, "hang", f"no OK within {ANSWER_TIMEOUT // SECOND} s")

    def _tell(self, board, seconds):
        part = self.dialect.order[self.parts_sent]
        text = messages.setup(board) if part == "setup" else dialects.time_text(self.dialect, seconds)
        self.send_line("Setup" + text.removeprefix("Setup").upper() if part == "setup" and self.dialect.upper else text)
        self.parts_sent += 1

    def send_tournament_accepted(self, games):
        """Tell the agent that a tournament follows."""
        self.send_line(f"TournamentAccepted {games}")

    def reset(self):
        """Call the agent to the next game of a tournament, and wait until it is ready."""
        self.send_line("Reset")
        self.expect("ready", ANSWER_TIMEOUT)

    def begin(self, side, first):
        """Begin a game. side: the agent's colour, 0 for White, 1 for Black. first: whether it moves first."""
        self.inbox.clear()
        text = self.dialect.colours[side] or ("Begin" if first else "")
        if text:
            self.send_line(text.upper() if self.dialect.upper and first else text)

    def request_move(self, board, last, left):
        """Ask the agent for its move; returns the time at which it was asked.

        last: the opponent's move, or None at the beginning. left: the nanoseconds left to (White, Black).
        """
        self.thinking, self.info = True, b""
        self.send_move(last)
        self.send_turn(int(board.black_to_move), left)
        return now_ns()

    def send_turn(self, side, left):
        """Send the line that the dialect puts before each move, if it has one."""
        if self.dialect.turn:
            white, black = (f"{time / SECOND:.2f}" for time in left)
            self.send_line(self.dialect.turn.format(white=white, black=black, own=(white, black)[side]))

    def send_move(self, move):
        if move:
            self.send_line(self.dialect.move.format(move=move))

    def poll_move(self):
        """Take the agent's move or "exit" as (text, time); None until one has come."""
        found = self.next("move", "exit")
        return found and (found[0].value or "exit", found[1])

    def refuse(self, board, move):
        """Tell the agent that its move is illegal.

        In a dialect without line ends, send nothing, because the agent could not tell this message from the end of the game.
        """
        if self.dialect.newline:
            self.send_line(messages.illegal(board, move))

    def has_resigned(self):
        """Whether the inbox has an exit of the agent."""
        return any(message.kind == "exit" for message, _ in self.inbox)

    def await_resignation(self, last):
        """Send the agent the move by which it has lost, and wait for its exit, at most EXIT_TIMEOUT."""
        self.send_move(last)
        try:
            self.expect("exit", EXIT_TIMEOUT)
        except EngineFault as fault:
            if fault.kind != "hang":
                raise

    def opponent_left(self):
        """Tell the agent that its opponent has left before the first game."""
        self.send_line("exit")

    def send_result(self, winner, won, plies, decided):
        """Tell the agent the result. A player who wins by resignation, on time or by a fault receives `exit` first.

        winner: 0 for White, 1 for Black. won: whether the agent has won. decided: whether the game was decided on the board.
        """
        text = dialects.result_text(self.dialect, winner, won, plies)
        exits = text.lower() == "exit"
        if won and not decided and not exits:
            self.send_line("exit")
        if exits and not won and not decided:  # the loser would understand `exit` as a win
            text = dialects.result_text(dialects.DIALECTS["course"], winner, won, plies)
        self.send_line(text)

    def leave(self, reason=""):
        """Send the reason, if there is one, as the last line. close() must follow."""
        try:
            if reason:
                self.send_line(f"Error: {reason}")
            self.socket.shutdown(socket.SHUT_WR)
        except (OSError, EngineFault):
            pass

    def drain(self):
        """Read the bytes that have come and drop them; returns whether more can come."""
        try:
            return bool(self.socket.recv(1 << 16))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def close(self, lingers=LINGER_TIME):
        """Close the connection when the agent has closed it, or after `lingers` nanoseconds."""
        until, poll = now_ns() + lingers, Poll([self.socket])
        while (left := until - now_ns()) > 0 and poll.wait(left / SECOND) and self.drain():
            pass
        self.socket.close()
