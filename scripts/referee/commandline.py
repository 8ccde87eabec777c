"""The command line of a match, in the words of cutechess-cli and fastchess, parsed into one Settings."""

import math
import os
import shlex

from engine.rules import DEFAULT, UnknownGame, game

from referee import config, schedule
from referee.adjudication import Resign
from referee.clock import Control, parse_tc, seconds
from referee.settings import Book, EngineSettings, Settings
from referee.sprt import HIGHEST, MODELS, Sprt

USAGE = """\
match.py -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]

  -engine, -each      settings of one engine, two engines or more, and of all; an engine's own win, its tc over a common st too
      cmd=COMMAND     the program, with arguments if it has some (as a shell would split it)
      args=ARGS       more arguments
      name=NAME       otherwise what the engine calls itself
      dir=FOLDER      where to run it
      proto=uci|course port=N
                      course: an agent of the Two Flags course, which connects to port N of this machine and plays over TCP; cmd is
                      optional then and starts it for each game (for good, if it asks for a TOURNAMENT); twoflags and tc= only
      option.NAME=V   a UCI option; sent in this order, UCI_Variant (from -variant unless given) last
      tc=TIME         [moves/]time[+increment] in seconds or minutes:seconds, as in 1+0.01, 40/60, 1:30+1
      st=SECONDS      a fixed time a move
      nodes=N depth=N limits for every search, alone or beside a time
      timemargin=MS   milliseconds by which a time may be overstepped (0)
  -variant GAME       the game (twoflags)
  -tournament KIND    roundrobin: everybody meets everybody; gauntlet: the first engine meets all others (roundrobin)
  -openings file=F [format=epd|pgn] [plies=N] [order=sequential|random] [seed=N]
                      EPD or FEN lines, or the first N plies of PGN games (all of them); without a format the file's name tells it;
                      without -openings every game begins at the start
  -games 1|2          games a round: 2 plays each opening twice, colours swapped (2)
  -noswap             with -games 1: the first engine is White in every game, in a tournament the first of any two
  -rounds N           rounds, each with the next opening; in a round every two engines that meet play `games` games (1)
  -concurrency N      games at a time (1); with -cluster on each worker, but no more than its threads
  -cluster WHERE      play on other machines: tcp://host:port, the workers of a `dask scheduler`, or local:N, N processes here. Engines are
                      run on the workers' machines, so their programs and files must be there, under the same paths; openings are
                      read here. Games that are lost with a worker are played again
  -ponder             let engines think in the opponent's time
  -sprt elo0=E elo1=E [alpha=P] [beta=P] [model=logistic|normalized]
                      stop as soon as H1 (Elo difference at least elo1) or H0 (at most elo0) is accepted, at error rates alpha and
                      beta (0.05); two engines, and rounds for as long as it may take. While every pair (with -games 1 every game)
                      ends alike there is no variance and nothing is decided: against one who loses every game all rounds are played
  -resign movecount=N score=CP
                      an engine whose own score was -CP or worse for N of its moves in a row has lost; never without this flag
  -recover            an engine that fails is started again and the match goes on: always so, the flag is taken for its users' sake
  -pgnout F           append every game to F
  -report F           write a page of HTML at the end: ratings, charts, every game to be played through; needs pip install '.[report]'
  -resume F           keep the results in F (JSON lines); the games already there are not played again
  -debug F            append every line to and from every engine to F, with the time
  -config F           read the same words from a TOML file; those of the command line win, its -each over the file's engines too; its
                      engines replace the file's, and another openings file does without the format and plies of the file's:
                          rounds = 10
                          each = {tc = "1+0.01", option.Hash = 64}
                          [[engine]]
                          cmd = "pawnstorm"
"""

FLAGS = ("-engine", "-each", "-variant", "-tournament", "-openings", "-games", "-noswap", "-rounds", "-concurrency", "-cluster",
         "-ponder", "-sprt", "-resign", "-recover", "-pgnout", "-report", "-resume", "-debug", "-config")
LARGEST = 10**15
"""No number is greater."""
MOST_GAMES = 10**6
"""Of one match: they are all listed before the first is played."""
KEYS = ("cmd", "args", "name", "dir", "proto", "port", "tc", "st", "nodes", "depth", "timemargin")


class UsageError(ValueError):
    """A command line that cannot be understood; the text names the word and what is expected."""


