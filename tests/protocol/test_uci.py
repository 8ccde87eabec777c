"""The 25 points of the UCI protocol, each as tests on the real process, from source.

A test's number is its point's. `audit` holds every search that is made here to points 18 to 22, by the slow rules of
naive.py. Where a time is part of a promise the bound is one that only a fault exceeds: scripts/bench_uci.py measures
the real ones.
"""

import queue
import random
import re
import resource
import subprocess
import sys
import time
from functools import cache
from typing import NamedTuple

import pytest
from client import DEADLINE, ROOT, Client, shared
from client import command as command_line

from checking import naive
from pawnstorm.engine.games.rules import GAMES as EVERY_GAME

TWOFLAGS = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
BREAKTHROUGH = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"
# A seed's example: f6f5 wins (mate 3), h6h5 loses (mate -3); with White to move f4f5 is mate 2 and g4g5 mate -2.
SEED = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
SEED_WHITE = SEED.replace(" b ", " w ")
ONE_MOVE = "8/7p/8/p7/P7/7P/8/8 w - - 0 1"  # only h3h4
FINISHED = [
    ("twoflags", "8/8/8/p7/P7/8/8/8 w - - 0 1"),  # no move
    ("twoflags", "4P3/8/8/p7/8/8/8/8 b - - 0 1"),  # the opponent is home
    ("twoflags", "8/8/8/8/8/4p3/8/8 w - - 0 1"),  # no pawn
    ("pawnsonly", "8/8/8/8/P7/8/8/1p6 w - - 0 1"),
    ("breakthrough", "pppppppp/pppppppp/8/8/8/8/PPPP1PPP/PPPpPPPP w - - 0 1"),
    ("hexapawn", "P1p/3/3 b - - 0 1"),
]
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MOVE = "[a-h][1-8][a-h][1-8]q?"
# Words that structure an option line or a setoption command.
RESERVED = {"name", "value", "type", "default", "min", "max", "var"}
AN_INFO_STRING = re.compile("info string .+")


# ---- fixtures


@pytest.fixture(scope="module")
def command():
    """How to start the engine; tests/frozen runs some of the tests on the executables."""
    return command_line("source")


@pytest.fixture(scope="module")
def process(command):
    """Holds the process that the tests of this module share, one after the other."""
    held = []
    yield held
    for client in held:
        client.close()


@pytest.fixture
def engine(process, command):
    """The shared process as if it were a fresh one, but that it searches even what its book has.

    A test may end it: the next one starts another. What Client.close asserts at the end is asserted after each test.
    """
    client = process.pop() if process else Client(command)
    try:
        client.reset()
        client.ask("setoption name OwnBook value false")
        yield client
        if client.alive:
            client.reset()
            process.append(client)
            shared.add(client.process.pid)
    finally:
        print(client.transcript())
        if not process:
            client.kill()


# ---- positions and what a search may say about them


class Root(NamedTuple):
    """A position of a game that the engine knows by name; moves are texts as the engine prints them."""

    game: str
    position: naive.Position

    def moves(self):
        return [self.spell(move) for move in naive.moves(self.position)]

    def spell(self, move):
        """The move with the letter that this game prints on the far rank."""
        wins = self.game == "pawnsonly" and move[3] == ("8" if self.position.side == "w" else "1")
        return move + "q" * wins

    def play(self, move):
        return Root(self.game, naive.play(self.position, move))

    def over(self):
        return naive.over(self.position)

    def fen(self):
        return naive.fen(self.position) + " 0 1"


def naive_game(name):
    """The plain rules behind a name of UCI_Variant."""
    name = {"pawnsonly": "twoflags", "minibreakthrough": "breakthrough5"}.get(name, name)
    family, width, height = re.fullmatch(r"([a-z]+?)(\d*)(?:x(\d+))?", name).groups()
    sizes = [int(width), int(height or width)] if width else []
    return {"twoflags": naive.twoflags, "breakthrough": naive.breakthrough, "hexapawn": naive.hexapawn}[family](*sizes)


def root(game="twoflags", fen=None, moves=""):
    rules = naive_game(game)
    position = naive.parse_fen(rules, fen) if fen else naive.start(rules)
    for move in moves.split():
        assert move in Root(game, position).moves(), move
        position = naive.play(position, move)
    return Root(game, position)


def setup(engine, where):
    """Put this position on the engine's board; it may not complain."""
    lines = engine.ask(f"setoption name UCI_Variant value {where.game}", f"position fen {where.fen()}")
    assert [line for line in lines if not line.startswith("info string variant ")] == []


def random_positions(game, count, seed):
    """Undecided and finished positions from random games, a few plies from the start and close to the end alike."""
    source = random.Random(seed)
    found = []
    while len(found) < count:
        line = [root(game)]
        while moves := line[-1].moves():
            line.append(line[-1].play(source.choice(moves)))
        found.append(line[source.randrange(len(line))])
    return found


FIELDS = {
    "depth": int,
    "seldepth": int,
    "multipv": int,
    "nodes": int,
    "nps": int,
    "hashfull": int,
    "tbhits": int,
    "time": int,
    "currmovenumber": int,
    "cpuload": int,
    "currmove": str,
}


def parse_info(line):
    """The fields of an info line by name; fails on whatever the UCI specification (with wdl) does not have, and on
    numbers not whole.

    score is (kind, value, bound), bound being "lowerbound", "upperbound" or "".
    """
    info = {}
    words = line.split(" ")[1:]
    while words:
        field = words.pop(0)
        assert field not in info, line
        if field == "string":
            info[field], words = " ".join(words), []
        elif field == "pv":
            info[field], words = words, []
        elif field == "score":
            kind, value = words.pop(0), int(words.pop(0))
            bound = words.pop(0) if words and words[0] in ("lowerbound", "upperbound") else ""
            assert kind in ("cp", "mate"), line
            info[field] = kind, value, bound
        elif field == "wdl":
            info[field] = [int(words.pop(0)) for _ in range(3)]
            assert sum(info[field]) == 1000 and min(info[field]) >= 0, line
        else:
            assert field in FIELDS, line
            info[field] = FIELDS[field](words.pop(0))
    return info


class Search(NamedTuple):
    """What one search said: infos with a score, its bestmove, and the last score of the first line as (kind, value)."""

    infos: list
    best: str
    score: tuple


def audit(where, lines):
    """Check a search's output, up to its bestmove, against points 18 to 22; the Search."""
    *before, answer = lines
    infos = [parse_info(line) for line in before if line.startswith("info ")]
    assert [line for line in before if not line.startswith("info ") and line != "readyok"] == []
    scored = [info for info in infos if "score" in info]
    assert scored, "no info line with a score"
    first = [info for info in scored if info.get("multipv", 1) == 1]
    if where.over():
        assert answer == "bestmove (none)"
        assert scored[-1]["depth"] == 0 and scored[-1]["score"] == ("mate", 0, "")
        return Search(scored, "(none)", ("mate", 0))
    match = re.fullmatch(f"bestmove ({MOVE})(?: ponder ({MOVE}))?", answer)
    assert match, answer
    best, ponder = match.groups()
    assert best in where.moves(), f"illegal {answer}"
    assert ponder is None or ponder in where.play(best).moves(), f"illegal {answer}"
    for field in "depth", "time", "nodes":
        values = [info[field] for info in scored if field in info]
        assert values == sorted(values), f"{field} goes backwards: {values}"
    assert first[0]["score"][2] == "", "the first finished depth is a bound"
    for info in scored:
        check_line(where, info)
    assert [info["pv"][0] for info in first if "pv" in info][-1:] == [best]
    return Search(scored, best, first[-1]["score"][:2])


