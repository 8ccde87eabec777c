"""The command line and the config file of a match: engines, what is refused, and which of two words wins."""

import shlex

import pytest

from pawnstorm_tools.referee import commandline
from pawnstorm_tools.referee.settings import Book, Resign
from pawnstorm_tools.referee.sprt_math import Sprt

TWO = "-engine cmd=x -engine cmd=y -each tc=1 "


def parse(line):
    return commandline.parse(shlex.split(line))


def refusal(line):
    with pytest.raises(commandline.UsageError) as caught:
        parse(line)
    return str(caught.value)


@pytest.mark.parametrize(
    "line, part",
    [
        ("-engine cmd=x -each tc=1", "at least two -engine, found 1"),
        ("-engine cmd=x -engine cmd=' ' args=y -each tc=1", "no cmd="),
        ("-engine cmd=x -engine cmd=y -each tc=1 st=1", "-each: tc='1' and st='1' exclude each other"),
        ("-engine cmd=x -engine cmd=y -each tc=fast", "tc='fast'"),
        ("-engine cmd=x -engine cmd=y -each st=0", "st='0'"),
        ("-engine cmd=x -engine cmd=y -each nodes=1.5", "'1.5'"),
    ],
)
def test_engines_that_are_not_taken_are_named(line, part):
    assert part in refusal(line)


@pytest.mark.parametrize(
    "line, part",
    [
        ("-games 4", "'4'"),
        ("-rounds", "nothing follows"),
        ("-rounds 500001", "'500001' makes 1000002 games, expected at most 1000000"),
        ("-rounds " + "9" * 5000, "is not a whole number from 1 to"),
        ("-openings order=shuffled", "order: 'shuffled'"),
        ("-openings seed=1", "no file="),
        ("-openings file=a plies=0", "'0'"),
        ("-sprt elo0=0", "no elo1="),
        ("-sprt elo0=5 elo1=5", "not below elo1=5"),
        ("-sprt elo0=0 elo1=5 alpha=0.5", "'0.5'"),
        ("-sprt elo0=0 elo1=nan", "'nan'"),
        ("-engine cmd=z -sprt elo0=0 elo1=5", "two engines, here are 3"),
        ("-resign movecount=3", "no score="),
        ("-resume ''", "-resume: '' is not a file"),
        ("-pgnout ''", "-pgnout: ''"),
        ("-report a -pgnout ./a", "-report: 'a' is the file of -pgnout"),
        ("-resume a -pgnout ./a", "-pgnout: './a' is the file of -resume"),
        ("-debug a -pgnout b/../a", "-debug: 'a' is the file of -pgnout"),
        ("-pgnout a.pgn -openings file=a.pgn", "-pgnout: 'a.pgn' is the file of -openings"),
        ("-epdout file=x", "-pgnout FILE"),
        ("-engines", "-config"),
        ("--compliance x", "-debug FILE"),
        ("-seeds 2", "'2' is not 1"),
        ("-pgnout file=x notation=uci", "'notation=uci' is not supported, expected notation=san"),
        ("-pgnout append=false", "no file=FILE"),
        ("-pgnout fil=x", "'fil=x' is not understood (did you mean file=?)"),
        ("-pgnout x y", "unexpected 'y'"),
        ("-pgnout file=x append=no", "'no' is not one of true, false"),
        ("-report file=x page=", "'' is not an address"),
        ("-report page=pawnstorm.html", "'page=pawnstorm.html' needs a report, expected file=FILE too"),
        ("-log level=trace", "no file=FILE"),
        ("-log file=x append=false", "'append=false' is not supported"),
        ("-resume File=x", "'File=x'"),
        ("-repeat 4", "'4' is not 1 or 2; use -rounds"),
        ("-openings file=x policy=keep", "'keep' is not one of round"),
        ("-tournament knockout", "'knockout' is not one of roundrobin, gauntlet"),
        ("-quick cmd=a", "expected cmd=COMMAND cmd=COMMAND"),
        ("-wait 5 -cluster local:2", "-wait"),
        ("-debug", "expected a file"),
        ("-reverse yes", "'yes'"),
        ("-sprt elo0=0 elo1=5 model=bayesian", "'bayesian' is not one of logistic, normalized"),
        ("-variant fischerandom", "'fischerandom'"),
        ("-srand x", "'x'"),
    ],
)
def test_what_is_not_taken_is_named_with_what_is(line, part):
    assert part in refusal(TWO + line)


