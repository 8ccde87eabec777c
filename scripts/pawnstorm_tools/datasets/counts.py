"""The numbers of rows that the card reports, as Counters that can be added: name -> number of rows."""

from bisect import bisect_right
from collections import Counter

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm_tools.datasets.columns import NAMES

SPLITS = ("train", "validation")
PLIES = 10
"""The width of a range of plies."""
SCORES = (-MIN_WIN_SCORE, -500, -200, -50, 50, 200, 500, MIN_WIN_SCORE + 1)
"""The lowest score of each range after the first."""
SCORE_RANGES = (
    "loss",
    "below -500",
    "-500 to -201",
    "-200 to -51",
    "-50 to 49",
    "50 to 199",
    "200 to 499",
    "500 and above",
    "win",
)
VALUES = {1: "won", -1: "lost", None: "unknown"}
KINDS = ("result", "proven", "score", "ply", "move_by", "score_by", "result_by", "proven_by")


def count(split, rows):
    """The Counter of the rows of a split; its keys are "split/rows" and "split/kind/value"."""
    found = Counter()
    for row in rows:
        at = dict(zip(NAMES, row))
        described = {kind: at[kind] or "null" for kind in KINDS if kind.endswith("_by")} | {
            "result": VALUES[at["result"]],
            "proven": VALUES[at["proven"]],
            "score": "null" if at["score"] is None else SCORE_RANGES[bisect_right(SCORES, at["score"])],
            "ply": str(at["ply"] // PLIES * PLIES),
        }
        found[f"{split}/rows"] += 1
        found.update(f"{split}/{kind}/{value}" for kind, value in described.items())
        if at["proven"] and at["result"]:
            found[f"{split}/kept/{'yes' if at['proven'] == at['result'] else 'no'}"] += 1
    return found


def outcome(game):
    """The outcome of a game, from its record: "white won", "black won", "undecided", "empty" or "faulty"."""
    if not game["rows"]:
        return "faulty" if "fault" in game else "empty"
    last = dict(zip(NAMES, game["rows"][-1]))
    if last["result"] is None:
        return "undecided"
    return "white won" if (last["result"] > 0) == (last["fen"].split()[1] == "w") else "black won"


def values_of(counts, kind):
    """{value: {split: number of rows}} of a kind."""
    found = {}
    for name, number in counts.items():
        split, *rest = name.split("/")
        if rest[:-1] == [kind]:
            found.setdefault(rest[-1], dict.fromkeys(SPLITS, 0))[split] += number
    return found
