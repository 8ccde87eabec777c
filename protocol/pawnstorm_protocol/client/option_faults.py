"""Finds settings that an engine cannot take: options that it has not announced, and values that it does not accept."""

from pawnstorm.suggestions import did_you_mean
from pawnstorm_protocol import parse

LONGEST_LIST = 400
"""The most characters of the list of names in a message."""


def name_fault(asked, names):
    """The message about options that an engine does not have.

    For example, "no option 'Hahs' (did you mean Hash?): expected one of Hash, Ponder". asked: the names of these options.
    names: the names of the options that the engine has announced.
    """
    listed = ", ".join(names)
    if len(listed) > LONGEST_LIST:
        listed = listed[:LONGEST_LIST] + " ..."
    wrong = ", ".join(f"'{name[:40]}'{did_you_mean(name, names)}" for name in asked)
    return f"no option {wrong}: expected {f'one of {listed}' if names else 'none, since the engine announces none'}"


def value_fault(name, value, words):
    """The message about a value that an option does not accept, or None if the option may accept the value.

    words: the words of the option's announcement, from `type` on. Bounds that are not numbers are ignored. A string option
    accepts any text, a button has no value, and UCI_Variant accepts games that it does not list.
    """
    kind, place = words[1:2], f"for option {name}"
    if kind == ["spin"]:
        try:
            parse.parse_int(value, _bound(words, "min"), _bound(words, "max"), place)
        except ValueError as error:
            return str(error)
    choices = ["true", "false"] if kind == ["check"] else _choices(words) if kind == ["combo"] else []
    if choices and name.lower() != "uci_variant" and value.lower() not in map(str.lower, choices):
        return f"'{value[:40]}' {place}: expected one of {', '.join(choices)[:LONGEST_LIST]}"
    return None


def _bound(words, which):
    """The number after the word `min` or `max`; None if there is none."""
    try:
        return parse.parse_int(words[words.index(which) + 1])
    except (ValueError, IndexError):
        return None


def _choices(words):
    """The choices of a combo: the words, one or more, after each `var`."""
    return [choice.strip() for choice in " ".join(words).split(" var ")[1:]]
