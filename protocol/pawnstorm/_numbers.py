"""Checks of the numbers that limit a search or a proof."""

from __future__ import annotations

import math


def check_number(name: str, value: object, *, whole: bool) -> None:
    """Raise TypeError or ValueError, which names the limit, if its value is not what it can be. whole: a count of one
    or more; otherwise seconds.
    """
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError(f"{name} must be {'an int' if whole else 'a number'}, not {type(value).__name__}")
    if value < whole or not math.isfinite(value):
        raise ValueError(f"{name} must be {'1 or more' if whole else 'some seconds, or 0'}, not {value}")
