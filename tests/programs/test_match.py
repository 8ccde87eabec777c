"""The referee at work: games, clocks, tournaments, adjudication and the log."""

import json
import re
import time
from itertools import permutations
from types import SimpleNamespace

import pytest
from matches import FAIRY, ROOT, fake, own_nodes, play, play_words, run_words, words

from pawnstorm.games.notation import fen, parse_fen, parse_move
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.client.process import EngineError, pump
from pawnstorm_tools.referee import commandline, match_run, output, schedule, stats
from pawnstorm_tools.referee.clock import UNTIMED_LIMIT, Clock, TimeControl, go_words, parse_seconds, parse_tc
from pawnstorm_tools.referee.local_match import LocalMatch


# Games.
def test_both_colours_from_each_opening_and_results_by_the_rules_alone(tmp_path):
    positions = ["ppp/1P1/P1P b - - 0 1", "ppp/P2/1PP b - - 0 1"]
    (tmp_path / "o.epd").write_text("\n".join(positions))
    records = play(fake("good"), fake("good"), "-rounds", 3, "-openings", f"file={tmp_path / 'o.epd'}")
    assert [record["first"] for record in records] == ["white", "black"] * 3
    expected = [fen(parse_fen(get_rules("hexapawn"), text)) for text in positions for _ in range(2)]
    assert [record["opening"] for record in records] == expected + expected[:2]
    for record in records:
        board = parse_fen(get_rules("hexapawn"), record["opening"])
        for text, *_ in record["moves"]:
            board = board.push(parse_move(board, text))
        assert board.is_game_over() and record["result"] == ("1-0" if board.black_to_move else "0-1")


def test_options_in_order_variant_last_and_a_new_game_each(tmp_path):
    log = tmp_path / "log"
    play(
        fake("good", log), fake("good"), limit="tc=1+0.5 option.Ponder=false option.UCI_Variant=hexapawn option.Hash=7"
    )
    lines = log.read_text().splitlines()
    assert [line for line in lines if line.startswith("setoption")] == [
        "setoption name Ponder value false",
        "setoption name Hash value 7",
        "setoption name UCI_Variant value hexapawn",
    ]
    assert lines.count("ucinewgame") == 2 and lines[-1] == "quit"
    first = lines.index("ucinewgame")
    assert lines[first : first + 4] == [
        "ucinewgame",
        "isready",
        "position startpos",
        "go wtime 1000 btime 1000 winc 500 binc 500",
    ]
    assert any(line.startswith("position startpos moves ") for line in lines)


def test_ponderhit_and_stop(tmp_path):
    def heard(mode):
        log = tmp_path / mode
        (record,) = play(fake(mode, log), fake("good"), "-ponder", "-games", 1, variant="twoflags")
        assert record["reason"] == "normal"
        return log.read_text().splitlines()

    hits, misses = heard("ponder"), heard("miss")
    assert "setoption name Ponder value true" in hits
    assert "ponderhit" in hits and "stop" not in hits[:-2]
    assert "stop" in misses
    at = hits.index("ponderhit")
    assert hits[at - 1].startswith("go ponder wtime ") and hits[at - 2].startswith("position startpos moves ")
    at = misses.index("stop")
    assert misses[at - 1].startswith("go ponder ") and misses[at + 2].startswith("go wtime")
    # The position that is pondered on ends with the expected move, the one played after a miss with another.
    assert misses[at - 2].split()[-1] != misses[at + 1].split()[-1]


@pytest.mark.parametrize("mode, option", [("ponder", "option.Ponder=false"), ("shy", "")])
def test_no_pondering_where_it_is_not_offered_or_not_allowed(mode, option, tmp_path):
    log = tmp_path / "log"
    records = play(
        fake(mode, log), fake("ponder", tmp_path / "other"), "-ponder", limit=f"tc=10 {option}", variant="twoflags"
    )
    assert {record["reason"] for record in records} == {"normal"}
    assert "go ponder" not in log.read_text() and ("go ponder" in (tmp_path / "other").read_text()) is not bool(option)


def test_answer_to_an_unfinished_ponder_search_is_a_fault():
    records = play(fake("early"), fake("late"), "-ponder", variant="twoflags")
    assert {(record["reason"], stats.points(record)) for record in records} == {("protocol", 0)}


