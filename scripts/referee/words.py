"""The values after a flag, checked: each reader names the word that it cannot take and says what is expected."""

import difflib
import math

from protocol.parse import LARGEST


class UsageError(ValueError):
    """A command line that cannot be understood; the text names the word and what is expected."""


def none(flag, values):
    if values:
        raise UsageError(f"{flag}: unexpected '{values[0]}', it takes no value")


def one(flag, values, what):
    """The only value; `what` says what it is."""
    if len(values) != 1:
        found = f"unexpected '{values[1]}'" if values else "nothing follows"
        raise UsageError(f"{flag}: {found}, expected {what}")
    if not values[0]:
        raise UsageError(f"{flag}: '' is not {what}")
    return values[0]


def is_pair(word):
    """Whether a word is KEY=VALUE; a file of such a name can be written as ./KEY=VALUE."""
    key, equals, _ = word.partition("=")
    return bool(equals) and key.isidentifier()


def path(flag, values, what="a file"):
    """The only value, a file: F or file=F."""
    wrong = next((word for word in values if is_pair(word) and not word.startswith("file=")), None)
    if wrong:
        raise UsageError(f"{flag}: '{wrong}' is not understood, expected {what}")
    return one(flag, [word.removeprefix("file=") for word in values], what)


def file_of(flag, found):
    """The file=FILE of a flag's table."""
    if not found.get("file"):
        raise UsageError(f"{flag}: no file=FILE")
    return found["file"]


def among(flag, text, allowed):
    if text not in allowed:
        raise UsageError(f"{flag}: '{text}' is not one of {', '.join(allowed)}")
    return text


def number(flag, text, least, most=LARGEST):
    value = int(text) if text.isdecimal() and len(text) <= 20 else -1
    if not least <= value <= most:
        raise UsageError(f"{flag}: '{text[:40]}' is not a whole number from {least} to {most}")
    return value


def real(flag, text, above, below):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not above < value < below:
        raise UsageError(f"{flag}: '{text}' is not a number between {above:g} and {below:g}")
    return value


def table(flag, values, keys):
    """A dict of the KEY=VALUE words of a flag that knows these keys."""
    found = dict(pairs(flag, values, keys))
    if not found:
        raise UsageError(f"{flag}: nothing follows, expected {written(keys)}")
    return found


def pairs(flag, values, keys):
    """(key, value) of each KEY=VALUE word, in order."""
    found = []
    for word in values:
        key, equals, value = word.partition("=")
        if not equals or key not in keys:
            raise UsageError(f"{flag}: '{word}' is not understood{meant(key, keys, '=')}, expected {written(keys)}")
        found.append((key, value))
    return found


def written(keys):
    return " ".join(f"{key}=" for key in keys)


def meant(word, known, after=""):
    """", did you mean X?" with the known word that is most like this one, or ""."""
    by_name = {name.lstrip("-").lower(): name for name in known}
    like = difflib.get_close_matches(word.lstrip("-").lower(), by_name, 1)
    return f" (did you mean {by_name[like[0]]}{after}?)" if like else ""
