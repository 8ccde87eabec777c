"""The KEY=VALUE words of -engine and -each: the table of keys, and one engine's settings from them."""

import shlex
from dataclasses import dataclass

from referee import agentwords
from referee.clock import Control, parse_tc, seconds
from referee.settings import EngineSettings
from referee.words import UsageError, among, meant, number, written


@dataclass(frozen=True)
class Key:
    """One key: how its value is written ("" for a word that needs none), and its line of the help."""

    value: str
    help: str


KEYS = {
    "cmd": Key("COMMAND", "the program, with arguments if it has some (as a shell would split it)"),
    "args": Key("ARGS", "more arguments"),
    "arg": Key("ARG", "one argument more, spaces and all; may come several times"),
    "name": Key("NAME", "otherwise what the engine calls itself"),
    "dir": Key("FOLDER", "where to run it"),
    "proto": Key("uci|course port=N", """\
course: an agent of the Two Flags course, which connects to port N of this machine and plays over TCP; cmd is
optional then and starts it for each game (for good, if it asks for a TOURNAMENT); twoflags and tc= only"""),
    "port": Key("N", ""),
    **{key: Key(*row) for key, row in agentwords.KEYS.items()},
    "tc": Key("TIME", """\
[moves/]time[+increment] in seconds or minutes:seconds, as in 1+0.01, 40/60, 1:30+1; inf: no clock, beside nodes=
or depth="""),
    "st": Key("SECONDS", "a fixed time a move"),
    "nodes": Key("N", "a limit for every search, alone or beside a time"),
    "depth": Key("N", "the same in plies; plies=N is another name of it"),
    "timemargin": Key("MS", "milliseconds by which a time may be overstepped (0)"),
    "ponder": Key("", "this engine thinks in its opponent's time, as all do with -ponder"),
    "restart": Key("on|off", "on: the engine is ended after each game and started again for its next (off)"),
    "initstr": Key("TEXT", r"lines, separated by \n, that the engine is sent before `uci`"),
    "stderr": Key("FILE", "append what the engine writes to its stderr to FILE"),
}

OTHERS = {
    "conf": "engines are described here, or in the TOML file of -config",
    "book": "openings come from -openings file=FILE",
    "bookdepth": "openings are cut by -openings plies=N",
    "trust": "every move and every result is decided by the rules",
    "whitepov": "scores are the mover's, as UCI has it",
    "tscale": "what a time may be overstepped by is timemargin=MS",
}
"""Keys of cutechess-cli that are refused, and what there is instead."""


def pairs(flag, values):
    """(key, value) of each word; an option's key keeps its dot: ("option.Hash", "64")."""
    found = []
    for word in values:
        key, equals, value = word.partition("=")
        if key == "plies":
            key = "depth"
        elif key == "ponder" and not equals:
            equals, value = "=", "true"
        if key in OTHERS:
            raise UsageError(f"{flag}: '{word}' is not supported: {OTHERS[key]}")
        if not equals or not (key in KEYS or key.startswith("option.") and key != "option."):
            raise UsageError(f"{flag}: '{word}' is not understood{meant(key, KEYS, '=')}, "
                             f"expected option.NAME=VALUE or one of {written(KEYS)}")
        if key == "proto" and value not in ("uci", "course"):
            raise UsageError(f"{flag}: '{word}' is not understood, the protocols are uci and course")
        found.append((key, value))
    given = dict(found)
    if "tc" in given and "st" in given:
        raise UsageError(f"{flag}: tc='{given['tc']}' and st='{given['st']}' exclude each other")
    return found


def engine(given, place):
    """The settings of the `place`-th engine from its (key, value) pairs, of which the later ones win."""
    plain, options, more = {}, {}, []
    for key, value in given:
        if key.startswith("option."):
            name = key.removeprefix("option.")
            options[name.lower()] = name, value
        elif key == "arg":
            more.append(shlex.quote(value))
        else:
            if key in ("tc", "st"):     # a clock of either kind replaces the one before
                plain = {other: value for other, value in plain.items() if other not in ("tc", "st")}
            plain[key] = value
    who = f"engine {place}" + (f" ('{label}')" if (label := plain.get("name") or plain.get("cmd", "").strip()) else "")
    port = agent = None
    if plain.get("proto") == "course":
        if "port" not in plain:
            raise UsageError(f"-engine: proto=course without port=N, to which the agent is to connect, for {who}")
        port = number("-engine port", plain["port"], 1, 65535)
        try:
            agent = agentwords.settings(plain)
        except ValueError as error:
            raise UsageError(f"-engine {error}") from None
    elif found := [key for key in ("port", *agentwords.KEYS) if key in plain]:
        raise UsageError(f"-engine: {found[0]}='{plain[found[0]]}' is for proto=course only")
    if port is None and not plain.get("cmd", "").strip():
        raise UsageError(f"-engine: no cmd=COMMAND for {who}")
    command = " ".join(filter(None, [plain.get("cmd"), plain.get("args"), *more])).strip()
    try:
        shlex.split(command)
    except ValueError as error:
        raise UsageError(f"-engine: cmd and args cannot be split into words: {error}") from None
    if plain.get("stderr") == "":
        raise UsageError("-engine stderr: '' is not a file")
    return EngineSettings(
        command, control(plain, who), plain.get("name", ""), plain.get("dir"), tuple(options.values()), port, agent,
        ponder=among("-engine ponder", plain.get("ponder", "false"), ("true", "false")) == "true",
        restart=among("-engine restart", plain.get("restart", "off"), ("on", "off", "auto")) == "on",
        initstr=tuple(plain.get("initstr", "").replace(r"\n", "\n").splitlines()), stderr=plain.get("stderr"))


def control(plain, who):
    """The Control that the keys ask for."""
    values, untimed = {}, plain.get("tc") in ("inf", "infinite")
    clock = "tc" if "tc" in plain else "st"     # never both
    try:
        if "tc" in plain and not untimed:
            values |= dict(zip(("base", "increment", "moves"), parse_tc(plain["tc"])))
        elif "st" in plain:
            values["move_time"] = seconds(plain["st"])
            if not values["move_time"]:
                raise ValueError("expected a time above 0")
    except ValueError as error:
        raise UsageError(f"{clock}='{plain[clock][:40]}': {error}") from None
    for key in ("nodes", "depth"):
        if key in plain:
            values[key] = number(key, plain[key], 1)
    if untimed and not values:
        raise UsageError(f"no limit for {who}: tc={plain['tc']} lets it think for ever, "
                         "expected nodes= or depth= beside it")
    if not values:
        raise UsageError(f"no limit for {who}: expected tc=, st=, nodes= or depth= in -engine or -each")
    values["margin"] = number("timemargin", plain.get("timemargin", "0"), 0) * 10**6
    return Control(**values)
