"""The KEY=VALUE words of -engine and -each: the table of keys, and the settings of one engine."""

import shlex

from pawnstorm_tools.referee import agent_keys, flag_values
from pawnstorm_tools.referee.clock import MILLISECOND, TimeControl, parse_seconds, parse_tc
from pawnstorm_tools.referee.flag_values import FILE, Key, Kind, UsageError, choice, integer, text
from pawnstorm_tools.referee.player import PROTOCOLS
from pawnstorm_tools.referee.settings import EngineSettings


def clock(name, word):
    """The fields of a TimeControl that a word of tc= sets; {} for tc=inf."""
    if word in ("inf", "infinite"):
        return {}
    try:
        return dict(zip(("base", "increment", "moves"), parse_tc(word)))
    except ValueError as error:
        raise UsageError(f"{name}='{word[:40]}': {error}") from None


def fixed_time(field):
    """The Kind of a key that sets this field of a TimeControl to a time for a move."""

    def read(name, word):
        try:
            if not (time := parse_seconds(word)):
                raise ValueError("expected a time above 0")
        except ValueError as error:
            raise UsageError(f"{name}='{word[:40]}': {error}") from None
        return {field: time}

    return Kind("SECONDS", "a time", read)


CODINGAME = {"move_time": 100 * MILLISECOND, "first_move": 1000 * MILLISECOND}
"""The limits that CodinGame's referee sets, as fields of a TimeControl."""
KEYS = {
    "cmd": Key(
        text("COMMAND", "a command", empty=True),
        "the program, with arguments if it has some (as a shell would split it)",
    ),
    "args": Key(text("ARGS", "arguments", empty=True), "more arguments"),
    "arg": Key(text("ARG", "an argument", empty=True), "one argument more, spaces and all; may come several times"),
    "name": Key(text("NAME", "a name", empty=True), "its name in the match (by default what it calls itself)"),
    "dir": Key(text("FOLDER", "a folder"), "where to run it"),
    "proto": Key(
        choice(*PROTOCOLS),
        "ugi: the Universal Game Interface; codingame: a bot for CodinGame's Breakthrough, by default with CodinGame's limits, "
        "st=0.1 first=1; "
        "course: an agent of the Two Flags course, which connects to a port of this machine and plays over TCP; cmd is "
        "optional then, and starts the agent for each game (once for all games, if it asks for a TOURNAMENT); "
        "twoflags and tc= only",
    ),
    "port": Key(integer(1, 65535), "proto=course: the port to which the agent connects"),
    **agent_keys.KEYS,
    "tc": Key(
        Kind("TIME", "a time control", clock),
        "[moves/]time[+increment] in seconds or minutes:seconds, as in 1+0.01, 40/60, 1:30+1; inf: no clock, and "
        "nodes= or depth= is needed",
    ),
    "st": Key(fixed_time("move_time"), "a fixed time a move"),
    "first": Key(fixed_time("first_move"), "with st=: another time for the first move in each game"),
    "nodes": Key(integer(), "a limit for every search, alone or beside a time"),
    "depth": Key(integer(), "a limit in plies for every search; plies=N is an alias", aliases=("plies",)),
    "timemargin": Key(integer(0, metavar="MS"), "milliseconds by which a time may be overstepped (0)"),
    "ponder": Key(
        flag_values.BOOLEAN, "this engine thinks in its opponent's time, as all do with -ponder", const="true"
    ),
    "restart": Key(
        choice("on", "off", "auto", metavar="on|off"),
        "on: the engine is ended after each game and started again for its next (off)",
    ),
    "initstr": Key(
        text("TEXT", "a text", empty=True), r"lines, separated by \n, that the engine is sent before `uci` or `ugi`"
    ),
    "stderr": Key(FILE, "append what the engine writes to its stderr to FILE"),
}

REFUSED = {
    "conf": "engines are described here, or in the TOML file of -config",
    "book": "openings come from -openings file=FILE",
    "bookdepth": "openings are cut by -openings plies=N",
    "trust": "every move and every result is decided by the rules",
    "whitepov": "scores are the mover's, as UCI has it",
    "tscale": "timemargin=MS says by how much a time may be overstepped",
}
"""Key of cutechess-cli that is refused -> what to use instead."""


