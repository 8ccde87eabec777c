"""The kinds of values that may follow a flag or a key: how each is written and read.

If a value cannot be read, the error names the value and says what is expected.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pawnstorm.numbers import MAX_LIMIT
from pawnstorm.suggestions import did_you_mean


class UsageError(ValueError):
    """The command line is wrong. The text names the word and says what is expected."""


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    metavar   how the help writes it, such as N or true|false
    what      a description, such as "a number"
    read      read(name, text) -> the value. name: the name of the value in an error, such as "-openings plies"
    """

    metavar: str
    what: str
    read: Callable


def text(metavar, what, empty=False):
    """The Kind of any text. empty: whether the text may be empty."""

    def read(name, value):
        if not (value or empty):
            raise UsageError(f"{name}: '' is not {what}")
        return value

    return Kind(metavar, what, read)


def integer(least=1, most=MAX_LIMIT, metavar="N"):
    """The Kind of a whole number from `least` to `most`."""

    def read(name, value):
        number = int(value) if value.isdecimal() and len(value) <= 20 else -1
        if not least <= number <= most:
            raise UsageError(f"{name}: '{value[:40]}' is not a whole number from {least} to {most}")
        return number

    return Kind(metavar, "a number", read)


def real(above, below, metavar):
    """The Kind of a number between two bounds, which are excluded."""

    def read(name, value):
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not above < number < below:
            raise UsageError(f"{name}: '{value}' is not a number between {above:g} and {below:g}")
        return number

    return Kind(metavar, "a number", read)


def choice(*words, values=None, metavar=None):
    """The Kind of a value that must be one of `words`. Its read() returns the word itself, or values[word]."""

    def read(name, value):
        if value not in words:
            raise UsageError(f"{name}: '{value}' is not one of {', '.join(words)}")
        return values[value] if values else value

    return Kind(metavar or "|".join(words), " or ".join(words), read)


FILE = text("FILE", "a file")
FILE_KEY = text("FILE", "a file", empty=True)  # may be empty, because require() reports that better
BOOLEAN = choice("true", "false", values={"true": True, "false": False})


@dataclass(frozen=True)
class Key:
    """One row of a table of KEY=VALUE words.

    kind       the Kind of its value
    help       the key's help, or "" if the flag's own help describes the key
    required   whether the flag needs the key
    aliases    other names
    const      the value of KEY without =VALUE, or None if KEY alone is an error
    """

    kind: Kind
    help: str = ""
    required: bool = False
    aliases: tuple = ()
    const: str | None = None


def pairs(flag, words, keys, others=""):
    """(key, value) of each KEY=VALUE word of a flag, in order. others: other words that the flag takes, for errors."""
    names = {name: key for key, row in keys.items() for name in (key, *row.aliases)}
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        key = names.get(name)
        if key and not equals and keys[key].const is not None:
            equals, value = "=", keys[key].const
        if not (key and equals):
            known = others + list_keys(keys)
            raise UsageError(f"{flag}: '{word}' is not understood{did_you_mean(name, names, '=')}, expected {known}")
        found.append((key, keys[key].kind.read(f"{flag} {key}", value)))
    return found


def table(flag, words, keys):
    """{key: value} of a flag's KEY=VALUE words. There must be at least one word."""
    if not words:
        raise UsageError(f"{flag}: nothing follows, expected {list_keys(keys)}")
    return dict(pairs(flag, words, keys))


def require(flag, found, keys):
    """Raise UsageError if a required key is missing or empty."""
    for key, row in keys.items():
        if row.required and found.get(key, "") == "":
            raise UsageError(f"{flag}: no {key}={row.kind.metavar}")


def none(flag, words):
    if words:
        raise UsageError(f"{flag}: unexpected '{words[0]}', the flag takes no value")


def one(flag, words, what):
    """The one word after a flag. what: a description of the word, for errors.

    Raises UsageError if there is no word or more than one, or if the word is empty.
    """
    if len(words) != 1:
        found = f"unexpected '{words[1]}'" if words else "nothing follows"
        raise UsageError(f"{flag}: {found}, expected {what}")
    if not words[0]:
        raise UsageError(f"{flag}: '' is not {what}")
    return words[0]


def is_pair(word):
    """Whether a word is KEY=VALUE. A file with such a name can be written as ./KEY=VALUE."""
    key, equals, _ = word.partition("=")
    return bool(equals) and key.isidentifier()


def path(flag, words, what="a file"):
    """The path in the only word, which is F or file=F."""
    wrong = next((word for word in words if is_pair(word) and not word.startswith("file=")), None)
    if wrong:
        raise UsageError(f"{flag}: '{wrong}' is not understood, expected {what}")
    return one(flag, [word.removeprefix("file=") for word in words], what)


def list_keys(keys):
    """The list of keys for an error."""
    return " ".join(f"{key}=" for key in keys)
