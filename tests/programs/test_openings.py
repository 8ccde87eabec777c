"""Openings: read from EPD and PGN, checked and shuffled by seed; made without repeats, and the same however often it is
interrupted.
"""

import openings as program  # scripts/openings.py
import pytest
from matches import FAIRY, OWN, ROOT, fake, play, run

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.common import random_openings
from pawnstorm_tools.measuring import balanced_openings
from pawnstorm_tools.referee import opening_book
from pawnstorm_tools.referee.settings import Book


def test_openings_are_read_checked_and_shuffled_by_seed(tmp_path):
    path = tmp_path / "o.epd"
    path.write_text("# a comment\n\npppp1/pp3/5/1PP2/PPPPP b - - ce 3;\npppp1/pp3/5/1PP2/PPPPP w - - 4 9\n")
    assert opening_book.read_epd(path, get_rules("breakthrough5")) == [
        "pppp1/pp3/5/1PP2/PPPPP b - - 0 1",
        "pppp1/pp3/5/1PP2/PPPPP w - - 4 9",
    ]
    many = [str(n) for n in range(20)]
    one, again, other = (opening_book.in_order(many, "random", seed) for seed in (1, 1, 2))
    assert one == again != other and sorted(one) == sorted(many)
    assert opening_book.in_order(many, "sequential", 1) == many


def test_openings_from_pgn(tmp_path):
    path = tmp_path / "o.pgn"
    path.write_text(
        '[Event "a"]\n\n1. e4 d5 2. exd5 *\n\n[Event "b"]\n[FEN "8/8/8/pp6/8/8/PP6/8 b - - 0 9"]\n\n9... b5b4 10. a2a4 *\n'
    )
    whole = ["8/ppp1pppp/8/3P4/8/8/PPPP1PPP/8 b - - 0 2", "8/8/8/p7/Pp6/8/1P6/8 b - a3 0 10"]
    assert opening_book.positions(Book(str(path)), get_rules("twoflags")) == whole
    cut, _ = opening_book.positions(Book(str(path), format="pgn", plies=2), get_rules("twoflags"))
    assert cut == "8/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/8 w - - 0 2"
    assert sorted(opening_book.positions(Book(str(path), order="random", seed=3), get_rules("twoflags"))) == sorted(
        whole
    )
    with pytest.raises(opening_book.OpeningError, match="line 1"):
        opening_book.positions(Book(str(path), format="epd"), get_rules("twoflags"))
    for text, told in (
        ('[Event "a"]\n\n1. e4 d5 2. exf5 *\n', "game 1: illegal move 'exf5'"),
        ('[Event "a"]\n[FEN "8/P7/8/8/8/8/p7/8 w - - 0 1"]\n\n1. a8=Q 1-0\n', "over after 1 ply;"),
        ("", "no finished game"),
    ):
        path.write_text(text)
        with pytest.raises(opening_book.OpeningError, match=told):
            opening_book.positions(Book(str(path)), get_rules("twoflags"))
    path.write_text("8/8/8/pp6/8/8/PP6/8 w - -\n")
    (whole,) = opening_book.positions(Book(str(path), format="epd", plies=3), get_rules("twoflags"))
    assert whole == "8/8/8/pp6/8/8/PP6/8 w - - 0 1", "an EPD has no moves of which plies= could take some"


