"""The table of a match's flags, one row each. The parser, the help and the list of accepted words come from it."""

import os

from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_tools.referee import engine_keys, flag_values
from pawnstorm_tools.referee.flag_readers import Flag, Reader, early, file, idle, refused, switch, table, value
from pawnstorm_tools.referee.flag_values import (
    BOOLEAN,
    FILE,
    FILE_KEY,
    Key,
    Kind,
    UsageError,
    choice,
    integer,
    real,
    text,
)
from pawnstorm_tools.referee.settings import Book, Resign
from pawnstorm_tools.referee.sprt_math import HIGHEST, MODELS, Sprt

# The readers of flags that need a reader of their own.


def read_engine(draft, flag, words):
    draft.engines.append(engine_keys.pairs(flag, words))


def read_each(draft, flag, words):
    draft.each[draft.own].extend(engine_keys.pairs(flag, words))


def read_game(name, word):
    try:
        return get_rules(word)
    except UnknownGame as error:
        raise UsageError(f"{name}: {error}") from None


def read_seed(draft, flag, words):
    draft.seed = integer(0).read(flag, flag_values.one(flag, words, "a number"))


def one_or_two(name, word):
    if word not in ("1", "2"):
        raise UsageError(f"{name}: '{word}' is not 1 or 2; use -rounds for more games")
    return int(word)


def read_repeat(draft, flag, words):
    value(GAMES, "games").read(draft, flag, words or ["2"])


def read_seeds(draft, flag, words):
    if integer(0).read(flag, flag_values.one(flag, words, "a number")) > 1:
        raise UsageError(f"{flag}: '{words[0]}' is not 1: in a gauntlet the first engine alone meets all others")


def of_another_file(before, words):
    """The earlier words of -openings that stay valid. If the file changes, words that describe the old file are dropped."""
    if "file" in before and words.get("file", before["file"]) != before["file"]:
        return {key: value for key, value in before.items() if key not in ("format", "plies", "start")}
    return before


def make_book(draft, flag, found):
    if len(draft.engines) > 2 and found.get("policy", "round") != "round":  # with two engines, all three do the same
        raise UsageError(
            f"{flag} policy: '{found['policy']}' is not supported for more than two engines, expected round"
        )
    return Book(**{"seed": draft.seed} | {key: value for key, value in found.items() if key != "policy"})


def make_sprt(draft, flag, found):
    model = found.get("model", MODELS[0])
    bounds = [real(-HIGHEST[model], HIGHEST[model], "E").read(f"{flag} {key}", found[key]) for key in ("elo0", "elo1")]
    if bounds[0] >= bounds[1]:
        raise UsageError(f"{flag}: elo0={found['elo0']} is not below elo1={found['elo1']}")
    return Sprt(*bounds, found.get("alpha", 0.05), found.get("beta", 0.05), model)


def make_resign(draft, flag, found):
    return Resign(found["movecount"], found["score"], found.get("twosided", False))


def read_pgnout(draft, flag, words):
    """Read FILE [min] [fi] as in cutechess-cli, or file=FILE with the other keys of fastchess."""
    settings = draft.settings
    if any(flag_values.is_pair(word) for word in words):
        found = flag_values.table(flag, words, PGN_KEYS)
        flag_values.require(flag, found, PGN_KEYS)
        if found.get("notation", "san") != "san":
            raise UsageError(f"{flag}: 'notation={found['notation']}' is not supported, expected notation=san")
        unwritten = [key for key in PGN_UNWRITTEN if found.get(key, "false") != "false"]
    else:
        more = [word for word in words[1:] if word not in ("min", "fi")]
        found = {"file": flag_values.one(flag, words[:1] + more, "a file")}
        unwritten = ["min"] if "min" in words[1:] else []
    settings.pgnout, settings.append = found["file"], found.get("append", True)
    if unwritten:
        settings.notes.append(
            f"{flag}: {' '.join(unwritten)} has no effect: every game is written in full, "
            "with score, depth, time, nodes and clock after each move"
        )


