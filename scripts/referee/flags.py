"""The flags of a match, one row each: its name, how its values are written and read, its help."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.rules import UnknownGame, game

from referee import enginewords, words
from referee.settings import Settings
from referee.sprt import MODELS
from referee.words import UsageError


@dataclass
class Draft:
    """What the flags have said so far.

    engines   the (key, value) pairs of each -engine
    each      those of -each: the config files', the command line's
    own       whether the flag that is read stands on the command line
    tables    flag -> its KEY=VALUE words, of which the later ones win
    seed      of the openings' order, where -openings has none
    """

    settings: Settings
    engines: list = field(default_factory=list)
    each: tuple = field(default_factory=lambda: ([], []))
    own: bool = False
    tables: dict = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Flag:
    """One row of the table.

    values   how the values are written
    read     read(draft, flag, values) takes them in, or raises UsageError
    kind     "ours", or a word of fastchess or cutechess-cli:
             "idle" if it is accepted and has no effect, or "refused"
    """

    values: str
    read: Callable
    help: str
    kind: str = "ours"


# How flags are read.

def text(name, what):
    """Sets the field of that name."""
    return lambda draft, flag, values: setattr(draft.settings, name, words.one(flag, values, what))


def path(name):
    """Sets the field to a file, which may be written as file=F too."""
    return lambda draft, flag, values: setattr(draft.settings, name, words.path(flag, values))


def number(name, least=1, most=words.LARGEST):
    return lambda draft, flag, values: setattr(
        draft.settings, name, words.number(flag, words.one(flag, values, "a number"), least, most))


def switch(name=None, value=True):
    """A flag without a value, which sets the field to `value`; without a name what it asks for is always so."""
    def read(draft, flag, values):
        words.none(flag, values)
        if name:
            setattr(draft.settings, name, value)
    return read


def table(*keys):
    return lambda draft, flag, values: draft.tables.setdefault(flag, {}).update(words.table(flag, values, keys))


def engine(draft, flag, values):
    draft.engines.append(enginewords.pairs(flag, values))


def each(draft, flag, values):
    draft.each[draft.own].extend(enginewords.pairs(flag, values))


def variant(draft, flag, values):
    try:
        draft.settings.rules = game(words.one(flag, values, "a game"))
    except UnknownGame as error:
        raise UsageError(f"-variant: {error}") from None


def tournament(draft, flag, values):
    kind = words.one(flag, values, "roundrobin or gauntlet").replace("round-robin", "roundrobin")
    draft.settings.tournament = words.among(flag, kind, ("roundrobin", "gauntlet"))


def openings(draft, flag, values):
    found = words.table(flag, values, ("file", "format", "plies", "order", "seed", "start", "policy"))
    book = draft.tables.get(flag, {})
    if "file" in book and found.get("file", book["file"]) != book["file"]:
        # These describe the file that is replaced.
        book = {key: value for key, value in book.items() if key not in ("format", "plies", "start")}
    draft.tables[flag] = book | found


def seed(draft, flag, values):
    draft.seed = words.number(flag, words.one(flag, values, "a number"), 0)


def repeat(draft, flag, values):
    draft.settings.games = words.number(flag, words.one(flag, values, "1 or 2"), 1) if values else 2


def seeds(draft, flag, values):
    if words.number(flag, words.one(flag, values, "a number"), 0) > 1:
        raise UsageError(f"{flag}: '{values[0]}' is not 1: in a gauntlet the first engine alone meets all others")


def early(draft, flag, values):
    """The reader of flags that are handled before all others; a config file cannot have them."""
    raise UsageError(f"{flag}: not here, expected it on the command line")


def quick(values):
    """The (flag, values) that fastchess's -quick stands for."""
    found = words.pairs("-quick", values, ("cmd", "book"))
    engines = [f"cmd={value}" for key, value in found if key == "cmd"]
    books = [f"file={value}" for key, value in found if key == "book"]
    if len(engines) != 2 or len(books) > 1:
        raise UsageError(f"-quick: '{' '.join(values)}' is not understood, "
                         "expected cmd=COMMAND cmd=COMMAND [book=FILE]")
    workers = max(1, (os.cpu_count() or 1) - 2)
    return [*(("-engine", [engine]) for engine in engines), *(("-openings", [book, "order=random"]) for book in books),
            ("-each", ["tc=10+0.1"]), ("-rounds", ["25000"]), ("-concurrency", [str(workers)])]


PGN_UNWRITTEN = ("seldepth", "nps", "hashfull", "tbhits", "latency", "pv", "min", "match_line")
PGN_KEYS = ("file", "append", "notation", "nodes", "timeleft", *PGN_UNWRITTEN)


