"""The numbers that the page's scripts work with, taken from the engine's modules, so that none is written twice."""

import ctypes
import math
import os
from functools import cache

from pawnstorm.core import hashtable, line_book_layout, linker, parameters, state
from pawnstorm.core.state import State
from pawnstorm.evaluation import networks, weights
from pawnstorm.games import position_table
from pawnstorm.games.rules import GAMES, GUI_GAMES, get_rules
from pawnstorm.openings import repertoire
from pawnstorm.proof import book, line_book, pv_completion, time_sliced_solver
from pawnstorm.search import deepening, memory, search_control, time_budget
from pawnstorm.search.memory import Memory
from pawnstorm.strength import levels

LEVEL_STEP = 50  # Elo between two levels that the page offers


def constants(module):
    """{name: number} of a module's constants; those that JavaScript's numbers cannot hold are left out."""
    return {
        name: value
        for name, value in vars(module).items()
        if name.isupper() and type(value) in (int, float) and abs(value) < 1 << 53
    }


def numbers():
    """All numbers for the scripts, as a dict that JSON can hold."""
    return {
        "state": constants(state),
        "parameters": constants(parameters),
        "timeBudget": constants(time_budget),
        "searchControl": constants(search_control),
        "deepening": constants(deepening),
        "hashtable": {"BUCKET_BYTES": hashtable.BUCKET_BYTES},
        "memory": constants(memory),
        "beside": constants(time_sliced_solver),
        "completion": constants(pv_completion),
        "tables": constants(position_table),
        "book": constants(book),
        "lineBook": {**constants(line_book_layout), "MAGIC": line_book.FORMAT.magic},
        "repertoire": constants(repertoire),
        "levels": {**constants(levels), "rows": level_rows()},
        "stack": linker.STACK,
        "layout": layout(),
        "blocks": [[name, getattr(State, name).size] for name in block_fields()],
        "block": sum(getattr(State, name).size for name in block_fields()),
        "networkKinds": list(networks.EVAL_LOADERS),
        "listed": list(GUI_GAMES),
        "aliases": {name: get_rules(name).name for name in GAMES if get_rules(name).name != name},
        "games": [row(name) for name in names()],
    }


def names():
    """The names of the games that the page knows, each once."""
    return list(dict.fromkeys(get_rules(name).name for name in GAMES))


def layout():
    """How a record lies in memory: its size in bytes, and {field: [offset, code as in state.FIELDS, number of items]}."""
    fields = {name: [getattr(State, name).offset, code, math.prod(shape)] for name, code, shape in state.FIELDS}
    return {"size": ctypes.sizeof(State), "fields": fields}


def level_rows():
    """Two dicts {Elo: a level's numbers} with all levels that the page offers: for games without a neural network, and for
    games with one.
    """
    offered = range(levels.LOWEST, levels.HIGHEST + 1, LEVEL_STEP)
    return [{elo: levels.level(elo, learned)._asdict() for elo in offered} for learned in (False, True)]


def row(name):
    """What the scripts know of a game, except the fields of its state record, which blocks() has.

    `network`, `solver`, `book`, `opening` and `repertoire` are names of parts, or None.
    """
    rules = get_rules(name)
    base = rules.full_name.partition("-")[0]
    found = networks.addresses(rules)
    kind = next((kind for kind in networks.EVAL_LOADERS if found[kind]), None)
    return {
        "name": rules.name,
        "full": rules.full_name,
        "family": rules.family,
        "files": rules.files,
        "ranks": rules.ranks,
        "first": rules.first_row,
        "army": rules.start_pawns.bit_count(),
        "promotion": rules.promotion_suffix,
        "passing": bool(rules.ep_squares),
        "chess": rules.files == rules.ranks == 8 and bool(rules.double_step_squares) and not rules.quiet_diagonals,
        "start": rules.start_fen,
        "pawns": hex(rules.start_pawns),
        "network": kind and f"{base}.{kind}",
        "solver": f"{base}.solver" if os.path.exists(os.path.join(networks.FOLDER, f"{base}.solver")) else None,
        "learned": int(kind == "network"),
        "book": f"{rules.full_name}.book" if book.for_game(rules) is not None else None,
        "opening": f"{rules.full_name}.opening" if book.for_game(rules, "opening") is not None else None,
        "repertoire": f"{rules.full_name}.repertoire" if repertoire.for_game(rules) is not None else None,
    }


@cache
def records():
    """For each game, the fields of its state record that are not zero: {field: its bytes}. The addresses of its networks
    are left out.
    """
    found = []
    for name in names():
        memory = Memory()
        memory.resize_states(1)
        record = memory.states[0]
        record.set_game(get_rules(name))
        weights.set_weights(record, get_rules(name))
        for kind in networks.EVAL_LOADERS:
            setattr(record, kind, 0)
        data = bytes(record)
        fields = {field: getattr(State, field) for field, *_ in state.FIELDS}
        parts = {field: data[place.offset : place.offset + place.size] for field, place in fields.items()}
        found.append({field: part for field, part in parts.items() if part.strip(b"\0")})
    return found


def block_fields():
    """The fields that are not zero in the record of at least one game, in the record's order."""
    return [name for name, *_ in state.FIELDS if any(name in record for record in records())]


def blocks():
    """The bytes of the fields of block_fields() for each game, one game after another.

    Copying the bytes of one game to a record sets the record's game.
    """
    return b"".join(
        record.get(name, bytes(getattr(State, name).size)) for record in records() for name in block_fields()
    )
