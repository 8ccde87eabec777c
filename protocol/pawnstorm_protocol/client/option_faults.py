"""What is asked of an engine's options, compared with what the engine has announced of them."""

from pawnstorm.suggestions import did_you_mean
from pawnstorm_protocol import parse

LONGEST_LIST = 400
"""Letters of the names that a fault lists."""


def name_fault(asked, names):
    """The fault of options that an engine does not have, such as "no option 'Hahs' (did you mean Hash?): expected one
    of Hash, Ponder".

    asked: their names; names: those that the engine has announced.
    """
    listed = ", ".join(names)
    if len(listed) > LONGEST_LIST:
        listed = listed[:LONGEST_LIST] + " ..."
    wrong = ", ".join(f"'{name[:40]}'{did_you_mean(name, names)}" for name in asked)
    return f"no option {wrong}: expected {f'one of {listed}' if names else 'none, since it announces none'}"


def value_fault(name, value, words):
    """The fault of a value that an option does not take; None if it may take it.

    words: of the engine's announcement, from `type` on. Bounds that are no numbers are passed over. A text may be
    anything, a button has no value, and games that UCI_Variant does not list can be set as well.
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
    """What stands after each word `var`: one word or more."""
    return [choice.strip() for choice in " ".join(words).split(" var ")[1:]]