def pgnout(draft, flag, values):
    """FILE [min] [fi] as in cutechess-cli, or file=FILE with the other keys of fastchess."""
    if any(words.is_pair(word) for word in values):
        found = words.table(flag, values, PGN_KEYS)
        if found.get("notation", "san") != "san":
            raise UsageError(f"{flag}: 'notation={found['notation']}' is not supported, expected notation=san")
        unwritten = [key for key in PGN_UNWRITTEN if found.get(key, "false") != "false"]
    else:
        more = [word for word in values[1:] if word not in ("min", "fi")]
        found = {"file": words.one(flag, values[:1] + more, "a file")}
        unwritten = ["min"] if "min" in values[1:] else []
    draft.settings.pgnout = words.file_of(flag, found)
    draft.settings.append = words.among(f"{flag} append", found.get("append", "true"), ("true", "false")) == "true"
    if unwritten:
        draft.settings.notes.append(f"{flag}: {' '.join(unwritten)} has no effect: every game is written in full, "
                                    "with score, depth, time, nodes and clock after each move")


def report(draft, flag, values):
    if any(words.is_pair(word) for word in values):
        found = words.table(flag, values, ("file", "penta"))
        words.among("-report penta", found.get("penta", "true"), ("true", "false"))
        draft.settings.report = found.get("file", draft.settings.report)
    else:
        draft.settings.report = words.one(flag, values, "a file")


def log(draft, flag, values):
    found = words.table(flag, values, ("file", "append", "level", "compress", "realtime", "engine"))
    draft.settings.debug = words.file_of(flag, found)
    for key, only in (("append", "true"), ("compress", "false")):
        if found.get(key, only) != only:
            raise UsageError(f"{flag}: '{key}={found[key]}' is not supported, expected {key}={only}: "
                             "lines are appended to a file of text")


# Words of others.

def idle(why, values=""):
    def read(draft, flag, _):
        draft.settings.notes.append(f"{flag} has no effect: {why}")
    return Flag(values, read, why, "idle")


def refused(instead):
    def read(draft, flag, values):
        raise UsageError(f"{flag} is not supported: {instead}")
    return Flag("", read, instead, "refused")


CHESS_ONLY = "endgame tables of chess say nothing about these games"
ONE_FORMAT = "there is one output format"
READY = "an engine has ten seconds to start and to get ready"

