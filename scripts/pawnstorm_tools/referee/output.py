"""The texts of all lines that a match prints.

during the match (progress.py)    finished_line(), score_line() or standing_line(), bar_score()
at its end (match_run.py)         summary(), which begins with ratings()
"""

import math
from statistics import median, quantiles

from pawnstorm.numbers import pluralize
from pawnstorm.pgn import comment_text
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.referee.stats import move_stats, tally, try_estimate

SHORTEST = 6
"""The fewest characters to which a name is shortened."""


def finished_line(record):
    """The line about a finished game, in the form of fastchess and cutechess-cli."""
    white, black = comment_text(record["white"]), comment_text(record["black"])
    return (
        f"Finished game {record['game']} ({white} vs {black}): {record['result']} {{{comment_text(record['detail'])}}}"
    )


def score_line(won, count, names):
    """The line with the score of two engines. won: the games that the first has won, of `count`."""
    first, second = map(comment_text, names)
    return f"Score of {first} vs {second}: {won} - {count - won}   {100 * won / count:.1f} %"


def standing_line(count, entries):
    """The line with the score of more than two engines. entries: as in standing()."""
    return f"Score after {pluralize(count, 'game')}: {standing(entries, math.inf)}"


def bar_score(won, count, ratio):
    """The bar's text: the score of two engines, and the test's log-likelihood ratio if there is one."""
    return f"{won} - {count - won}" + ("" if ratio is None else f", LLR {ratio:+.2f}")


def standing(entries, width):
    """The standing, such as "one 3/4, two 1/4", in at most `width` characters if possible.

    Names are shortened first; then the last engines are left out. entries: (name, won, played) of each engine, best first.
    """
    text, longest = "", max((len(name) for name, *_ in entries), default=0)
    for shown in range(len(entries), 0, -1):
        for length in range(max(SHORTEST, longest), SHORTEST - 1, -1):
            text = ", ".join(f"{shorten(name, length)} {won}/{played}" for name, won, played in entries[:shown])
            text += ", ..." if shown < len(entries) else ""
            if len(text) <= width:
                return text
    return text


def shorten(name, length):
    """Shorten a name in its middle, because the names of an engine's versions differ at the end."""
    return name if len(name) <= length else name[: (length - 1) // 2] + "~" + name[len(name) - length // 2 :]


def summary(records, names, pairs, sprt=None):
    """The text at the end of a match.

    records: the finished games. names: the engines' names. pairs: whether games 1 and 2, 3 and 4, ... share an opening.
    sprt: the test, or None.
    """
    lines = ratings(records, names, pairs, sprt)
    if records:
        lines += [""] if len(names) > 2 else []
        lines += [white_line(records), "", *engine_lines(records, names), *lag_lines(records), *fault_lines(records)]
    return "\n".join(lines)


def ratings(records, names, pairs, sprt=None):
    """The first lines of the summary: the players, the number of games, and who is stronger."""
    title = f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} engines"
    lines = [f"{title}: {pluralize(len(records), 'game')}"]
    if records and len(names) == 2:
        counts = tally(records, pairs).counts
        lines += score_lines(records, pairs)
        lines += [sprt_line(sprt, counts)] if sprt else []
        lines += [pairs_line(counts)] if pairs else []
    elif records:
        from pawnstorm_tools.referee.standings import (
            standings,  # numpy, which takes longer to load than a match to begin
        )

        lines += standings_lines(standings(records, names))
    return lines


def score_lines(records, pairs):
    """The lines about two engines: score, Elo, normalised Elo."""
    count, counted = len(records), tally(records, pairs)
    won = sum(counted.points.values())
    lines = [f"Score   {won} - {count - won}   {100 * won / count:.1f} %"]
    found = try_estimate(counted.counts)
    if found is None:
        return [*lines, f"Elo     no estimate: all {'pairs' if pairs else 'games'} ended alike"]
    return [
        *lines,
        f"Elo     {found.elo:+.1f}   95 % [{found.elo_low:+.1f}, {found.elo_high:+.1f}]   "
        f"score [{100 * found.score_low:.1f}, {100 * found.score_high:.1f}] %   LOS {100 * found.los:.1f} %",
        f"nElo    {found.nelo:+.1f}   95 % [{found.nelo_low:+.1f}, {found.nelo_high:+.1f}]   (normalised)",
    ]


