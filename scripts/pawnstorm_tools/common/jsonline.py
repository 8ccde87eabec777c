"""Reads lines of JSON from files that anybody may have edited."""

import json


def parse(line):
    """The JSON object in a line of bytes, or an empty one if the line has none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}