@pytest.mark.parametrize(
    "name, position, owner",
    [
        ("twoflags", "pppppppp/2pppppp/1pp5/8/8/2P2PP1/P1PP1P1P/PPPPPPPP b - -", "breakthrough"),
        ("twoflags-noep", "8/5p2/8/8/8/8/5P2/P7 w - -", "breakthrough or hexapawn8x8"),
        ("breakthrough", "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - -", "twoflags"),
        ("hexapawn8x8", "pppppppp/8/p7/8/8/8/8/PPPPPPPP w - -", "breakthrough"),
        ("twoflags", "8/5p2/8/8/8/8/5P2/8 w - -", None),  # of either game
        ("breakthrough", "8/5p2/8/8/8/8/5P2/8 w - -", None),
        ("pawnsonly", "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - -", None),
        ("breakthrough5", "ppppp/5/PPPPP/PPPPP/PP3 w - -", None),  # set up by hand, and no game's
    ],
)
def test_a_position_that_belongs_to_other_games_alone_is_refused(name, position, owner, tmp_path):
    epd, pgn = tmp_path / "o.epd", tmp_path / "o.pgn"
    epd.write_text(f"# comment\n{position}\n")
    pgn.write_text(f'[FEN "{position}"]\n\n*\n')
    fault = f"is a position of {owner}: no game of {name} leads to it"
    for path, place in ((epd, "line 2"), (pgn, "game 1")):
        if owner is None:
            (found,) = opening_book.positions(Book(str(path)), get_rules(name))
            assert found.startswith(position)
            continue
        with pytest.raises(opening_book.OpeningError) as caught:
            opening_book.positions(Book(str(path)), get_rules(name))
        assert str(caught.value).startswith(f"{path}, {place}: '{position}") and fault in str(caught.value)
    pgn.write_text(f'[Variant "{name}"]\n[FEN "{position}"]\n\n*\n')
    assert len(opening_book.positions(Book(str(pgn)), get_rules(name))) == 1, "a PGN that names its game is believed"


def test_openings_in_any_encoding_with_or_without_a_mark(tmp_path):
    path, pgn = tmp_path / "o.epd", tmp_path / "o.pgn"
    path.write_bytes(b'\xef\xbb\xbfppp/3/PPP w - - id "Andr\xe9";\n# caf\xe9\nppp/3/PPP b - -\n')
    assert opening_book.read_epd(path, get_rules("hexapawn")) == ["ppp/3/PPP w - - 0 1", "ppp/3/PPP b - - 0 1"]
    path.write_bytes(b"ppp/3/PPP w - -\npp\xe9/3/PPP w - -\n")
    with pytest.raises(opening_book.OpeningError, match="line 2: bad letter"):
        opening_book.read_epd(path, get_rules("hexapawn"))
    pgn.write_bytes(b'\xef\xbb\xbf[FEN "8/8/8/pp6/8/8/PP6/8 b - - 0 9"]\n\n9... b4 {Andr\xe9} 10. a4 *\n')
    assert opening_book.read_pgn(pgn, get_rules("twoflags")) == ["8/8/8/p7/Pp6/8/1P6/8 b - a3 0 10"]


def test_games_of_another_game_are_no_openings(tmp_path):
    path = tmp_path / "o.pgn"
    path.write_text('[Variant "twoflags"]\n\n1. a2a3 *\n\n[Variant "Breakthrough"]\n\n1. a2a3 *\n')
    games = (("breakthrough", 1, "twoflags"), ("twoflags", 2, "Breakthrough"), ("pawnsonly", 2, "Breakthrough"))
    for name, number, other in games:
        with pytest.raises(opening_book.OpeningError, match=rf'game {number}: \[Variant "{other}"\] is another'):
            opening_book.read_pgn(path, get_rules(name))
    path.write_text(
        '[Variant "pawnsonly"]\n\n1. a3 *\n\n[Variant "Standard"]\n\n1. a3 *\n\n[Variant "twoflags8x8"]\n\n1. a3 *\n'
    )
    assert len(opening_book.read_pgn(path, get_rules("twoflags"))) == 3


def test_games_of_a_match_are_openings_of_the_next(tmp_path):
    path = tmp_path / "g.pgn"
    for variant in ("twoflags", "breakthrough5"):
        path.unlink(missing_ok=True)
        assert run(fake("good"), fake("good"), "-pgnout", path, variant=variant)[0] == 0
        book = ("-openings", f"file={path}", "plies=3")
        records = play(fake("good"), fake("good"), "-games", 1, "-rounds", 2, *book, variant=variant)
        assert len(records) == 2 and all(record["opening"].split()[1] == "b" for record in records)


@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_shipped_openings_are_legal_and_no_two_the_same(name):
    rules = get_rules(name)
    fens = opening_book.read_epd(ROOT / "scripts" / "openings" / f"{name}.epd", rules)
    assert len(fens) == 500
    assert len({parse_fen(rules, text).canonical() for text in fens}) == len(fens)


RULES = get_rules("breakthrough5")


