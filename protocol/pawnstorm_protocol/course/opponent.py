"""A UCI engine as a player in a contest. It has the methods of an Agent."""

from collections import deque

from pawnstorm.games.notation import fen
from pawnstorm_protocol.client.option_faults import name_fault, value_fault
from pawnstorm_protocol.client.process import EngineError, EngineProcess
from pawnstorm_protocol.client.pump import MILLISECOND, EngineFault


class Opponent(EngineProcess):
    """An EngineProcess that plays by the rules of the board, if the engine knows them; see prepare()."""

    def __init__(self, command, options, waker=None, log=None):
        """options: (name, value) pairs for setoption."""
        super().__init__(command, waker=waker, log=log)
        self._options, self.inbox = options, deque()

    def prepare(self, board, seconds):
        """Start the engine and set its options and its game.

        An engine that does not know the mode of en passant plays the standard game. It gets each position as a FEN, so it
        can be wrong only about the moves from there on. Raises EngineFault if the engine lacks one of the options, or if an
        option does not accept its value.
        """
        try:
            self.start()
        except EngineError as error:
            raise EngineFault(self, "start", str(error)) from None
        if fault := self._option_fault():
            raise EngineFault(self, "start", fault)
        self.notes.clear()
        for name, value in self._options:
            self.send(f"setoption name {name} value {value}")
        if "uci_variant" in self.options:
            for name in (board.rules.family, board.rules.name):
                self.send(f"setoption name UCI_Variant value {name}")
        self.sync()

    def _option_fault(self):
        """Why the engine's options cannot be set; None if they can."""
        if unknown := [name for name, _ in self._options if name.lower() not in self.options]:
            return f"{self.name} has {name_fault(unknown, self.option_names)}"
        for name, value in self._options:
            if fault := value_fault(name, value, self.options[name.lower()]):
                return f"{self.name}: {fault}"
        return None

    def send_tournament_accepted(self, games):
        """Do nothing: an engine does not count games."""

    def reset(self):
        self.new_game()

    def begin(self, side, first):
        self.inbox.clear()

    def request_move(self, board, last, left):
        white, black = (max(1, time // MILLISECOND) for time in left)
        return self.go(f"position fen {fen(board)}", f"wtime {white} btime {black} winc 0 binc 0")

    def poll_move(self):
        """The engine's move as (text, time); None while it thinks."""
        return self.bestmove and (" ".join(self.bestmove[1:2]), self.answered_at)

    def has_resigned(self):
        """False: UCI has no word for a resignation."""
        return False

    def await_resignation(self, last):
        """Do nothing: UCI has no word for a loss."""

    def opponent_left(self):
        """Do nothing: no game has begun."""

    def send_result(self, winner, won, plies, decided):
        """End a search that still runs."""
        self.stop()

    def leave(self, reason=""):
        self.quit()

    def close(self):
        """Do nothing: the engine's process has ended in leave()."""
