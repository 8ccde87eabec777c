"""Games that end before the rules end them: only where the command line asks for it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resign:
    """An engine has lost once it has said `score` centipawns below zero, or worse, for `moves` of its own moves in a row.

    The same rule as cutechess-cli's `-resign movecount= score=`. A move without a score begins the count again.
    """

    moves: int
    score: int

    def count(self, before, score):
        """The moves in a row after one more: before, 0 or more, and what the engine said of this one (Game's score)."""
        lost = score.startswith("-") if isinstance(score, str) else score is not None and score <= -self.score
        return before + 1 if lost else 0