def sprt_line(sprt, counts):
    """The line about the test. counts: the number of pairs, or of single games, with each score."""
    ratio, (low, high) = sprt.llr(counts), sprt.bounds
    accepted = sprt.verdict(ratio)
    told = "none, all ended alike" if ratio is None else f"{ratio:+.2f}"
    return f"SPRT    {sprt}   LLR {told} [{low:.2f}, {high:+.2f}]   " + (
        f"{accepted} accepted" if accepted else "undecided"
    )


def pairs_line(counts):
    """The line about the pairs. counts: the number of pairs with each score."""
    return "Pairs   " + "   ".join(f"{label}: {n}" for label, n in zip(("0", "1/2", "1", "3/2", "2"), counts))


def standings_lines(found):
    """The lines of a table of ratings, best first, and of a table of each engine's wins against each other engine."""
    width = max(len(engine.name) for engine in found.engines)
    lines = [f"{'':4}{'engine':{width}}{'Elo':>8}{'+-':>6}{'games':>7}{'won':>6}{'score':>9}"]
    for place, engine in enumerate(found.engines, 1):
        lines.append(
            f"{place:2}  {engine.name:{width}}{engine.elo:+8.0f}{engine.error:6.0f}{engine.games:7}{engine.won:6}"
            f"{100 * engine.won / engine.games:7.1f} %"
        )
    lines.append(
        "Elo by maximum likelihood (Bradley-Terry), mean 0, +- half of a 95 % interval"
        + ("; some won or lost every game:" if found.corrected else "")
    )
    if found.corrected:
        lines.append("half a won game was added to both sides of each pairing, so these differences are too small")
    lines += ["", f"{'won by row':{width + 4}}" + "".join(f"{place:>6}" for place in range(1, len(found.engines) + 1))]
    for i, engine in enumerate(found.engines):
        cells = [won if found.games_between(i, j) else "-" for j, won in enumerate(engine.beat)]
        lines.append(f"{i + 1:2}  {engine.name:{width}}" + "".join(f"{cell:>6}" for cell in cells))
    return lines


def white_line(records):
    """The line about White's score and the length of the games."""
    count, whites = len(records), sum(record["result"] == "1-0" for record in records)
    plies = sum(len(record["moves"]) for record in records)
    return f"White   {whites} - {count - whites}   mean length {plies / count:.1f} plies"


def engine_lines(records, names):
    """The lines of a table with the statistics of each engine's moves."""
    lines = [f"{'engine':32}{'moves':>8}{'depth':>8}{'nps':>12}{'s/move':>9}"]
    for name in names:
        found = move_stats(records, name)
        depth, speed, pace = (
            format(value, form) if value is not None else "-"
            for value, form in ((found.depth, ".1f"), (found.nps, ",.0f"), (found.seconds_per_move, ".3f"))
        )
        lines.append(f"{name[:31]:32}{found.moves:8}{depth:>8}{speed:>12}{pace:>9}")
    return lines


def lag_lines(records):
    """The line about the delay that the referee adds; none if there are too few measurements."""
    lags = [lag for record in records for lag in record["lags"]]
    if len(lags) < 2:
        return []
    middle, worst = median(lags) / 1000, quantiles(lags, n=100, method="inclusive")[98] / 1000
    return [f"Referee between bestmove and go: median {middle:.3f} ms, 99 % {worst:.3f} ms"]


def fault_lines(records):
    """The lines about the games that ended by an engine's fault."""
    found = [
        record
        for record in sorted(records, key=lambda record: record["game"])
        if record["reason"] not in ("normal", "adjudication")
    ]
    lines = [f"Faults  {len(found)}" + ("" if found else ": no time loss, no crash, no illegal move")]
    for record in found:
        loser = record["black" if record["result"] == "1-0" else "white"]
        lines.append(f"  game {record['game']}: {loser}: {record['reason']}: {escaped(record['detail'])}")
    return lines


def stopped_line(left, resumable):
    """The line about a stopped match. left: the number of games that were not played."""
    return f"Stopped: {pluralize(left, 'game')} left" + ("; the same command goes on with them." if resumable else ".")
