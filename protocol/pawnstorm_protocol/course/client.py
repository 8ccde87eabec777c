"""The client's side of a conversation, without socket, engine or clock.

Why a winner waits. The course's own server does not know the rules: only the loser's `exit` ends a game. The server listens
only to the side to move. A player who disconnects counts as the loser, and no more games follow. Yet many clients do not say
`exit` when they have lost. So a winner never leaves first. But if more games of a tournament are to come, the winner saves
them by giving this game away. It says `exit` if the opponent moves although it has lost, or has been silent for EXIT_WAIT
seconds. An `exit` after silence helps only with a server that listens to both sides. In a single game, and in the last game
of a tournament, no games can be saved, and the winner waits.
"""

from collections import deque

from pawnstorm.games.notation import COLOURS, loss_reason, move_text
from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize
from pawnstorm_protocol.course import messages
from pawnstorm_protocol.course.client_board import ClientBoard, twoflags_rules

SILENCE_TIMEOUT = 0.3
"""Seconds of silence after which the client is the first to say OK, or begins to play without a Begin. It begins to play only
if it has been told its colour and the Setup or the time."""

EXIT_WAIT = 300
"""Seconds of silence after which a winner says exit if more games are to come. It is long because a
winner's `exit` does harm if it comes just before a slow loser's: the server reads the winner's `exit` in the next game."""

LEAVE_TIMEOUT = 60
"""Seconds of silence after which the client leaves, if its last game has ended for the server too."""

SECONDS_FROM = 60
"""From this number on, a time without a unit counts as seconds, not minutes. Playing too fast costs less than losing on time."""

OUTCOMES = {True: "won", False: "lost", None: "ended"}