def check_line(where, info):
    """The line is legal, a mate's reaches the end of the game within as many moves as its score says, and none looks
    like a draw.
    """
    line = info.get("pv", [])
    kind, value, bound = info["score"]
    at = where
    for move in line:
        assert move in at.moves(), f"illegal {move} in {info}"
        at = at.play(move)
    assert (kind, value, len(line)) != ("cp", 0, 1), f"variantfishtest reads a draw in {info}"
    assert (kind, value) != ("mate", 0), f"mate 0 in a game that goes on: {info}"
    if kind == "mate" and not bound:
        assert len(line) <= (2 * value - 1 if value > 0 else -2 * value), f"longer than its score: {info}"
        assert at.over(), f"not to the end of the game: {info}"


def play_out(engine, where, limits):
    """One audited search of this position."""
    setup(engine, where)
    return audit(where, engine.go(limits))


def board_fen(engine):
    """The FEN that `d` prints."""
    found = [line.split(":", 1)[1].strip() for line in engine.ask("d") if line.lower().startswith("fen:")]
    assert len(found) == 1 and len(found[0].split()) == 6, found
    return found[0]


def shown(engine):
    """The first four fields of the engine's position."""
    return " ".join(board_fen(engine).split()[:4])


def info_strings(lines):
    """Those lines, all of which must be info strings."""
    assert [line for line in lines if not AN_INFO_STRING.fullmatch(line)] == []
    return [line.removeprefix("info string ") for line in lines]


def perft_of(engine, depth):
    """(moves by root move, total) of `go perft`."""
    engine.send(f"go perft {depth}")
    lines = engine.expect(r"Nodes searched: \d+")
    assert set(engine.sync()) <= {""}
    split = dict(re.fullmatch(f"({MOVE}): (\\d+)", line).groups() for line in lines[:-1] if line)
    return {move: int(count) for move, count in split.items()}, int(lines[-1].split()[-1])


class Option(NamedTuple):
    kind: str
    default: str
    low: str
    high: str
    values: list


def options_of(engine):
    """The options by name, read by the rules of UCI: a word of RESERVED starts a part, everything up to the next
    belongs to it.
    """
    engine.send("uci")
    options = {}
    for line in engine.expect("uciok"):
        if not line.startswith("option "):
            continue
        parts = {}
        for word in line.split(" ")[1:]:
            if word in RESERVED:
                part = parts.setdefault(word, [])
                part.append([])
            else:
                part[-1].append(word)
        assert all(len(texts) == 1 for word, texts in parts.items() if word != "var"), f"a part given twice: {line}"
        text = {word: [" ".join(words) for words in texts] for word, texts in parts.items()}
        one = {word: texts[0] for word, texts in text.items()}
        assert one["name"] not in options, f"{one['name']} twice"
        options[one["name"]] = Option(
            one["type"], one.get("default"), one.get("min"), one.get("max"), text.get("var", [])
        )
    return options


# ---- 1 to 4: the handshake


def test_01_uci_is_answered_by_id_options_and_exactly_uciok(command):
    with Client(command) as engine:
        engine.send("uci")
        *lines, last = engine.expect(".*uciok.*")
        assert last == "uciok"  # Client.receive has refused a carriage return
        assert [line for line in lines if line.startswith("id name ")] and [
            line for line in lines if line.startswith("id author ")
        ]
        assert [line for line in lines if line.startswith("option name ")]
        assert [line for line in lines if not line.startswith(("id ", "option ")) or line != line.strip()] == []


def test_01_uci_may_be_asked_again(engine):
    engine.send("uci")
    once = engine.expect("uciok")
    engine.send("uci")
    assert engine.expect("uciok") == once


def test_02_isready_is_answered_at_once_when_idle(engine):
    engine.sync()
    waits = []
    for _ in range(10):
        begun = time.monotonic()
        assert engine.sync() == []
        waits.append(time.monotonic() - begun)
    assert min(waits) < 0.1


def test_03_isready_during_a_search_is_answered_and_the_search_goes_on(engine):
    engine.send("go infinite")
    lines = engine.expect("info .*")
    for _ in range(3):
        engine.send("isready")
        lines += engine.expect("readyok", timeout=5)
        lines += engine.expect("info .* pv .*")  # the search still deepens
    assert not [line for line in lines if line.startswith("bestmove")]
    audit(root(), lines + engine.stop())


def test_03_every_isready_of_many_is_answered_during_a_search(engine):
    engine.send("go infinite")
    for _ in range(100):
        engine.send("isready")
    ready = 0
    while ready < 100:
        assert not engine.expect("readyok|bestmove.*")[-1].startswith("bestmove")
        ready += 1
    engine.stop()


def test_04_options_are_well_formed(engine):
    options = options_of(engine)
    wanted = {
        "UCI_Variant",
        "Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "Clear Hash",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
    }
    assert wanted <= set(options)
    for name, option in options.items():
        assert name == " ".join(name.split()) and name, f"{name!r} has odd spaces"
        assert not RESERVED & set(name.lower().split()), f"{name} has a reserved word"
        if option.kind == "spin":
            assert int(option.low) <= int(option.default) <= int(option.high), name
        elif option.kind == "check":
            assert option.default in ("true", "false"), name
        elif option.kind == "combo":
            assert option.default in option.values, name
        elif option.kind == "string":
            assert option.default, f"{name} has no default"
        else:
            assert (option.kind, option.default) == ("button", None), name


# ---- 5 and 6: UCI_Variant


def test_05_every_listed_variant_can_be_set_and_played(engine):
    variant = options_of(engine)["UCI_Variant"]
    assert variant.kind == "combo" and variant.default == "twoflags" and variant.default in variant.values
    assert {"twoflags", "pawnsonly", "breakthrough", "hexapawn", "minibreakthrough"} <= set(variant.values)
    assert len(set(variant.values)) == len(variant.values)
    # UCI2WB, XBoard's adapter, loses the option where its line is longer, so not every size is listed; all can be set.
    assert len(next(line for line in engine.ask("uci") if "UCI_Variant" in line)) <= 290
    for name in sorted(EVERY_GAME, key=lambda name: name != "breakthrough"):  # the default is set after another one
        rules = naive_game(name)
        lines = engine.ask(f"setoption name UCI_Variant value {name}")
        assert len(lines) == 1, lines
        match = re.fullmatch(
            r"info string variant (\S+) files (\d+) ranks (\d+) pocket 0 template fairy startpos (.+)", lines[0]
        )
        assert match and (int(match[2]), int(match[3])) == (rules.files, rules.ranks), lines
        assert naive_game(match[1]) == rules
        start = root(name)
        assert match[4] == start.fen()
        assert shown(engine) == naive.fen(start.position)
        audit(start, engine.go("depth 2"))


@pytest.mark.parametrize(
    "value",
    [
        "",
        " value",
        " value chess",
        " value twoflags9x8",
        " value twoflags2x8",
        " value breakthrough1x8",
        " value hexapawn0x3",
        " value two flags",
        " value twoflags8",
        " value 8x8",
    ],
)
def test_05_a_missing_or_unknown_variant_is_ignored_with_an_info_string(engine, value):
    engine.ask("setoption name UCI_Variant value breakthrough5", "position startpos moves a2a3")
    before = board_fen(engine)
    complaints = info_strings(engine.ask(f"setoption name UCI_Variant{value}"))
    assert complaints and not [text for text in complaints if text.startswith("variant ")]
    assert board_fen(engine) == before
    audit(root("breakthrough5", moves="a2a3"), engine.go("depth 2"))


