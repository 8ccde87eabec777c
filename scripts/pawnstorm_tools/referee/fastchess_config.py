"""Reads the file in which fastchess saves a tournament (config.json) as the flags of a match.

The file is one JSON object: the settings, "engines", and "stats", the results so far. The keys are those of fastchess 0.8 to
1.8 (app/src/types). Times are milliseconds, and a choice is a number or, in some versions, a word.
"""

import json
import os
import re
import shlex

from pawnstorm.numbers import MAX_LIMIT

FORMATS, ORDERS = ("epd", "pgn", "none"), ("random", "sequential")
TOURNAMENTS, OUTPUTS, NOTATIONS = ("roundrobin", "gauntlet"), ("fastchess", "cutechess", "none"), ("san", "lan", "uci")
VARIANTS = ("standard", "frc", "shogi")
TRACKED = ("seldepth", "nps", "hashfull", "tbhits", "latency", "pv")
"""The data that the PGN may have with each move: track_NAME in the file, NAME=true after -pgnout."""


class FieldError(ValueError):
    """A value of the file is wrong. The text names its place."""


def groups(text):
    """Read a file's text as ([(flag, values)], notes). The notes are about settings that are ignored.

    Raises FieldError, json.JSONDecodeError.
    """
    data, notes = json.loads(text), []
    _check(data, SCHEMA, "", notes)
    if re.search(": [1-9]", json.dumps(data.get("stats"))):
        notes.append("'stats' has no effect: -resume FILE keeps the games of a match, and goes on from there")
    return [*_tournament(data), *(("-engine", list(_engine(engine))) for engine in data.get("engines", []))], notes


# The form of the file. A kind of value is (fits(value), what is expected); a list with one form means any number of items.


def _choice(names):
    return lambda value: _named(value, names) is not None, f"{', '.join(names)}, or their number from 0"


def _named(value, names):
    """The name that a value stands for; None if it stands for no name."""
    if type(value) is int and 0 <= value < len(names):
        return names[value]
    return value.lower() if isinstance(value, str) and value.lower() in names else None


TEXT = lambda value: isinstance(value, str) and "\0" not in value, "a text"
WHOLE = lambda value: type(value) is int, "a whole number"
COUNT = lambda value: type(value) is int and 0 <= value <= MAX_LIMIT, f"a whole number from 0 to {MAX_LIMIT}"
NUMBER = (
    lambda value: type(value) in (int, float) and -MAX_LIMIT <= value <= MAX_LIMIT,
    f"a number from -{MAX_LIMIT} to {MAX_LIMIT}",
)
BOOLEAN = lambda value: isinstance(value, bool), "true or false"
OPTION = lambda value: isinstance(value, list) and len(value) == 2 and all(map(TEXT[0], value)), '["NAME", "VALUE"]'
PASSED_OVER = lambda value: True, "anything"

SCHEMA = {
    "resign": {"move_count": COUNT, "score": COUNT, "twosided": BOOLEAN, "enabled": BOOLEAN},
    "draw": {"move_number": COUNT, "move_count": COUNT, "score": COUNT, "enabled": BOOLEAN},
    "maxmoves": {"move_count": COUNT, "enabled": BOOLEAN},
    "tb_adjudication": {
        "enabled": BOOLEAN,
        **dict.fromkeys(("syzygy_dirs", "max_pieces", "ignore_50_move_rule", "result_type"), PASSED_OVER),
    },
    "opening": {"file": TEXT, "format": _choice(FORMATS), "order": _choice(ORDERS), "plies": WHOLE, "start": COUNT},
    "pgn": {
        "additional_lines_rgx": [TEXT],
        "event_name": TEXT,
        "site": TEXT,
        "file": TEXT,
        "append_file": BOOLEAN,
        "notation": _choice(NOTATIONS),
        **{f"track_{name}": BOOLEAN for name in ("nodes", "timeleft", *TRACKED)},
        "min": BOOLEAN,
        "crc": BOOLEAN,
    },
    "epd": {"file": TEXT, "append_file": BOOLEAN},
    "sprt": {"alpha": NUMBER, "beta": NUMBER, "elo0": NUMBER, "elo1": NUMBER, "model": TEXT, "enabled": BOOLEAN},
    "log": {
        "file": TEXT,
        "append_file": BOOLEAN,
        "compress": BOOLEAN,
        **dict.fromkeys(("level", "realtime", "engine_coms"), PASSED_OVER),
    },
    "event_name": TEXT,
    "site": TEXT,
    "output": _choice(OUTPUTS),
    "seed": WHOLE,
    "variant": _choice(VARIANTS),
    "type": _choice(TOURNAMENTS),
    **dict.fromkeys(
        ("gauntlet_seeds", "ratinginterval", "scoreinterval", "wait", "games", "rounds", "concurrency"), COUNT
    ),
    **dict.fromkeys(("force_concurrency", "recover", "noswap", "reverse", "report_penta", "affinity"), BOOLEAN),
    **dict.fromkeys(
        ("affinity_cpus", "config_name", "autosaveinterval", "show_latency", "test_env", "overhead", "stats"),
        PASSED_OVER,
    ),
    "engines": [
        {
            **dict.fromkeys(("name", "dir", "cmd", "args"), TEXT),
            "restart": BOOLEAN,
            "options": [OPTION],
            "limit": {
                "tc": dict.fromkeys(("increment", "fixed_time", "time", "moves", "timemargin"), COUNT),
                "nodes": COUNT,
                "plies": COUNT,
            },
            "variant": _choice(VARIANTS),
            "recover": BOOLEAN,
        }
    ],
}


