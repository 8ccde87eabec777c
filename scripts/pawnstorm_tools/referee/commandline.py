"""Parses the command line of a match, in the words of cutechess-cli and fastchess, into one Settings."""

import dataclasses
import os
import sys
import textwrap

import pawnstorm
from pawnstorm.games.rules import DEFAULT_GAME, get_rules
from pawnstorm.suggestions import did_you_mean
from pawnstorm_protocol.system import terminal
from pawnstorm_tools.referee import agent_keys, config, engine_keys, flags, opening_book, schedule
from pawnstorm_tools.referee.flag_readers import Draft
from pawnstorm_tools.referee.flag_values import UsageError
from pawnstorm_tools.referee.flags import ALIASES, FLAGS
from pawnstorm_tools.referee.settings import Settings
from pawnstorm_tools.startup import display_name

MAX_GAMES = 10**6
"""The most games of one match. They are limited because all games are listed before the first one is played."""
NOTHING_TO_PLAY = "nothing to play: expected -engine cmd=COMMAND -engine cmd=COMMAND -each tc=TIME [flags]; see -help"
COLUMN = 22
OPTION = "a UCI option; options are sent in the order given, but UCI_Variant (by default from -variant) last"


def parse(argv):
    """Read the command line as Settings. Raises UsageError, OSError."""
    draft = Draft(Settings(rules=get_rules(DEFAULT_GAME)))
    of_files, own = _with_config(_groups(argv), draft.settings.notes)
    for draft.own, groups in ((False, of_files), (True, own)):
        for flag, values in groups:
            FLAGS[flag].reader.read(draft, flag, values)
    settings, each = draft.settings, draft.each
    for flag, table in draft.tables.items():
        reader = FLAGS[flag].reader
        setattr(settings, reader.field, reader.finish(draft, flag, table))
    if len(draft.engines) < 2:
        raise UsageError(f"expected at least two -engine, found {len(draft.engines)}")
    of_config = any(flag == "-engine" for flag, _ in of_files)
    ordered = [each[0] + pairs + each[1] if of_config else each[0] + each[1] + pairs for pairs in draft.engines]
    settings.engines = [engine_keys.engine(pairs, place) for place, pairs in enumerate(ordered, 1)]
    if settings.ponder:
        settings.engines = [dataclasses.replace(engine, ponder=True) for engine in settings.engines]
    _check(settings)
    _check_agents(settings)
    _check_files(settings)
    return settings


def help_or_version(words):
    """The text of -help or -version; None if the words ask for a match."""
    asked = {ALIASES.get(word, word) for word in words}
    if "-help" in asked:
        return usage()
    if "-version" in asked:
        return f"{display_name('match.py')} of pawnstorm {pawnstorm.__version__}\n"
    return None


def usage():
    """The help, as wide as the terminal."""
    lines = [
        *entry(f"{display_name('match.py')} -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]"),
        "",
    ]
    for flag in FLAGS.values():
        if flag.status == "ours":
            lines += entry(f"  {flag.name} {flag.reader.metavar}", flag.help)
        if flag.name == "-each":
            for name, row in engine_keys.KEYS.items():
                written = name if row.const is not None else f"{name}={row.kind.metavar}"
                lines += entry(f"      {written}", row.help)
            lines += entry("      option.NAME=V", OPTION)
    for status, title in (("idle", "accepted and have no effect"), ("refused", "not supported")):
        lines += ["", *entry(f"Words of fastchess and cutechess-cli that are {title}:")]
        for flag in FLAGS.values():
            if flag.status == status:
                lines += entry(f"  {flag.name} {flag.reader.metavar}", flag.help)
    return "\n".join(lines) + "\n"


def entry(head, help=""):
    """The lines of one entry of the help.

    The lines of `help` are in a column to the right of `head`. They begin below `head` if it is too long. A line of `help` that
    begins with a space is not wrapped.
    """
    width = terminal.width(sys.stdout)
    begin = len(head) - len(head.lstrip())
    heads, rows = textwrap.wrap(head, width, subsequent_indent=" " * (begin + 4), break_on_hyphens=False), []
    for line in help.splitlines():
        rows += [line] if line.startswith(" ") else textwrap.wrap(line, max(width - COLUMN, 20), break_on_hyphens=False)
    rows = [" " * COLUMN + row for row in rows]
    if rows and len(heads) == 1 and len(heads[0]) < COLUMN - 1:
        return [heads[0] + rows[0][len(heads[0]) :], *rows[1:]]
    return [*heads, *rows]


# Flags and their values.


def _groups(words):
    """(flag, its values) for each flag, in order."""
    groups = []
    for word in words:
        flag = ALIASES.get(word, word)
        if flag in FLAGS:
            groups.append((flag, []))
        elif word.startswith("-") or not groups:
            raise UsageError(f"unknown word '{word}'{did_you_mean(word, FLAGS)}: expected a flag; -help lists them")
        else:
            groups[-1][1].append(word)
    return groups