@pytest.mark.parametrize("alias, short", [("twoflags8x8", "twoflags"), ("breakthrough8x8", "breakthrough")])
def test_05_an_alias_is_answered_with_the_short_name(engine, alias, short):
    engine.ask("setoption name UCI_Variant value hexapawn")
    (line,) = engine.ask(f"setoption name UCI_Variant value {alias}")
    assert line.startswith(f"info string variant {short} files 8 ranks 8 ")


def test_06_changing_the_variant_resets_the_board_and_prints_its_line(engine):
    engine.ask("position startpos moves a2a4")
    (line,) = engine.ask("setoption name UCI_Variant value breakthrough")
    assert line == f"info string variant breakthrough files 8 ranks 8 pocket 0 template fairy startpos {BREAKTHROUGH}"
    assert board_fen(engine) == BREAKTHROUGH
    engine.ask("position startpos moves a2b3")
    (line,) = engine.ask("setoption name UCI_Variant value twoflags")
    assert line == f"info string variant twoflags files 8 ranks 8 pocket 0 template fairy startpos {TWOFLAGS}"
    assert board_fen(engine) == TWOFLAGS
    audit(root(), engine.go("depth 4"))


# ---- 7: setoption


@pytest.mark.parametrize(
    "command_text",
    [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name Nonesuch",
        "setoption name Nonesuch value 3",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value 0",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name Hash value many",
        "setoption name Hash value 1.5",
        "setoption name Threads value 0",
        "setoption name Threads value -2",
        "setoption name Threads value 1000000",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value x",
        "setoption name Ponder value perhaps",
        "setoption name Move Overhead value -1",
        "setoption Hash 32",
        "setoption name Hash 32",
    ],
)
def test_07_bad_options_are_ignored_with_an_info_string(engine, command_text):
    assert info_strings(engine.ask(command_text))
    audit(root(), engine.go("depth 3"))


def test_07_option_names_are_case_insensitive(engine):
    assert engine.ask("setoption name uci_VARIANT value hexapawn")[0].startswith("info string variant hexapawn ")
    engine.ask("setoption name uci_variant value twoflags")
    assert (
        engine.ask("setoption name HASH value 8", "setoption name move OVERHEAD value 20", "setoption name clear hash")
        == []
    )
    assert engine.ask("setoption name multipv value 2") == []
    assert {info.get("multipv") for info in audit(root(), engine.go("depth 3")).infos} == {1, 2}


def test_07_values_keep_their_inner_spaces(engine):
    """Seen in the complaint: an unknown variant's name is quoted whole."""
    assert [
        text
        for text in info_strings(engine.ask("setoption name UCI_Variant value three blind mice"))
        if "three blind mice" in text
    ]


def test_07_clear_hash_accepts_a_value(engine):
    assert (
        engine.ask(
            "setoption name Clear Hash", "setoption name Clear Hash value", "setoption name Clear Hash value true"
        )
        == []
    )


@pytest.mark.parametrize(
    "change",
    [
        "Hash value 3",
        "Threads value 2",
        "Clear Hash",
        "MultiPV value 3",
        "UCI_Variant value breakthrough",
        "Ponder value true",
        "Move Overhead value 50",
        "UCI_ShowWDL value true",
        "Hash value x",
    ],
)
def test_07_setoption_during_a_search_is_safe(engine, change):
    engine.send("go infinite")
    lines = engine.expect("info .* pv .*")
    lines += engine.ask(f"setoption name {change}")
    if not any(line.startswith("bestmove") for line in lines):
        lines += engine.stop()
    answer = next(line for line in lines if line.startswith("bestmove"))
    assert answer.split()[1] in root().moves()
    game = board_fen(engine)
    assert game in (TWOFLAGS, BREAKTHROUGH)
    audit(root("twoflags" if game == TWOFLAGS else "breakthrough"), engine.go("depth 3"))


# ---- 8 to 11: position


def test_08_an_empty_list_of_moves_is_accepted(engine):
    assert engine.ask("position startpos moves") == []
    assert shown(engine) == " ".join(TWOFLAGS.split()[:4])
    assert engine.ask(f"position fen {SEED} moves") == []
    assert shown(engine) == " ".join(SEED.split()[:4])


@pytest.mark.parametrize("fields", range(1, 7))
@pytest.mark.parametrize("moves", ["", "b7b6"])
def test_09_a_fen_may_have_one_to_six_fields(engine, fields, moves):
    fen = "8/pppppppp/8/8/P7/8/1PPPPPPP/8 b - - 0 1"
    if fields == 1:  # White is to move when nothing else is said
        fen, moves = TWOFLAGS, moves and "b2b3"
    text = " ".join(fen.split()[:fields])
    assert engine.ask(f"position fen {text}" + f" moves {moves}" * bool(moves)) == []
    assert shown(engine) == naive.fen(root(fen=fen, moves=moves).position)


@pytest.mark.parametrize(
    "line",
    [
        "  position   startpos   moves  a2a3",
        "position\tstartpos\tmoves\ta2a3",
        "position startpos moves a2a3\r",
        "position startpos moves a2a3 \t ",
        "position  fen  " + TWOFLAGS.replace(" ", "   ") + "  moves  a2a3",
        "\tposition fen " + TWOFLAGS.replace(" ", "\t") + "\tmoves a2a3\r",
    ],
)
def test_09_spaces_tabs_and_carriage_returns_are_accepted(engine, line):
    assert engine.ask(line) == []
    assert shown(engine) == naive.fen(root(moves="a2a3").position)
    engine.send("isready\r")
    assert engine.expect("readyok") == ["readyok"]


def test_09_six_fields_are_printed_and_en_passant_only_when_it_can_be_taken(engine):
    engine.ask("position startpos moves e2e4")
    assert board_fen(engine) == "8/pppppppp/8/8/4P3/8/PPPP1PPP/8 b - - 0 1"
    engine.ask("position startpos moves e2e4 a7a6 e4e5 d7d5")
    assert board_fen(engine) == "8/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/8 w - d6 0 3"
    assert "e5d6" in perft_of(engine, 1)[0]
    engine.ask("position fen 8/pppppppp/8/8/4P3/8/PPPP1PPP/8 b - e3 0 1")  # accepted, though no pawn can take there
    assert board_fen(engine) == "8/pppppppp/8/8/4P3/8/PPPP1PPP/8 b - - 0 1"


