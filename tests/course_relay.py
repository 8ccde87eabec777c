"""The course's own server as a model without sockets and clock: it relays, knows no rules, and books who says `exit` as
the loser.

It reads the side to move alone; what the other one says early waits for its turn, the next game's Ready included. A
player that leaves has lost, which the server sees when it reads from it or writes to it, and no other game is
played. With hears_both it listens to both sides at any time, as a server of a thread for each player would.
"""

import random
from collections import deque

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm_protocol.course import messages
from pawnstorm_protocol.course.client import Client

NODES = 200
"""Of the winner's search; the loser plays at random."""
LONGEST = 3600
"""Seconds without a word after which a game is given up as stuck."""


class Party:
    """A Client at the relay; moves are made by a short search, or at random where there is a seed."""

    def __init__(self, kind, games, seed=None):
        self.said, self.notes, self.left, self.quiet = deque(), [], False, 0
        self.random = seed is not None and random.Random(seed)
        self.client = kind(self.said.append, self.notes.append, tournament=games)

    def choose(self, board):
        if self.random:
            return self.random.choice(board.moves())
        found = []
        engine = Engine(on_best=lambda board, best, _: found.append(best))
        engine.go(board, Limits(nodes=NODES))
        engine.wait()
        return found[0]

    def hear(self, text):
        self.quiet = 0
        for message in messages.parse(text):
            self.client.on_message(message)
        self.act()

    def act(self):
        board = self.client.board_to_move()
        if board is None or self.left:
            return
        if board.is_game_over():
            self.client.resign()
        else:
            self.client.move(self.choose(board), 0.1)

    def wait(self):
        """A second without a word."""
        self.quiet += 1
        if not self.left:
            self.client.on_silence(self.quiet)
            self.left = self.client.should_leave(self.quiet)
            self.act()


# Losers.


class Mute(Client):
    """Says nothing once it has lost."""

    def resign(self):
        self._end(False, "says nothing")

    def should_leave(self, seconds):
        return False


class Deaf(Mute):
    """Does not know that the far rank wins for the opponent: plays on, and says nothing when it cannot move."""

    def _on_move(self, text):
        if not self.game.board.is_game_over():
            self.game.play(text)
            self._begun = True
            if self.colour is None:
                self.colour = int(self.game.board.black_to_move)
        board = self.game.board
        own, opp = board.own & ~board.rules.goal, board.opp & ~board.rules.home
        self.game.start = self.game.board = Board(board.rules, own, opp, 0, board.black_to_move)
        self.game.moves = []

    def board_to_move(self):
        board = self.game.board
        return board if self._begun and not self.over and self.colour == board.black_to_move else None


class Late(Client):
    """Says exit two minutes after it has lost."""

    def resign(self):
        pass

    def on_silence(self, seconds):
        super().on_silence(seconds)
        board = self.board_to_move()
        if seconds >= 120 and board is not None and board.is_game_over():
            super().resign()


LOSERS = {"exit": Client, "exit after 120 s": Late, "plays on, then silent": Deaf, "silent": Mute}


class Relay:
    """A tournament, or a single game for games=0, between two parties.

    books: of each game "1" where the first party has won, "0" where it has lost; after "disconnect" where the loser
    had left; "stuck" where nobody spoke any more, "not Ready" where a player answered Reset by what it meant for the
    last game.
    """

    def __init__(self, one, two, games, hears_both):
        self.parties, self.games, self.hears_both = (one, two), games, hears_both
        self.books = []
        for party in self.parties:
            party.wait()  # both say OK by themselves
            assert party.said.popleft() == "OK"
        for line in (messages.setup(Board.start(get_rules("twoflags"))), "Time 30"):
            for party in self.parties:
                party.hear(line)
                assert party.said.popleft() == "OK"
        if games:
            assert one.said.popleft() == two.said.popleft() == f"TOURNAMENT {games}"
            self.tell(f"TournamentAccepted {games}")
        for number in range(games or 1):
            if not self.game(number, bool(games)):
                return
        if games:
            self.tell("Reset")

    def tell(self, text):
        for party in self.parties:
            party.hear(text)

    def read(self, mover):
        """(who, line): what is heard next. The line is "" where that player has left; None for nothing within LONGEST
        seconds.
        """
        for _ in range(LONGEST):
            for party in self.parties if self.hears_both else (mover,):
                if party.said and (party is mover or party.said[0] == "exit"):
                    return party, party.said.popleft()
                if party.left:
                    return party, ""
            for party in self.parties:
                party.wait()
        return None

    def game(self, number, called):
        """Play one game; whether another one can follow."""
        mover = self.parties[number % 2]
        if called:
            self.tell("Reset")
            if [party.said.popleft() for party in self.parties] != ["Ready"] * 2:
                self.books.append("not Ready")
                return False
        mover.hear("Begin")
        while (heard := self.read(mover)) and heard[1] not in ("", "exit"):
            mover = self.parties[mover is self.parties[0]]
            if mover.left:
                heard = mover, ""
                break
            mover.hear(heard[1])
        if not heard:
            self.books.append("stuck")
            return False
        loser, line = heard
        lost = loser is self.parties[0]
        self.books.append(("" if line else "disconnect ") + "10"[lost])
        self.tell(f"GameOver {'BLACK' if lost == (number % 2 == 0) else 'WHITE'} plies=0")
        return bool(line)


def recorded(loser, hears_both):
    """(the server's books, the winner's own results, the loser's) of four games that our client wins on the board: 1 a
    win, 0 a loss.
    """
    parties = Party(Client, 4), Party(LOSERS[loser], 4, 1)
    relay = Relay(*parties, 4, hears_both)
    return relay.books, *(
        "".join("?10"[(won is True) + 2 * (won is False)] for won, _ in party.client.results) for party in parties
    )
