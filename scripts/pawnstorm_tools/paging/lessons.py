"""Positions for the "only move" training: of known value, won by one move alone (scripts/positions/twoflags.jsonl)."""

import json
from pathlib import Path

from pawnstorm_tools import startup

POSITIONS = Path(startup.ROOT) / "scripts" / "positions" / "twoflags.jsonl"
EXPANDED = (
    300_000  # positions with which a solver knows all about one: what follows an answer is then proven in a second
)


def lessons():
    """[{fen, move, within}], the shortest wins first; within: plies to the end at the latest."""
    with open(POSITIONS, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][1:]
    fitting = [row for row in rows if len(row.get("winning", ())) == 1 and row["nodes"] <= EXPANDED]
    return [
        {"fen": row["fen"], "move": row["winning"][0], "within": row["within"]}
        for row in sorted(fitting, key=lambda row: (row["within"], row["fen"]))
    ]
