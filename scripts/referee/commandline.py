"""The command line of a match, in the words of cutechess-cli and fastchess, parsed into one Settings."""

import dataclasses
import os
import tomllib

from engine.rules import DEFAULT, game

from referee import ROOT, agentwords, config, enginewords, flags, schedule
from referee.adjudication import Resign
from referee.flags import ALIASES, FLAGS
from referee.settings import Book, Settings
from referee.sprt import HIGHEST, MODELS, Sprt
from referee.words import UsageError, among, meant, number, path, real

USAGE = flags.usage()
SHORT_USAGE = """\
match.py: nothing to play: expected -engine cmd=COMMAND -engine cmd=COMMAND -each tc=TIME [flags]; see -help
"""
MOST_GAMES = 10**6
"""Of one match: they are all listed before the first is played."""


def parse(words):
    """Settings from the command line's words. Raises UsageError, OSError."""
    draft = flags.Draft(Settings(rules=game(DEFAULT)))
    read, own = _with_config(_groups(words))
    for draft.own, groups in ((False, read), (True, own)):
        for flag, values in groups:
            FLAGS[flag].read(draft, flag, values)
    settings, engines, each, tables = draft.settings, draft.engines, draft.each, draft.tables
    if settings.games > 2:
        raise UsageError(f"-games: '{settings.games}' is not 1 or 2; use -rounds for more games")
    if settings.games == 2 and not settings.swap:
        raise UsageError("-noswap: each opening is played twice, colours swapped; expected -games 1 beside it")
    if len(engines) < 2:
        raise UsageError(f"expected at least two -engine, found {len(engines)}")
    of_config = any(flag == "-engine" for flag, _ in read)
    ordered = [each[0] + pairs + each[1] if of_config else each[0] + each[1] + pairs for pairs in engines]
    settings.engines = [enginewords.engine(pairs, place) for place, pairs in enumerate(ordered, 1)]
    if settings.ponder:
        settings.engines = [dataclasses.replace(engine, ponder=True) for engine in settings.engines]
    count = settings.rounds * settings.games * len(schedule.meetings(settings.tournament, len(engines)))
    if count > MOST_GAMES:
        raise UsageError(f"-rounds: '{settings.rounds}' makes {count} games, expected at most {MOST_GAMES}")
    if settings.cluster and settings.wait:
        raise UsageError(f"-wait: '{settings.wait}' is not supported with -cluster, expected no -wait")
    if "-openings" in tables:
        settings.book = _book({"seed": str(draft.seed)} | tables["-openings"], len(engines))
    _check_agents(settings)
    settings.sprt = _sprt(tables["-sprt"]) if "-sprt" in tables else None
    settings.resign = _resign(tables["-resign"]) if "-resign" in tables else None
    if settings.sprt and len(engines) != 2:
        raise UsageError(f"-sprt compares two engines, here are {len(engines)}")
    _distinct([("-openings", settings.book and settings.book.file), ("-resume", settings.resume),
               ("-pgnout", settings.pgnout), ("-report", settings.report), ("-debug", settings.debug),
               *(("stderr=", engine.stderr) for engine in settings.engines)])
    return settings


def question(words):
    """What is printed instead of a match: the help, the version; None where the words ask for a match."""
    asked = {ALIASES.get(word, word) for word in words}
    if "-help" in asked:
        return USAGE
    if "-version" in asked:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return f"match.py of {project['name']} {project['version']}\n"
    return None


# Flags and their values.

def _groups(words):
    """(flag, its values) in order."""
    groups = []
    for word in words:
        flag = ALIASES.get(word, word)
        if flag in FLAGS:
            groups.append((flag, []))
        elif word.startswith("-") or not groups:
            raise UsageError(f"unknown word '{word}'{meant(word, FLAGS)}: expected a flag; -help lists them")
        else:
            groups[-1][1].append(word)
    return groups


def _with_config(groups):
    """(groups of the config files, groups of the command line): the later ones win; what -quick sets comes first."""
    first, read, own = [], [], []
    for flag, values in groups:
        if flag == "-config":
            read += _read_config(path(flag, values, "a TOML file; -resume FILE goes on with a match that was stopped"))
        elif flag == "-quick":
            for group in flags.quick(values):
                (own if group[0] == "-engine" else first).append(group)
        else:
            own.append((flag, values))
    if any(flag == "-engine" for flag, _ in own):
        read = [group for group in read if group[0] != "-engine"]
    return first + read, own


