"""The client's side of a conversation, without socket, engine or clock: what it hears changes it, what it has to say it says."""

from collections import deque

from engine.board import Board
from engine.notation import COLOURS, ending, move_text
from protocol.course import messages
from protocol.course.account import Account, rules_of

WAITS = 0.3
"""Seconds without a word after which the client speaks first, or moves although it was told no more than its colour."""

SECONDS = 60
"""A bare number from here on is taken to count seconds, not minutes: to play too fast costs less than a game lost on time."""

OUTCOMES = {True: "won", False: "lost", None: "ended"}


class Client:
    """Plays game after game as the server asks.

    left        seconds on our clock, as far as we know; None where the server has named no time
    results     (won, ply count) of each finished game, as we judge them; won is None where nobody has told
    over        whether the game has ended: by the board, the opponent's resignation, or the server's word
    called      whether there has been a word of the game, beyond Setup and Time
    """

    def __init__(self, say, note, dialect=None, mode="standard", tournament=0):
        """say(text) sends; note(text) tells people. dialect: None is for all of them; mode: of en passant; tournament: games to ask for."""
        self._say, self._note, self._dialect, self._mode, self._asking = say, note, dialect, mode, tournament
        self._start = Board.start(rules_of(mode))
        self._seconds, self._told, self._said_ok, self.results = None, set(), False, []
        self._new_game()
        if dialect is not None and not dialect.greeting:
            self._ok()

    def _new_game(self):
        self.account = Account(self._mode, self._start)
        self.colour, self.left = None, self._seconds
        self._begun = self._moved = self._called = self.over = False
        self._last, self._theirs, self._early = None, None, deque()

    def hear(self, message):
        """Take in one message."""
        handler = getattr(self, f"_on_{message.kind}", None)
        self._text = message.text
        if handler:
            handler(message.value)

    def silence(self):
        """Nothing has been heard for WAITS seconds."""
        if not self._said_ok and not self._told:
            self._ok()
        if self._told & {"setup", "time"} and self.colour is not None:
            self._begun = True

    @property
    def called(self):
        return self._called or self.account.plies > 0

    def turn(self):
        """The Board on which it is ours to move now, or None."""
        board = self.account.board
        return board if self._begun and not self.over and self.colour == board.black else None

    def move(self, move, spent):
        """Play one of the moves of turn(), after so many seconds."""
        text = move_text(self.account.board, move)
        self._moved, self._last = True, text[:4]
        if self.left is not None:
            self.left = max(0, self.left - spent)
        self.account.play(text)
        self._say(text)
        if self.account.board.over():
            self._end(True, ending(self.account.board))   # the loser says exit, the winner nothing
        elif self._early:
            self._on_move(self._early.popleft())

    def lose(self):
        """The board of turn() is a lost one: say so."""
        self._say("exit")
        self._end(False, ending(self.account.board))

    # What is heard.

    def _ok(self):
        self._said_ok = True
        self._say("OK")

    def _on_greeting(self, answered):
        if self._dialect is not None:
            answered = self._dialect.answered
        self._told.add("greeting")
        if answered and not self._said_ok:
            self._ok()

    def _on_setup(self, setup):
        self._start = messages.board(rules_of(self._mode), setup)
        colour = None if self.over or self.account.plies else self.colour
        self._new_game()
        self.colour = colour
        self._answer("setup")

    def _on_time(self, number):
        if self.account.plies and not self.over:
            return
        seconds = self._text[0].isdigit() and number >= SECONDS if self._dialect is None else self._dialect.seconds
        self._seconds = self.left = number if seconds else 60 * number
        self._answer("time")

    def _answer(self, part):
        self._told.add(part)
        self._ok()
        if self._asking and {"setup", "time"} <= self._told:
            self._say(f"TOURNAMENT {self._asking}")
            self._asking = 0

    def _on_reset(self, _):
        if self.account.plies and not self.over:
            self._note("the server ended a game that is undecided")
        self._new_game()
        self._called = True
        self._say("Ready")

    def _on_begin(self, _):
        """Whoever is told so makes the first move; a server that tells both names the colours too."""
        self._begun = True
        if self.colour is None:
            self.colour = int(self.account.board.black)

    _on_turn = _on_begin

    def _on_colour(self, colour):
        if not self._moved:
            self.colour = colour

    def _on_clocks(self, seconds):
        if self.colour is not None:
            self.left = seconds[self.colour]
        self._begun = True

    def _on_remaining(self, seconds):
        self.left = seconds
        self._begun = True

    def _on_move(self, text):
        side = int(self.account.board.black)
        if self.over or text[:4] in (self._last, self._theirs):
            return   # what follows the end of a game, or a move once more
        self._begun = True
        if self.colour == side and self.account.plies:
            self._early.append(text)
            return
        if not self.account.plies:
            self.colour = 1 - side   # the first move is the opponent's, whatever we took ourselves for
        self._theirs = text[:4]
        fault = self.account.play(text)
        if fault:
            self._note(f"warning: {fault}")
            self._mode = self.account.mode
        if self.account.board.over():
            self.lose()

    def _on_exit(self, _):
        self._end(True, "the opponent has left")

    def _on_over(self, winner):
        """The server's word; the board's goes before it."""
        self._end(None if winner is None else winner == self.colour, "the server says so")

    def _on_verdict(self, won):
        self._end(won, "the server says so")

    def _end(self, won, how):
        if self.over:
            return
        self.over = True
        self.results.append((won, self.account.plies))
        colour = "" if self.colour is None else f" as {COLOURS[self.colour]}"
        self._note(f"game {len(self.results)}: {OUTCOMES[won]}{colour} after {self.account.plies} plies: {how}")
