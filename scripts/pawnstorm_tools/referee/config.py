"""Reads a match's flags from a file: TOML, or the JSON that fastchess saves.

In TOML, a key is a flag without its dash, and a table has the flag's KEY=VALUE words.
"""

import json
import tomllib

from pawnstorm.system import textfile
from pawnstorm_tools.referee import fastchess_config


class ConfigError(ValueError):
    """A file is neither TOML nor fastchess's JSON, or has a value that no flag can take."""


def groups(path):
    """Read a file as ([(flag, values)], notes), with flags and values as on a command line.

    notes: texts about settings of the file that have no effect. Raises ConfigError, OSError.
    """
    data = textfile.read(path)
    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):  # no TOML file begins with a brace
            return fastchess_config.groups(text)
        table = tomllib.loads(text)
        return [(f"-{key}", words) for key, value in table.items() for words in _values(key, value)], []
    except RecursionError:
        raise ConfigError("brackets or dots are nested too deep: expected a table in a table at most") from None
    except (
        tomllib.TOMLDecodeError,
        json.JSONDecodeError,
        fastchess_config.FieldError,
        UnicodeDecodeError,
        ConfigError,
    ) as error:
        raise ConfigError(str(error)) from None
    except ValueError:
        raise ConfigError("a number has more digits than Python reads: expected fewer") from None


def _values(key, value):
    """The words after each occurrence of one flag, from the flag's value in TOML.

    An array of tables stands for one occurrence for each table, and false stands for none.
    """
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
    if not isinstance(value, (str, int, float)):
        raise ConfigError(f"{key}: '{str(value)[:40]}' is neither text nor a number")
    if "\0" in (word := str(value)):  # neither a command line nor a path can have this character
        raise ConfigError(f"{key}: '{word[:40]}' has a NUL: expected none")
    return word
