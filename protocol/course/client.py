"""The client's side of a conversation, without socket, engine or clock.

The winner's silence. On the course's own server only the loser's `exit` ends a game: it knows no rules, reads the
side to move alone, and books a disconnected player as the loser, with no further games. Many clients do not say
`exit` when they have lost. A winner therefore never leaves first. If more games of a tournament are to come it
gives this one away for them: it says `exit` when the opponent makes a move although it has lost, and after PATIENCE
seconds without a word, which helps where the server listens to both sides. In a single game and in the last of a
tournament there is nothing to save, and it waits.
"""

from collections import deque

from engine.board import Board
from engine.notation import COLOURS, ending, move_text
from protocol.course import messages
from protocol.course.account import Account, rules_of

WAITS = 0.3
"""Seconds without a word after which the client speaks first, or moves although it was told no more than its colour."""

PATIENCE = 300
"""Seconds without a word after which a winner says exit if more games are to come. An `exit` that only overtakes a
slow loser's does harm: the server reads it in the next game."""

LEAVES = 60
"""Seconds without a word after a game that has ended for the server too, when no other game is to come."""

SECONDS = 60
"""A bare number from here on is taken to count seconds, not minutes: to play too fast costs less than a game lost on time."""

OUTCOMES = {True: "won", False: "lost", None: "ended"}


class Client:
    """Plays game after game as the server asks.

    left        seconds on our clock, as far as we know; None where the server has named no time
    results     (won, ply count) of each finished game, as we judge them; won is None where nobody has told
    over        whether the game has ended: by the board, the opponent's resignation, or the server's word
    unconceded  whether it has ended by a win of ours on the board, and neither the opponent nor the server has said so
    expected    games of the tournament that has been accepted, 0 for a single game, None where the number was not told
    """

    def __init__(self, say, note, dialect=None, mode="standard", tournament=0, patience=PATIENCE):
        """say(text) sends; note(text) tells people.

        dialect: None for all of them; mode: of en passant; tournament: games to ask for; patience: instead of PATIENCE.
        """
        self._say, self._note, self._dialect, self._mode, self._asking = say, note, dialect, mode, tournament
        self._wanted, self._patience, self.expected = tournament, patience, 0
        self._start = Board.start(rules_of(mode))
        self._seconds, self._told, self._said_ok, self.results = None, set(), False, []
        self._new_game()
        if dialect is not None and not dialect.greeting:
            self._ok()

    def _new_game(self):
        self.account = Account(self._mode, self._start)
        self.colour, self.left = None, self._seconds
        self._begun = self._moved = self.over = self.unconceded = False
        self._last, self._theirs, self._early = None, None, deque()

    def hear(self, message):
        """Take in one message."""
        handler = getattr(self, f"_on_{message.kind}", None)
        self._text = message.text
        if handler:
            handler(message.value)

    def silence(self, seconds):
        """Nothing has been heard for so many seconds."""
        if seconds < WAITS:
            return
        if not self._said_ok and not self._told:
            self._ok()
        if self._told & {"setup", "time"} and self.colour is not None:
            self._begun = True
        if self.unconceded and self.more and seconds >= self._patience:
            self._give_away(f"has said nothing for {self._patience:g} s")

    @property
    def more(self):
        """Whether games of a tournament are still to come."""
        return self.expected is None or len(self.results) < self.expected

    @property
    def waits(self):
        """Seconds of silence after which a finished game calls for silence() or for leaving; None for never."""
        if not self.over or self.unconceded is not self.more:
            return None
        return self._patience if self.more else LEAVES

    def leaves(self, seconds):
        """Whether to close the connection after so many seconds of silence: the last game is over for the server too."""
        return self.over and not self.unconceded and not self.more and seconds >= LEAVES

    @property
    def broken(self):
        """Whether the server, were it to close the connection now, would break something off.

        The course's server says Reset once more after the last game of a tournament.
        """
        playing = not self.over and (self._begun or self.account.plies > 0)
        return playing or not self.results or bool(self.expected) and self.more

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
            self.unconceded = True
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

    def _on_accepted(self, games):
        """The tournament's number of games, or ours if it is smaller: some servers promise more than they are asked for."""
        self.expected = min(filter(None, (games, self._wanted)), default=None)

    def _on_reset(self, _):
        if self.account.plies and not self.over:
            self._note("the server ended a game that is undecided")
        self._new_game()
        if self.expected == 0:
            self.expected = None
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
        if text[:4] in (self._last, self._theirs):
            return   # a move once more
        if self.unconceded and self.more:
            self._give_away(f"moves '{text}'")
        if self.over:
            return
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

    def _give_away(self, what):
        """Say exit after a win, for the sake of the games to come."""
        self._say("exit")
        self.unconceded = False
        self._note(f"warning: the opponent has lost and {what}: said exit so that the tournament goes on; "
                   "the server may book a loss")

    def _on_exit(self, _):
        self._hear_end(True, "the opponent has left")

    def _on_over(self, winner):
        self._on_verdict(None if winner is None else winner == self.colour)

    def _on_verdict(self, won):
        if self.over and None not in (won, self.results[-1][0]) and won != self.results[-1][0]:
            self._note(f"warning: the server says that game {len(self.results)} was {OUTCOMES[won]}")
        self._hear_end(won, "the server says so")

    def _hear_end(self, won, how):
        """Somebody says that the game has ended; how it ended on the board goes before it."""
        self.unconceded = False
        self._end(won, how)

    def _end(self, won, how):
        if self.over:
            return
        self.over = True
        self.results.append((won, self.account.plies))
        colour = "" if self.colour is None else f" as {COLOURS[self.colour]}"
        self._note(f"game {len(self.results)}: {OUTCOMES[won]}{colour} after {self.account.plies} plies: {how}")