FLAGS = {
    "-engine": Flag("KEY=VALUE...", engine, """\
one engine; two or more, whose own settings win over those of -each, tc over st too"""),
    "-each": Flag("KEY=VALUE...", each, "settings of all engines. The keys:"),
    "-variant": Flag("GAME", variant, "the game (twoflags)"),
    "-tournament": Flag("KIND", tournament, """\
roundrobin: everybody meets everybody; gauntlet: the first engine meets all others (roundrobin)"""),
    "-seeds": Flag("1", seeds, "the only choice: in a gauntlet the first engine alone meets all others"),
    "-openings": Flag("file=F [format=epd|pgn] [plies=N] [order=sequential|random] [seed=N] [start=N]", openings, """\
EPD or FEN lines, or the first N plies of PGN games (all of them); without a format the file's name tells it;
start=N: from the N-th one on (1), counted after an order=random; policy=round, the only choice: all games of a
round have one opening. Without -openings every game begins at the start"""),
    "-srand": Flag("N", seed, "the seed of order=random, where -openings has none (0)"),
    "-games": Flag("1|2", number("games"), "games a round: 2 plays each opening twice, colours swapped (2)"),
    "-repeat": Flag("[N]", repeat, "the same as -games 2, or -games N"),
    "-noswap": Flag("", switch("swap", False), """\
with -games 1: the first engine is White in every game, in a tournament the first of any two"""),
    "-reverse": Flag("", switch("reverse"), "exchange the colours of every game"),
    "-rounds": Flag("N", number("rounds"), """\
rounds, each with the next opening; in a round every two engines that meet play `games` games (1)"""),
    "-concurrency": Flag("N", number("concurrency", most=1000), """\
games at a time (1); with -cluster on each worker, but no more than its threads"""),
    "-force-concurrency": Flag("", switch(), "always so: N may exceed the number of processors"),
    "-cluster": Flag("WHERE", text("cluster", "local:N or tcp://host:port"), """\
play on other machines: tcp://host:port, the workers of a `dask scheduler`, or local:N, N processes here. Engines
are run on the workers' machines, so their programs and files must be there, under the same paths; openings are
read here. Games that are lost with a worker are played again"""),
    "-wait": Flag("MS", number("wait", 0, 10**7), "milliseconds between two games (0)"),
    "-ponder": Flag("", switch("ponder"), "let engines think in the opponent's time"),
    "-sprt": Flag(f"elo0=E elo1=E [alpha=P] [beta=P] [model={'|'.join(MODELS)}]",
                  table("elo0", "elo1", "alpha", "beta", "model"), """\
stop as soon as H1 (Elo difference at least elo1) or H0 (at most elo0) is accepted, at error rates alpha and
beta (0.05); two engines, and rounds for as long as it may take. While every pair (with -games 1 every game)
ends alike there is no variance and nothing is decided: against one who loses every game all rounds are played"""),
    "-resign": Flag("movecount=N score=CP [twosided=true|false]", table("movecount", "score", "twosided"), """\
an engine whose own score was -CP or worse for N of its moves in a row has lost; twosided=true: if its opponent's
was CP or better for as long; never without this flag"""),
    "-recover": Flag("", switch(), "always so: an engine that fails is started again and the match goes on"),
    "-pgnout": Flag("F", pgnout, """\
append every game to F; file=F append=false: replace F, unless -resume goes on with a match"""),
    "-event": Flag("NAME", text("event", "a name"), "the Event of the PGN (the game's name and `match`)"),
    "-site": Flag("NAME", text("site", "a name"), "the Site of the PGN (?)"),
    "-report": Flag("F", report, """\
write a page of HTML at the end: ratings, charts, every game to be played through; needs pip install '.[report]'.
penta=true|false, as in fastchess, has no effect: the results of pairs are always shown"""),
    "-resume": Flag("F", path("resume"), """\
keep the results in F (JSON lines); the games already there are not played again"""),
    "-debug": Flag("F", path("debug"), """\
append every line to and from every engine to F, with the time; -log file=F is the same"""),
    "-log": Flag("file=F", log, "the same as -debug F; level=, engine= and realtime= have no effect"),
    "-scoreinterval": Flag("N", number("score_interval", 0), "a line with the score every N games (0: none)"),
    "-ratinginterval": Flag("N", number("rating_interval", 0), """\
the score with Elo and test, or the ratings table, every N games (0: none)"""),
    "-quick": Flag("cmd=A cmd=B [book=F]", early, """\
two engines in 25000 rounds at tc=10+0.1, with two processors left free, and openings from F in random order;
other flags win over these"""),
    "-config": Flag("F", early, """\
read the same words from a TOML file; those of the command line win, its -each over the file's engines too; its
engines replace the file's, and another openings file does without the format, plies and start of the file's:
    rounds = 10
    each = {tc = "1+0.01", option.Hash = 64}
    [[engine]]
    cmd = "pawnstorm\""""),
    "-version": Flag("", early, "print the version"),
    "-help": Flag("", early, "print this"),

    "-draw": idle("none of these games can be drawn", "KEY=VALUE..."),
    "-maxmoves": idle("every one of these games comes to its end, and none is drawn", "N"),
    "-tb": idle(CHESS_ONLY, "PATHS"),
    "-tbpieces": idle(CHESS_ONLY, "N"),
    "-tbignore50": idle(CHESS_ONLY),
    "-tbadjudicate": idle(CHESS_ONLY, "KIND"),
    "-bookmode": idle("all openings are read into memory", "MODE"),
    "-autosaveinterval": idle("-resume FILE saves every game as it ends", "N"),
    "-output": idle(ONE_FORMAT, "format=F"),
    "-resultformat": idle(ONE_FORMAT, "F"),
    "-outcomeinterval": idle("the summary lists the games that a fault ended", "N"),
    "-show-latency": idle("the summary always shows the delay that the referee adds"),
    "-use-affinity": idle("engines are not bound to processors; `taskset` binds the whole match", "[CPUS]"),
    "-crc32": idle("`cksum FILE` prints a checksum of the PGN", "pgn=true"),
    "-testEnv": idle(ONE_FORMAT),
    "-startup-ms": idle(READY, "N"),
    "-ucinewgame-ms": idle(READY, "N"),
    "-ping-ms": idle(READY, "N"),

    "-epdout": refused("-pgnout FILE keeps every game, its last position too"),
    "-engines": refused("engines are named on the command line or in the TOML file of -config"),
    "-compliance": refused("a match checks what an engine says: try one with -games 1 and -debug FILE"),
}
ALIASES = {"-h": "-help", "--help": "-help", "-v": "-version", "--version": "-version", "--compliance": "-compliance",
           "-affinity": "-use-affinity"}
"""Other spellings of flags."""


# The help.

INDENT = " " * 22
OPTION = "a UCI option; sent in this order, UCI_Variant (from -variant unless given) last"


def usage():
    """The help, made from the rows."""
    lines = ["match.py -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]", ""]
    for name, flag in FLAGS.items():
        if flag.kind == "ours":
            lines += entry(f"  {name} {flag.values}", flag.help)
        if name == "-each":
            for key, row in enginewords.KEYS.items():
                if row.help:
                    lines += entry(f"      {key}={row.value}" if row.value else f"      {key}", row.help)
            lines += entry("      option.NAME=V", OPTION)
    for kind, title in (("idle", "accepted and have no effect"), ("refused", "not supported")):
        lines += ["", f"Words of fastchess and cutechess-cli that are {title}:"]
        for name, flag in FLAGS.items():
            if flag.kind == kind:
                lines += entry(f"  {name} {flag.values}", flag.help)
    return "\n".join(lines) + "\n"


def entry(head, help):
    """The head, and the help in its column beside it, or below where the head is long."""
    head, rows = head.rstrip(), [INDENT + line for line in help.splitlines()]
    return [head + rows[0][len(head):], *rows[1:]] if len(head) < len(INDENT) - 1 else [head, *rows]
