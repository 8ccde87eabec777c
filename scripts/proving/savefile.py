"""The files that solve.py --save writes: a line of JSON, {"file": what it is, "game": ...} and more, then plain data of either kind."""

import json
import os

TABLE, TREE = "pawnstorm proof table 1", "pawnstorm proof tree 1"
NAMES = {TABLE: "the table of a run without --cluster", TREE: "the tree of a run with --cluster"}


class BadSave(ValueError):
    """A file that is not a saved one, or of the other kind, or another game's."""


def write(path, kind, about, parts):
    """Write a file in one step: its kind and a dict about it, then every part, each bytes."""
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write((json.dumps({"file": kind} | about) + "\n").encode())
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def read(path, kind, game, size):
    """(the dict about it, the data) of a file of this kind and game, whose records have `size` bytes. Raises BadSave, OSError."""
    with open(path, "rb") as file:
        first, _, rest = file.read().partition(b"\n")
    try:
        about = json.loads(first)
        found = str(about.get("file")) if isinstance(about, dict) else None
    except (ValueError, RecursionError):
        found = None
    if found in NAMES and found != kind:
        raise BadSave(f"{path} is {NAMES[found]}: expected {NAMES[kind]}")
    if found != kind or len(rest) % size:
        raise BadSave(f"{path} is no whole saved file: expected {NAMES[kind]}, as solve.py --save writes it")
    if about.get("game") != game:
        raise BadSave(f"{path} is of {about.get('game')}: expected one of {game}")
    return about, rest
