"""How the referee speaks to bots of CodinGame and engines of UGI, and which words of the command line they go with."""

import shlex

import pytest

from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.client.process import EngineProcess
from pawnstorm_protocol.client.pump import EngineFault
from pawnstorm_tools.referee import commandline, match_run
from pawnstorm_tools.referee.clock import SECOND, Clock, TimeControl, go_words
from pawnstorm_tools.referee.codingame_client import CodinGameBot
from pawnstorm_tools.referee.flag_values import UsageError
from pawnstorm_tools.referee.ugi_client import UGIProcess


def parse(line):
    return commandline.parse(shlex.split(line))


def controls(line):
    return [str(engine.time_control) for engine in parse(line).engines]


@pytest.mark.parametrize(
    "words, each, expected",
    [
        ("", "", "st=0.1 first=1"),
        ("st=0.5", "", "st=0.5"),
        ("first=3", "", "st=0.1 first=3"),
        ("st=0.5 first=3", "", "st=0.5 first=3"),
        ("", "st=0.2", "st=0.2"),
        ("", "st=0.2 first=2", "st=0.2 first=2"),
    ],
)
def test_limits_of_a_bot_of_codingame(words, each, expected):
    other = "" if each else "tc=1"
    line = f"-engine cmd=x proto=codingame {words} -engine cmd=y {other}" + (f" -each {each}" if each else "")
    assert controls(line)[0] == expected


def test_a_time_for_the_first_move_goes_with_a_fixed_time_for_any_engine():
    assert controls("-engine cmd=x -engine cmd=y tc=5 -each st=0.1 first=1") == ["st=0.1 first=1", "5+0"]
    assert controls("-engine cmd=x st=2 -engine cmd=y first=3 -each st=0.1 first=1") == [
        "st=2 first=1",
        "st=0.1 first=3",
    ]


@pytest.mark.parametrize(
    "line, part",
    [
        ("-engine cmd=x proto=codingame tc=3 -engine cmd=y tc=1", "proto=codingame: '3+0' cannot be sent to engine 1 ('x')"),
        ("-engine cmd=x proto=codingame tc=inf -engine cmd=y tc=1", "'tc=inf' cannot be sent"),
        ("-engine cmd=x proto=codingame nodes=7 -engine cmd=y tc=1", "'nodes=7' cannot be sent"),
        ("-engine cmd=x proto=codingame -engine cmd=y -each tc=3", "write limits for other engines in their -engine, not in -each"),
        ("-engine cmd=x first=1 -engine cmd=y tc=1 -each nodes=4", "first= without st= for engine 1 ('x')"),
        ("-engine cmd=x st=1 first=0 -engine cmd=y tc=1", "-engine first='0': expected a time above 0"),
        ("-engine cmd=x st=1 first=soon -engine cmd=y tc=1", "-engine first='soon': expected seconds"),
        ("-engine cmd=x proto=codingame initstr=a -engine cmd=y tc=1", "initstr= is only for UCI and UGI engines"),
        ("-engine cmd=x proto=codingame -engine cmd=y tc=1 -openings file=b.epd", "'b.epd' cannot be used with a CodinGame bot"),
        ("-engine proto=codingame -engine cmd=y tc=1", "no cmd=COMMAND for engine 1"),
        ("-engine cmd=x proto=ugi port=5 -engine cmd=y tc=1", "port='5' is for proto=course only"),
        ("-engine cmd=x proto=ugi -engine cmd=y tc=1", "no limit for engine 1 ('x')"),
    ],
)  # fmt: skip
def test_words_that_do_not_go_together_are_named(line, part):
    with pytest.raises(UsageError) as caught:
        parse(line)
    assert part in str(caught.value)


def test_a_match_that_goes_on_knows_the_protocols():
    line = "-engine cmd=x proto={} -engine cmd=y -each st=1"
    identities = [match_run.identity(parse(line.format(word)), ["x", "y"], []) for word in ("uci", "ugi", "codingame")]
    assert [identity["engine 1"].get("proto") for identity in identities] == [None, "ugi", "codingame"]
    assert all("proto" not in identity["engine 2"] for identity in identities)


