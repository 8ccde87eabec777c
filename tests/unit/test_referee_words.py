"""The words of fastchess and cutechess-cli on a match's command line: what each does, and what is refused."""

import shlex
import sys

import pytest

from pawnstorm.games.rules import get_rules
from pawnstorm_tools.referee import commandline, engine_keys, opening_book, output, progress, schedule
from pawnstorm_tools.referee.game_record import Adjudicator
from pawnstorm_tools.referee.settings import Book, Resign

TWO = "-engine cmd=x -engine cmd=y -each tc=1 "
FASTCHESS = """
    quick event site config concurrency -compliance crc32 force-concurrency rounds games variant tournament seeds
    repeat recover show-latency testEnv draw resign maxmoves tb tbpieces tbignore50 tbadjudicate openings output pgnout
    epdout wait noswap reverse ratinginterval scoreinterval autosaveinterval sprt srand log use-affinity report version help
    each engine"""
"""Every flag of its manual."""
CUTECHESS = """
    help version engines engine each variant concurrency draw resign maxmoves tb tbpieces tbignore50 tournament event
    games rounds sprt ratinginterval outcomeinterval resultformat debug openings bookmode pgnout epdout recover repeat
    noswap reverse seeds site srand wait"""


def parse(line):
    return commandline.parse(shlex.split(line))


@pytest.mark.parametrize("name", sorted({*FASTCHESS.split(), *CUTECHESS.split()}))
def test_every_flag_of_both_manuals_is_known(name):
    assert commandline.ALIASES.get(f"-{name}", f"-{name}") in commandline.FLAGS


def test_a_pasted_command_of_fastchess_is_understood():
    asked = parse(
        "-engine cmd=Engine1.exe name=Engine1 -engine cmd=Engine2.exe name=Engine2 "
        "-openings file=book.epd format=epd order=random "
        "start=3 policy=round -srand 42 -each tc=60+0.6 option.Hash=64 -rounds 200 -repeat -concurrency 4 -recover "
        "-draw movenumber=40 movecount=8 score=10 -resign movecount=3 score=600 twosided=true -maxmoves 200 "
        "-pgnout file=games.pgn append=false notation=san nodes=true -report penta=true -event Test -site here "
        "-wait 20 -ratinginterval 10 -scoreinterval 5 -autosaveinterval 0 -log file=log.txt level=trace engine=true "
        "-output format=cutechess "
        "-use-affinity 1-3 -testEnv -force-concurrency -show-latency -crc32 pgn=true -tournament round-robin -seeds 1"
    )
    assert asked.book == Book("book.epd", "epd", None, "random", 42, 3)
    assert asked.resign == Resign(3, 600, twosided=True)
    assert (asked.games, asked.rounds, asked.concurrency, asked.wait) == (2, 200, 4, 20)
    assert (asked.pgnout, asked.append, asked.report, asked.debug) == ("games.pgn", False, None, "log.txt")
    assert (asked.event, asked.site, asked.rating_interval, asked.score_interval) == ("Test", "here", 10, 5)
    idle = "-draw -maxmoves -autosaveinterval -output -use-affinity -testEnv -show-latency -crc32"
    assert " ".join(note.split()[0] for note in asked.notes) == idle
    assert asked.notes[0] == "-draw has no effect: none of these games can be drawn"


def test_words_of_one_engine():
    one, two = parse(
        r"-engine cmd=x arg='a b' arg=c ponder restart=on initstr='setoption name A\ngo' stderr=err plies=7 tc=inf "
        "-engine cmd=y restart=auto proto=uci -each tc=1"
    ).engines
    assert one.command == "x 'a b' c" and one.initstr == ("setoption name A", "go") and one.stderr == "err"
    assert one.ponder and one.restart
    assert str(one.time_control) == "depth=7" and str(two.time_control) == "1+0"
    assert not two.ponder and not two.restart and two.initstr == () and two.stderr is None
    assert all(engine.ponder for engine in parse(TWO + "-ponder").engines)


