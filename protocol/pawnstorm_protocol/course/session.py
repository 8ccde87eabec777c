"""`pawnstorm course --connect`: gives the client a socket, an engine and a clock."""

import socket

from pawnstorm.core import native
from pawnstorm.games.rules import DEFAULT_GAME, get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.system.clock import now_seconds
from pawnstorm_protocol.addresses import host_name
from pawnstorm_protocol.course import messages
from pawnstorm_protocol.course.client import SILENCE_TIMEOUT, Client
from pawnstorm_protocol.course.messages import LineBuffer, TooLong
from pawnstorm_protocol.system.polling import Poll, Waker

LINE_TIMEOUT = 0.1
"""Seconds after which a message without a newline counts as complete, if it is a message."""
DEFAULT_TIME = 300
"""Seconds for a game if the server sends no time."""


class Session:
    """One connection to a server. run() plays until the server closes it, or until no more games are to come.

    client   the Client, which knows the results
    """

    def __init__(self, settings, note, log):
        """Make the engine, and connect. Raises OSError, MemoryError.

        settings: address, dialect (None for any), en_passant, tournament, patience, hash, threads, level, nodes, overhead.
        note(text) prints a line for people. log: a DebugLog's writer.
        """
        self._note, self._log, self._nodes = note, log, settings.nodes
        native.core()
        self._engine = Engine(on_best=self._on_best)
        self._engine.overhead, self._engine.elo = settings.overhead, settings.level
        self._engine.set_hash(settings.hash)
        self._engine.set_threads(settings.threads)
        self._engine.prepare(get_rules(DEFAULT_GAME))
        self._waker = Waker()  # woken when the engine has found a move
        self._best, self._searched_board = None, None  # the (board, move) found last; the board that is searched now
        host, port = settings.address
        self._socket = socket.create_connection((host_name(host), port), timeout=10)
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._line_buffer, self._newline = LineBuffer(), settings.dialect and settings.dialect.newline
        self.client = Client(
            self._say, note, settings.dialect, settings.en_passant, settings.tournament, settings.patience
        )

    def run(self):
        """Play to the end; returns whether the server broke off a game or a tournament."""
        client, heard, turned = self.client, now_seconds(), None
        games = 0
        while True:
            quiet = now_seconds() - heard
            if self._line_buffer.partial and quiet >= LINE_TIMEOUT and messages.parse(self._line_buffer.peek()):
                self._on_line(self._line_buffer.take())
            client.on_silence(quiet)
            board = client.board_to_move()
            if self._searched_board is not None and self._searched_board is not board:
                self._engine.stop()
                self._engine.wait()
                self._searched_board = None
            if board is not None and board.is_game_over():
                client.resign()
            elif board is not None and self._searched_board is None:
                if len(client.results) > games:
                    games = len(client.results)
                    self._engine.new_game()
                turned, self._searched_board = heard, board
                left = DEFAULT_TIME if client.left is None else client.left
                spent = now_seconds() - turned
                self._engine.go(board, Limits(clock=(int(1000 * max(0, left - spent)), 0), nodes=self._nodes))
            wait = min(
                (
                    moment - quiet
                    for moment in (LINE_TIMEOUT, SILENCE_TIMEOUT, client.next_timeout)
                    if moment and moment > quiet
                ),
                default=None,
            )
            ready = Poll([self._socket, self._waker]).wait(wait)
            if self._waker in ready:
                self._waker.take()
                if self._best[0] is self._searched_board is not None:
                    self._searched_board = None
                    heard = now_seconds()
                    client.move(self._best[1], heard - turned)
            if self._socket in ready:
                if not self._read():
                    return client.in_progress
                heard = now_seconds()
            elif client.should_leave(now_seconds() - heard):
                return False

    def close(self):
        """Close the connection, and stop the engine."""
        self._socket.close()
        self._engine.stop()
        self._engine.wait()
        self._waker.close()

    def _on_best(self, board, best, _):
        """Keep the best move and wake run(). The engine calls this in the search's thread."""
        self._best = board, best
        self._waker.wake()

    def _read(self):
        """Read from the socket; returns False at its end."""
        try:
            data = self._socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            if messages.parse(self._line_buffer.peek()):
                self._on_line(self._line_buffer.take())
            return False
        try:
            lines = self._line_buffer.feed(data)
        except TooLong as error:
            self._note(f"warning: the server sent {error}")
            return True
        for line in lines:
            self._on_line(line)
        return True

    def _on_line(self, line):
        self._log("<", line)
        found = messages.parse(line)
        if not found:
            self._log("#", "not understood")
            if line.lower().startswith(("setup", "time ")):
                self._note(f"warning: cannot read '{line[:80]}'")
            elif line.lower().startswith(("error", "illegal")):
                self._note(f"warning: the server says '{line[:200]}'")
        for message in found:
            self.client.on_message(message)

    def _say(self, text):
        """Send a line. It ends as the dialect says, or else as the server's own lines end."""
        self._log(">", text)
        newline = self._newline
        if newline is None:
            newline = b"\n" if self._line_buffer.newline is None else self._line_buffer.newline
        try:
            self._socket.sendall(text.encode() + newline)
        except OSError:
            pass  # the server has gone; the next _read() finds that