def _check(value, schema, place, notes):
    """Raise FieldError if a value does not fit the schema. Add a note for each key that the schema does not have."""
    if isinstance(schema, tuple):
        fits, expected = schema
    else:
        fits, expected = (
            lambda value: isinstance(value, type(schema)),
            "an object" if isinstance(schema, dict) else "a list",
        )
    if not fits(value):
        raise FieldError(f"{place or 'the file'}: '{json.dumps(value)[:40]}' is not accepted, expected {expected}")
    if isinstance(schema, dict):
        for key, inner in value.items():
            where = f"{place}.{key}" if place else key
            if key in schema:
                _check(inner, schema[key], where, notes)
            else:
                notes.append(f"unknown key '{where[:80]}' has no effect")
    elif isinstance(schema, list):
        for number, inner in enumerate(value):
            _check(inner, schema[0], f"{place}[{number}]", notes)


# The flags, made from the parts of the file.


def _tournament(data):
    """(flag, values) for each setting that is a flag of a match."""
    part = {name: data.get(name, {}) for name, form in SCHEMA.items() if isinstance(form, dict)}
    pgn, opening, sprt = part["pgn"], part["opening"], part["sprt"]
    if part["resign"].get("enabled"):
        yield "-resign", _words(part["resign"], move_count="movecount", score="score", twosided="twosided")
    for name, flag in (("draw", "-draw"), ("maxmoves", "-maxmoves"), ("tb_adjudication", "-tb")):
        if part[name].get("enabled"):
            yield flag, []
    if opening.get("file"):
        yield "-openings", list(_opening(opening))
    if pgn.get("file"):
        noted = [f"{name}=true" for name in TRACKED if pgn.get(f"track_{name}")]
        noted += ["min=true"] * pgn.get("min", False) + ["match_line="] * bool(pgn.get("additional_lines_rgx"))
        notation = [f"notation={_named(pgn.get('notation', 0), NOTATIONS)}"]
        yield "-pgnout", _words(pgn, file="file", append_file="append") + notation + noted
    for name, flag in (("event_name", "-event"), ("site", "-site")):
        if word := pgn.get(name) or data.get(name):
            yield flag, [word]
    if word := part["epd"].get("file"):
        yield "-epdout", [f"file={word}"]
    if sprt.get("enabled", sprt.get("alpha", 0) > 0):
        yield "-sprt", _words(sprt, elo0="elo0", elo1="elo1", alpha="alpha", beta="beta", model="model")
    if part["log"].get("file"):
        yield "-log", _words(part["log"], file="file", append_file="append", compress="compress")
    if "seed" in data:
        yield "-srand", [str(data["seed"] % (MAX_LIMIT + 1))]
    if _named(data.get("variant", 0), VARIANTS) != "standard":
        yield "-variant", [str(_named(data["variant"], VARIANTS))]
    if _named(data.get("type", 0), TOURNAMENTS) == "gauntlet":
        yield "-tournament", ["gauntlet"]
        yield "-seeds", [str(data.get("gauntlet_seeds", 1))]
    for name in ("games", "rounds", "concurrency", "ratinginterval", "wait"):
        if name in data:
            yield f"-{name}", [str(data[name])]
    if _named(data.get("output", 0), OUTPUTS) == "cutechess" and "scoreinterval" in data:  # others ignore it
        yield "-scoreinterval", [str(data["scoreinterval"])]
    for name, flag in (("noswap", "-noswap"), ("reverse", "-reverse"), ("affinity", "-use-affinity")):
        if data.get(name):
            yield flag, []
    if not data.get("report_penta", True):
        yield "-report", ["penta=false"]


def _opening(opening):
    """The words of -openings. If `plies` is missing or not above 0, all plies are played. `start` counts openings from 1."""
    yield f"file={opening['file']}"
    if (kind := _named(opening.get("format", 2), FORMATS)) != "none":
        yield f"format={kind}"
    yield f"order={_named(opening.get('order', 1), ORDERS)}"
    yield from (f"{name}={opening[name]}" for name in ("plies", "start") if opening.get(name, 0) > 0)


def _engine(engine):
    """The words of -engine. fastchess looks for the command in the engine's folder, and does not split it into words."""
    limit = engine.get("limit", {})
    clock = limit.get("tc", {})
    if command := engine.get("cmd"):
        yield "cmd=" + shlex.quote(os.path.join(".", command) if engine.get("dir") else command)
    yield from (f"{name}={engine[name]}" for name in ("name", "dir", "args") if engine.get(name))
    yield from ["restart=on"] * engine.get("restart", False)
    yield from (f"option.{name}={value}" for name, value in engine.get("options", []))
    if clock.get("fixed_time"):
        yield f"st={_seconds(clock['fixed_time'])}"
    elif clock.get("time") or clock.get("increment"):
        moves = f"{clock['moves']}/" if clock.get("moves") else ""
        yield f"tc={moves}{_seconds(clock.get('time', 0))}+{_seconds(clock.get('increment', 0))}"
    if clock.get("timemargin"):
        yield f"timemargin={clock['timemargin']}"
    yield from (f"{name}={limit[name]}" for name in ("nodes", "plies") if limit.get(name))


def _words(part, **names):
    """KEY=VALUE for each key of `names` that a part of the file has. names: key in the file -> KEY."""
    return [
        f"{word}={str(part[key]).lower() if isinstance(part[key], bool) else part[key]}"
        for key, word in names.items()
        if key in part
    ]


def _seconds(milliseconds):
    return f"{milliseconds // 1000}.{milliseconds % 1000:03}"
