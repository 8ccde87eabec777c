"""The statistics of a report, from the records of its games (pawnstorm_tools.reporting.reading)."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import mean

from pawnstorm_tools.referee import stats
from pawnstorm_tools.referee.stats import moves_of, try_estimate
from pawnstorm_tools.reporting.reading import decided_games
from pawnstorm_tools.reporting.search_statistics import is_searched, legal_counts

ENOUGH = 10
"""The mean of an engine's k-th moves is shown if at least 1 / ENOUGH of its games have a k-th move."""
POINTS = 500
"""The most points of a line in a chart. More could not be told apart."""


def winner(record):
    """The name of the winner of a decided game."""
    return record["white"] if record["result"] == "1-0" else record["black"]


def pair_games(records):
    """Number decided games so that pairs can be found: [(number, record)] in the order of the games.

    Two games from one opening with colours swapped get the numbers 2k - 1 and 2k. A game without such a partner gets a number
    2k - 1, and the number 2k is not used.
    """
    waiting, numbered, pairs = defaultdict(list), [], 0
    for record in records:
        white, black, opening = record["white"], record["black"], record["book"]
        if partners := waiting[black, white, opening]:
            number = partners.pop(0) + 1
        else:
            pairs += 1
            number = 2 * pairs - 1
            waiting[white, black, opening].append(number)
        numbered.append((number, record))
    return numbered


@dataclass(frozen=True)
class Comparison:
    """The comparison of two engines.

    won, games   the first engine's wins, and the number of games
    estimate     the Estimate; None if all its units (pairs or games) have the same score
    pairs        whether the estimate counts pairs of games as its units; otherwise it counts single games
    growth       the first engine's score after each game: [{"game", "score", "low", "high"}], in percent, with the ends of the
                 95 % interval (None if there is no interval); at most POINTS of the games
    """

    won: int
    games: int
    estimate: stats.Estimate | None
    pairs: bool
    growth: list


def compare(records, name, pairs=None):
    """The Comparison of `name` with its only opponent, from decided games in their order.

    pairs: whether games 2k - 1 and 2k are a pair. If None, the pairs are found from the games. Then the estimate counts pairs
    if nearly all games have a partner, and otherwise single games.
    """
    numbered = pair_games(records) if pairs is None else [(record["game"], record) for record in records]
    if pairs is None:
        whole = len(numbered) - len({(number + 1) // 2 for number, _ in numbered})
        pairs = 2 * whole > 0.9 * len(numbered)
    counted, growth = stats.Tally(pairs), []
    for count, (number, record) in enumerate(numbered, 1):
        counted.add(number, int(winner(record) == name))
        found = try_estimate(counted.counts)
        growth.append(
            {
                "game": record["game"],
                "score": 100 * sum(counted.points.values()) / count,
                "low": 100 * found.score_low if found else None,
                "high": 100 * found.score_high if found else None,
            }
        )
    return Comparison(sum(counted.points.values()), len(records), try_estimate(counted.counts), pairs, thin(growth))


def growth(records, names):
    """Each engine's score, in percent, after each of its decided games (at most POINTS): [{"engine", "game", "score"}]."""
    won, played, lines = Counter(), Counter(), {name: [] for name in names}
    for record in records:
        won[winner(record)] += 1
        for name in (record["white"], record["black"]):
            played[name] += 1
            lines[name].append({"engine": name, "game": record["game"], "score": 100 * won[name] / played[name]})
    return [point for line in lines.values() for point in thin(line)]


def thin(points):
    """At most POINTS of the points, evenly spaced, with the last one."""
    every = -(-len(points) // POINTS)
    return points[::-1][::every][::-1] if every > 1 else points


def by_move(records, names):
    """The mean time and depth of each engine's k-th moves, for each k: [{"engine", "move", "games", "seconds", "depth"}].

    move: k. games: how many of the engine's games have a k-th move. A mean is None if it is unknown. The depth is the mean over
    the moves that count as searched (pawnstorm_tools.reporting.search_statistics).
    """
    rows = []
    for name in names:
        games = [
            list(zip(moves_of(record, name), legal_counts(record, name), strict=True))
            for record in records
            if name in (record["white"], record["black"])
        ]
        for place in range(max(map(len, games), default=0)):
            there = [moves[place] for moves in games if len(moves) > place]
            if ENOUGH * len(there) < len(games):
                break
            taken = [move[1] for move, _ in there if move[1] is not None]
            depths = [move[4] for move, legal in there if is_searched(move, legal)]
            rows.append(
                {
                    "engine": name,
                    "move": place + 1,
                    "games": len(there),
                    "seconds": mean(taken) / 1000 if taken else None,
                    "depth": mean(depths) if depths else None,
                }
            )
    return rows


def by_colour(records, names):
    """The results of each engine by its colour: {"engine", "white": (won, games), "black": (won, games)}."""
    rows = []
    for name in names:
        sides = {side: [record for record in records if record[side] == name] for side in ("white", "black")}
        rows.append(
            {"engine": name}
            | {side: (sum(winner(record) == name for record in games), len(games)) for side, games in sides.items()}
        )
    return rows


def by_opening(records):
    """The results of each opening: {"fen", "rules", "games": records, "white": games won by White, "black": by Black}.

    The openings are in the order of their first games.
    """
    groups = defaultdict(list)
    for record in records:
        groups[record["rules"].name, record["book"]].append(record)
    return [
        {
            "fen": fen,
            "rules": games[0]["rules"],
            "games": games,
            "white": sum(record["result"] == "1-0" for record in games),
            "black": sum(record["result"] == "0-1" for record in games),
        }
        for (_, fen), games in groups.items()
    ]


def pair_ends(records):
    """Count the pairs of games by who won both games: "engine" (the same engine), "white" or "black" (the same colour)."""
    units, ends = defaultdict(list), Counter()
    for number, record in pair_games(decided_games(records)):
        units[(number + 1) // 2].append(record)
    for games in units.values():
        if len(games) == 2:
            first, second = (record["result"] for record in games)
            ends["engine" if first != second else "white" if first == "1-0" else "black"] += 1
    return ends


def winner_changes(record):
    """The plies, counted from 1, after which the known winner changed: [(ply, "white" or "black")].

    The first entry is the ply after which a winner was first known. The winner is known from the mate score of the side that
    has moved. If the rules ended the game and a winner was known before the end, the result counts too.
    """
    found = []

    def learn(ply, side):
        if not found or found[-1][1] != side:
            found.append((ply, side))

    black = record["opening"].split()[1] == "b"
    for ply, (_, _, _, score, *_) in enumerate(record["moves"], 1):
        if isinstance(score, str):
            learn(ply, "white" if score.startswith("-") == (black == (ply % 2 == 1)) else "black")
    if found and record["result"] in ("1-0", "0-1") and record["reason"] == "normal":
        learn(len(record["moves"]), "white" if record["result"] == "1-0" else "black")
    return found