def _read_config(file):
    """The groups of a TOML file."""
    known = [flag for flag, row in FLAGS.items() if row.read is not flags.early]
    try:
        groups = config.groups(file)
    except config.ConfigError as error:
        raise UsageError(f"-config {file}: {error}") from None
    for flag, _ in groups:
        if flag not in known:
            like = meant(flag, [name[1:] for name in known])
            raise UsageError(f"-config {file}: unknown word '{flag[1:]}'{like}: "
                             "expected a flag without its dash; -help lists them")
    return groups


def _distinct(paths):
    """Refuse one file under two flags, from (flag, file or None): what is written for one would ruin the other."""
    owners = {}
    for flag, file in paths:
        if file is not None and (owner := owners.setdefault(os.path.realpath(file), flag)) != flag:
            raise UsageError(f"{flag}: '{file}' is the file of {owner}, expected another")


# What the flags with several values say.

def _book(table, engines):
    values = {}
    if "format" in table:
        values["format"] = among("-openings format", table["format"], ("epd", "pgn"))
    if "order" in table:
        values["order"] = among("-openings order", table["order"], ("sequential", "random"))
    for key, least in (("seed", 0), ("plies", 1), ("start", 1)):
        if key in table:
            values[key] = number(f"-openings {key}", table[key], least)
    if "policy" in table:     # with two engines cutechess-cli's first two say the same
        among("-openings policy", table["policy"], ("round", "default", "encounter") if engines == 2 else ("round",))
    if not table.get("file"):
        raise UsageError("-openings: no file=FILE")
    return Book(table["file"], **values)


def _sprt(table):
    for key in ("elo0", "elo1"):
        if key not in table:
            raise UsageError(f"-sprt: no {key}=NUMBER")
    model = among("-sprt model", table.get("model", MODELS[0]), MODELS)
    bound = HIGHEST[model]
    elo0, elo1 = (real(f"-sprt {key}", table[key], -bound, bound) for key in ("elo0", "elo1"))
    if elo0 >= elo1:
        raise UsageError(f"-sprt: elo0={table['elo0']} is not below elo1={table['elo1']}")
    alpha, beta = (real(f"-sprt {key}", table.get(key, "0.05"), 0, 0.5) for key in ("alpha", "beta"))
    return Sprt(elo0, elo1, alpha, beta, model)


def _resign(table):
    for key in ("movecount", "score"):
        if key not in table:
            raise UsageError(f"-resign: no {key}=NUMBER")
    return Resign(*(number(f"-resign {key}", table[key], 1) for key in ("movecount", "score")),
                  among("-resign twosided", table.get("twosided", "false"), ("true", "false")) == "true")


def _check_agents(settings):
    """Refuse what the course's protocol has no words for, and keep openings from agents that cannot read them."""
    for pair in schedule.meetings(settings.tournament, len(settings.engines)):
        try:
            agentwords.rules_between(settings.rules, *(settings.engines[place] for place in pair))
        except ValueError as error:
            raise UsageError(f"-engine {error}") from None
    if settings.book and any(engine.agent and engine.agent.white_first for engine in settings.engines):
        settings.book.white_first = True
    for agent in (engine for engine in settings.engines if engine.port is not None):
        if settings.rules.name != DEFAULT:
            raise UsageError(f"-variant: '{settings.rules.name}' cannot be played with proto=course, expected {DEFAULT}")
        if agent.control.base is None:
            raise UsageError(f"-engine proto=course: '{agent.control}' cannot be told to it, expected tc=TIME")
        if settings.concurrency > 1:
            raise UsageError(f"-concurrency: '{settings.concurrency}' games at a time cannot share an agent, expected 1 with proto=course")
        if settings.cluster:
            raise UsageError(f"-cluster: '{settings.cluster}' cannot be reached by an agent, expected none with proto=course")
        if agent.initstr or agent.stderr:
            raise UsageError("-engine proto=course: initstr= and stderr= are for UCI engines, expected neither")