def test_clock_of_a_first_move():
    clock, other = Clock(TimeControl(move_time=SECOND // 10, first_move=SECOND, margin=7)), Clock(TimeControl(nodes=5))
    assert (go_words(clock, other, clock), clock.allowed()) == ("movetime 1000", SECOND + 7)
    for _ in range(2):
        clock.spend(SECOND // 20)
        assert (go_words(clock, other, clock), clock.allowed()) == ("movetime 100", SECOND // 10 + 7)


class Pipe:
    """What EngineProcess.send() writes into."""

    def __init__(self, sent):
        self.sent = sent

    def write(self, data):
        self.sent += data.decode().splitlines()
        return len(data)


def listening(cls):
    made = cls("program")
    made.sent, made.unsent, made.searching, made.pondering = [], b"", False, False
    made.input_writer = Pipe(made.sent)
    return made


@pytest.mark.parametrize(
    "uci, ugi",
    [
        ("wtime 100 btime 200 winc 1 binc 2 movestogo 5", "p1time 100 p2time 200 p1inc 1 p2inc 2"),
        ("movetime 100 nodes 5 depth 3", "movetime 100 nodes 5 depth 3"),
        ("btime 7 binc 0", "p2time 7 p2inc 0"),
    ],
)
def test_limits_are_told_in_the_words_of_ugi(uci, ugi):
    engine = listening(UGIProcess)
    engine.go("position startpos moves a2a3", uci)
    assert engine.sent == ["position startpos moves a2a3", f"go {ugi}"] and engine.searching
    engine.on_line(b"info depth 3 score cp -5 nodes 9", 1)
    engine.on_line(b"bestmove a7a6", 2)
    assert (engine.bestmove, engine.answered_at) == (["bestmove", "a7a6"], 2) and b"-5" in engine.info


def test_ugi_has_a_handshake_of_its_own():
    engine = listening(UGIProcess)
    engine.uciok = engine.ready = False
    engine.on_line(b"uciok", 1)
    assert not engine.uciok
    engine.on_line(b"ugiok\r", 1)
    assert engine.uciok and not UGIProcess.can_ponder and EngineProcess.can_ponder


def turn(bot, moves):
    """What the bot is told before it is to move, after these moves from the start."""
    bot.sent.clear()
    bot.go("position startpos" + (" moves " + " ".join(moves) if moves else ""), "movetime 100")
    assert bot.searching and bot.bestmove is None
    last, count, *legal = bot.sent
    assert int(count) == len(legal) == len(set(legal))
    return last, legal


def new_bot(game="breakthrough5"):
    bot, rules = listening(CodinGameBot), get_rules(game)
    bot.new_game(rules.start_fen, 0, rules)
    return bot


def test_turns_of_a_bot():
    bot = new_bot()
    last, legal = turn(bot, [])
    assert last == "None" and {"a2a3", "a2b3"} < set(legal) and len(legal) == 13
    bot.on_line(b"a2a3 hello, I win", 5)
    assert (bot.bestmove, bot.answered_at, bot.searching) == (["bestmove", "a2a3"], 5, False)
    last, legal = turn(bot, ["a2a3", "b4a3"])
    assert last == "b4a3" and "b2a3" in legal and "a2a3" not in legal
    bot.on_line(b"", 6)
    bot.on_line(b"  \r", 6)
    assert bot.searching
    bot.on_line(b"\xff\xfe", 7)
    assert bot.bestmove == ["bestmove", "\ufffd\ufffd"]


@pytest.mark.parametrize(
    "line", [b"a2a3", b"bestmove a2a3", b"info string hello", b"info score cp 5", b"\xff", b"x" * 10**6]
)
def test_line_of_a_bot_that_is_not_to_move_is_a_fault(line):
    bot = new_bot()
    with pytest.raises(EngineFault) as caught:
        bot.on_line(line, 1)
    assert caught.value.kind == "protocol" and str(caught.value).endswith(" when it was not to move")
    assert len(str(caught.value)) < 80
    bot.on_line(b"", 1)


def test_a_bot_hears_no_word_of_uci():
    bot = new_bot()
    bot.send("stop", "ponderhit")
    bot.sync()
    bot.stop()
    assert bot.sent == [] and not bot.can_ponder