def test_forms_of_a_file():
    assert {parse(TWO + "-pgnout " + form).pgnout for form in ("x.pgn", "x.pgn min fi", "file=x.pgn")} == {"x.pgn"}
    assert parse(TWO + "-pgnout ./a=b.pgn -report ./penta=true").report == "./penta=true"
    assert parse(TWO + "-resume file=r -debug file=d").resume == "r"
    asked = parse(TWO + "-report file=r.html page=p.html -report penta=true")
    assert (asked.report, asked.page) == ("r.html", "p.html")
    # A later file has its own words.
    assert parse(TWO + "-report file=r.html page=p.html -report s.html").page is None
    assert parse(TWO + "-pgnout file=x append=false -pgnout y").append
    assert parse(TWO + "-pgnout x.pgn").append and "min has no effect" in parse(TWO + "-pgnout x.pgn min").notes[0]
    (note,) = parse(TWO + "-pgnout file=x nps=true hashfull=true latency=false timeleft=true").notes
    assert "nps hashfull has no effect" in note


def test_repeat_and_games_are_one_setting_of_which_the_later_counts():
    given = {"-repeat -games 1": 1, "-games 1 -repeat": 2, "-repeat 1": 1, "": 2}
    assert {words: parse(TWO + words).games for words in given} == given


def test_a_seed_of_the_openings_counts_more_than_srand():
    assert parse(TWO + "-srand 7 -openings file=x order=random").book.seed == 7
    assert parse(TWO + "-openings file=x order=random seed=3 -srand 7").book.seed == 3
    assert parse(TWO + "-srand 7").book is None


def test_quick_is_won_over_by_other_flags(tmp_path):
    asked = parse("-quick cmd=a cmd=b book=x.epd")
    assert [(engine.command, str(engine.time_control)) for engine in asked.engines] == [
        ("a", "10+0.1"),
        ("b", "10+0.1"),
    ]
    assert (asked.rounds, asked.games, asked.book) == (25000, 2, Book("x.epd", order="random"))
    assert asked.concurrency >= 1
    asked = parse("-rounds 3 -each st=1 -concurrency 1 -quick cmd=a cmd=b -openings file=y.epd")
    assert (asked.rounds, asked.concurrency, asked.book) == (3, 1, Book("y.epd"))
    assert {str(engine.time_control) for engine in asked.engines} == {"st=1"}
    (tmp_path / "match.toml").write_text('rounds = 4\neach = {tc = "2"}\n')
    asked = parse(f"-quick cmd=a cmd=b -config {tmp_path / 'match.toml'}")
    assert asked.rounds == 4 and {str(engine.time_control) for engine in asked.engines} == {"2+0"}


def test_help_has_a_line_for_every_flag_and_key():
    lines = commandline.usage().splitlines()
    told = {line.split()[0].partition("=")[0] for line in lines if line.strip()}
    assert {*commandline.FLAGS, *engine_keys.KEYS} <= told and max(map(len, lines)) <= 140


def test_help_and_version_are_asked_for_anywhere():
    assert commandline.help_or_version(["-rounds", "3", "--help"]) == commandline.usage()
    assert commandline.help_or_version(["-version"]).startswith("match.py of pawnstorm ")
    assert commandline.help_or_version(["-rounds", "3"]) is None


# What they do.


def test_openings_begin_with_the_one_that_start_names(tmp_path):
    path, rules = tmp_path / "o.epd", get_rules("hexapawn")
    path.write_text("ppp/3/PPP w - -\nppp/P2/1PP b - -\nppp/1P1/P1P b - -\n")

    def order(**more):
        return [fen.split()[0] for fen in opening_book.positions(Book(str(path), **more), rules)]

    assert order(start=2) == [*order()[1:], order()[0]]
    shuffled = order(order="random", seed=1)
    assert order(order="random", seed=1, start=3) == [shuffled[2], *shuffled[:2]]
    with pytest.raises(opening_book.OpeningError, match="holds 3 openings: start=4, expected 3 at most"):
        order(start=4)


def test_reversed_schedule_exchanges_the_colours_of_every_game():
    for games, swap in ((2, True), (2, False), (1, True), (1, False)):
        usual, exchanged = (
            schedule.pairings(games, 3, ["a", "b"], [(0, 1), (0, 2)], swap, reverse) for reverse in (False, True)
        )
        for one, other in zip(usual, exchanged, strict=True):
            assert (one.white, one.black) == (other.black, other.white)
            assert (one.game, one.round, one.opening) == (other.game, other.round, other.opening)


