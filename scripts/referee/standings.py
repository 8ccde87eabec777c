"""The tables of a tournament: everybody's rating, and who beat whom."""

from referee.ratings import rate


def standings(records, names):
    """Lines: a ratings table, best first, and a table of points against each other. Engines without a game are left out of both."""
    index = {name: number for number, name in enumerate(names)}
    beat = [[0] * len(names) for _ in names]
    for record in records:
        white, black = index[record["white"]], index[record["black"]]
        winner, loser = (white, black) if record["result"] == "1-0" else (black, white)
        beat[winner][loser] += 1
    played = [i for i in range(len(names)) if sum(beat[i]) + sum(row[i] for row in beat)]
    found = rate([[beat[i][j] for j in played] for i in played])
    rated = sorted(zip(played, found.elo, found.error), key=lambda entry: -entry[1])
    width = max(len(names[i]) for i in played)
    lines = [f"{'':4}{'engine':{width}}{'Elo':>8}{'+-':>6}{'games':>7}{'won':>6}{'score':>9}"]
    for place, (i, elo, error) in enumerate(rated, 1):
        won, games = sum(beat[i]), sum(beat[i]) + sum(row[i] for row in beat)
        lines.append(f"{place:2}  {names[i]:{width}}{elo:+8.0f}{error:6.0f}{games:7}{won:6}{100 * won / games:7.1f} %")
    lines.append("Elo by maximum likelihood (Bradley-Terry), mean 0, +- half of a 95 % interval"
                 + ("; some won or lost every game:" if found.corrected else ""))
    if found.corrected:
        lines.append("half a won game was added to both sides of each pairing, so these differences are too small")
    order = [i for i, *_ in rated]
    lines += ["", f"{'won by row':{width + 4}}" + "".join(f"{place:>6}" for place in range(1, len(order) + 1))]
    for place, i in enumerate(order, 1):
        cells = ["-" if i == j or not beat[i][j] + beat[j][i] else str(beat[i][j]) for j in order]
        lines.append(f"{place:2}  {names[i]:{width}}" + "".join(f"{cell:>6}" for cell in cells))
    return lines
