"""The tables of a tournament: everybody's rating, and who beat whom."""

from dataclasses import dataclass

from referee.ratings import rate


@dataclass(frozen=True)
class Standing:
    """One engine: its Elo, half the width of its 95 % interval, and its games; beat[i] is how often it won against the i-th best engine."""

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

    def met(self, i, j):
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
    return Standings([Standing(names[i], elo, error, sum(beat[i]) + sum(row[i] for row in beat), sum(beat[i]), [beat[i][j] for j in order])
                      for i, elo, error in rated], found.corrected)


def lines_of(found):
    """Lines: a ratings table, best first, and a table of points against each other."""
    width = max(len(engine.name) for engine in found.engines)
    lines = [f"{'':4}{'engine':{width}}{'Elo':>8}{'+-':>6}{'games':>7}{'won':>6}{'score':>9}"]
    for place, engine in enumerate(found.engines, 1):
        lines.append(f"{place:2}  {engine.name:{width}}{engine.elo:+8.0f}{engine.error:6.0f}{engine.games:7}{engine.won:6}"
                     f"{100 * engine.won / engine.games:7.1f} %")
    lines.append("Elo by maximum likelihood (Bradley-Terry), mean 0, +- half of a 95 % interval"
                 + ("; some won or lost every game:" if found.corrected else ""))
    if found.corrected:
        lines.append("half a won game was added to both sides of each pairing, so these differences are too small")
    lines += ["", f"{'won by row':{width + 4}}" + "".join(f"{place:>6}" for place in range(1, len(found.engines) + 1))]
    for i, engine in enumerate(found.engines):
        cells = [won if found.met(i, j) else "-" for j, won in enumerate(engine.beat)]
        lines.append(f"{i + 1:2}  {engine.name:{width}}" + "".join(f"{cell:>6}" for cell in cells))
    return lines
