"""The command line and the config file of a match."""

import shlex

import pytest

from pawnstorm_tools.referee import commandline, usage
from pawnstorm_tools.referee.adjudication import Resign
from pawnstorm_tools.referee.settings import Book
from pawnstorm_tools.referee.sprt_math import Sprt


@pytest.mark.parametrize(
    "line, part",
    [
        ("-engin cmd=x", "'-engin'"),
        ("-engine cmd=x -each tc=1", "at least two -engine, found 1"),
        ("-engine cmd=x hash=3 -engine cmd=y", "'hash=3'"),
        ("-engine name=x -engine cmd=y -each tc=1", "no cmd="),
        ("-engine cmd=x -engine cmd=y", "no limit"),
        ("-engine cmd=x -engine cmd=y -each tc=fast", "tc='fast'"),
        ("-engine cmd=x -engine cmd=y -each st=0", "st='0'"),
        ("-engine cmd=x -engine cmd=y -each nodes=1.5", "'1.5'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -variant chess", "'chess'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -games 4", "'4'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -rounds", "nothing follows"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -openings order=shuffled", "order: 'shuffled'"),
        ("-engine cmd=x proto=xboard -engine cmd=y -each tc=1", "'xboard' is not one of uci, course"),
        ("-engine cmd=x tc=1 st=1 -engine cmd=y -each tc=1", "exclude each other"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -openings seed=1", "no file="),
        ("-engine cmd=x -engine cmd=y -each tc=1 -openings file=a format=bin", "'bin'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -openings file=a plies=0", "'0'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -tournament swiss", "'swiss' is not one of roundrobin, gauntlet"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt elo0=0", "no elo1="),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt", "nothing follows"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt elo0=5 elo1=5", "not below elo1=5"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt elo0=0 elo1=5 alpha=0.5", "'0.5'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt elo0=0 elo1=nan", "'nan'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -sprt elo0=0 elo1=5 model=bayes", "'bayes'"),
        ("-engine cmd=x -engine cmd=y -engine cmd=z -each tc=1 -sprt elo0=0 elo1=5", "two engines, here are 3"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -resign movecount=3", "no score="),
        ("-engine cmd=x -engine cmd=y -each tc=1 -resign movecount=3 score=-5", "'-5'"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -recover yes", "'yes'"),
        ("-config", "nothing follows"),
        ("-engine cmd=x -engine cmd=y -each tc=0+1", "tc='0+1': expected a time above 0"),
        ("-engine cmd=x -engine cmd=y -each tc=1:-30", "tc='1:-30': expected [moves/]time[+increment]"),
        ("-engine cmd=x -engine cmd=y -each st=1_0", "st='1_0': expected seconds"),
        ("-engine cmd=x -engine cmd=y -each tc=1 st=1", "-each: tc='1' and st='1' exclude each other"),
        ("-engine cmd=x -engine cmd=' ' -each tc=1", "no cmd="),
        ("-engine cmd=x -engine cmd=' ' args=y -each tc=1", "no cmd="),
        (
            "-engine cmd=x -engine cmd=y -each tc=1 -rounds 500001",
            "'500001' makes 1000002 games, expected at most 1000000",
        ),
        ("-engine cmd=x -engine cmd=y -each tc=1 -rounds " + "9" * 5000, "is not a whole number from 1 to"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -concurrency 1001", "'1001' is not a whole number from 1 to 1000"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -resume ''", "-resume: '' is not a file"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -pgnout ''", "-pgnout: ''"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -debug ''", "-debug: ''"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -report ''", "-report: ''"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -report a -pgnout ./a", "-report: 'a' is the file of -pgnout"),
        ("-config ''", "-config: ''"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -openings file=", "no file="),
        ("-engine cmd=x -engine cmd=y -each tc=1 -resume a -pgnout ./a", "-pgnout: './a' is the file of -resume"),
        ("-engine cmd=x -engine cmd=y -each tc=1 -debug a -pgnout b/../a", "-debug: 'a' is the file of -pgnout"),
        (
            "-engine cmd=x -engine cmd=y -each tc=1 -pgnout a.pgn -openings file=a.pgn",
            "-pgnout: 'a.pgn' is the file of -openings",
        ),
    ],
)
def test_wrong_words_are_named(line, part):
    with pytest.raises(commandline.UsageError) as error:
        commandline.parse(shlex.split(line))
    assert part in str(error.value)


def test_links_are_the_same_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(commandline.UsageError, match="is the file of -resume"):
        commandline.parse(
            f"-engine cmd=x -engine cmd=y -each tc=1 -resume {tmp_path / 'file'} -debug {tmp_path / 'link'}".split()
        )


def test_engine_settings_override_each():
    asked = commandline.parse(
        shlex.split(
            "-each tc=1+0.01 option.Hash=64 option.Threads=1 -engine cmd='a b' args='-c d' option.hash=8 "
            "-engine cmd=e tc=2 name=E"
        )
    )
    first, second = asked.engines
    assert (
        first.command == "a b -c d"
        and first.options == (("hash", "8"), ("Threads", "1"))
        and str(first.control) == "1+0.01"
    )
    assert second.name == "E" and second.options == (("Hash", "64"), ("Threads", "1")) and str(second.control) == "2+0"


def test_own_clock_of_either_kind_replaces_the_common_one():
    asked = commandline.parse("-engine cmd=a st=0.5 -engine cmd=b nodes=7 -each tc=40/60+1".split())
    assert [str(engine.control) for engine in asked.engines] == ["st=0.5", "40/60+1 nodes=7"]


def test_flags_with_several_values():
    asked = commandline.parse(
        "-engine cmd=x -engine cmd=y -each tc=1 -recover -sprt elo0=-2 elo1=3.5 beta=0.1 model=normalized "
        "-resign movecount=3 score=800 -openings file=a.pgn format=pgn plies=8 order=random seed=4 "
        "-tournament gauntlet -debug d".split()
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
    asked = commandline.parse(["-config", str(path)])
    assert asked == commandline.parse(
        shlex.split(
            "-variant breakthrough6 -rounds 7 -concurrency 2 -ponder -openings file=a.epd order=random seed=1 "
            "-sprt elo0=0 elo1=5.5 -each tc=1+0.01 timemargin=5 option.Hash=64 'option.Move Overhead=10' option.Ponder=false "
            "-engine name=one cmd='a b' -engine name=two cmd=c option.Hash=8"
        )
    )


def test_command_line_wins_over_the_config_file(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(CONFIG)
    asked = commandline.parse(f"-rounds 9 -each tc=2 -openings seed=5 -config {path}".split())
    assert asked.rounds == 9 and asked.concurrency == 2 and asked.book == Book("a.epd", order="random", seed=5)
    assert [(engine.name, str(engine.control)) for engine in asked.engines] == [("one", "2+0"), ("two", "2+0")]
    asked = commandline.parse(f"-engine cmd=x -config {path} -engine cmd=y st=1".split())
    assert [(engine.command, str(engine.control)) for engine in asked.engines] == [("x", "1+0.01"), ("y", "st=1")]


def test_clock_of_the_command_line_wins_whatever_its_kind(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(
        'each = {tc = "1+0.01", timemargin = 5}\n[[engine]]\ncmd = "a"\nst = 0.5\noption.Hash = 8\n[[engine]]\ncmd = "b"\n'
    )

    def controls(line):
        return [str(engine.control) for engine in commandline.parse(f"{line} -config {path}".split()).engines]

    assert controls("") == ["st=0.5", "1+0.01"]
    assert controls("-each st=2") == ["st=2", "st=2"] and controls("-each tc=3") == ["3+0", "3+0"]
    assert controls("-each nodes=9") == ["st=0.5 nodes=9", "1+0.01 nodes=9"]
    assert controls("-each st=2 -engine cmd=x tc=4 -engine cmd=y") == ["4+0", "st=2"]
    asked = commandline.parse(f"-each option.hash=16 -config {path}".split())
    assert [engine.options for engine in asked.engines] == [(("hash", "16"),)] * 2


def test_another_openings_file_is_read_by_its_own_words(tmp_path):
    path = tmp_path / "match.toml"
    path.write_text(CONFIG.replace('file = "a.epd"', 'file = "a", format = "pgn", plies = 4'))

    def book(words):
        return commandline.parse(["-config", str(path), *words.split()]).book

    assert book("") == book("-openings file=a") == Book("a", "pgn", 4, "random", 1)
    assert book("-openings file=b.epd seed=2") == Book("b.epd", None, None, "random", 2)
    assert book("-openings plies=2 -openings file=b.pgn plies=3") == Book("b.pgn", None, 3, "random", 1)
    assert book("-openings plies=2").plies == 2


@pytest.mark.parametrize(
    "text, part",
    [
        ("rounds = x", "line 1"),
        ("round = 3", "unknown word 'round'"),
        ("config = 'x'", "unknown word 'config'"),
        ("rounds = [1, 2]", "rounds: '[1, 2]' is neither"),
        ("rounds = 1.5", "'1.5'"),
        ("each = {tc = 2020-01-01}", "tc: "),
    ],
)
def test_wrong_config_is_named(tmp_path, text, part):
    path = tmp_path / "match.toml"
    path.write_text(text)
    with pytest.raises(commandline.UsageError) as error:
        commandline.parse(["-config", str(path)])
    assert part in str(error.value)


def test_every_flag_is_explained():
    text = usage.usage()
    for flag in commandline.FLAGS:
        assert f"  {flag}" in text or f", {flag}" in text
