"""How the flags of a match are read: what a row of the table consists of, and the usual ways of reading one."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pawnstorm_tools.referee import flag_values
from pawnstorm_tools.referee.flag_values import UsageError
from pawnstorm_tools.referee.settings import Settings


@dataclass
class Draft:
    """What the flags have said so far.

    engines   the (key, value) pairs of each -engine
    each      those of -each: the config files', the command line's
    own       whether the flag that is read stands on the command line
    tables    flag -> its KEY=VALUE words, of which the later ones win
    seed      of the openings' order, where -openings has none
    """

    settings: Settings
    engines: list = field(default_factory=list)
    each: tuple = field(default_factory=lambda: ([], []))
    own: bool = False
    tables: dict = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Reader:
    """How the words after a flag are written, and read: read(draft, flag, words) takes them in, or raises UsageError.

    finish    finish(draft, flag, table) -> the setting `field` that KEY=VALUE words make, once all of them are there
    in_files  whether a config file may have the flag
    """

    metavar: str
    read: Callable
    field: str = ""
    finish: Callable | None = None
    in_files: bool = True


@dataclass(frozen=True)
class Flag:
    """One row of the table.

    status    "ours", or a word of fastchess or cutechess-cli: "idle" if it is accepted and has no effect, or "refused"
    aliases   other spellings
    """

    name: str
    reader: Reader
    help: str
    status: str = "ours"
    aliases: tuple = ()


# Ways of reading.


def value(kind, field):
    """One value, which sets the field."""

    def read(draft, flag, words):
        setattr(draft.settings, field, kind.read(flag, flag_values.one(flag, words, kind.what)))

    return Reader(kind.metavar, read)


def file(field):
    """A file, which may be written as file=FILE too."""
    return Reader("FILE", lambda draft, flag, words: setattr(draft.settings, field, flag_values.path(flag, words)))


def switch(field=None, value=True):
    """No value: the field becomes `value`; without a field what the flag asks for is always so."""

    def read(draft, flag, words):
        flag_values.none(flag, words)
        if field:
            setattr(draft.settings, field, value)

    return Reader("", read)


def table(keys, field, make, replaces=lambda before, words: before):
    """KEY=VALUE words, of which the later ones win; make(draft, flag, table) is what they set the field to."""

    def read(draft, flag, words):
        found = flag_values.table(flag, words, keys)
        draft.tables[flag] = replaces(draft.tables.get(flag, {}), found) | found

    def finish(draft, flag, found):
        flag_values.require(flag, found, keys)
        return make(draft, flag, found)

    words = ((f"{key}={row.kind.metavar}", row.required) for key, row in keys.items())
    return Reader(" ".join(word if required else f"[{word}]" for word, required in words), read, field, finish)


def early(metavar):
    """A flag that commandline.py handles before all others."""
    return Reader(metavar, lambda draft, flag, words: None, in_files=False)


def idle(name, why, metavar="", aliases=()):
    """A row of a flag that has no effect."""

    def read(draft, flag, words):
        draft.settings.notes.append(f"{flag} has no effect: {why}")

    return Flag(name, Reader(metavar, read), why, "idle", aliases)


def refused(name, instead, aliases=()):
    """A row of a flag for which there is something else."""

    def read(draft, flag, words):
        raise UsageError(f"{flag} is not supported: {instead}")

    return Flag(name, Reader("", read), instead, "refused", aliases)
