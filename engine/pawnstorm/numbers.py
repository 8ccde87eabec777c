"""Reads numbers from texts, checks numbers given as arguments, and writes numbers with the nouns that they count."""

from __future__ import annotations

import math

MAX_LIMIT = 10**15
"""Larger limits of a search count as this one."""
IRREGULAR = {"ply": "plies", "entry": "entries", "search": "searches"}


def pluralize(number: int, noun: str) -> str:
    """A number with its noun, as in "1 game", "2,000 games" and "3 plies"."""
    return f"{number:,} {noun if number == 1 else IRREGULAR.get(noun, noun + 's')}"


def parse_int(text: str, low: int | None = None, high: int | None = None, place: str = "") -> int:
    """The whole number that a text holds. low, high: its bounds, if any; place: where the text was found, as in "after depth".

    Raises a ValueError that names the text, the place, and the numbers that were expected.
    """
    digits = text[1:] if text[:1] in ("-", "+") else text
    if digits.isascii() and digits.isdigit():
        number = int(digits) if len(digits) <= 20 else 10**20  # int() of a million digits takes seconds
        number = -number if text[0] == "-" else number
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    bounds = ("" if low is None else f" from {low}") + ("" if high is None else f" to {high}")
    raise ValueError(f"'{text[:40]}'{place and f' {place}'}: expected a whole number{bounds}")


def check_number(name: str, value: object, *, whole: bool) -> None:
    """Raise a TypeError or ValueError if the value of a limit is not allowed. The error names the limit.

    whole: True if the limit is a count, which is at least 1; False if it is a number of seconds, which is at least 0.
    """
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError(f"{name} must be {'an int' if whole else 'a number'}, not {type(value).__name__}")
    if value < whole or isinstance(value, float) and not math.isfinite(value):
        raise ValueError(
            f"{name} must be {'1 or more' if whole else 'a finite number of seconds, 0 or more'}, not {value}"
        )