def parse(words):
    """Settings from the command line's words. Raises UsageError, OSError."""
    settings = Settings(rules=game(DEFAULT))
    engines, each, book, sprt, resign = [], ([], []), {}, {}, {}     # each: the config files', the command line's
    read, own = _with_config(_flags(words))
    for place, (flag, values) in enumerate(read + own):
        match flag:
            case "-engine":
                engines.append(_pairs(flag, values))
            case "-each":
                each[place >= len(read)].extend(_pairs(flag, values))
            case "-openings":
                table = _table(flag, values, ("file", "format", "plies", "order", "seed"))
                if "file" in book and table.get("file", book["file"]) != book["file"]:   # these describe the file that is replaced
                    book = {key: value for key, value in book.items() if key not in ("format", "plies")}
                book |= table
            case "-sprt":
                sprt |= _table(flag, values, ("elo0", "elo1", "alpha", "beta", "model"))
            case "-resign":
                resign |= _table(flag, values, ("movecount", "score"))
            case "-variant":
                try:
                    settings.rules = game(_one(flag, values, "a game"))
                except UnknownGame as error:
                    raise UsageError(f"-variant: {error}") from None
            case "-tournament":
                settings.tournament = _among(flag, _one(flag, values, "roundrobin or gauntlet"), ("roundrobin", "gauntlet"))
            case "-games" | "-rounds" | "-concurrency":
                most = 1000 if flag == "-concurrency" else LARGEST
                setattr(settings, flag[1:], _number(flag, _one(flag, values, "a number"), 1, most))
            case "-ponder" | "-recover" | "-noswap":
                if values:
                    raise UsageError(f"{flag}: unexpected '{values[0]}', it takes no value")
                settings.ponder |= flag == "-ponder"
                settings.swap &= flag != "-noswap"
            case "-cluster":
                settings.cluster = _one(flag, values, "local:N or tcp://host:port")
            case "-pgnout" | "-report" | "-resume" | "-debug":
                setattr(settings, flag[1:], _one(flag, values, "a file"))
    if settings.games > 2:
        raise UsageError(f"-games: '{settings.games}' is not 1 or 2; use -rounds for more games")
    if settings.games == 2 and not settings.swap:
        raise UsageError("-noswap: each opening is played twice, colours swapped; expected -games 1 beside it")
    if len(engines) < 2:
        raise UsageError(f"expected at least two -engine, found {len(engines)}")
    if any(flag == "-engine" for flag, _ in read):
        settings.engines = [_engine(each[0] + engine + each[1]) for engine in engines]
    else:
        settings.engines = [_engine(each[0] + each[1] + engine) for engine in engines]
    count = settings.rounds * settings.games * len(schedule.meetings(settings.tournament, len(engines)))
    if count > MOST_GAMES:
        raise UsageError(f"-rounds: '{settings.rounds}' makes {count} games, expected at most {MOST_GAMES}")
    _check_agents(settings)
    settings.book = _book(book) if book else None
    settings.sprt = _sprt(sprt) if sprt else None
    settings.resign = _resign(resign) if resign else None
    if settings.sprt and len(engines) != 2:
        raise UsageError(f"-sprt compares two engines, here are {len(engines)}")
    _distinct({"-openings": settings.book and settings.book.file, "-resume": settings.resume, "-pgnout": settings.pgnout,
               "-report": settings.report, "-debug": settings.debug})
    return settings


# Flags and their values.

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


def _with_config(groups):
    """(groups of the -config files, groups of the command line), of which the later ones win."""
    own = [group for group in groups if group[0] != "-config"]
    read = []
    for flag, values in groups:
        if flag == "-config":
            path = _one(flag, values, "a file")
            try:
                for found in config.groups(path):
                    if found[0] not in FLAGS or found[0] == "-config":
                        raise UsageError(f"-config {path}: unknown word '{found[0][1:]}': expected one of "
                                         + " ".join(name[1:] for name in FLAGS if name != "-config"))
                    read.append(found)
            except config.ConfigError as error:
                raise UsageError(f"-config {path}: {error}") from None
    if any(flag == "-engine" for flag, _ in own):
        read = [group for group in read if group[0] != "-engine"]
    return read, own


def _one(flag, values, what):
    if len(values) != 1:
        found = f"unexpected '{values[1]}'" if values else "nothing follows"
        raise UsageError(f"{flag}: {found}, expected {what}")
    if not values[0]:
        raise UsageError(f"{flag}: '' is not {what}")
    return values[0]


def _distinct(paths):
    """Refuse one file under two flags, flag -> path or None: what is written for one would ruin the other."""
    owners = {}
    for flag, path in paths.items():
        if path is not None and (owner := owners.setdefault(os.path.realpath(path), flag)) != flag:
            raise UsageError(f"{flag}: '{path}' is the file of {owner}, expected another")


def _among(flag, text, allowed):
    if text not in allowed:
        raise UsageError(f"{flag}: '{text}' is not one of {', '.join(allowed)}")
    return text


def _number(flag, text, least, most=LARGEST):
    value = int(text) if text.isdecimal() and len(text) <= 20 else -1
    if not least <= value <= most:
        raise UsageError(f"{flag}: '{text[:40]}' is not a whole number from {least} to {most}")
    return value


def _real(flag, text, above, below):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not above < value < below:
        raise UsageError(f"{flag}: '{text}' is not a number between {above:g} and {below:g}")
    return value


def _table(flag, values, keys):
    """A dict of the KEY=VALUE words of a flag that knows these keys."""
    table = {}
    for word in values:
        key, equals, value = word.partition("=")
        if not equals or key not in keys:
            raise UsageError(f"{flag}: '{word}' is not understood, expected " + " ".join(f"{k}=" for k in keys))
        table[key] = value
    if not table:
        raise UsageError(f"{flag}: nothing follows, expected " + " ".join(f"{k}=" for k in keys))
    return table