@pytest.mark.parametrize(
    "mode, given, told",
    [
        ("good", "hash=8", None),
        ("good", "Style=1", "'Style': expected one of Hash, Ponder, UCI_Variant"),
        ("plain", None, None),  # that of Fairy-Stockfish and the size of the table are optional
        ("plain", "Hash=8", "'Hash': expected none"),
    ],
)
def test_an_option_that_the_engine_lacks_is_named(mode, given, told, tmp_path, monkeypatch, capsys):
    begun, words = [], ["breakthrough5", str(tmp_path / "o.epd"), "--engine", fake(mode)]
    monkeypatch.setattr(balanced_openings, "make", lambda *_: begun.append(1))
    status = program.main([*words, "--option", given] if given else words)
    error = capsys.readouterr().err
    assert (status, begun) == ((2, []) if told else (0, [1]))
    assert f"Fake {mode} has no option {told}" in error if told else error == ""


def test_what_the_engine_says_of_an_option_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(balanced_openings, "make", lambda *_: None)
    engine = OWN.removeprefix("cmd=")
    assert program.main(["breakthrough5", str(tmp_path / "o"), "--engine", engine, "--option", "EvalFile=/none"]) == 0
    error = capsys.readouterr().err
    assert error.startswith("openings.py: Pawnstorm") and "'/none'" in error, error


def test_a_value_that_the_option_cannot_take_is_named(tmp_path, capsys):
    words = ["breakthrough5", str(tmp_path / "o"), "--engine", fake("good"), "--option", "Hash=much"]
    assert program.main(words) == 2
    assert "'much' for option Hash: expected a whole number from 1 to 64" in capsys.readouterr().err


def made(path, count):
    balanced_openings.make(path, count, random_openings.candidates(RULES, (4, 8), 1), lambda board: True)
    return path.read_text()


@pytest.mark.parametrize("left", [1, 5, 30])
def test_a_torn_last_opening_is_judged_again(tmp_path, left):
    whole, path = made(tmp_path / "whole", 4), tmp_path / "torn"
    second, third = whole.splitlines()[1:3]
    path.write_text(f"{second}\n{third[:left]}")
    assert made(path, 3) == "\n".join(whole.splitlines()[1:]) + "\n"


@pytest.mark.parametrize("text", ["another file\n", "pppp1/pp3/5/1PP2/PPPPP", "caf\xe9\n", "\n"])
def test_a_file_of_other_words_is_refused_soon_and_stays_as_it_is(tmp_path, text, monkeypatch):
    monkeypatch.setattr(balanced_openings, "BARREN", 100)
    path = tmp_path / "o.epd"
    path.write_text(text, encoding="latin-1")
    boards = random_openings.candidates(RULES, (4, 8), 1)
    with pytest.raises(opening_book.OpeningError, match="line 1: .* does not come from"):
        balanced_openings.make(path, 3, boards, lambda board: True)
    assert path.read_text(encoding="latin-1") == text and next(boards, None), "candidates are left"


@pytest.mark.parametrize(
    "wrong, part",
    [
        (["--option", "Hash"], "'Hash' is not NAME=VALUE"),
        (["--option", "=1"], "'=1'"),
        (["--plies", "8", "4"], "--plies: 8 4: expected"),
        (["--plies", "-2", "4"], "--plies: -2 4"),
    ],
)
def test_wrong_words_for_openings_are_named(wrong, part, capsys):
    with pytest.raises(SystemExit) as error:
        program.main(["twoflags", "o.epd", *wrong])
    assert error.value.code == 2 and part in capsys.readouterr().err


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_interrupted_openings_end_in_the_same_file(tmp_path):
    whole, parts = tmp_path / "whole.epd", tmp_path / "parts.epd"
    more = ["--nodes", "3000", "--engine", FAIRY, "--seed", "5", "--bound", "30"]
    assert program.main(["twoflags", str(whole), "--count", "6", *more]) == 0
    for count in "2", "6":
        assert program.main(["twoflags", str(parts), "--count", count, *more]) == 0
    assert parts.read_text() == whole.read_text() and len(whole.read_text().splitlines()) == 6


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_openings_judged_at_a_depth(tmp_path):
    path = tmp_path / "o.epd"
    assert program.main(["breakthrough6", str(path), "--count", "3", "--depth", "9", "--engine", FAIRY]) == 0
    assert len(opening_book.read_epd(path, get_rules("breakthrough6"))) == 3
