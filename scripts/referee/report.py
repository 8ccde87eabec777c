"""What a match prints at its end."""

from dataclasses import dataclass
from statistics import median, quantiles

from protocol.printable import printable
from referee.stats import Tally, estimate


def points(record):
    """What the first of a game's two engines, in the order of the command line, got: 1 or 0."""
    return int((record["result"] == "1-0") == (record["first"] == "white"))


def tally(records, pairs):
    """The Tally of a match of two engines."""
    counted = Tally(pairs)
    for record in records:
        counted.add(record["game"], points(record))
    return counted


def estimated(cells):
    """The Estimate; None where it would mean nothing, since all units ended alike."""
    return estimate(cells) if max(cells) < sum(cells) else None


def summary(records, names, pairs, sprt=None):
    """The text. records: finished games; names: the engines'; pairs: whether games 1-2, ... share an opening; sprt: the test or None."""
    count, lines = len(records), ratings(records, names, pairs, sprt)
    if not count:
        return lines[0]
    lines += [""] if len(names) > 2 else []
    whites = sum(record["result"] == "1-0" for record in records)
    lines.append(f"White   {whites} - {count - whites}   mean length {sum(len(r['moves']) for r in records) / count:.1f} plies")
    lines += ["", f"{'engine':32}{'moves':>8}{'depth':>8}{'nps':>12}{'s/move':>9}"]
    lines += [engine_line(records, name) for name in names]
    lags = [lag for record in records for lag in record["lags"]]
    if len(lags) > 1:
        worst = quantiles(lags, n=100)[98]
        lines.append(f"Referee between bestmove and go: median {median(lags) / 1000:.3f} ms, 99 % {worst / 1000:.3f} ms")
    return "\n".join(lines + faults(records))


def ratings(records, names, pairs, sprt=None):
    """The first lines of the summary: who plays, how many games, who is stronger."""
    title = f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} engines"
    lines = [f"{title}: {len(records)} games"]
    if records and len(names) == 2:
        lines += comparison(records, pairs, sprt)
    elif records:
        from referee.standings import lines_of, standings     # numpy, which takes longer to load than a match to begin
        lines += lines_of(standings(records, names))
    return lines


def comparison(records, pairs, sprt):
    """Lines on two engines: score, Elo, the test."""
    count, counted = len(records), tally(records, pairs)
    won, cells = sum(counted.points.values()), counted.cells
    lines = [f"Score   {won} - {count - won}   {100 * won / count:.1f} %"]
    found = estimated(cells)
    if found is None:
        lines.append(f"Elo     no estimate: all {'pairs' if pairs else 'games'} ended alike")
    else:
        lines.append(f"Elo     {found.elo:+.1f}   95 % [{found.elo_low:+.1f}, {found.elo_high:+.1f}]   "
                     f"score [{100 * found.score_low:.1f}, {100 * found.score_high:.1f}] %   LOS {100 * found.los:.1f} %")
        lines.append(f"nElo    {found.nelo:+.1f}   95 % [{found.nelo_low:+.1f}, {found.nelo_high:+.1f}]   (normalised)")
    if sprt:
        ratio, (low, high) = sprt.llr(cells), sprt.bounds
        accepted = sprt.verdict(ratio)
        lines.append(f"SPRT    {sprt}   LLR " + ("none, all ended alike" if ratio is None else f"{ratio:+.2f}")
                     + f" [{low:.2f}, {high:+.2f}]   " + (f"{accepted} accepted" if accepted else "undecided"))
    if pairs:
        lines.append("Pairs   " + "   ".join(f"{label}: {n}" for label, n in zip(("0", "1/2", "1", "3/2", "2"), cells)))
    return lines


def faults(records):
    """Lines on the games that ended by an engine's fault."""
    found = [record for record in sorted(records, key=lambda r: r["game"]) if record["reason"] not in ("normal", "adjudication")]
    lines = [f"Faults  {len(found)}" + ("" if found else ": no time loss, no crash, no illegal move")]
    for record in found:
        loser = record["black" if record["result"] == "1-0" else "white"]
        lines.append(f"  game {record['game']}: {loser}: {record['reason']}: {printable(record['detail'])}")
    return lines


@dataclass(frozen=True)
class Means:
    """What one engine's moves were like; None where nothing is known.

    depth    over its moves without a mate score: a proven mate is searched as deep as one likes
    speed    nodes a second of the time that it says it searched, or else of that on the referee's clock
    pace     seconds a move on the referee's clock

    The clock counts in whole milliseconds here, as in the PGN, so that a report of the PGN names the same figures.
    """

    moves: int
    depth: float | None
    speed: float | None
    pace: float | None


def moves_of(record, name):
    """The engine's moves in a game that it played."""
    return record["moves"][(record["black"] == name) ^ (record["opening"].split()[1] == "b")::2]


def means(records, name):
    """The Means of an engine's moves in all its games."""
    moves = [move for record in records if name in (record["white"], record["black"]) for move in moves_of(record, name)]
    depths = [move[4] for move in moves if move[4] is not None and isinstance(move[3], int)]
    clocked = [None if move[1] is None else round(move[1]) for move in moves]
    taken = [time for time in clocked if time is not None]
    timed = [(move[5], time) for move, clock in zip(moves, clocked)
             if move[5] is not None and (time := clock if move[6] is None else move[6])]
    return Means(len(moves), sum(depths) / len(depths) if depths else None,
                 1000 * sum(n for n, _ in timed) / sum(t for _, t in timed) if timed else None,
                 sum(taken) / len(taken) / 1000 if taken else None)


def engine_line(records, name):
    """One engine's means."""
    found = means(records, name)
    depth, speed, pace = (format(value, form) if value is not None else "-"
                          for value, form in ((found.depth, ".1f"), (found.speed, ",.0f"), (found.pace, ".3f")))
    return f"{name[:31]:32}{found.moves:8}{depth:>8}{speed:>12}{pace:>9}"