def read_report(draft, flag, words):
    """Read FILE, or file=FILE with other keys. A later file drops the page= of an earlier one."""
    settings = draft.settings
    if any(flag_values.is_pair(word) for word in words):
        found = flag_values.table(flag, words, REPORT_KEYS)
    else:
        found = {"file": flag_values.one(flag, words, "a file")}
    if "file" in found:
        settings.report, settings.page = found["file"], None
    settings.page, settings.penta = found.get("page", settings.page), found.get("penta", settings.penta)


def read_log(draft, flag, words):
    found = flag_values.table(flag, words, LOG_KEYS)
    flag_values.require(flag, found, LOG_KEYS)
    for key, only in (("append", "true"), ("compress", "false")):
        if found.get(key, only) != only:
            raise UsageError(
                f"{flag}: '{key}={found[key]}' is not supported, expected {key}={only}: "
                "lines are appended to a text file"
            )
    draft.settings.debug = found["file"]


def config_file(flag, words):
    """Read the words of -config; returns (file, notes).

    file: None if no file is to be read. notes: texts about words that have no effect.
    """
    if not any(flag_values.is_pair(word) for word in words):
        return flag_values.path(flag, words, "a file of TOML or of fastchess"), []
    found = flag_values.table(flag, words, CONFIG_KEYS)
    idle = [f"{flag} outname= has no effect: -resume FILE saves every game as it ends"] * ("outname" in found)
    return None if found.get("discard") else found.get("file"), idle


def quick(words):
    """The (flag, words) that fastchess's -quick stands for."""
    found = flag_values.pairs("-quick", words, {"cmd": Key(ANY), "book": Key(ANY)})
    engines = [f"cmd={value}" for key, value in found if key == "cmd"]
    books = [f"file={value}" for key, value in found if key == "book"]
    if len(engines) != 2 or len(books) > 1:
        raise UsageError(f"-quick: '{' '.join(words)}' is not understood, expected cmd=COMMAND cmd=COMMAND [book=FILE]")
    workers = max(1, (os.cpu_count() or 1) - 2)
    return [
        *(("-engine", [engine]) for engine in engines),
        *(("-openings", [book, "order=random"]) for book in books),
        ("-each", ["tc=10+0.1"]),
        ("-rounds", ["25000"]),
        ("-concurrency", [str(workers)]),
    ]


# The kinds of values.

ANY = text("TEXT", "a text", empty=True)
NAME = text("NAME", "a name")
GAMES = Kind("1|2", "1 or 2", one_or_two)
TOURNAMENTS = {"roundrobin": "roundrobin", "gauntlet": "gauntlet", "round-robin": "roundrobin"}
OPENING_KEYS = {
    "file": Key(FILE_KEY, required=True),
    "format": Key(choice("epd", "pgn")),
    "plies": Key(integer()),
    "order": Key(choice("sequential", "random")),
    "seed": Key(integer(0)),
    "start": Key(integer()),
    "policy": Key(choice("round", "default", "encounter", metavar="round")),
}
SPRT_KEYS = {
    "elo0": Key(text("E", "a number", empty=True), required=True),
    "elo1": Key(text("E", "a number", empty=True), required=True),
    "alpha": Key(real(0, 0.5, "P")),
    "beta": Key(real(0, 0.5, "P")),
    "model": Key(choice(*MODELS)),
}
RESIGN_KEYS = {
    "movecount": Key(integer(), required=True),
    "score": Key(integer(metavar="CP"), required=True),
    "twosided": Key(BOOLEAN),
}
PGN_UNWRITTEN = ("seldepth", "nps", "hashfull", "tbhits", "latency", "pv", "min", "match_line")
PGN_KEYS = {
    "file": Key(FILE_KEY, required=True),
    "append": Key(BOOLEAN),
    **{key: Key(ANY) for key in ("notation", "nodes", "timeleft", *PGN_UNWRITTEN)},
}
REPORT_KEYS = {"file": Key(FILE), "page": Key(text("ADDRESS", "an address")), "penta": Key(BOOLEAN)}
CONFIG_KEYS = {"file": Key(FILE), "discard": Key(BOOLEAN), "outname": Key(ANY), "stats": Key(BOOLEAN)}
LOG_KEYS = {
    "file": Key(FILE_KEY, required=True),
    **{key: Key(ANY) for key in ("append", "level", "compress", "realtime", "engine")},
}

