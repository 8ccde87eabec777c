"""Lines of JSON in files that anybody may have edited."""

import json


def parse(line):
    """The JSON object in a line of bytes; empty where there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {}