@pytest.mark.parametrize(
    "word, part",
    [
        ("conf=x", "-config"),
        ("book=x", "-openings file="),
        ("bookdepth=3", "plies=N"),
        ("trust", "the rules"),
        ("whitepov", "the mover's"),
        ("tscale=2", "timemargin=MS"),
        ("stderr=", "'' is not a file"),
        ("tc=inf", "tc=inf lets it think for ever, expected nodes= or depth="),
        ("comand=x", "did you mean cmd=?"),
        ("proto=xboard", "'xboard' is not one of uci, ugi, codingame, course"),
    ],
)
def test_words_of_an_engine_that_are_not_taken_are_named_with_what_is(word, part):
    assert part in refusal(
        f"-engine cmd=x {word} -engine cmd=y tc=1" + ("" if word.startswith("tc") else " -each tc=1")
    )


@pytest.mark.parametrize(
    "line, part",
    [
        ("-round 3", "'-round' (did you mean -rounds?)"),
        ("--rounds 3", "did you mean -rounds?"),
        ("-Concurrency 2", "-concurrency?"),
        ("-zzz", "unknown word '-zzz': expected a flag"),
    ],
)
def test_a_wrong_flag_says_which_was_meant(line, part):
    assert part in refusal(TWO + line)


def test_an_engine_without_a_limit_or_a_command_is_named():
    assert "no limit for engine 2 ('good one'): expected tc=" in refusal(
        "-engine cmd=x tc=1 -engine cmd=y name='good one'"
    )
    assert "no limit for engine 1 ('x')" in refusal("-engine cmd=x -engine cmd=y tc=1")
    assert "no cmd=COMMAND for engine 2 ('B')" in refusal("-engine cmd=x -engine name=B -each tc=1")


def test_links_are_the_same_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert "is the file of -resume" in refusal(f"{TWO} -resume {tmp_path / 'file'} -debug {tmp_path / 'link'}")


def test_engine_settings_override_each():
    first, second = parse(
        "-each tc=1+0.01 option.Hash=64 option.Threads=1 -engine cmd='a b' args='-c d' option.hash=8 "
        "-engine cmd=e tc=2 name=E"
    ).engines
    assert first.command == "a b -c d" and second.name == "E"
    assert [str(engine.time_control) for engine in (first, second)] == ["1+0.01", "2+0"]
    assert first.options == (("hash", "8"), ("Threads", "1")) and second.options == (("Hash", "64"), ("Threads", "1"))


def test_own_clock_of_either_kind_replaces_the_common_one():
    asked = parse("-engine cmd=a st=0.5 -engine cmd=b nodes=7 -each tc=40/60+1")
    assert [str(engine.time_control) for engine in asked.engines] == ["st=0.5", "40/60+1 nodes=7"]


def test_flags_with_several_values():
    asked = parse(
        f"{TWO} -recover -sprt elo0=-2 elo1=3.5 beta=0.1 model=normalized -resign movecount=3 score=800 "
        "-openings file=a.pgn format=pgn plies=8 order=random seed=4 -tournament gauntlet -debug d"
    )
    assert asked.sprt == Sprt(-2, 3.5, 0.05, 0.1, "normalized") and asked.resign == Resign(3, 800)
    assert asked.book == Book("a.pgn", "pgn", 8, "random", 4) and asked.tournament == "gauntlet" and asked.debug == "d"


CONFIG = """
variant = "breakthrough6"
rounds = 7
concurrency = 2
ponder = true
recover = false
openings = { file = "a.epd", order = "random", seed = 1 }
sprt = { elo0 = 0, elo1 = 5.5 }

[each]
tc = "1+0.01"
timemargin = 5
option.Hash = 64
option."Move Overhead" = 10
option.Ponder = false

[[engine]]
name = "one"
cmd = "a b"

[[engine]]
name = "two"
cmd = "c"
option.Hash = 8
"""


