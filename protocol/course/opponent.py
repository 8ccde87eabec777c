"""A UCI engine where the server expects an agent: the same methods, so that a contest need not know."""

from collections import deque

from engine.notation import fen
from protocol.pump import MILLISECOND, EngineFault
from protocol.uciclient import Engine, EngineError


class Opponent(Engine):
    """An engine process that plays under the rules of each board, as far as it knows them: see prepare()."""

    def __init__(self, command, options, wake=None, log=None):
        """options: (name, value) pairs for setoption."""
        super().__init__(command, wake=wake, log=log)
        self._options, self.inbox = options, deque()

    def prepare(self, board, seconds):
        """Start it. One that does not know the game with its mode of en passant plays the standard game.

        It is given every position by itself, so it never meets the difference but in its own thoughts.
        """
        try:
            self.start()
        except EngineError as error:
            raise EngineFault(self, "start", str(error)) from None
        for name, value in self._options:
            self.send(f"setoption name {name} value {value}")
        if "uci_variant" in self.options:
            for name in (board.rules.family, board.rules.name):
                self.send(f"setoption name UCI_Variant value {name}")
        self.sync()

    def accept(self, games):
        """Nothing: it does not count games."""

    def reset(self):
        self.new_game()

    def begin(self, side, first):
        self.inbox.clear()

    def turn(self, board, last, left):
        white, black = (max(1, time // MILLISECOND) for time in left)
        return self.go(f"position fen {fen(board)}", f"wtime {white} btime {black} winc 0 binc 0")

    def played(self):
        """(text, time) of its move; None as long as there is none."""
        return self.answer and (" ".join(self.answer[1:2]), self.answered)

    def gives_up(self):
        """Never: UCI has no word for it."""
        return False

    def concede(self, last):
        """Nothing: the rules have said so."""

    def alone(self):
        """Nothing: no game has begun."""

    def over(self, winner, won, plies, decided):
        """End a search that the end of the game has overtaken."""
        self.stop()

    def leave(self, reason=""):
        self.quit()

    def close(self):
        """Nothing: it has left."""
