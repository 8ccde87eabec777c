"""The server's side of one conversation with an agent, to which pump() of protocol/pawnstorm_protocol/client/pump.py listens."""

import socket
from collections import deque

from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, EngineFault, now, pump
from pawnstorm_protocol.course import dialects, messages
from pawnstorm_protocol.course.messages import TooLong, Wire
from pawnstorm_protocol.system.polling import Poll

ANSWERS = 10 * SECOND
"""How long an agent may take to say OK or Ready."""
CONCEDES = SECOND // 2
"""How long an agent that has lost may take to say exit, before it is told the end."""
GAP = 50 * MILLISECOND
"""How long after its last byte a message without a newline counts as complete, if it can be."""
GREETING, GREETED = "Connected", 2 * SECOND
"""A greeting for an agent that says nothing, since it may wait for one, and how long it may take to answer."""
LINGERS = 1 * SECOND
"""How long a connection is still read after the last line was sent: closing it at once could lose that line."""
MOST_UNREAD = 64
"""Messages in a row that were of no use: too early, out of place, or not understood."""


class Agent:
    """One agent at a connected socket. Raises EngineFault if it leaves, is silent for too long, or sends too much.

    name     in results
    log      a DebugLog's writer, or None
    inbox    (message, when it was read in nanoseconds), of messages that nobody has taken yet
    due      when bytes without a newline count as a message
    unasked  lines in a row that were of no use
    told     how many of the dialect's Setup and Time it has been told
    agreed   to how many of these it has said OK
    probed   whether it was greeted because it said nothing
    """

    def __init__(self, connection, name, dialect, wake=None, log=None):
        self.name, self.dialect, self.wake, self.log = name, dialect, wake, log
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket, self.wire, self.inbox = connection, Wire(), deque()
        self.due, self.unasked, self.heard, self.told, self.agreed = None, 0, 0, 0, 0
        self.probed = False

    # Listening.

    def pipes(self):
        return (self.socket,)

    def hear(self, _):
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        self.due, self.heard = None, now()
        if not data:
            if not messages.read(self.wire.peek()):
                raise EngineFault(self, "crash", "closed the connection")
            self.lapse()
            return True
        try:
            lines = self.wire.feed(data)
        except TooLong as error:
            raise EngineFault(self, "protocol", f"sent {error}") from None
        for line in lines:
            self.take(line)
        if self.wire.partial and messages.read(self.wire.peek()):
            self.due = self.heard + GAP
        return True

    def lapse(self):
        """Take what has come without a newline for a line."""
        self.due = None
        self.take(self.wire.take())

    def take(self, line):
        if self.log:
            self.log("<", line)
        found = messages.read(line)
        if not found:
            self.unasked += 1
            if self.log:
                self.log("#", "not understood")
        self.inbox.extend((message, self.heard) for message in found)
        if len(self.inbox) + self.unasked > MOST_UNREAD:
            raise EngineFault(self, "protocol", f"sent more than {MOST_UNREAD} lines that were not expected")

    def next(self, *kinds):
        """The next (message, time) of one of these kinds, or None. Messages before it are dropped."""
        while self.inbox:
            message, heard = self.inbox.popleft()
            if message.kind in kinds:
                self.unasked = 0
                return message, heard
            self.unasked += 1
            if self.log:
                self.log("#", f"out of place: {message.text}")
        return None

    def expect(self, kind, patience):
        """Wait for a message of this kind, so many nanoseconds."""
        if not pump((self,), lambda: self.next(kind), now() + patience, self.wake):
            raise EngineFault(self, "hang", f"has not said {kind.capitalize()} within {patience / SECOND:g} s")

    # Talking.

    def say(self, text):
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

        An agent that does not answer greetings is sent the first of Setup and Time at once, for its OK.
        """
        if self.dialect.greeting:
            self.say(self.dialect.greeting)
        if not self.dialect.answered:
            self._tell(board, seconds)

    def probe(self):
        """Greet an agent that has said nothing; returns False if it was greeted before."""
        if self.probed or self.dialect.greeting:
            return False
        self.probed = True
        self.say(GREETING)
        return True

    @property
    def known(self):
        """Whether it was told the position and the time for a game, and has said OK to both."""
        return self.agreed == len(self.dialect.order)

    def introduce(self, board, seconds):
        """Tell it the position and the time, as far as its OKs allow by now."""
        while not self.known:
            if self.agreed == self.told:
                self._tell(board, seconds)
            elif self.next("ok"):
                self.agreed += 1
            else:
                return

    def prepare(self, board, seconds):
        """Tell it the position and the time, if nobody has, and wait for its OKs."""

        def done():
            self.introduce(board, seconds)
            return self.known

        if not pump((self,), done, now() + ANSWERS, self.wake):
            raise EngineFault(self, "hang", f"no OK within {ANSWERS // SECOND} s")

    def _tell(self, board, seconds):
        part = self.dialect.order[self.told]
        text = messages.setup(board) if part == "setup" else dialects.time_text(self.dialect, seconds)
        self.say("Setup" + text.removeprefix("Setup").upper() if part == "setup" and self.dialect.upper else text)
        self.told += 1

    def accept(self, games):
        """Tell it that there will be a tournament."""
        self.say(f"TournamentAccepted {games}")

    def reset(self):
        """Call it to the next game of a tournament."""
        self.say("Reset")
        self.expect("ready", ANSWERS)

    def begin(self, side, first):
        """Begin a game. side: its colour, 0 White, 1 Black; first: whether it moves first."""
        self.inbox.clear()
        text = self.dialect.colours[side] or ("Begin" if first else "")
        if text:
            self.say(text.upper() if self.dialect.upper and first else text)

    def turn(self, board, last, left):
        """Ask for its move; returns the time at which it was asked.

        last: the opponent's move, None at the beginning. left: nanoseconds of (White, Black).
        """
        self.relay(last)
        self.call(int(board.black), left)
        return now()

    def call(self, side, left):
        """Send the line that the dialect puts before each move, if it has one."""
        if self.dialect.turn:
            white, black = (f"{time / SECOND:.2f}" for time in left)
            self.say(self.dialect.turn.format(white=white, black=black, own=(white, black)[side]))

    def relay(self, move):
        if move:
            self.say(self.dialect.move.format(move=move))

    def played(self):
        """(text, time) of its move or of "exit", None as long as neither has come."""
        found = self.next("move", "exit")
        return found and (found[0].value or "exit", found[1])

    def refuse(self, board, move):
        """Tell the agent that its move is illegal. In a dialect without line ends say nothing: the agent could not tell
        this message from the end of the game.
        """
        if self.dialect.newline:
            self.say(messages.illegal(board, move))

    def gives_up(self):
        """Whether it has said exit, and that was not taken yet."""
        return any(message.kind == "exit" for message, _ in self.inbox)

    def concede(self, last):
        """Tell it the move by which it has lost, and wait a little for its exit."""
        self.relay(last)
        try:
            self.expect("exit", CONCEDES)
        except EngineFault as fault:
            if fault.kind != "hang":
                raise

    def alone(self):
        """Tell it that the opponent has gone before the first game."""
        self.say("exit")

    def over(self, winner, won, plies, decided):
        """Tell it the end. A player who wins by resignation, on time or by a fault receives `exit` first.

        winner: 0 White, 1 Black. won: whether it has won. decided: whether the game was decided on the board.
        """
        text = dialects.ending(self.dialect, winner, won, plies)
        exits = text.lower() == "exit"
        if won and not decided and not exits:
            self.say("exit")
        if exits and not won and not decided:  # to the loser it would mean a win
            text = dialects.ending(dialects.DIALECTS["course"], winner, won, plies)
        self.say(text)

    def leave(self, reason=""):
        """Say the reason, if there is one, and then no more. close() is to follow."""
        try:
            if reason:
                self.say(f"Error: {reason}")
            self.socket.shutdown(socket.SHUT_WR)
        except (OSError, EngineFault):
            pass

    def drain(self):
        """Read and drop what has come; returns whether more can come."""
        try:
            return bool(self.socket.recv(1 << 16))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def close(self, lingers=LINGERS):
        """Close the connection, when the agent has, or after so many nanoseconds."""
        until, poll = now() + lingers, Poll([self.socket])
        while (left := until - now()) > 0 and poll.wait(left / SECOND) and self.drain():
            pass
        self.socket.close()
