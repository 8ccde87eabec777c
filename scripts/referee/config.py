"""A match's command line as a TOML file: each flag is a key without its dash, its KEY=VALUE words a table."""

import tomllib


class ConfigError(ValueError):
    """A file that is not TOML, or a value that no flag can take."""


def groups(path):
    """(flag, values) for each flag in the file, as a command line would have them. Raises ConfigError, OSError."""
    with open(path, "rb") as file:
        try:
            table = tomllib.load(file)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(str(error)) from None
    return [(f"-{key}", words) for key, value in table.items() for words in _values(key, value)]


def _values(key, value):
    """The words after each occurrence of one flag: an array of tables is several, false is none."""
    match value:
        case True:
            return [[]]
        case False:
            return []
        case dict():
            return [list(_pairs(value))]
        case list() if all(isinstance(table, dict) for table in value):
            return [list(_pairs(table)) for table in value]
    return [[_word(key, value)]]


def _pairs(table, prefix=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _pairs(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}={_word(key, value)}"


def _word(key, value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return str(value)
    raise ConfigError(f"{key}: {value!r} is neither text nor a number")