def test_config_file_holds_the_same_words(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(CONFIG)
    assert parse(f"-config {path}") == parse(
        "-variant breakthrough6 -rounds 7 -concurrency 2 -ponder -openings file=a.epd order=random seed=1 "
        "-sprt elo0=0 elo1=5.5 -each tc=1+0.01 timemargin=5 option.Hash=64 'option.Move Overhead=10' option.Ponder=false "
        "-engine name=one cmd='a b' -engine name=two cmd=c option.Hash=8"
    )


def test_config_file_takes_the_new_words_too(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(
        'repeat = true\nevent = "My match"\nreverse = true\n'
        'pgnout = {file = "x.pgn", append = false}\nreport = {penta = true}\n'
        'each = {tc = "1", ponder = true, restart = "on"}\n[[engine]]\ncmd = "a"\n[[engine]]\ncmd = "b"\n'
    )
    asked = parse(f"-config {path}")
    assert (asked.event, asked.pgnout, asked.report) == ("My match", "x.pgn", None)
    assert asked.reverse and not asked.append
    assert all(engine.ponder and engine.restart for engine in asked.engines)


def test_command_line_wins_over_the_config_file(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(CONFIG)
    asked = parse(f"-rounds 9 -each tc=2 -openings seed=5 -config {path}")
    assert asked.rounds == 9 and asked.concurrency == 2 and asked.book == Book("a.epd", order="random", seed=5)
    assert [(engine.name, str(engine.time_control)) for engine in asked.engines] == [("one", "2+0"), ("two", "2+0")]
    asked = parse(f"-engine cmd=x -config {path} -engine cmd=y st=1")
    assert [(engine.command, str(engine.time_control)) for engine in asked.engines] == [("x", "1+0.01"), ("y", "st=1")]


def test_clock_of_the_command_line_wins_whatever_its_kind(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(
        'each = {tc = "1+0.01", timemargin = 5}\n[[engine]]\ncmd = "a"\nst = 0.5\noption.Hash = 8\n[[engine]]\ncmd = "b"\n'
    )

    def controls(line):
        return [str(engine.time_control) for engine in parse(f"{line} -config {path}").engines]

    assert controls("") == ["st=0.5", "1+0.01"]
    assert controls("-each st=2") == ["st=2", "st=2"] and controls("-each tc=3") == ["3+0", "3+0"]
    assert controls("-each nodes=9") == ["st=0.5 nodes=9", "1+0.01 nodes=9"]
    assert controls("-each st=2 -engine cmd=x tc=4 -engine cmd=y") == ["4+0", "st=2"]
    asked = parse(f"-each option.hash=16 -config {path}")
    assert [engine.options for engine in asked.engines] == [(("hash", "16"),)] * 2


def test_another_openings_file_is_read_by_its_own_words(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(CONFIG.replace('file = "a.epd"', 'file = "a", format = "pgn", plies = 4'))

    def book(words):
        return parse(f"-config {path} {words}").book

    assert book("") == book("-openings file=a") == Book("a", "pgn", 4, "random", 1)
    assert book("-openings file=b.epd seed=2") == Book("b.epd", None, None, "random", 2)
    assert book("-openings plies=2 -openings file=b.pgn plies=3") == Book("b.pgn", None, 3, "random", 1)
    assert book("-openings plies=2").plies == 2


@pytest.mark.parametrize(
    "text, part",
    [
        ("rounds = x", "line 1"),
        ("round = 3", "unknown word 'round' (did you mean rounds?)"),
        ("help = true", "unknown word 'help'"),
        ("rounds = [1, 2]", "rounds: '[1, 2]' is neither"),
        ("rounds = 1.5", "'1.5'"),
        ("each = {tc = 2020-01-01}", "tc: "),
    ],
)
def test_wrong_config_is_named(tmp_path, text, part):
    path = tmp_path / "match.toml"
    path.write_text(text)
    assert part in refusal(f"-config {path}")