def _with_config(groups, notes):
    """Split groups into (groups of the config files, groups of the command line). Later groups override earlier ones.

    A group is (flag, values). -config is replaced by the groups of its file. -quick is replaced by the groups that it stands
    for: its engines are put among the groups of the command line, and its other groups before those of the config files. If
    the command line has engines, those of the config files are left out. Notes on the files are added to `notes`.
    """
    first, read, own = [], [], []
    for flag, values in groups:
        if flag == "-config":
            read += _read_config(flag, values, notes)
        elif flag == "-quick":
            for group in flags.quick(values):
                (own if group[0] == "-engine" else first).append(group)
        else:
            own.append((flag, values))
    if any(flag == "-engine" for flag, _ in own):
        read = [group for group in read if group[0] != "-engine"]
    return first + read, own


def _read_config(flag, values, notes):
    """The groups of the file that -config names."""
    file, idle = flags.config_file(flag, values)
    if file is None:
        notes += idle
        return []
    known = [flag for flag, row in FLAGS.items() if row.reader.in_files]
    try:
        groups, passed_over = config.groups(file)
    except config.ConfigError as error:
        raise UsageError(f"-config {file}: {error}") from None
    for flag, _ in groups:
        if flag not in known:
            like = did_you_mean(flag, [name[1:] for name in known])
            raise UsageError(
                f"-config {file}: unknown word '{flag[1:]}'{like}: expected a flag without its dash; -help lists them"
            )
    notes += [f"-config {file}: {note}" for note in passed_over] + idle
    return groups


# Settings that contradict each other.


def _check(settings):
    """Refuse settings that do not fit together, although each of them is valid alone.

    Add notes about settings that have no effect, and about an opening file that seems to be for another game.
    """
    pairs = schedule.meetings(settings.tournament, len(settings.engines))
    count = settings.rounds * settings.games * len(pairs)
    if count > MAX_GAMES:
        raise UsageError(f"-rounds: '{settings.rounds}' makes {count} games, expected at most {MAX_GAMES}")
    if settings.cluster and settings.wait:
        raise UsageError(f"-wait: '{settings.wait}' is not supported with -cluster, expected no -wait")
    if settings.page and not settings.report:
        raise UsageError(f"-report: 'page={settings.page}' needs a report, expected file=FILE too")
    if settings.penta is not None and len(settings.engines) > 2:
        settings.notes.append("-report penta= has no effect: pairs are counted in a match of two engines only")
    elif settings.penta and not settings.pairs:
        settings.notes.append("-report penta=true has no effect: with -games 1 there are no pairs")
    if settings.book and settings.book.plies is not None and settings.book.kind == "epd":
        settings.notes.append(
            f"-openings plies={settings.book.plies} has no effect: {settings.book.file} holds positions, not games"
        )
    if settings.book and (doubt := opening_book.wrong_game_hint(settings.book.file, settings.rules)):
        settings.notes.append(f"-openings: {doubt}")
    if settings.sprt and len(settings.engines) != 2:
        raise UsageError(f"-sprt compares two engines, here are {len(settings.engines)}")


def _check_files(settings):
    """Refuse a file that two flags name, because writing it for one flag would destroy the other's data."""
    owners = {}
    for flag, file in (
        ("-openings", settings.book and settings.book.file),
        ("-resume", settings.resume),
        ("-pgnout", settings.pgnout),
        ("-report", settings.report),
        ("-debug", settings.debug),
        *(("stderr=", engine.stderr) for engine in settings.engines),
    ):
        if file is not None and (owner := owners.setdefault(os.path.realpath(file), flag)) != flag:
            raise UsageError(f"{flag}: '{file}' is the file of {owner}, expected another")


def _check_agents(settings):
    """Refuse settings that the protocols of the course and of CodinGame cannot express.

    If an agent cannot read openings with Black to move, leave these openings out.
    """
    for pair in schedule.meetings(settings.tournament, len(settings.engines)):
        try:
            agent_keys.rules_between(settings.rules, *(settings.engines[place] for place in pair))
        except ValueError as error:
            raise UsageError(f"-engine {error}") from None
    if settings.book and any(engine.agent and engine.agent.white_first for engine in settings.engines):
        settings.book.white_first = True
    for bot in (engine for engine in settings.engines if engine.proto == "codingame"):
        if settings.book:
            raise UsageError(
                f"-openings: '{settings.book.file}' cannot be used with a CodinGame bot, whose games begin at the start: "
                "expected no -openings with proto=codingame"
            )
        if bot.initstr:
            raise UsageError("-engine proto=codingame: initstr= is only for UCI and UGI engines")
    for agent in (engine for engine in settings.engines if engine.proto == "course"):
        if settings.rules.name != DEFAULT_GAME:
            raise UsageError(
                f"-variant: '{settings.rules.name}' cannot be played with proto=course, expected {DEFAULT_GAME}"
            )
        if agent.time_control.base is None:
            raise UsageError(f"-engine proto=course: '{agent.time_control}' is not accepted, expected tc=TIME")
        if settings.concurrency > 1:
            raise UsageError(
                f"-concurrency: '{settings.concurrency}' games at a time cannot share an agent, expected 1 with proto=course"
            )
        if settings.cluster:
            raise UsageError(
                f"-cluster: '{settings.cluster}' cannot be reached by an agent, expected no -cluster with proto=course"
            )
        if agent.initstr or agent.stderr:
            raise UsageError("-engine proto=course: initstr= and stderr= are for other engines, expected neither")