# Clocks.
def test_time_controls():
    second = 10**9
    assert parse_tc("1+0.01") == (second, second // 100, 0)
    assert parse_tc("40/1:30+2") == (90 * second, 2 * second, 40) and parse_tc(".5+0.") == (second // 2, 0, 0)
    for wrong in ("", "0", "0/5", "-1", "nan", "1:2:3", "1:-30", "1_0", "5+", "1e1", "1\n", "0+1", "9" * 400, "2/3/4"):
        with pytest.raises(ValueError, match="^expected "):
            parse_tc(wrong)
    for wrong in ("", "-1", "1+1", "1_0", "inf", "1:", ":1", "9:" + "9" * 400):
        with pytest.raises(ValueError, match="^expected "):
            parse_seconds(wrong)
    clock = Clock(TimeControl(base=second, increment=second // 10, moves=2))
    other = Clock(TimeControl(base=3 * second))
    assert go_words(clock, other, clock) == "wtime 1000 btime 3000 winc 100 binc 0 movestogo 2"
    clock.spend(second // 2)
    assert (clock.left, clock.moves_to_go) == (6 * second // 10, 1)
    clock.spend(second // 2)
    assert (clock.left, clock.moves_to_go) == (12 * second // 10, 2)
    timed = Clock(TimeControl(move_time=second // 4, depth=9, margin=5))
    assert go_words(timed, other, timed) == "movetime 250 depth 9" and timed.allowed() == second // 4 + 5
    assert Clock(TimeControl(nodes=50, margin=5)).allowed() == UNTIMED_LIMIT + 5
    assert go_words(timed, other, other) == "btime 3000 binc 0"
    assert go_words(Clock(TimeControl(nodes=50)), timed, Clock(TimeControl(nodes=50))) == "nodes 50"


def test_margin_forgives_and_each_engine_has_its_own_control():
    late = ["-engine", f"cmd={fake('late')}", "st=0.2", "timemargin=2000"]
    (record,) = play_words([*late, "-engine", f"cmd={fake('good')}", "tc=5", "-variant", "hexapawn", "-games", "1"])
    assert record["reason"] == "normal" and record["limits"] == {"white": "st=0.2", "black": "5+0"}
    assert record["moves"][0][1] > 390 and record["moves"][0][2] is None and record["moves"][1][2] < 5000


def test_a_clock_may_hold_more_than_poll_can_wait_for(monkeypatch):
    records = play(fake("good"), fake("good"), limit="tc=3000000 timemargin=2147483648")
    assert {record["reason"] for record in records} == {"normal"}
    monkeypatch.setattr("pawnstorm_protocol.client.pump.LONGEST_WAIT", 10**7)
    start = time.monotonic()
    assert not pump((), lambda: False, time.monotonic_ns() + 10**8) and time.monotonic() - start >= 0.1


# Tournaments.
def test_everybody_meets_everybody_or_the_first_meets_all():
    assert schedule.meetings("roundrobin", 3) == [(0, 1), (0, 2), (1, 2)]
    assert schedule.meetings("gauntlet", 3) == [(0, 1), (0, 2)]
    assert schedule.meetings("roundrobin", 2) == schedule.meetings("gauntlet", 2) == [(0, 1)]
    gauntlet = schedule.of_match(commandline.parse(words("a", "b", "c", "-tournament", "gauntlet")), ["opening"])
    assert [(game.white, game.black) for game in gauntlet] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_rounds_come_one_after_the_other_and_more_rounds_change_no_game():
    games = schedule.pairings(2, 2, ["a", "b"], [(0, 1), (0, 2)])
    assert [(g.game, g.round, g.white, g.black, g.opening) for g in games] == [
        (1, "1.1", 0, 1, "a"),
        (2, "1.2", 1, 0, "a"),
        (3, "1.3", 0, 2, "a"),
        (4, "1.4", 2, 0, "a"),
        (5, "2.1", 0, 1, "b"),
        (6, "2.2", 1, 0, "b"),
        (7, "2.3", 0, 2, "b"),
        (8, "2.4", 2, 0, "b"),
    ]
    assert schedule.pairings(2, 5, ["a", "b"], [(0, 1), (0, 2)])[:8] == games
    assert [(g.white, g.black) for g in schedule.pairings(1, 2, ["a"], [(0, 1), (0, 2)])] == [
        (0, 1),
        (0, 2),
        (1, 0),
        (2, 0),
    ]
    assert {(g.white, g.black) for g in schedule.pairings(1, 4, ["a"], swap=False)} == {(0, 1)}


def test_games_of_later_rounds_than_asked_for_do_not_count_as_played():
    games = schedule.pairings(2, 2, ["a", "b"])
    results = SimpleNamespace(games=dict.fromkeys((1, 2, 4, 5, 6, 7, 8)))
    assert match_run.unplayed(games, results) == games[2:3]


def test_tournament_of_four_with_its_tables(tmp_path):
    names = ["good", "ponder", "illegal", "crash"]
    line = [word for name in names for word in ("-engine", f"cmd={fake(name)}", f"name={name}")]
    line += ["-each", "tc=10", "-variant", "breakthrough5", "-concurrency", "2", "-resume", str(tmp_path / "r")]
    status, output, error = run_words(line)
    assert status == 0 and "4 engines: 12 games" in output, error
    records = [json.loads(text) for text in (tmp_path / "r").read_text().splitlines()[1:]]
    assert {(record["white"], record["black"]) for record in records} == set(permutations(names, 2))
    assert all(
        (record["first"] == "white") == (names.index(record["white"]) < names.index(record["black"]))
        for record in records
    )
    assert re.search(r"^ 4  (illegal|crash) +-\d+ ", output, re.M), output
    assert re.search(r"^ [12]  good +\+\d+ ", output, re.M), output
    again = run_words(line)
    assert again[0] == 0 and again[1] == output[output.index("4 engines") :], "a finished tournament plays nothing more"


def test_engines_out_of_play_are_not_running():
    asked = commandline.parse(words(fake("good"), fake("good"), fake("good")))
    match = LocalMatch(asked)
    try:
        match.check_engines()
        assert match.names == ["Fake good", "Fake good (2)", "Fake good (3)"]
        running = match.run(schedule.pairings(2, 1, [asked.rules.start_fen], schedule.meetings("roundrobin", 3)))
        for record in running:
            assert sum(player.engine.alive() for player in match.first_players) <= 2
    finally:
        match.close()


# Adjudication and the log.
def test_resignation_only_where_asked_and_after_moves_in_a_row():
    assert {record["reason"] for record in play(fake("gloomy"), fake("good"), variant="twoflags")} == {"normal"}
    records = play(fake("gloomy"), fake("good"), "-resign", "movecount=4", "score=900", variant="twoflags")
    assert [(record["reason"], record["result"]) for record in records] == [
        ("adjudication", "0-1"),
        ("adjudication", "1-0"),
    ]
    assert [sum(1 for move in record["moves"] if move[3] != 12) for record in records] == [4, 4]
    assert records[0]["detail"] == "White resigns: 4 moves at -900 centipawns or worse"
    assert "Faults  0" in output.summary(records, ["Fake gloomy", "Fake good"], pairs=True)
    # Only mates count against a higher bound, and they never come in a row.
    records = play(fake("gloomy"), fake("good"), "-resign", "movecount=2", "score=901", variant="twoflags")
    assert {record["reason"] for record in records} == {"normal"}


def test_debug_log_has_every_line_with_its_time(tmp_path):
    log, debug = tmp_path / "log", tmp_path / "debug"
    records = play(fake("good", log), fake("garbage"), "-debug", debug, "-games", 1)
    lines = debug.read_text().splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} [12]\.1 [<>!#] ", line) for line in lines)
    sent = [line.split(" > ", 1)[1] for line in lines if " 1.1 > " in line]
    assert sent == log.read_text().splitlines()
    said = [line.split(" < ", 1)[1] for line in lines if " 1.1 < " in line]
    assert said.count("uciok") == 1 and [text.split()[1] for text in said if text.startswith("bestmove")] == [
        move[0] for move in records[0]["moves"][::2]
    ]
    assert any("bytes without a newline" in line for line in lines) and max(map(len, lines)) < 10_000


# Determinism.
@pytest.mark.compiled
def test_games_at_fixed_nodes_are_the_same_alone_and_beside_others():
    def moves(*more):
        return [[move[0] for move in record["moves"]] for record in play_words(own_nodes(3, *more))]

    alone = moves()
    assert len(alone) == 6 and moves("-concurrency", "2") == alone


# With the real opponent.
@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
@pytest.mark.parametrize("variant", ["twoflags", "pawnsonly", "breakthrough6"])
def test_fairy_stockfish_plays_from_our_variants_file(variant):
    records = play(
        FAIRY,
        FAIRY,
        "-ponder",
        variant=variant,
        limit=f"tc=0.5+0.01 timemargin=500 option.VariantPath={ROOT / 'scripts' / 'variants.ini'}",
    )
    assert len(records) == 2 and {record["reason"] for record in records} == {"normal"}


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_fairy_stockfish_without_the_file_is_refused():
    with pytest.raises(EngineError, match="VariantPath"):
        play(FAIRY, FAIRY, variant="twoflags")
