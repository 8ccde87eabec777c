"""Games that end before the rules end them: only where the command line asks for it."""

from dataclasses import dataclass

from pawnstorm.numbers import counted


@dataclass(frozen=True)
class Resign:
    """An engine has lost that has said `score` centipawns below zero, or worse, for `moves` of its own moves in a row.

    twosided    if, besides, its opponent has said `score` above zero, or better, for as many of its own

    The rule of cutechess-cli's `-resign movecount= score= twosided=`. A move without a score begins the count again.
    """

    moves: int
    score: int
    twosided: bool = False

    def __str__(self):
        opponent = f", the opponent's at +{self.score} or better" if self.twosided else ""
        return f"{counted(self.moves, 'move')} at -{self.score} centipawns or worse{opponent}"


class Adjudicator:
    """Counts the moves of one game; lost and won hold, of each side, how many in a row had such a score."""

    def __init__(self, resign):
        self.resign, self.lost, self.won = resign, [0, 0], [0, 0]

    def moved(self, side, score):
        """The side that has lost after a move of `side`, or None; score: in centipawns, "M4", "-M4", or None."""
        if isinstance(score, str):
            score = -self.resign.score if score.startswith("-") else self.resign.score
        self.lost[side] = self.lost[side] + 1 if score is not None and score <= -self.resign.score else 0
        self.won[side] = self.won[side] + 1 if score is not None and score >= self.resign.score else 0
        for loser in (side, 1 - side):
            agreed = not self.resign.twosided or self.won[1 - loser] >= self.resign.moves
            if agreed and self.lost[loser] >= self.resign.moves:
                return loser
        return None