REPLACED = {"tc": ("st", "first"), "st": ("tc",), "first": ("tc",)}
"""Key of a clock -> the keys of other kinds of clocks, which it removes if they come before it."""


def pairs(flag, words):
    """(key, value) of each word. The key of a UCI option begins with "option.", as in ("option.Hash", "64")."""
    found = []
    for word in words:
        key, equals, value = word.partition("=")
        if key in REFUSED:
            raise UsageError(f"{flag}: '{word}' is not supported: {REFUSED[key]}")
        if equals and key.startswith("option.") and key != "option.":
            found.append((key, value))
        else:
            found += flag_values.pairs(flag, [word], KEYS, "option.NAME=VALUE or one of ")
    given = dict(found)
    if "tc" in given and "st" in given:
        raw = dict(word.split("=", 1) for word in words if word.startswith(("tc=", "st=")))
        raise UsageError(f"{flag}: tc='{raw['tc']}' and st='{raw['st']}' exclude each other")
    return found


def engine(given, place):
    """The EngineSettings of the `place`-th engine. given: its (key, value) pairs; later ones override earlier ones."""
    values, options, more = {}, {}, []
    for key, value in given:
        if key.startswith("option."):
            name = key.removeprefix("option.")
            options[name.lower()] = name, value
        elif key == "arg":
            more.append(shlex.quote(value))
        else:
            for other in REPLACED.get(key, ()):
                values.pop(other, None)
            values[key] = value
    label = values.get("name") or values.get("cmd", "").strip()
    who = f"engine {place}" + (f" ('{label}')" if label else "")
    proto, agent = values.get("proto", "uci"), None
    if proto == "course":
        if "port" not in values:
            raise UsageError(f"-engine: proto=course without port=N, to which the agent is to connect, for {who}")
        try:
            agent = agent_keys.settings(values)
        except ValueError as error:
            raise UsageError(f"-engine {error}") from None
    elif found := [key for key in ("port", *agent_keys.KEYS) if key in values]:
        raise UsageError(f"-engine: {found[0]}='{values[found[0]]}' is for proto=course only")
    elif not values.get("cmd", "").strip():
        raise UsageError(f"-engine: no cmd=COMMAND for {who}")
    command = " ".join(filter(None, [values.get("cmd"), values.get("args"), *more])).strip()
    try:
        shlex.split(command)
    except ValueError as error:
        raise UsageError(f"-engine: cmd and args cannot be split into words: {error}") from None
    return EngineSettings(
        command,
        control(values, who),
        values.get("name", ""),
        values.get("dir"),
        tuple(options.values()),
        values.get("port"),
        agent,
        ponder=values.get("ponder", False),
        restart=values.get("restart") == "on",
        initstr=tuple(values.get("initstr", "").replace(r"\n", "\n").splitlines()),
        stderr=values.get("stderr"),
        proto=proto,
    )


def control(values, who):
    """The TimeControl that the values of the keys ask for."""
    timed = values.get("tc", {}) | values.get("st", {}) | values.get("first", {})
    limits = timed | {key: values[key] for key in ("nodes", "depth") if key in values}
    if values.get("proto") == "codingame":
        if "tc" in values or limits != timed:
            asked = str(TimeControl(**limits)) or "tc=inf"
            raise UsageError(
                f"-engine proto=codingame: '{asked}' cannot be sent to {who}: expected st= and first=, or neither for "
                "CodinGame's own limits; write limits for other engines in their -engine, not in -each"
            )
        limits = timed if "st" in values else CODINGAME | timed
    elif "first" in values and "st" not in values:
        raise UsageError(f"-engine: first= without st= for {who}: expected both")
    if not limits and "tc" in values:
        raise UsageError(f"no limit for {who}: tc=inf lets it think for ever, expected nodes= or depth= too")
    if not limits:
        raise UsageError(f"no limit for {who}: expected tc=, st=, nodes= or depth= in -engine or -each")
    return TimeControl(**limits, margin=values.get("timemargin", 0) * MILLISECOND)
