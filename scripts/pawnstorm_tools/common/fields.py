"""Checks the fields of a record from a file that anybody may have edited."""

import json

from pawnstorm.numbers import MAX_LIMIT


def is_int(value, least=-MAX_LIMIT):
    return type(value) is int and least <= value <= MAX_LIMIT


def number(value):
    return type(value) in (int, float) and 0 <= value <= MAX_LIMIT


def text(value):
    return isinstance(value, str)


def is_list_of(check):
    return lambda value: isinstance(value, list) and all(map(check, value))


def require(record, fields):
    """Raise ValueError, which names the field, if a record lacks one of these fields or has an invalid value in it.

    fields: name -> (function that says whether a value is valid, description of what is expected)
    """
    for field, (fits, expected) in fields.items():
        if field not in record:
            raise ValueError(f"no '{field}'")
        if not fits(record[field]):
            raise ValueError(f"'{field}' is {json.dumps(record[field])[:40]}, expected {expected}")
