"""What may follow a flag or a key: how each kind of value is written and read. Whatever cannot be read is
named, with what was expected.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pawnstorm.numbers import MAX_LIMIT
from pawnstorm.suggestions import did_you_mean


class UsageError(ValueError):
    """A command line that cannot be understood; the text names the word and what is expected."""


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    metavar   how it is written in the help, such as N or true|false
    what      what it is, in words, such as "a number"
    read      read(name, text) -> the value; name: what an error calls it, such as "-openings plies"
    """

    metavar: str
    what: str
    read: Callable


def text(metavar, what, empty=False):
    """Any text; `empty`: also none at all."""

    def read(name, value):
        if not (value or empty):
            raise UsageError(f"{name}: '' is not {what}")
        return value

    return Kind(metavar, what, read)


def integer(least=1, most=MAX_LIMIT, metavar="N"):
    """A whole number between bounds."""

    def read(name, value):
        number = int(value) if value.isdecimal() and len(value) <= 20 else -1
        if not least <= number <= most:
            raise UsageError(f"{name}: '{value[:40]}' is not a whole number from {least} to {most}")
        return number

    return Kind(metavar, "a number", read)


def real(above, below, metavar):
    """A number between bounds, which it may not reach."""

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
    """One of some words, as it is or as values[word]."""

    def read(name, value):
        if value not in words:
            raise UsageError(f"{name}: '{value}' is not one of {', '.join(words)}")
        return values[value] if values else value

    return Kind(metavar or "|".join(words), " or ".join(words), read)


FILE = text("FILE", "a file")
FILE_KEY = text("FILE", "a file", empty=True)  # require() says what is missing
BOOLEAN = choice("true", "false", values={"true": True, "false": False})


@dataclass(frozen=True)
class Key:
    """One row of a table of KEY=VALUE words.

    kind       of its value
    help       "" where the flag's own help has all that is to be said
    required   whether the flag makes no sense without it
    aliases    other names
    const      the value where the word is KEY alone; None: KEY alone is no word
    """

    kind: Kind
    help: str = ""
    required: bool = False
    aliases: tuple = ()
    const: str | None = None


def pairs(flag, words, keys, others=""):
    """(key, value) of each KEY=VALUE word of a flag that knows these keys, in order; others: what an error names first."""
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
    """{key: value} of a flag's KEY=VALUE words, of which there must be one at least."""
    if not words:
        raise UsageError(f"{flag}: nothing follows, expected {list_keys(keys)}")
    return dict(pairs(flag, words, keys))


def require(flag, found, keys):
    """Raise UsageError where a required key is missing, or has no text."""
    for key, row in keys.items():
        if row.required and found.get(key, "") == "":
            raise UsageError(f"{flag}: no {key}={row.kind.metavar}")


def none(flag, words):
    if words:
        raise UsageError(f"{flag}: unexpected '{words[0]}', it takes no value")


def one(flag, words, what):
    """The only word; `what` says what it is."""
    if len(words) != 1:
        found = f"unexpected '{words[1]}'" if words else "nothing follows"
        raise UsageError(f"{flag}: {found}, expected {what}")
    if not words[0]:
        raise UsageError(f"{flag}: '' is not {what}")
    return words[0]


def is_pair(word):
    """Whether a word is KEY=VALUE; a file of such a name can be written as ./KEY=VALUE."""
    key, equals, _ = word.partition("=")
    return bool(equals) and key.isidentifier()


def path(flag, words, what="a file"):
    """The only word, a file: F or file=F."""
    wrong = next((word for word in words if is_pair(word) and not word.startswith("file=")), None)
    if wrong:
        raise UsageError(f"{flag}: '{wrong}' is not understood, expected {what}")
    return one(flag, [word.removeprefix("file=") for word in words], what)


def list_keys(keys):
    """Keys, as an error lists them."""
    return " ".join(f"{key}=" for key in keys)
