"""Describes how the match of a results file differs from the match of the command line, in the words of the flags."""

import json
import re

KEYS = {"command": "cmd", "directory": "dir", "limits": "tc", "margin": "timemargin"}
"""{setting of an engine: its flag}, where the names differ. Every limit is named tc; its value shows which kind it is."""


def describe_change(name, was, asked):
    """The message about a setting that differs.

    was, asked: the setting's values in the file and on the command line, in the form of match_run.identity(). A value is None
    if it was not given. `was` may be any JSON, because anybody may have edited the file.
    """
    if name == "openings":  # only their hash is known
        return "the openings were others"
    if not (isinstance(was, dict) and isinstance(asked, dict)):
        return _change(f"'{name}'", was, asked)
    found = []
    for key in was | asked:
        old, new = was.get(key), asked.get(key)
        if old == new:
            continue
        if key == "options" and (pairs := _pairs(old, new)):
            before, after = pairs
            found += [
                _change(f"option {option}", before.get(option), after.get(option))
                for option in before | after
                if before.get(option) != after.get(option)
            ] or ["the options came in another order"]
        else:
            found.append(_change(KEYS.get(key, key), old, new))
    return f"{name}: {', '.join(found)}"


def _pairs(*lists):
    """A dict for each list of pairs of texts; None if an argument is not such a list."""
    for each in lists:
        if not isinstance(each, list) or not all(
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(text, str) for text in pair) for pair in each
        ):
            return None
    return [dict(each) for each in lists]


def _change(name, was, asked):
    return f"{name} was {_show(was)}, now {_show(asked)}"


def _show(value):
    if value is None:
        return "not given"
    return value if isinstance(value, str) and re.fullmatch(r"[\w./+=:-]+", value) else json.dumps(value)
