"""The standings of a tournament: everybody's rating, and who beat whom."""

from dataclasses import dataclass

from pawnstorm_tools.referee.ratings import rate


@dataclass(frozen=True)
class Standing:
    """One engine: its Elo, half the width of its 95 % interval, and its games; beat[i] is how often it won against the
    i-th best engine.
    """

    name: str
    elo: float
    error: float
    games: int
    won: int
    beat: list


@dataclass(frozen=True)
class Standings:
    """The engines that have played, best first; corrected: as in Ratings."""

    engines: list
    corrected: bool

    def games_between(self, i, j):
        """How many games the i-th and the j-th best played with each other."""
        return self.engines[i].beat[j] + self.engines[j].beat[i]


def standings(records, names):
    """The Standings of all games; engines without a game are left out."""
    index = {name: number for number, name in enumerate(names)}
    beat = [[0] * len(names) for _ in names]
    for record in records:
        white, black = index[record["white"]], index[record["black"]]
        winner, loser = (white, black) if record["result"] == "1-0" else (black, white)
        beat[winner][loser] += 1
    played = [i for i in range(len(names)) if sum(beat[i]) + sum(row[i] for row in beat)]
    found = rate([[beat[i][j] for j in played] for i in played])
    rated = sorted(zip(played, found.elo, found.error), key=lambda entry: -entry[1])
    order = [i for i, *_ in rated]
    return Standings(
        [
            Standing(
                names[i],
                elo,
                error,
                sum(beat[i]) + sum(row[i] for row in beat),
                sum(beat[i]),
                [beat[i][j] for j in order],
            )
            for i, elo, error in rated
        ],
        found.corrected,
    )