def test_without_swap_the_first_engine_has_one_colour_in_every_game():
    for words, white in (("-noswap", 0), ("-noswap -reverse", 1), ("-noswap -games 1", 0)):
        settings = parse(TWO + "-rounds 3 " + words)
        made = schedule.of_match(settings, ["a", "b", "c"])
        assert {one.white for one in made} == {white} and len(made) == 3 * settings.games, words
        openings = [one.opening for one in made]
        assert openings == sorted(openings) and set(openings) == {"a", "b", "c"}, "each opening, `games` times"


def test_penta_decides_the_unit_of_the_statistics():
    asked = parse(TWO + "-report penta=true")
    assert parse(TWO).pairs and asked.pairs and asked.notes == []
    assert not parse(TWO + "-report penta=false").pairs and not parse(TWO + "-games 1").pairs
    (note,) = parse(TWO + "-games 1 -report penta=true").notes
    assert note == "-report penta=true has no effect: with -games 1 there are no pairs"
    (note,) = parse(TWO + "-engine cmd=z -report penta=true").notes
    assert note.startswith("-report penta= has no effect: ")


@pytest.mark.parametrize(
    "line, start",
    [
        ("-strikes 3", "-strikes has no effect: no engine is disqualified"),
        ("-openings file=x.epd plies=8", "-openings plies=8 has no effect: x.epd holds positions"),
        ("-openings file=x plies=8", "-openings plies=8 has no effect"),
    ],
)
def test_what_has_no_effect_is_named_and_the_match_goes_on(line, start):
    (note,) = parse(TWO + line).notes
    assert note.startswith(start)
    assert parse(TWO + "-openings file=x.pgn plies=8").notes == []


def test_openings_whose_name_is_that_of_another_game_are_doubted():
    (note,) = parse(TWO + "-variant breakthrough -openings file=books/TwoFlags_6.epd").notes
    assert note == "-openings: by its name 'books/TwoFlags_6.epd' is for twoflags, and this is a match of breakthrough"
    for words in ("breakthrough6 -openings file=breakthrough.epd", "pawnsonly -openings file=twoflags.epd"):
        assert parse(TWO + "-variant " + words).notes == []


def test_twosided_resignation_wants_both_engines_scores():
    def result(resign, *scores):
        adjudicator = Adjudicator(resign)
        return [adjudicator.update(number % 2, score) for number, score in enumerate(scores)]

    assert result(Resign(2, 500), -500, 0, -600) == [None, None, 0]
    assert result(Resign(2, 500, True), -500, 0, -600, 500, "-M3", "M2") == [None] * 5 + [0]
    assert result(Resign(2, 500, True), 500, None, 500, -500, 500, -500) == [None] * 5 + [1]
    assert result(Resign(2, 500, True), -500, 500, None, 500, -500, 500) == [None] * 6


def test_line_of_a_finished_game_is_one_line():
    record = {
        "game": 12,
        "white": "one",
        "black": "two\n{x}",
        "result": "1-0",
        "detail": "White wins: far rank\x1b[2J reached",
    }
    assert output.finished_line(record) == "Finished game 12 (one vs two (x)): 1-0 {White wins: far rank?[2J reached}"


def test_lines_do_not_stand_between_games_that_go_to_stdout(tmp_path, capfd):
    assert progress.stream("/dev/stdout") is sys.stderr
    assert progress.stream(None) is progress.stream(tmp_path / "x.pgn") is progress.stream(tmp_path) is sys.stdout


def test_standing_fits_its_width():
    entries = [("pawnstorm-new", 3, 4), ("fairy-stockfish", 2, 4), ("pawnstorm-old", 1, 4)]
    assert output.standing(entries, 99) == "pawnstorm-new 3/4, fairy-stockfish 2/4, pawnstorm-old 1/4"
    assert output.standing(entries, 40) == "paw~-new 3/4, fai~fish 2/4, paw~-old 1/4"
    assert output.standing(entries, 30) == "paw~new 3/4, fai~ish 2/4, ..."
    assert output.standing(entries, 5) == "pa~new 3/4, ..." and output.standing([], 5) == ""
    assert all(len(output.standing(entries, width)) <= width for width in range(15, 80))