@pytest.mark.parametrize(
    "text, named",
    [
        pytest.param("fen 8/ppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "ppppppp|7", id="short rank"),
        pytest.param("fen 8/pppppppp1/8/8/8/8/PPPPPPPP/8 w - - 0 1", "pppppppp1|9", id="long rank"),
        pytest.param("fen 8/pppppppp/8/8/8/PPPPPPPP/8 w - - 0 1", "7|ranks", id="too few ranks"),
        pytest.param("fen 8/pppppppp/8/8/8/8/8/PPPPPPPP/8 w - - 0 1", "9|ranks", id="too many ranks"),
        pytest.param("fen ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1", "ppppp|5|ranks", id="another board"),
        pytest.param("fen 8/pppxpppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "x", id="letter"),
        pytest.param("fen 8/ppp0pppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "0", id="zero"),
        pytest.param("fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 x - - 0 1", "x", id="side"),
        pytest.param("fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - z9 0 1", "z9", id="en passant square"),
        pytest.param("fen 8/8/8/8/8/8/8/8 w - - 0 1", "empty|pawn", id="empty board"),
        pytest.param("fen 8/8/8/8/8/8/PPPPPPPP/8 w - - 0 1", "pawn", id="opponent without a pawn"),
        pytest.param("fen 4P3/8/8/p7/8/8/8/8 w - - 0 1", "rank|home|won|over", id="the side to move is home"),
        pytest.param(f"fen {CHESS}", "r|letter", id="chess"),
        pytest.param("fen", "", id="no FEN"),
        pytest.param("fen moves a2a3", "", id="no FEN but moves"),
        pytest.param("", "", id="nothing"),
        pytest.param("nonsense", "nonsense", id="neither word"),
    ],
)
def test_10_a_bad_fen_is_named_and_the_old_position_stays(engine, text, named):
    engine.ask("position startpos moves a2a4")
    complaints = info_strings(engine.ask(f"position {text}".strip()))
    assert [line for line in complaints if re.search(named, line)], complaints
    assert shown(engine) == naive.fen(root(moves="a2a4").position)
    audit(root(moves="a2a4"), engine.go("depth 3"))


@pytest.mark.parametrize(
    "moves, kept",
    [
        ("a2a4 a2a4 b7b5", "a2a4"),
        ("a2a5", ""),
        ("a7a5", ""),
        ("a2a4 nonsense a7a5", "a2a4"),
        ("a2a4 0000 a7a5", "a2a4"),
        ("a2a4 a7a5 b2a3", "a2a4 a7a5"),
        ("a2a4 i7i5", "a2a4"),
        ("e2e4 e7e5 e4e5", "e2e4 e7e5"),
    ],
)
def test_11_an_illegal_move_ends_the_list_with_an_info_string(engine, moves, kept):
    complaints = info_strings(engine.ask(f"position startpos moves {moves}"))
    wrong = moves.split()[len(kept.split())]
    # the move, or the square at fault
    assert [line for line in complaints if wrong in line or wrong[:2] in line or wrong[2:] in line], complaints
    assert shown(engine) == naive.fen(root(moves=kept).position)
    audit(root(moves=kept), engine.go("depth 3"))


def test_11_a_move_after_the_end_of_the_game_is_illegal(engine):
    where = root(fen="8/P7/8/8/8/8/7p/8 w - - 0 1", moves="a7a8")
    assert info_strings(engine.ask("position fen 8/P7/8/8/8/8/7p/8 w - - 0 1 moves a7a8 h2h1"))
    audit(where, engine.go("depth 3"))


# ---- 12 and 13: go


@pytest.mark.parametrize(
    "limits",
    [
        "wtime 1000 btime 1000",
        "wtime 100 btime 100 winc 10 binc 10",
        "btime 100",
        "btime 100 binc 5",
        "wtime 0 btime 0",
        "wtime -50 btime -50",
        "wtime 1 btime 1",
        "wtime 1 btime 1 winc 1 binc 1",
        "wtime 0 btime 0 winc 0 binc 0 movestogo 1",
        "binc 0 movestogo 5 winc 0 btime 300 wtime 300",
        "wtime 100 btime 100 movestogo 0",
        "wtime 100 btime 100 movestogo -3",
        "movetime 0",
        "movetime -5",
        "movetime 1",
        "nodes 1",
        "depth 1",
        "depth 3 wtime 100000 btime 100000",
        "nodes 2000 depth 50",
        "wtime 1000000000000 btime 1000000000000 depth 3",
        "depth 2 movetime 1000000000000",
        "wtime 99999999999999999999999 depth 2",
        "nodes 99999999999999999999999 depth 2",
        "depth 99999999999999999999999 nodes 1000",
        "infinitely depth 2",
        "wtime 100 wtime 100 btime 100",
    ],
)
def test_12_go_is_answered_by_a_legal_move_whatever_its_clock_says(engine, limits):
    audit(root(), engine.go(limits))
    black = root(moves="a2a4")
    setup(engine, black)
    audit(black, engine.go(limits.replace("btime", "xtime").replace("wtime", "btime").replace("xtime", "wtime")))


@pytest.mark.parametrize(
    "limits",
    [
        "",
        "infinite",
        "movetime 1000000000000",
        "wtime 1000000000000 btime 1000000000000",
        "nodes 1000000000000000",
        "depth 0",
        "depth -3",
        "nodes 0",
        "nodes -1",
        "depth",
        "nodes x",
        "movetime",
        "depth x",
        "wtime",
        "mate 0",
        "mate -1",
        "searchmoves",
        "depth ²",
        "movetime 1.5",
        "nonsense",
    ],
)
def test_12_go_without_a_usable_limit_is_answered_on_stop_at_the_latest(engine, limits):
    engine.send(f"go {limits}".strip())
    lines = engine.expect("(info .* pv |bestmove).*")
    if not lines[-1].startswith("bestmove"):
        lines += engine.stop()
    assert [line for line in lines if line.startswith("bestmove")] == lines[-1:]
    audit(root(), [line for line in lines if not line.startswith("info string")])


@pytest.mark.parametrize(
    "limits, fault",
    [
        ("depth x nodes 1", "'x' behind depth: expected a whole number"),
        ("mate x depth 1", "'x' behind mate: expected a whole number or infinite"),
        ("go depth 1", "'go' behind go: expected one of wtime, "),
    ],
)
def test_12_a_word_of_go_that_says_nothing_is_named(engine, limits, fault):
    assert engine.go(limits)[0].startswith(f"info string {fault}")


@pytest.mark.parametrize("limits", ["", "infinite", "movetime 1000000000000"])
def test_12_a_bare_go_is_infinite(engine, limits):
    engine.send(f"go {limits}".strip())
    lines = engine.quiet(1.0)
    audit(root(), lines + engine.stop())


@pytest.mark.parametrize("depth", [1, 2, 5, 8])
def test_13_depth_is_honoured(engine, depth):
    search = audit(root(), engine.go(f"depth {depth}"))
    assert search.infos[-1]["depth"] == depth


@pytest.mark.parametrize("nodes", [1, 100, 10_000, 300_000])
def test_13_nodes_are_honoured(engine, nodes):
    search = audit(root(), engine.go(f"nodes {nodes}"))
    assert search.infos[-1]["nodes"] <= nodes * 1.1 + 1000


def test_13_movetime_is_honoured(engine):
    """The bound below is the promise; the one above leaves a busy machine three chances."""
    used = []
    for _ in range(3):
        begun = time.monotonic()
        audit(root(), engine.go("movetime 300"))
        used.append(time.monotonic() - begun)
    assert min(used) > 0.1 and min(used) < 0.5


def test_13_movestogo_is_honoured(engine):
    """With one move to go nearly the whole clock may be used, with forty a small part."""

    def used(togo):
        begun = time.monotonic()
        engine.ask("ucinewgame")
        audit(root(), engine.go(f"wtime 2000 btime 2000 movestogo {togo}"))
        return time.monotonic() - begun

    assert used(1) > min(used(40) for _ in range(3))


def test_13_mate_is_honoured(engine):
    for fen, moves in (SEED, 3), (SEED_WHITE, 2):
        assert play_out(engine, root(fen=fen), f"mate {moves}").score == ("mate", moves)
        engine.ask("ucinewgame")


def test_13_a_mate_that_is_not_there_is_not_found(engine):
    setup(engine, root(fen=SEED))
    engine.send("go mate 2")
    lines = engine.expect("(info .* pv |bestmove).*")
    lines += engine.quiet(0.3, forbidden="(?!info|bestmove).*") if not lines[-1].startswith("bestmove") else []
    if not lines[-1].startswith("bestmove"):
        lines += engine.stop()
    kind, value = audit(root(fen=SEED), lines).score
    assert (kind, value) >= ("mate", 3) or kind == "cp"


def test_13_the_seeds_example_is_solved(engine):
    black, white = root(fen=SEED), root(fen=SEED_WHITE)
    search = play_out(engine, black, "depth 12")
    assert (search.best, search.score) == ("f6f5", ("mate", 3))
    assert play_out(engine, black, "depth 12 searchmoves h6h5").score == ("mate", -3)
    search = play_out(engine, white, "depth 12")
    assert (search.best, search.score) == ("f4f5", ("mate", 2))
    assert play_out(engine, white, "searchmoves g4g5 depth 12").score == ("mate", -2)


@pytest.mark.parametrize(
    "limits, allowed",
    [
        ("searchmoves a2a3 h2h4 depth 6", {"a2a3", "h2h4"}),
        ("depth 6 searchmoves d2d3", {"d2d3"}),
        ("searchmoves d2d3 nonsense e2e3 nodes 5000", {"d2d3", "e2e3"}),
    ],
)
def test_13_searchmoves_is_honoured(engine, limits, allowed):
    search = audit(root(), engine.go(limits))
    assert {info["pv"][0] for info in search.infos if "pv" in info} | {search.best} <= allowed


def test_13_searchmoves_is_forgotten_by_the_next_go(engine):
    assert (
        audit(root(fen=SEED), [*engine.ask(f"position fen {SEED}"), *engine.go("depth 8 searchmoves h6h5")]).best
        == "h6h5"
    )
    assert audit(root(fen=SEED), engine.go("depth 8")).best == "f6f5"


def test_13_searchmoves_without_a_legal_move_still_answers_legally(engine):
    audit(root(), engine.go("depth 4 searchmoves 0000"))  # python-chess writes this for an empty list
    audit(root(), engine.go("depth 4 searchmoves a7a6 e2e5"))


@pytest.mark.parametrize(
    "game, counts",
    [
        ("twoflags", [16, 256, 3846, 57744]),
        ("pawnsonly", [16, 256, 3846, 57744]),
        ("breakthrough", [22, 484, 11132, 256036]),
        ("breakthrough7", [19, 361, 7220, 144251]),
        ("breakthrough5", [13, 156, 1924, 23084]),
        ("hexapawn", [3, 10, 28, 56, 70, 64, 20]),
    ],
)
def test_13_perft_is_split_by_root_move(engine, game, counts):
    start = root(game)
    setup(engine, start)
    for depth, count in enumerate(counts, 1):
        split, total = perft_of(engine, depth)
        assert total == count == sum(split.values())
        assert sorted(split) == sorted(start.moves())
    below = {move: naive.perft(start.play(move).position, 1) for move in start.moves()}
    assert perft_of(engine, 2)[0] == below


def test_13_perft_of_a_finished_game_is_zero(engine):
    setup(engine, root(*FINISHED[0]))
    assert perft_of(engine, 3) == ({}, 0)


@pytest.mark.parametrize("fen", [TWOFLAGS, SEED, SEED_WHITE, ONE_MOVE])
@pytest.mark.parametrize("lines", [2, 4])
def test_13_multipv_gives_that_many_lines_in_order(engine, fen, lines):
    where = root(fen=fen)
    engine.ask(f"setoption name MultiPV value {lines}")
    search = play_out(engine, where, "depth 7")
    wanted = min(lines, len(where.moves()))
    last = search.infos[-wanted:]
    assert [info["multipv"] for info in last] == list(range(1, wanted + 1))
    assert len({info["pv"][0] for info in last}) == wanted
    assert len({info["depth"] for info in last}) == 1
    assert last[0]["pv"][0] == search.best
    values = [sort_value(info["score"]) for info in last]
    assert values == sorted(values, reverse=True)


def sort_value(score):
    """Scores as numbers: a mate in fewer moves above one in more, both above any centipawns."""
    kind, value, _ = score
    return value if kind == "cp" else (1_000_000 - value if value > 0 else -1_000_000 - value)


def test_13_multipv_covers_searchmoves_only(engine):
    engine.ask("setoption name MultiPV value 5")
    search = audit(root(), engine.go("depth 5 searchmoves a2a3 b2b3"))
    assert {info["pv"][0] for info in search.infos} == {"a2a3", "b2b3"}


def test_13_analysis_is_searched_where_the_book_would_answer(engine):
    for words, searched in (
        ("OwnBook value true", False),
        ("UCI_AnalyseMode value true", True),
        ("OwnBook value true", True),
        ("UCI_AnalyseMode value false", False),
    ):
        *_, info, _ = engine.ask(f"setoption name {words}") + engine.go("movetime 50")
        assert (" nodes 0 " not in info) == searched, info


def test_13_wdl_is_shown_when_asked_for(engine):
    assert not [info for info in audit(root(), engine.go("depth 4")).infos if "wdl" in info]
    engine.ask("setoption name UCI_ShowWDL value true")
    for where in root(), root(fen=SEED_WHITE):
        infos = play_out(engine, where, "depth 6").infos
        assert infos and all(info["wdl"][1] == 0 for info in infos)  # these games have no draw
    assert infos[-1]["wdl"] == [1000, 0, 0]
    assert play_out(engine, root(*FINISHED[0]), "depth 1").infos[-1].get("wdl", [0, 0, 1000]) == [0, 0, 1000]


# ---- 14: time


@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_14_no_clock_runs_out_in_a_game(engine, game):
    """1+0.01 s for both sides; half a second below zero is the machine's share."""
    where, moves = root(game), []
    clocks = {"w": 1.0, "b": 1.0}
    engine.ask(f"setoption name UCI_Variant value {game}", "ucinewgame")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        wtime, btime = (max(1, int(clocks[side] * 1000)) for side in "wb")
        begun = time.monotonic()
        lines = engine.go(f"wtime {wtime} btime {btime} winc 10 binc 10")
        clocks[where.position.side] -= time.monotonic() - begun
        assert clocks[where.position.side] > -0.5, f"out of time after {len(moves)} plies"
        clocks[where.position.side] += 0.01
        moves.append(audit(where, lines).best)
        where = where.play(moves[-1])


def test_14_move_overhead_is_kept_back(engine):
    """The last move before the time control may use all of the clock but the overhead; best of three, for busy
    machines.
    """

    def used():
        begun = time.monotonic()
        engine.ask("ucinewgame")
        audit(root(), engine.go("wtime 1000 btime 1000 movestogo 1"))
        return time.monotonic() - begun

    assert engine.ask("setoption name Move Overhead value 900") == []
    assert min(used() for _ in range(3)) < 0.4


# ---- 15 to 18: stop, infinite, ponder


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_15_stop_is_answered_from_any_depth(engine, game, threads):
    where = root(game)
    setup(engine, where)
    engine.ask(f"setoption name Threads value {threads}")
    for delay in [0] * 20 + [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3]:
        engine.send("go infinite")
        time.sleep(delay)
        audit(where, engine.stop())


def test_15_stop_when_idle_prints_nothing(engine):
    assert engine.ask("stop", "stop") == []
    engine.go("depth 3")
    assert engine.ask("stop") == []
    assert engine.ask("ponderhit") == []


@pytest.mark.parametrize(
    "where",
    [root(fen=SEED), root(fen=SEED_WHITE), root(fen=ONE_MOVE), *(root(*each) for each in FINISHED)],
    ids=lambda where: where.fen(),
)
@pytest.mark.parametrize("words", ["infinite", "", "ponder wtime 100 btime 100", "ponder depth 1", "ponder"])
def test_16_and_17_solved_and_finished_games_wait_for_stop(engine, where, words):
    setup(engine, where)
    engine.send(f"go {words}".strip())
    lines = engine.quiet(0.15)
    engine.send("isready")
    lines += engine.expect("readyok")
    audit(where, lines + engine.stop())


def test_16_a_finished_game_says_mate_0_and_no_move(engine):
    for where in (root(*each) for each in FINISHED):
        setup(engine, where)
        engine.send("go infinite")
        lines = engine.quiet(0.1) + engine.stop()
        assert lines[-1] == "bestmove (none)"
        assert [line for line in lines if re.match("info depth 0 score mate 0( |$)", line)]
        audit(where, engine.go("movetime 50"))


@pytest.mark.parametrize(
    "limits", ["wtime 200 btime 200", "movetime 50", "depth 3", "nodes 100", "wtime 1000 btime 1000 movestogo 3"]
)
def test_17_pondering_waits_for_ponderhit(engine, limits):
    engine.ask("setoption name Ponder value true")
    engine.send(f"go ponder {limits}")
    lines = engine.quiet(0.4)
    engine.send("ponderhit")
    audit(root(), lines + engine.expect("bestmove.*"))


@pytest.mark.parametrize("limits", ["wtime 200 btime 200", "movetime 50", "depth 3", ""])
@pytest.mark.parametrize("delay", [0, 0.1])
def test_17_stop_ends_pondering_with_one_bestmove(engine, limits, delay):
    engine.send(f"go ponder {limits}".strip())
    lines = engine.quiet(delay)
    audit(root(), lines + engine.stop())
    assert engine.quiet(0.1) == []


def test_17_ponderhit_and_stop_together_give_one_bestmove(engine):
    for _ in range(20):
        engine.send("go ponder wtime 100000 btime 100000")
        engine.send("ponderhit")
        audit(root(), engine.stop())
    assert engine.quiet(0.1) == []


def test_17_ponderhit_turns_an_unlimited_search_into_an_unlimited_search(engine):
    engine.send("go ponder infinite")
    lines = engine.quiet(0.1)
    engine.send("ponderhit")
    lines += engine.quiet(0.3)
    audit(root(), lines + engine.stop())


def test_17_ponderhit_outside_pondering_changes_nothing(engine):
    engine.send("go infinite")
    engine.send("ponderhit")
    lines = engine.quiet(0.3)
    audit(root(), lines + engine.stop())


def test_17_the_time_of_a_ponderhit_is_the_time_that_was_asked_for(engine):
    """Not the time since go: 300 ms of pondering leave a movetime of 400 ms (best of three, for busy machines)."""
    waits = []
    for _ in range(3):
        engine.send("go ponder movetime 400")
        engine.quiet(0.3)
        begun = time.monotonic()
        engine.send("ponderhit")
        engine.expect("bestmove.*")
        waits.append(time.monotonic() - begun)
    assert 0.3 < min(waits) < 0.8


def test_18_one_bestmove_a_go(engine):
    """Searches of every kind in a row; Client.close compares the counts, audit sees none in between."""
    source = random.Random(18)
    where = root()
    for _ in range(60):
        limits = source.choice(
            [
                "depth 4",
                "nodes 500",
                "movetime 5",
                "wtime 50 btime 50",
                "mate 2 nodes 500",
                "infinite",
                "ponder movetime 5",
            ]
        )
        engine.send(f"go {limits}")
        if "infinite" in limits or "ponder" in limits:
            engine.send(source.choice(["stop", "stop", "isready\nstop", "stop\nstop", "stop\nponderhit"]))
        audit(where, engine.expect("bestmove.*"))
    assert [line for line in engine.sync() if line != "readyok"] == []


@pytest.mark.parametrize("first", ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 1"])
def test_18_a_go_during_a_search_does_no_harm(engine, first):
    """Undefined by UCI: the second may be refused or may end the first, but each gets at most one bestmove."""
    engine.send(first)
    engine.send("go depth 2")
    lines = engine.ask("stop")
    lines += engine.quiet(0.3, forbidden="(?!info|bestmove|readyok).*")
    answers = [line for line in lines if line.startswith("bestmove")]
    assert 1 <= len(answers) <= 2 and all(answer.split()[1] in root().moves() for answer in answers)
    engine.asked = engine.answers  # Client.close cannot know how many were due
    audit(root(), engine.go("depth 3"))


def test_18_position_during_a_search_does_no_harm(engine):
    engine.send("go infinite")
    lines = engine.expect("info .* pv .*")
    lines += engine.ask("position startpos moves a2a4", "ucinewgame")
    answers = [line for line in lines if line.startswith("bestmove")] or engine.stop()[-1:]
    assert len(answers) == 1 and answers[0].split()[1] in root().moves()
    engine.send("position startpos moves a2a4")
    audit(root(moves="a2a4"), engine.go("depth 3"))


# ---- 19 to 22: what a search says

GAMES = [
    "twoflags",
    "pawnsonly",
    "breakthrough",
    "twoflags3x5",
    "twoflags5x6",
    "twoflags8x5",
    "breakthrough2x4",
    "breakthrough5",
    "breakthrough6x5",
    "hexapawn",
    "hexapawn1x3",
    "hexapawn4x4",
    "hexapawn8x8",
]


@pytest.mark.parametrize("game", GAMES)
def test_19_to_22_hold_at_random_positions(engine, game):
    for number, where in enumerate(random_positions(game, 16, seed=19)):
        limits = ["depth 1", "depth 6", "nodes 3000", "movetime 10", "wtime 100 btime 100"][number % 5]
        play_out(engine, where, limits)


@pytest.mark.parametrize("game", ["twoflags", "breakthrough", "twoflags5x6"])
def test_19_to_22_hold_with_two_threads_and_three_lines(engine, game):
    engine.ask("setoption name Threads value 2", "setoption name MultiPV value 3")
    for where in random_positions(game, 8, seed=20):
        play_out(engine, where, "movetime 30")


@pytest.mark.parametrize("game", ["twoflags", "pawnsonly", "breakthrough", "hexapawn4x4"])
def test_19_to_22_hold_in_a_whole_game_with_a_warm_table(engine, game):
    where, moves = root(game), []
    engine.ask(f"setoption name UCI_Variant value {game}")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        moves.append(audit(where, engine.go("nodes 4000")).best)
        where = where.play(moves[-1])
    engine.send("position startpos moves " + " ".join(moves))
    audit(where, engine.go("nodes 4000"))
    if game == "pawnsonly":
        assert moves[-1].endswith("q") == (moves[-1][3] in "18")


def test_19_both_spellings_of_a_winning_push_are_read_and_the_games_own_is_printed(engine):
    fen = "8/P7/8/8/7p/8/8/8 w - - 0 1"
    for game, printed in ("twoflags", "a7a8"), ("pawnsonly", "a7a8q"), ("breakthrough", "a7a8"):
        where = root(game, fen)
        search = play_out(engine, where, "depth 3")
        assert (search.best, search.score) == (printed, ("mate", 1))
        for spelling in "a7a8", "a7a8q":
            assert play_out(engine, where, f"depth 3 searchmoves {spelling}").best == printed
            assert engine.ask(f"position fen {fen} moves {spelling}") == []
            audit(where.play("a7a8"), engine.go("depth 3"))
        setup(engine, where)
        assert printed in perft_of(engine, 1)[0]


@pytest.mark.parametrize("limits", ["depth 5", "movetime 50", "nodes 1", "wtime 100 btime 100"])
def test_20_a_forced_move_still_has_a_score(engine, limits):
    assert play_out(engine, root(fen=ONE_MOVE), limits).best == "h3h4"
    assert play_out(engine, root("breakthrough", "8/7p/8/8/8/p7/P7/8 w - - 0 1"), limits).best == "a2b3"


def test_21_win_in_one_is_mate_1(engine):
    """variantfishtest takes the last `score mate 1` as a win."""
    lone, takes = "8/P7/8/8/8/8/7p/8 w - - 0 1", "8/8/8/8/8/1p6/P7/8 b - - 0 1"
    for where in root(fen=lone), root(fen=takes), root("breakthrough", lone.replace(" w ", " b ")):
        for limits in "depth 1", "depth 5", "mate 1", "movetime 20":
            assert play_out(engine, where, limits).score == ("mate", 1)


def test_21_a_slip_in_breakthrough_loses_in_two(engine):
    fen = "pp1ppppp/3pp3/Ppppppp1/3p4/2P5/3PPPP1/1PP5/PPPPPPPP b - - 0 1"
    search = play_out(engine, root("breakthrough", fen, "b8b7"), "depth 8")
    assert (search.best, search.score) == ("a6a7", ("mate", 2))
    assert play_out(engine, root("breakthrough", fen), "depth 8 searchmoves b8b7").score == ("mate", -2)


@cache
def truth(position):
    """Plies to the end with the winner hurrying and the loser delaying: positive for a win of the side to move, zero or
    less for a loss.
    """
    winner, plies = naive.solve(position)
    return plies if winner == position.side else -plies


SMALL = ["hexapawn", "hexapawn4x4", "hexapawn5x4", "breakthrough3x4", "breakthrough4x4", "twoflags3x5", "twoflags4x6"]


@pytest.mark.parametrize("game", SMALL)
def test_21_mate_scores_agree_with_exhaustive_play(engine, game):
    """Late positions, so that naive.py can solve them: signs hold at any depth, and a win is shortest under `go mate`."""
    source = random.Random(21)
    wins = losses = 0
    while wins < 6 or losses < 6:
        line = [root(game)]
        while moves := line[-1].moves():
            line.append(line[-1].play(source.choice(moves)))
        where = line[max(0, len(line) - 2 - source.randrange(6))]
        plies = truth(where.position)
        wins, losses = wins + (plies > 0), losses + (plies <= 0)
        kind, value = play_out(engine, where, "depth 30").score
        assert kind == "mate" and (value > 0) == (plies > 0), (where.fen(), value, plies)
        if plies > 0:
            shortest = (plies + 1) // 2
            assert value >= shortest, "shorter than possible"
            engine.ask("ucinewgame")
            assert play_out(engine, where, f"mate {shortest}").score == ("mate", shortest)


@pytest.mark.parametrize(
    "game, plies",
    [
        ("hexapawn", -6),
        ("hexapawn2x4", -6),
        ("hexapawn4x4", 11),
        ("hexapawn3x5", 11),
        ("breakthrough2x4", -8),
        ("breakthrough3x4", -12),
        ("breakthrough2x6", 15),
    ],
)
def test_21_solved_boards_have_their_known_winner(engine, game, plies):
    """Positive: plies to a win of the first player, as published."""
    kind, value = play_out(engine, root(game), "depth 40").score
    assert kind == "mate" and (value > 0) == (plies > 0)
    if plies > 0:
        engine.ask("ucinewgame")
        assert play_out(engine, root(game), f"mate {(plies + 1) // 2}").score == ("mate", (plies + 1) // 2)


# ---- 23 and 24: state


def stripped(lines):
    """Search output without what a clock measures."""
    return [re.sub(r" (time|nps) \d+", "", line) for line in lines]


@pytest.mark.parametrize("game", ["twoflags", "breakthrough"])
def test_23_a_new_game_starts_from_nothing(engine, command, game):
    def search():
        engine.ask(f"setoption name UCI_Variant value {game}", "ucinewgame", "position startpos")
        return stripped(engine.go("nodes 60000"))

    once = search()
    assert once == search()
    engine.ask("position startpos moves a2a3")
    engine.go("nodes 50000")
    setup(engine, root("hexapawn5x5"))
    engine.go("depth 5")
    engine.ask(
        "setoption name Hash value 4",
        "setoption name Hash value 16",
        "setoption name Threads value 2",
        "setoption name Threads value 1",
    )
    assert options_of(engine)["Hash"].default == "16"
    assert once == search()
    with Client(command) as other:
        other.ask(f"setoption name UCI_Variant value {game}")
        assert once == stripped(other.go("nodes 60000"))


BENCH = r"Nodes searched\s*: \d+"


def bench_nodes(lines):
    """The node signature that bench prints."""
    (found,) = [line for line in lines if re.fullmatch(BENCH, line)]
    return int(found.split(":")[1])


@cache
def bench_from_source():
    return bench_by_word(command_line("source"))


def bench_by_word(command):
    made = subprocess.run(
        [*command, "bench"], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert made.returncode == 0 and made.stderr == "", made.stderr
    return bench_nodes(made.stdout.splitlines())


def test_23_bench_is_deterministic(engine, command):
    engine.ask("setoption name Threads value 2", "setoption name Hash value 1", "position startpos moves a2a4")
    engine.send("bench")
    lines = engine.expect(BENCH, timeout=60)
    assert bench_nodes(lines) == bench_by_word(command) == bench_from_source()


@pytest.mark.parametrize("name", ["Hash", "Threads", "MultiPV", "Move Overhead"])
def test_24_minimum_and_maximum_are_accepted(engine, name):
    """A table of the maximum size may not be written to before it is used: memory that is only mapped costs nothing."""
    option = options_of(engine)[name]
    for value in option.low, option.high, option.low, option.default:
        engine.send(f"setoption name {name} value {value}")
        assert ready_without_eating_memory(engine) == []
        engine.send("ucinewgame")
        assert ready_without_eating_memory(engine) == []
        audit(root(), engine.go("nodes 2000"))


def ready_without_eating_memory(engine):
    """sync, but the process is killed when it takes more than 2 GB of memory on the way."""
    engine.send("isready")
    lines, until = [], time.monotonic() + DEADLINE
    while time.monotonic() < until:
        if resident(engine.process.pid) > 2 << 30:
            engine.kill()
            pytest.fail("a table was written to before it was used")
        try:
            lines.append(engine.receive(0.02))
        except queue.Empty:
            continue
        if lines[-1] in ("readyok", None):
            break
    assert lines[-1:] == ["readyok"]
    return lines[:-1]


def resident(pid):
    """Bytes of memory that a process holds; 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def test_24_hash_and_threads_change_between_games(engine):
    for hash_size, threads in (1, 1), (64, 2), (3, 1), (16, 2), (5, 3):
        engine.ask(f"setoption name Hash value {hash_size}", f"setoption name Threads value {threads}", "ucinewgame")
        where = root("twoflags5x6" if threads == 2 else "breakthrough")
        play_out(engine, where, "nodes 20000")
        play_out(engine, where, "movetime 20")


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's memory")
def test_24_memory_that_cannot_be_had_is_reported_and_the_old_table_stays(command):
    with Client(command) as engine:
        look_for_memory(engine)


def look_for_memory(engine):
    high = int(options_of(engine)["Hash"].high)
    if high < 2048:
        pytest.skip("this machine's memory is too small to ask for too much")
    assert engine.ask("setoption name Hash value 8") == []
    audit(root(), engine.go("depth 5"))
    resource.prlimit(engine.process.pid, resource.RLIMIT_AS, (1 << 30, 1 << 30))
    for _ in range(2):
        assert info_strings(engine.ask("setoption name Hash value 2048"))
        audit(root(), engine.go("depth 6"))
    assert engine.ask("setoption name Hash value 16") == []
    audit(root(), engine.go("depth 6"))


# ---- 25: the end, and what an engine must survive

STATES = {
    "unasked": [],
    "idle": ["uci", "isready"],
    "searching": ["go infinite", "info .*"],
    "only just searching": ["go infinite"],
    "searching by the clock": [
        "setoption name UCI_Variant value breakthrough",
        "go wtime 100000 btime 100000",
        "info .*",
    ],
    "searching on two threads": ["setoption name Threads value 2", "go infinite", "info .*"],
    "pondering": ["go ponder wtime 100000 btime 100000", "info .*"],
    "pondering, out of depth": ["go ponder depth 1", "info .*"],
    "waiting, solved": [f"position fen {SEED}", "go infinite", r"info .* mate \d+ .*"],
    "waiting, finished": [f"position fen {FINISHED[0][1]}", "go infinite"],
    "counting": ["go perft 30"],
    "benching": ["bench"],
    "after a search": ["go depth 3", "bestmove.*"],
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("how", ["quit", "eof"])
def test_25_the_end_comes_at_once_in_any_state(command, state, how):
    with Client(command) as engine:
        for step in STATES[state]:
            if step.startswith(("info", "bestmove")):
                engine.expect(step)
            else:
                engine.send(step)
        engine.leave(how)


@pytest.mark.parametrize("how", ["quit", "eof"])
def test_25_the_end_comes_deep_in_a_search(engine, how):
    engine.send("go infinite")
    engine.quiet(1.5)
    engine.leave(how)


def test_25_the_end_comes_when_nobody_reads_the_output(command):
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    )
    try:
        process.stdin.write(b"go infinite\n")
        process.stdout.read(1)
        process.stdout.close()
        time.sleep(0.2)
        process.stdin.close()
        process.wait(5)
    finally:
        process.kill()
        process.wait()


def test_25_unknown_words_before_a_command_are_skipped(engine):
    engine.send("joho debug on")
    engine.send("foo bar isready")
    assert engine.expect("readyok")[-1] == "readyok"
    engine.send("please go depth 2")
    engine.asked += 1  # Client counts only lines that begin with go
    audit(root(), [line for line in engine.expect("bestmove.*") if not line.startswith("info string")])


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "\t",
        "\r",
        "xyzzy",
        "debug on",
        "debug",
        "debug off",
        "register later",
        "register name Stefan code 4359874324",
        "ucinewgame",
        "uciok",
        "readyok",
        "bestmove e2e4",
        "info string hello",
        "option name Hash",
        "go perft",
        "go perft 0",
        "go perft -1",
        "go perft x",
        "d d d",
        "eval",
        "position",
        "setoption name Hash value 16 value 32",
        "ponderhit ponderhit",
        "\x00",
        "é ü ß",
        "\u2028",
        "\ufeffisready",
        "position startpos moves \x1b[31m",
    ],
)
def test_25_odd_lines_do_no_harm(engine, line):
    lines = engine.ask(line)
    assert not [line for line in lines if line.startswith("bestmove")]
    engine.send("position startpos")
    audit(root(), engine.go("depth 3"))


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\xfd",
        b"position fen \xff\xfe w - - 0 1",
        b"position startpos moves e2\xc3",
        b"setoption name \x80 value \x80",
        b"setoption name UCI_Variant value \xe2\x82",
        b"go depth \xb2",
        b"\xef\xbb\xbfisready",
        b"\x00\x00\x00",
    ],
)
def test_25_invalid_utf8_is_survived(engine, line):
    engine.send(line)
    if line.startswith(b"go"):
        engine.stop()
    engine.ask("position startpos")
    audit(root(), engine.go("depth 3"))


TEN_MB = 10_000_000


LONG = {
    "word": b"a" * TEN_MB,
    "words": b"a " * (TEN_MB // 2),
    "spaces": b" " * TEN_MB,
    "fen": b"position fen " + b"p" * TEN_MB,
    "moves": b"position startpos moves " + b"a2a3 " * (TEN_MB // 5),
    "name": b"setoption name " + b"a" * TEN_MB,
    "variant": b"setoption name UCI_Variant value " + b"a" * TEN_MB,
    "number": b"setoption name Hash value " + b"9" * TEN_MB,
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_25_a_line_of_ten_megabytes_is_survived(engine, line):
    lines = engine.ask(line)
    assert all(len(line) < 10_000 for line in lines), "a line that long is not for a human"
    engine.send("position startpos")
    audit(root(), engine.go("depth 3"))


def test_25_a_number_of_ten_megabytes_is_survived(engine):
    lines = engine.go("depth 3 nodes " + "9" * TEN_MB)
    assert all(len(line) < 10_000 for line in lines)


def test_25_a_list_of_10000_moves_is_survived(engine):
    """No game is that long: the list breaks off at the first illegal move."""
    assert info_strings(engine.ask("position startpos moves " + "a2a3 a7a6 " * 5000))
    audit(root(moves="a2a3 a7a6"), engine.go("depth 3"))
    for _ in range(3):
        engine.ask("position startpos moves " + "nonsense " * 10_000)
    audit(root(), engine.go("depth 3"))


def test_25_thousands_of_commands_at_once_are_all_answered(engine):
    engine.send("\n".join(["position startpos moves a2a3", "isready"] * 2000))
    for _ in range(2000):
        engine.expect("readyok")


def test_25_output_is_flushed_line_by_line(engine):
    """Lines of a search arrive while it runs."""
    engine.send("go infinite")
    engine.expect("info .* pv .*")
    engine.stop()


# ---- the customary extras, and the referees


def test_d_and_eval_answer(engine):
    assert [line for line in engine.ask("d") if TWOFLAGS in line]
    assert [line for line in engine.ask("eval") if re.search(r"-?\d", line)]
    for where in (root(*each) for each in FINISHED):
        setup(engine, where)
        assert engine.ask("d") and engine.ask("eval")


def test_the_compliance_check_of_fastchess(engine):
    """Its sequence: full chess positions, and the clock of one side only."""
    fen = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
    assert engine.ask("ucinewgame") == []
    assert engine.ask("position startpos") == []
    audit(root(), engine.go("wtime 100 btime 100"))
    for position in "position startpos", f"position fen {fen}", f"position fen {fen.replace(' w ', ' b ')}":
        for limits in (
            "wtime 100",
            "btime 100",
            "wtime 100 btime 100 winc 100 binc 100",
            "btime 100 winc 100 wtime 100 binc 100",
            "nodes 100",
            "depth 3",
        ):
            complaints = engine.ask("ucinewgame", position)
            assert bool(complaints) == ("fen" in position)
            audit(root(), engine.go(limits))


def test_a_whole_game_against_itself(engine):
    where, moves = root("breakthrough5"), []
    engine.ask("setoption name UCI_Variant value breakthrough5")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        moves.append(audit(where, engine.go("wtime 300 btime 300")).best)
        where = where.play(moves[-1])