class Client:
    """Plays game after game as the server asks.

    game        the ClientBoard
    colour      our colour: 0 for White, 1 for Black, None until it is known
    left        the last known seconds on our clock; None if the server has sent no time
    over        whether the game has ended: on the board, by a resignation, or because the server says so
    unconceded  whether we have won on the board, and neither the opponent nor the server has said so
    results     (won, plies) of each finished game, as the client sees it; won is None if nobody has said who won
    expected    the games of the accepted tournament, 0 for a single game, None if the server has sent no number
    """

    def __init__(self, say, note, dialect=None, mode="standard", tournament=0, patience=EXIT_WAIT):
        """say(text) sends a line to the server; note(text) prints a line for people.

        dialect: the server's Dialect, or None to understand them all. mode: the mode of en passant, a key of
        EN_PASSANT_SUFFIXES. tournament: the number of games to ask for. patience: used in place of EXIT_WAIT, in seconds.
        """
        self._say, self._note, self._dialect, self._mode, self._asking = say, note, dialect, mode, tournament
        self._wanted, self._patience, self.expected = tournament, patience, 0
        self._start = Board.start(twoflags_rules(mode))
        self._seconds, self._parts_received, self._said_ok, self.results = None, set(), False, []
        self._new_game()
        if dialect is not None and not dialect.greeting:
            self._ok()

    def _new_game(self):
        self.game = ClientBoard(self._mode, self._start)
        self.colour, self.left = None, self._seconds
        self._begun = self._moved = self.over = self.unconceded = False
        self._last, self._opponent_move, self._early_moves = None, None, deque()

    def on_message(self, message):
        handler = getattr(self, f"_on_{message.kind}", None)
        self._text = message.text
        if handler:
            handler(message.value)

    def on_silence(self, seconds):
        """Say OK, begin to play, or forfeit the game, if the server has been silent for long enough."""
        if seconds < SILENCE_TIMEOUT:
            return
        if not self._said_ok and not self._parts_received:
            self._ok()
        if self._parts_received & {"setup", "time"} and self.colour is not None:
            self._begun = True
        if self.unconceded and self.has_more_games and seconds >= self._patience:
            self._forfeit(f"has said nothing for {self._patience:g} s")

    @property
    def has_more_games(self):
        """Whether more games of a tournament are to come."""
        return self.expected is None or len(self.results) < self.expected

    @property
    def next_timeout(self):
        """The seconds of silence after which on_silence() or should_leave() must be called.

        None before the game has ended, and also afterwards if neither need be called.
        """
        if not self.over or self.unconceded is not self.has_more_games:
            return None
        return self._patience if self.has_more_games else LEAVE_TIMEOUT

    def should_leave(self, seconds):
        """Whether to leave after so many seconds of silence. True only if the last game is over for the server too."""
        return self.over and not self.unconceded and not self.has_more_games and seconds >= LEAVE_TIMEOUT

    @property
    def in_progress(self):
        """Whether a game or tournament would be broken off if the server closed the connection now."""
        # The course's server says Reset once more after the last game of a tournament.
        playing = not self.over and (self._begun or self.game.plies > 0)
        return playing or not self.results or bool(self.expected) and self.has_more_games

    def board_to_move(self):
        """The Board if we are to move, or None."""
        board = self.game.board
        return board if self._begun and not self.over and self.colour == board.black_to_move else None

    def move(self, move, spent):
        """Play one of the moves of board_to_move(). spent: the seconds that it took."""
        text = move_text(self.game.board, move)
        self._moved, self._last = True, text[:4]
        if self.left is not None:
            self.left = max(0, self.left - spent)
        self.game.play(text)
        self._say(text)
        if self.game.board.is_game_over():
            self.unconceded = True
            self._end(True, loss_reason(self.game.board))  # send nothing: the loser says exit
        elif self._early_moves:
            self._on_move(self._early_moves.popleft())

    def resign(self):
        """Say exit, because we have lost on the board of board_to_move()."""
        self._say("exit")
        self._end(False, loss_reason(self.game.board))

    # The handlers of the kinds of messages.

    def _ok(self):
        self._said_ok = True
        self._say("OK")

    def _on_greeting(self, answered):
        if self._dialect is not None:
            answered = self._dialect.ok_before_setup
        self._parts_received.add("greeting")
        if answered and not self._said_ok:
            self._ok()

    def _on_setup(self, setup):
        self._start = messages.board(twoflags_rules(self._mode), setup)
        colour = None if self.over or self.game.plies else self.colour
        self._new_game()
        self.colour = colour
        self._answer("setup")

    def _on_time(self, number):
        if self.game.plies and not self.over:
            return
        seconds = (
            self._text[0].isdigit() and number >= SECONDS_FROM
            if self._dialect is None
            else self._dialect.time_in_seconds
        )
        self._seconds = self.left = number if seconds else 60 * number
        self._answer("time")

    def _answer(self, part):
        self._parts_received.add(part)
        self._ok()
        if self._asking and {"setup", "time"} <= self._parts_received:
            self._say(f"TOURNAMENT {self._asking}")
            self._asking = 0

    def _on_accepted(self, games):
        # Some servers promise more games than they were asked for.
        self.expected = min(filter(None, (games, self._wanted)), default=None)

    def _on_reset(self, _):
        if self.game.plies and not self.over:
            self._note("the server ended a game that is undecided")
        self._new_game()
        if self.expected == 0:
            self.expected = None
        self._say("Ready")

    def _on_begin(self, _):
        """Begin to play. If we do not know our colour, it is that of the side to move.

        A server that sends this message to both players also sends their colours.
        """
        self._begun = True
        if self.colour is None:
            self.colour = int(self.game.board.black_to_move)

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
        side = int(self.game.board.black_to_move)
        if text[:4] in (self._last, self._opponent_move):
            return  # the server repeats a move
        if self.unconceded and self.has_more_games:
            self._forfeit(f"moves '{text}'")
        if self.over:
            return
        self._begun = True
        if self.colour == side and self.game.plies:
            self._early_moves.append(text)
            return
        if not self.game.plies:
            self.colour = 1 - side  # the opponent has made the first move, so it has the side to move
        self._opponent_move = text[:4]
        fault = self.game.play(text)
        if fault:
            self._note(f"warning: {fault}")
            self._mode = self.game.mode
        if self.game.board.is_game_over():
            self.resign()

    def _forfeit(self, what):
        """Give a won game away, so that the next games are played."""
        self._say("exit")
        self.unconceded = False
        self._note(
            f"warning: the opponent has lost and {what}: said exit so that the tournament goes on; "
            "the server may count this game as lost"
        )

    def _on_exit(self, _):
        self._hear_end(True, "the opponent has left")

    def _on_over(self, winner):
        self._on_verdict(None if winner is None else winner == self.colour)

    def _on_verdict(self, won):
        if self.over and None not in (won, self.results[-1][0]) and won != self.results[-1][0]:
            self._note(f"warning: the server says that game {len(self.results)} was {OUTCOMES[won]}")
        self._hear_end(won, "the server says so")

    def _hear_end(self, won, how):
        """The opponent or the server says that the game has ended. If it has ended on the board, that result stands."""
        self.unconceded = False
        self._end(won, how)

    def _end(self, won, how):
        if self.over:
            return
        self.over = True
        self.results.append((won, self.game.plies))
        colour = "" if self.colour is None else f" as {COLOURS[self.colour]}"
        self._note(
            f"game {len(self.results)}: {OUTCOMES[won]}{colour} after {pluralize(self.game.plies, 'ply')}: {how}"
        )
