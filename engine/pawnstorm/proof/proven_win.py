"""Carries a proven win, and its line while it is followed, into the next search."""

from pawnstorm.core.state import WIN, WIN_BOUND


class ProvenWin:
    """The last win that was reported, and what of it holds for a later position."""

    def __init__(self):
        self._after, self._plies, self._line = None, 0, []

    def remember(self, board, score, line):
        """Keep what was reported of a board, unless that is no win."""
        if score > WIN_BOUND:
            self._after, self._plies, self._line = board.push(line[0]), WIN - score - 1, line[1:]

    def recall(self, board):
        """(plies, line): the side to move wins within so many plies, by these moves; (None, []) where nothing is known.

        line is [] where the opponent has left it.
        """
        if self._after is None or board.black == self._after.black or board.rules is not self._after.rules:
            return None, []
        for move in self._after.moves():
            if self._after.push(move).bitboards == board.bitboards:
                return self._plies - 1, self._line[1:] if self._line[:1] == [move] else []
        return None, []
