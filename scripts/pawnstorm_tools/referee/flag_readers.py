"""Reads the flags of a match: the classes for the rows of the table in flags.py, and the usual ways to read a flag."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pawnstorm_tools.referee import flag_values
from pawnstorm_tools.referee.flag_values import UsageError
from pawnstorm_tools.referee.settings import Settings


@dataclass
class Draft:
    """The flags that have been read so far.

    engines   the (key, value) pairs of each -engine
    each      the pairs of -each: (those of the config files, those of the command line)
    own       whether the flag that is read now is on the command line
    tables    flag -> its KEY=VALUE words; later ones override earlier ones
    seed      the seed of the openings' order, if -openings has none
    """

    settings: Settings
    engines: list = field(default_factory=list)
    each: tuple = field(default_factory=lambda: ([], []))
    own: bool = False
    tables: dict = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Reader:
    """How the words after a flag are written and read.

    metavar   how the help writes the words
    read      read(draft, flag, words) adds the words to the draft, or raises UsageError
    field     the name of the setting whose value finish() returns; "" if there is no finish()
    finish    finish(draft, flag, table) -> the value of this setting, from all KEY=VALUE words of the flag. The attribute is
              None if read() already sets the values
    in_files  whether a config file may have the flag
    """

    metavar: str
    read: Callable
    field: str = ""
    finish: Callable | None = None
    in_files: bool = True


@dataclass(frozen=True)
class Flag:
    """One row of the table of flags.

    status    "ours"; or, for a word of fastchess or cutechess-cli, "idle" if it is accepted and has no effect, or "refused"
    aliases   other spellings
    """

    name: str
    reader: Reader
    help: str
    status: str = "ours"
    aliases: tuple = ()


# Ways to read a flag.


def value(kind, field):
    """The Reader of one value, which becomes the setting `field`."""

    def read(draft, flag, words):
        setattr(draft.settings, field, kind.read(flag, flag_values.one(flag, words, kind.what)))

    return Reader(kind.metavar, read)


def file(field):
    """The Reader of a file, which may also be written as file=FILE."""
    return Reader("FILE", lambda draft, flag, words: setattr(draft.settings, field, flag_values.path(flag, words)))


def switch(field=None, value=True):
    """The Reader of a flag without values. It sets `field` to `value`. Without a field, the flag changes nothing."""

    def read(draft, flag, words):
        flag_values.none(flag, words)
        if field:
            setattr(draft.settings, field, value)

    return Reader("", read)


def table(keys, field, make, replaces=lambda before, words: before):
    """The Reader of KEY=VALUE words; later ones override earlier ones.

    make(draft, flag, table) returns the value of the setting `field`. If the flag occurs again, replaces(before, words) is
    called with the earlier words and the new ones. It returns the earlier words without those that are no longer valid.
    """

    def read(draft, flag, words):
        found = flag_values.table(flag, words, keys)
        draft.tables[flag] = replaces(draft.tables.get(flag, {}), found) | found

    def finish(draft, flag, found):
        flag_values.require(flag, found, keys)
        return make(draft, flag, found)

    words = ((f"{key}={row.kind.metavar}", row.required) for key, row in keys.items())
    return Reader(" ".join(word if required else f"[{word}]" for word, required in words), read, field, finish)


def early(metavar):
    """The Reader of a flag that commandline.py handles before all others."""
    return Reader(metavar, lambda draft, flag, words: None, in_files=False)


def idle(name, why, metavar="", aliases=()):
    """The row of a flag that has no effect."""

    def read(draft, flag, words):
        draft.settings.notes.append(f"{flag} has no effect: {why}")

    return Flag(name, Reader(metavar, read), why, "idle", aliases)


def refused(name, instead, aliases=()):
    """The row of a flag that is refused. instead: what to use in its place."""

    def read(draft, flag, words):
        raise UsageError(f"{flag} is not supported: {instead}")

    return Flag(name, Reader("", read), instead, "refused", aliases)
