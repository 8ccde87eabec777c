"""What a match prints at its end."""

from statistics import median, quantiles

from referee.stats import estimate, pentanomial

COLOURS = ("white", "black")


def points(record):
    """The first engine's points in a game: 1 or 0."""
    return int((record["result"] == "1-0") == (record["first"] == "white"))


def summary(records, names, pairs):
    """The table. records: finished games; names: the two engines'; pairs: whether games 1-2, 3-4, ... share an opening."""
    by_number = {record["game"]: points(record) for record in records}
    won, count = sum(by_number.values()), len(by_number)
    lines = [f"{names[0]} against {names[1]}: {count} games"]
    if not count:
        return lines[0]
    lines.append(f"Score   {won} - {count - won}   {100 * won / count:.1f} %")
    if pairs:
        cells = pentanomial([(by_number[n], by_number[n + 1]) for n in by_number if n % 2 and n + 1 in by_number])
    else:
        cells = [count - won, 0, won]
    if max(cells) == sum(cells):
        lines.append(f"Elo     no estimate: all {'pairs' if pairs else 'games'} ended alike")
    else:
        found = estimate(cells)
        lines.append(f"Elo     {found.elo:+.1f}   95 % [{found.elo_low:+.1f}, {found.elo_high:+.1f}]   "
                     f"score [{100 * found.score_low:.1f}, {100 * found.score_high:.1f}] %   LOS {100 * found.los:.1f} %")
    if pairs:
        lines.append("Pairs   " + "   ".join(f"{label}: {n}" for label, n in zip(("0", "1/2", "1", "3/2", "2"), cells)))
    whites = sum(record["result"] == "1-0" for record in records)
    lines.append(f"White   {whites} - {count - whites}   mean length {sum(len(r['moves']) for r in records) / count:.1f} plies")
    lines += ["", f"{'engine':32}{'moves':>8}{'depth':>8}{'nps':>12}{'s/move':>9}"]
    lines += [engine_line(records, index, name) for index, name in enumerate(names)]
    lags = [lag for record in records for lag in record["lags"]]
    if len(lags) > 1:
        worst = quantiles(lags, n=100)[98]
        lines.append(f"Referee between bestmove and go: median {median(lags) / 1000:.3f} ms, 99 % {worst / 1000:.3f} ms")
    faults = [record for record in sorted(records, key=lambda r: r["game"]) if record["reason"] != "normal"]
    lines.append(f"Faults  {len(faults)}" + ("" if faults else ": no time loss, no crash, no illegal move"))
    for record in faults:
        loser = record["black" if record["result"] == "1-0" else "white"]
        lines.append(f"  game {record['game']}: {loser}: {record['reason']}: {record['detail']}")
    return "\n".join(lines)


def engine_line(records, index, name):
    """One engine's means: depth over its moves without a mate score (a proven mate is searched as deep as one likes), nodes over the
    time that it says it searched, time a move on the referee's clock."""
    moves = []
    for record in records:
        colour = COLOURS.index(record["first"]) ^ index
        black_first = record["opening"].split()[1] == "b"
        moves += record["moves"][colour ^ black_first::2]
    depths = [move[4] for move in moves if move[4] is not None and isinstance(move[3], int)]
    timed = [(move[5], move[6]) for move in moves if move[5] is not None and move[6]]
    depth = f"{sum(depths) / len(depths):.1f}" if depths else "-"
    speed = f"{1000 * sum(n for n, _ in timed) / sum(t for _, t in timed):,.0f}" if timed else "-"
    pace = f"{sum(move[1] for move in moves) / len(moves) / 1000:.3f}" if moves else "-"
    return f"{name[:31]:32}{len(moves):8}{depth:>8}{speed:>12}{pace:>9}"
