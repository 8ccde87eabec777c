"""Positions of known value: their file, and how it is read.

The file is a journal (common/journal.py) with a record for each position that was valued. A position was given in an EPD file or
drawn at random (valuation.py), or is from a game (late_wins.py). Given positions lack the fields `part`, `winning` and
`losing`. Only random positions have `ply`, `losing` and `rejected`. Only positions from games have `left` and `game`.

    fen, part           the position; its range of plies, such as "4-8". For random positions, plies are counted from the
                        start; for those from games, to the end of the game or of the proof, whichever is sooner
    ply                 the plies from the start to this position
    left, game          plies to the end of its game; the number of the game in the PGN file, from 1
    value, within       1 if the side to move wins, -1 if it loses; plies to the end, at most
    winning, losing     its legal moves, by their results; if losing is missing, all moves that are not in winning lose
    rejected            true if every move wins, so that there is no choice to make; such a position does not count
    skipped             if the position was not decided: the cap on nodes that was not enough. This field then replaces the
                        fields from value to rejected. The position keeps its place, so that none is left out for being hard;
                        a run with a larger cap values it again
    nodes, seconds      the cost of its value, with a table that had entries from the positions before it
"""

import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

from pawnstorm.core.state import MAX_PROOF_PLIES
from pawnstorm.games.notation import COLOURS, parse_fen
from pawnstorm.games.rules import Rules, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.common import journal
from pawnstorm_tools.common.fields import is_int, is_list_of, number, require, text

KIND, KEY = "selection", "fen"  # of the journal
PART = re.compile(r"\d{1,9}-\d{1,9}", re.ASCII)
EFFORT = {"nodes": (lambda value: is_int(value, 0), "a whole number from 0"), "seconds": (number, "a number from 0")}
OPTIONAL = {
    "part": (lambda value: text(value) and PART.fullmatch(value), "two numbers of plies as in 4-8"),
    "winning": (is_list_of(text), "a list of moves"),
    "skipped": (lambda value: is_int(value, 0), "a whole number from 0"),
}


class Unsuitable(ValueError):
    """A file that lacks what a command needs."""


class Position:
    """A position of a file with its value.

    board, fen; part: the range of plies that it was drawn for, "" for a given position; value: 1 if the side to move wins,
    -1 if it loses; within: plies to the end, at most, None if not known; winner: "White" or "Black"; winning: the moves
    that win, as text, None if not known
    """

    def __init__(self, rules, record):
        self.board, self.fen = parse_fen(rules, record["fen"]), record["fen"]
        self.part, self.value, self.winning = record.get("part", ""), record["value"], record.get("winning")
        self.within = record.get("within")
        self.winner = COLOURS[self.board.black_to_move ^ (self.value < 0)]


def of_value(rules, records):
    """The Positions of the records that are neither rejected nor skipped, in the order of the records."""
    return [Position(rules, record) for record in records if "value" in record and "rejected" not in record]


class ValueFile(NamedTuple):
    """A file's positions of known value, with its id and its game."""

    path: Path
    identifier: str
    rules: Rules
    positions: list

    @property
    def parts(self):
        """The ranges of plies, such as "4-8", that the positions belong to, the fewest plies first."""
        return by_plies(position.part for position in self.positions)

    def require_moves(self):
        """Raise Unsuitable unless every position has its winning moves."""
        if any(position.winning is None for position in self.positions):
            raise Unsuitable(
                f"{self.path} does not tell which moves win: expected a file that `make` or `games` has written"
            )

    def of_part(self, part):
        """The positions of one part, or all if it is None. Raises Unsuitable if there is no such part."""
        if part and part not in self.parts:
            raise Unsuitable(f"{self.path} has no part '{part}': expected one of {', '.join(self.parts)}")
        return [position for position in self.positions if part in (None, position.part)]


def by_plies(parts):
    """The distinct parts, those with the fewest plies first."""
    return sorted(set(parts), key=lambda part: [int(plies) for plies in part.split("-") if plies])


def load(path):
    """The ValueFile at a path. Prints how many positions were skipped. Raises Unsuitable if no value is known."""
    identifier, rules, records = read(path)
    found = of_value(rules, records)
    if not found:
        raise Unsuitable(f"{path} has no position of known value: expected one or more; continue the run that fills it")
    if skipped := sum("skipped" in record for record in records):
        print(
            f"positions.py: {path}: {pluralize(skipped, 'position')} skipped as too hard, not counted", file=sys.stderr
        )
    return ValueFile(path, identifier, rules, found)


def read(path):
    """(id, rules, records) of a file of positions, which a run may be extending.

    Raises JournalError, UnknownGame, OSError.
    """
    identifier, settings, records = journal.read(path, KIND, KEY)
    if not isinstance(settings.get("variant"), str):
        raise journal.JournalError(f"{path} names no game: expected a 'variant' among the settings of its first line")
    rules = get_rules(settings["variant"])
    for record in records.values():
        try:
            check(record, rules)
        except ValueError as fault:
            raise journal.JournalError(f"{path} has a bad record, {json.dumps(record)[:100]}: {fault}") from None
    return identifier, rules, list(records.values())


def check(record, rules):
    """Raise ValueError, which says what is wrong, unless `record` is the record of a position of the game."""
    parse_fen(rules, str(record["fen"]))
    if "skipped" not in record and record.get("value") not in (1, -1):
        raise ValueError("expected a 'value' of 1 or -1, or 'skipped'")
    within = record.get("within")
    if within is not None and not (
        type(within) is int and 0 <= within <= MAX_PROOF_PLIES and within % 2 == (record.get("value") == 1)
    ):
        raise ValueError(f"expected 'within' to be a number of plies up to {MAX_PROOF_PLIES}, odd if the 'value' is 1")
    require(record, EFFORT | {name: row for name, row in OPTIONAL.items() if name in record})
