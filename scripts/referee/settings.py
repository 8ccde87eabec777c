"""The command line of a match, in the words of cutechess-cli and fastchess, parsed into one Settings."""

import shlex
from dataclasses import dataclass, field

from engine.rules import DEFAULT, Rules, UnknownGame, game

from referee.clock import Control, parse_tc, seconds

USAGE = """\
match.py -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]

  -engine, -each      settings of one engine, or of both; an engine's own win
      cmd=COMMAND     the program, with arguments if it has some (as a shell would split it)
      args=ARGS       more arguments
      name=NAME       otherwise what the engine calls itself
      dir=FOLDER      where to run it
      option.NAME=V   a UCI option; sent in this order, UCI_Variant (from -variant unless given) last
      tc=TIME         [moves/]time[+increment] in seconds or minutes:seconds, as in 1+0.01, 40/60, 1:30+1
      st=SECONDS      a fixed time a move
      nodes=N depth=N limits for every search, alone or beside a time
      timemargin=MS   milliseconds by which a time may be overstepped (0)
  -variant GAME       the game (twoflags)
  -openings file=F [order=sequential|random] [seed=N]
                      EPD or FEN lines; without it every game begins at the start
  -games 1|2          games a round: 2 plays each opening twice, colours swapped (2)
  -rounds N           rounds, each with the next opening (1)
  -concurrency N      games at a time (1)
  -ponder             let engines think in the opponent's time
  -pgnout F           append every game to F
  -resume F           keep the results in F (JSON lines); the games already there are not played again
"""


class UsageError(ValueError):
    """A command line that cannot be understood; the text names the word and what is expected."""


@dataclass(frozen=True)
class EngineSettings:
    """How to run one engine and what it may spend. name is "" until the engine was asked for its own."""

    command: str
    control: Control
    name: str = ""
    directory: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass
class Settings:
    """One match. openings is the path of a file or None; games is 1 or 2 a round."""

    engines: list[EngineSettings] = field(default_factory=list)
    rules: Rules = None
    openings: str | None = None
    order: str = "sequential"
    seed: int = 0
    games: int = 2
    rounds: int = 1
    concurrency: int = 1
    ponder: bool = False
    pgnout: str | None = None
    resume: str | None = None


def parse(words):
    """Settings from the command line's words. Raises UsageError."""
    settings = Settings(rules=game(DEFAULT))
    engines, each = [], []
    for flag, values in _flags(words):
        match flag:
            case "-engine":
                engines.append(_pairs(flag, values))
            case "-each":
                each += _pairs(flag, values)
            case "-openings":
                _openings(settings, values)
            case "-variant":
                try:
                    settings.rules = game(_one(flag, values, "a game"))
                except UnknownGame as error:
                    raise UsageError(f"-variant: {error}") from None
            case "-games" | "-rounds" | "-concurrency":
                setattr(settings, flag[1:], _number(flag, _one(flag, values, "a number"), 1))
            case "-ponder":
                if values:
                    raise UsageError(f"-ponder: unexpected '{values[0]}', it takes no value")
                settings.ponder = True
            case "-pgnout" | "-resume":
                setattr(settings, flag[1:], _one(flag, values, "a file"))
    if settings.games > 2:
        raise UsageError(f"-games: '{settings.games}' is not 1 or 2; use -rounds for more games")
    if len(engines) != 2:
        raise UsageError(f"expected two -engine, found {len(engines)}")
    settings.engines = [_engine(each, own) for own in engines]
    return settings


FLAGS = ("-engine", "-each", "-variant", "-openings", "-games", "-rounds", "-concurrency", "-ponder", "-pgnout", "-resume")
KEYS = ("cmd", "args", "name", "dir", "proto", "tc", "st", "nodes", "depth", "timemargin")


def _flags(words):
    """(flag, its values) in order."""
    groups = []
    for word in words:
        if word in FLAGS:
            groups.append((word, []))
        elif word.startswith("-") or not groups:
            raise UsageError(f"unknown word '{word}': expected one of {' '.join(FLAGS)}")
        else:
            groups[-1][1].append(word)
    return groups


def _one(flag, values, what):
    if len(values) != 1:
        found = f"unexpected '{values[1]}'" if values else "nothing follows"
        raise UsageError(f"{flag}: {found}, expected {what}")
    return values[0]


def _number(flag, text, least):
    if not text.isdecimal() or int(text) < least:
        raise UsageError(f"{flag}: '{text}' is not a whole number of at least {least}")
    return int(text)


def _pairs(flag, values):
    """(key, value) of each KEY=VALUE; an option's key keeps its dot: ("option.Hash", "64")."""
    pairs = []
    for word in values:
        key, equals, value = word.partition("=")
        if not equals or not (key in KEYS or key.startswith("option.") and key != "option."):
            raise UsageError(f"{flag}: '{word}' is not understood, expected option.NAME=VALUE or one of "
                             + " ".join(f"{k}=" for k in KEYS))
        if key == "proto" and value != "uci":
            raise UsageError(f"{flag}: '{word}' is not understood, the only protocol is uci")
        pairs.append((key, value))
    return pairs


def _openings(settings, values):
    for word in values:
        match word.partition("="):
            case ("file", "=", path):
                settings.openings = path
            case ("order", "=", "sequential" | "random" as order):
                settings.order = order
            case ("seed", "=", number):
                settings.seed = _number("-openings seed", number, 0)
            case ("format", "=", "epd"):
                pass
            case _:
                raise UsageError(f"-openings: '{word}' is not understood, expected file=FILE, order=sequential, order=random, "
                                 "seed=NUMBER or format=epd")
    if settings.openings is None:
        raise UsageError("-openings: no file=FILE")


def _engine(each, own):
    """One engine's settings: those of -each, overridden by its own."""
    plain = {key: value for key, value in each + own if not key.startswith("option.")}
    options = {}
    for key, value in each + own:
        if key.startswith("option."):
            name = key.removeprefix("option.")
            options[name.lower()] = name, value
    if not plain.get("cmd"):
        raise UsageError("-engine: no cmd=COMMAND")
    try:
        shlex.split(plain["cmd"] + " " + plain.get("args", ""))
    except ValueError as error:
        raise UsageError(f"-engine: cmd and args cannot be split into words: {error}") from None
    return EngineSettings(f"{plain['cmd']} {plain.get('args', '')}".strip(), _control(plain), plain.get("name", ""),
                          plain.get("dir"), tuple(options.values()))


def _control(plain):
    values = {}
    try:
        if "tc" in plain:
            values |= dict(zip(("base", "increment", "moves"), parse_tc(plain["tc"])))
    except ValueError:
        raise UsageError(f"tc='{plain['tc']}' is not [moves/]time[+increment], as in 1+0.01, 40/60 or 1:30+1") from None
    try:
        if "st" in plain:
            values["move_time"] = seconds(plain["st"])
            if not values["move_time"]:
                raise ValueError
    except ValueError:
        raise UsageError(f"st='{plain['st']}' is not a number of seconds above 0") from None
    for key in ("nodes", "depth"):
        if key in plain:
            values[key] = _number(key, plain[key], 1)
    if not values:
        raise UsageError("no limit for an engine: expected tc=, st=, nodes= or depth= in -engine or -each")
    if "tc" in plain and "st" in plain:
        raise UsageError(f"tc='{plain['tc']}' and st='{plain['st']}' exclude each other")
    values["margin"] = _number("timemargin", plain.get("timemargin", "0"), 0) * 10**6
    return Control(**values)