CHESS_ONLY = "endgame tables of chess say nothing about these games"
ONE_FORMAT = "there is one output format"
READY = "an engine has ten seconds to start and to get ready"

# The table.

ROWS = (
    Flag(
        "-engine",
        Reader("KEY=VALUE...", read_engine),
        "one engine; give two or more of these flags. An engine's own settings override those of -each; "
        "its tc overrides an st too",
    ),
    Flag("-each", Reader("KEY=VALUE...", read_each), "settings of all engines. The keys:"),
    Flag("-variant", value(Kind("GAME", "a game", read_game), "rules"), "the game (twoflags)"),
    Flag(
        "-tournament",
        value(choice(*TOURNAMENTS, values=TOURNAMENTS, metavar="KIND"), "tournament"),
        "roundrobin: everybody meets everybody; gauntlet: the first engine meets all others (roundrobin)",
    ),
    Flag("-seeds", Reader("1", read_seeds), "the only choice: in a gauntlet the first engine alone meets all others"),
    Flag(
        "-openings",
        table(OPENING_KEYS, "book", make_book, of_another_file),
        "EPD or FEN lines, or PGN games; plies=N takes the first N plies of each game (all); the file's name decides the "
        "format unless format= does; "
        "start=N: begin with the N-th opening (1), counted in the order that order= gives; policy=round, the only "
        "choice: all games of a round have one opening. Without -openings every game begins at the start",
    ),
    Flag("-srand", Reader("N", read_seed), "the seed of order=random, where -openings has none (0)"),
    Flag(
        "-games",
        value(GAMES, "games"),
        "games of a round: with 2, each opening is played twice, with colours swapped unless -noswap (2)",
    ),
    Flag("-repeat", Reader("[N]", read_repeat), "the same as -games 2, or -games N"),
    Flag(
        "-noswap",
        switch("swap", False),
        "the first engine is White in every game; with more than two engines, the first of any two that meet is",
    ),
    Flag("-reverse", switch("reverse"), "exchange the colours of every game"),
    Flag(
        "-rounds",
        value(integer(), "rounds"),
        "rounds, each with the next opening; in a round every two engines that meet play as many games as -games says (1)",
    ),
    Flag(
        "-concurrency",
        value(integer(most=1000), "concurrency"),
        "games at a time (1); with -cluster on each worker, but no more than its threads",
    ),
    Flag("-force-concurrency", switch(), "always so: N may exceed the number of processors"),
    Flag(
        "-cluster",
        value(text("WHERE", "local:N, tcp://host:port or tls://host:port"), "cluster"),
        "play on the workers of a cluster: tcp://host:port or tls://host:port joins a `dask scheduler`, local:N starts N "
        "processes here. "
        "Engines are run on the workers' machines, so their programs and files must be there, under the same paths; "
        "openings are read here. Games that are lost with a worker are played again",
    ),
    Flag("-wait", value(integer(0, 10**7, "MS"), "wait"), "milliseconds between two games (0)"),
    Flag("-ponder", switch("ponder"), "let engines think in the opponent's time"),
    Flag(
        "-sprt",
        table(SPRT_KEYS, "sprt", make_sprt),
        "stop as soon as H1 (Elo difference at least elo1) or H0 (at most elo0) is accepted, at error rates alpha and "
        "beta (0.05). Give two engines, and as many -rounds as the test may need. While all pairs (with -games 1 all games) "
        "end alike there is no variance and nothing is decided: if one engine loses every game, all rounds are played",
    ),
    Flag(
        "-resign",
        table(RESIGN_KEYS, "resign", make_resign),
        "an engine whose own score was -CP or worse for N of its moves in a row has lost; twosided=true: only if its "
        "opponent's was CP or better for as long; without this flag no engine resigns",
    ),
    Flag("-recover", switch(), "always so: an engine that fails is started again and the match goes on"),
    Flag(
        "-pgnout",
        Reader("FILE", read_pgnout),
        "append every game to FILE; file=FILE append=false: replace FILE, unless -resume goes on with a match",
    ),
    Flag("-event", value(NAME, "event"), "the Event of the PGN (the game's name and `match`)"),
    Flag("-site", value(NAME, "site"), "the Site of the PGN (?)"),
    Flag(
        "-report",
        Reader("FILE", read_report),
        "write a page of HTML at the end: ratings, charts, every game to be played through; needs pip install "
        "'pawnstorm[report]' or, in a clone, pip install -e '.[report]'. file=FILE page=ADDRESS: each position can be "
        "analysed in page.py's "
        "page, whose address, relative to the report, is ADDRESS. penta=false, as in fastchess: the summary and the test count "
        "single games, not pairs",
    ),
    Flag(
        "-resume", file("resume"), "keep the results in FILE (JSON lines); the games already there are not played again"
    ),
    Flag(
        "-debug",
        file("debug"),
        "append every line to and from every engine to FILE, with the time; -log file=FILE is the same",
    ),
    Flag(
        "-log", Reader("file=FILE", read_log), "the same as -debug FILE; level=, engine= and realtime= have no effect"
    ),
    Flag("-scoreinterval", value(integer(0), "score_interval"), "a line with the score every N games (0: none)"),
    Flag(
        "-ratinginterval",
        value(integer(0), "rating_interval"),
        "the score with Elo and test, or the ratings table, every N games (0: none)",
    ),
    Flag(
        "-quick",
        early("cmd=A cmd=B [book=FILE]"),
        "two engines in 25000 rounds at tc=10+0.1, with two processors left free, and openings from FILE in random "
        "order; other flags win over these",
    ),
    Flag(
        "-config",
        early("FILE"),
        "read the same flags from a TOML file, or the settings that fastchess has saved (config.json; its results are not "
        "taken over; -resume is for those); words of the command line override the file's, and the command line's -each "
        "also overrides the file's engines. Engines of the command line replace the file's. If the command line names "
        "another openings file, the format, plies and start in the file do not apply:"
        '\n    rounds = 10\n    each = {tc = "1+0.01", option.Hash = 64}\n    [[engine]]\n    cmd = "pawnstorm"',
    ),
    Flag("-version", early(""), "print the version", aliases=("-v", "--version")),
    Flag("-help", early(""), "print this", aliases=("-h", "--help")),
    idle("-draw", "none of these games can be drawn", "KEY=VALUE..."),
    idle("-maxmoves", "every one of these games comes to its end, and none is drawn", "N"),
    idle("-tb", CHESS_ONLY, "PATHS"),
    idle("-tbpieces", CHESS_ONLY, "N"),
    idle("-tbignore50", CHESS_ONLY),
    idle("-tbadjudicate", CHESS_ONLY, "KIND"),
    idle("-bookmode", "all openings are read into memory", "MODE"),
    idle("-autosaveinterval", "-resume FILE saves every game as it ends", "N"),
    idle("-output", ONE_FORMAT, "format=F"),
    idle("-resultformat", ONE_FORMAT, "F"),
    idle("-strikes", "no engine is disqualified: one that fails loses that game, and the summary lists the fault", "N"),
    idle("-outcomeinterval", "the summary lists the games that a fault ended", "N"),
    idle("-show-latency", "the summary always shows the delay that the referee adds"),
    idle(
        "-use-affinity",
        "engines are not bound to processors; `taskset` binds the whole match",
        "[CPUS]",
        aliases=("-affinity",),
    ),
    idle("-crc32", "`cksum FILE` prints a checksum of the PGN", "pgn=true"),
    idle("-testEnv", ONE_FORMAT),
    idle("-startup-ms", READY, "N"),
    idle("-ucinewgame-ms", READY, "N"),
    idle("-ping-ms", READY, "N"),
    refused("-epdout", "-pgnout FILE keeps every game, its last position too"),
    refused("-engines", "engines are named on the command line or in the TOML file of -config"),
    refused(
        "-compliance",
        "a match checks what an engine says: try one with -games 1 and -debug FILE",
        aliases=("--compliance",),
    ),
)
FLAGS = {row.name: row for row in ROWS}
ALIASES = {alias: row.name for row in ROWS for alias in row.aliases}
