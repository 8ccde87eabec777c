"""Puzzles, positions in which only one move wins: their file, and a table of how often the engine's levels miss them.

The file is a journal (common/journal.py) for any number of games. Its settings are the seed of the games that the puzzles
come from, and those of the grading (difficulty.py): the levels, the tries of each, the nodes of full strength. A record:

    id          the game's name and the number of the match game in which the position arose, as in "twoflags-17"
    game, fen   the position
    move        the move that wins; the solver has proven that all others lose
    within      upper bound on the plies to the end of the game, with this move
    fails       the number of tries that miss the move, for each level; then 1 if full strength misses it, else 0
    grade       the Elo computed from the fails
"""

import json
import statistics
from functools import partial

from pawnstorm.core.state import MAX_PROOF_PLIES
from pawnstorm.games.notation import parse_fen, parse_move
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.common import journal
from pawnstorm_tools.common.fields import is_int, is_list_of, require, text
from pawnstorm_tools.measuring import difficulty

KIND, KEY = "puzzles", "id"  # of the journal
FIELDS = {
    "game": (text, "the name of a game"),
    "fen": (text, "a FEN"),
    "move": (text, "a move"),
    "within": (lambda value: is_int(value, 3) and value % 2 and value <= MAX_PROOF_PLIES, "odd plies from 3"),
    "fails": (is_list_of(lambda value: is_int(value, 0)), "a list of numbers from 0"),
    "grade": (partial(is_int, least=0), "an Elo"),
}


def settings(seed):
    """The settings of a file."""
    return {"seed": seed, "levels": list(difficulty.LEVELS), "tries": difficulty.TRIES, "nodes": difficulty.NODES}


def name(rules, number):
    """The id of the puzzle that arose in a match game."""
    return f"{rules.name}-{number}"


def number_of(record):
    """The number of the match game in which a puzzle arose."""
    return int(record["id"].rpartition("-")[2])


def of_game(records, rules):
    """The records of one game, in their order."""
    return [record for record in records if record["game"] == rules.name]


def check(record):
    """Raise ValueError, which says what is wrong, unless `record` is the record of a puzzle."""
    require(record, FIELDS)
    rules = get_rules(record["game"])
    number = record["id"].removeprefix(f"{rules.name}-")
    if not (number.isascii() and number.isdecimal()) or record["id"] != name(rules, number):
        raise ValueError(f"expected '{rules.name}-' and a number as 'id'")
    parse_move(parse_fen(rules, record["fen"]), record["move"])
    if len(record["fails"]) != len(difficulty.LEVELS) + 1:
        raise ValueError(f"expected {len(difficulty.LEVELS) + 1} numbers as 'fails'")


def read(path):
    """The records of a file. Raises JournalError, OSError."""
    _, found, records = journal.read(path, KIND, KEY)
    if found != settings(found.get("seed")):
        raise journal.JournalError(f"{path} was graded with other settings, {json.dumps(found)}: make it again")
    for record in records.values():
        try:
            check(record)
        except ValueError as fault:
            raise journal.JournalError(f"{path} has a bad record, {json.dumps(record)[:100]}: {fault}") from None
    return list(records.values())


def table(records):
    """A table in Markdown: each game's puzzles, the share of tries in which each level misses the move, grades, plies."""
    rows = [["game", "puzzles", *map(str, difficulty.LEVELS), "full strength", "grades", "plies"]]
    rows.append(["---"] * len(rows[0]))
    for game in dict.fromkeys(record["game"] for record in records):
        found = [record for record in records if record["game"] == game]
        tries = [len(found) * difficulty.TRIES] * len(difficulty.LEVELS) + [len(found)]
        missed = map(sum, zip(*(record["fails"] for record in found)))
        shares = [f"{100 * count / total:.0f} %" for count, total in zip(missed, tries)]
        spreads = [spread(record[field] for record in found) for field in ("grade", "within")]
        rows.append([game, str(len(found)), *shares, *spreads])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def spread(values):
    """The least, the median and the greatest of some whole numbers."""
    values = sorted(values)
    return f"{values[0]} to {values[-1]}, median {statistics.median_low(values)}"