def _pairs(flag, values):
    """(key, value) of each KEY=VALUE; an option's key keeps its dot: ("option.Hash", "64")."""
    pairs = []
    for word in values:
        key, equals, value = word.partition("=")
        if not equals or not (key in KEYS or key.startswith("option.") and key != "option."):
            raise UsageError(f"{flag}: '{word}' is not understood, expected option.NAME=VALUE or one of "
                             + " ".join(f"{k}=" for k in KEYS))
        if key == "proto" and value not in ("uci", "course"):
            raise UsageError(f"{flag}: '{word}' is not understood, the protocols are uci and course")
        pairs.append((key, value))
    given = dict(pairs)
    if "tc" in given and "st" in given:
        raise UsageError(f"{flag}: tc='{given['tc']}' and st='{given['st']}' exclude each other")
    return pairs


# What the flags with several values say.

def _book(table):
    values = {}
    if "format" in table:
        values["format"] = _among("-openings format", table["format"], ("epd", "pgn"))
    if "order" in table:
        values["order"] = _among("-openings order", table["order"], ("sequential", "random"))
    for key, least in (("seed", 0), ("plies", 1)):
        if key in table:
            values[key] = _number(f"-openings {key}", table[key], least)
    if not table.get("file"):
        raise UsageError("-openings: no file=FILE")
    return Book(table["file"], **values)


def _sprt(table):
    for key in ("elo0", "elo1"):
        if key not in table:
            raise UsageError(f"-sprt: no {key}=NUMBER")
    model = _among("-sprt model", table.get("model", MODELS[0]), MODELS)
    bound = HIGHEST[model]
    elo0, elo1 = (_real(f"-sprt {key}", table[key], -bound, bound) for key in ("elo0", "elo1"))
    if elo0 >= elo1:
        raise UsageError(f"-sprt: elo0={table['elo0']} is not below elo1={table['elo1']}")
    alpha, beta = (_real(f"-sprt {key}", table.get(key, "0.05"), 0, 0.5) for key in ("alpha", "beta"))
    return Sprt(elo0, elo1, alpha, beta, model)


def _resign(table):
    for key in ("movecount", "score"):
        if key not in table:
            raise UsageError(f"-resign: no {key}=NUMBER")
    return Resign(*(_number(f"-resign {key}", table[key], 1) for key in ("movecount", "score")))


def _engine(pairs):
    """One engine's settings from its (key, value) pairs, of which the later ones win."""
    plain, options = {}, {}
    for key, value in pairs:
        if key.startswith("option."):
            name = key.removeprefix("option.")
            options[name.lower()] = name, value
        else:
            if key in ("tc", "st"):     # a clock of either kind replaces the one before
                plain = {other: value for other, value in plain.items() if other not in ("tc", "st")}
            plain[key] = value
    port = None
    if plain.get("proto") == "course":
        if "port" not in plain:
            raise UsageError("-engine: proto=course without port=N, to which the agent is to connect")
        port = _number("-engine port", plain["port"], 1, 65535)
    elif "port" in plain:
        raise UsageError(f"-engine: port='{plain['port']}' is for proto=course only")
    if port is None and not plain.get("cmd", "").strip():
        raise UsageError("-engine: no cmd=COMMAND")
    command = f"{plain.get('cmd', '')} {plain.get('args', '')}".strip()
    try:
        shlex.split(command)
    except ValueError as error:
        raise UsageError(f"-engine: cmd and args cannot be split into words: {error}") from None
    return EngineSettings(command, _control(plain), plain.get("name", ""), plain.get("dir"), tuple(options.values()), port)


def _check_agents(settings):
    """Refuse what the course's protocol has no words for."""
    for agent in (engine for engine in settings.engines if engine.port is not None):
        if settings.rules.name != DEFAULT:
            raise UsageError(f"-variant: '{settings.rules.name}' cannot be played with proto=course, expected {DEFAULT}")
        if agent.control.base is None:
            raise UsageError(f"-engine proto=course: '{agent.control}' cannot be told to it, expected tc=TIME")
        if settings.concurrency > 1:
            raise UsageError(f"-concurrency: '{settings.concurrency}' games at a time cannot share an agent, expected 1 with proto=course")
        if settings.cluster:
            raise UsageError(f"-cluster: '{settings.cluster}' cannot be reached by an agent, expected none with proto=course")


def _control(plain):
    values = {}
    clock = "tc" if "tc" in plain else "st"     # never both
    try:
        if "tc" in plain:
            values |= dict(zip(("base", "increment", "moves"), parse_tc(plain["tc"])))
        elif "st" in plain:
            values["move_time"] = seconds(plain["st"])
            if not values["move_time"]:
                raise ValueError("expected a time above 0")
    except ValueError as error:
        raise UsageError(f"{clock}='{plain[clock][:40]}': {error}") from None
    for key in ("nodes", "depth"):
        if key in plain:
            values[key] = _number(key, plain[key], 1)
    if not values:
        raise UsageError("no limit for an engine: expected tc=, st=, nodes= or depth= in -engine or -each")
    values["margin"] = _number("timemargin", plain.get("timemargin", "0"), 0) * 10**6
    return Control(**values)
