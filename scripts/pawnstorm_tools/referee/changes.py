"""What differs between a match in a results file and the one that a command line asks for, in the words of its flags."""

import json
import re

KEYS = {"command": "cmd", "directory": "dir", "limits": "tc", "margin": "timemargin"}
"""Settings of an engine that the flags call by another name; a limit may also be st, nodes or depth, which it names."""


def describe_change(name, was, asked):
    """What to say of a setting that was another one, each as match_run.identity() has it; None: it was not given.

    What the file holds may be any JSON.
    """
    if name == "openings":  # known by a hash only
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
    """A dict for each list of pairs of texts, or None if one is something else."""
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
