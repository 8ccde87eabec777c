"""The referee: faults are scored, matches go on and resume, clocks and pondering follow UCI, and the numbers are right."""

import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from math import log10
from pathlib import Path
from statistics import NormalDist, fmean, pvariance

import chess.pgn
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import openings as maker                                            # noqa: E402
from referee import openings, pgn, report, settings, stats          # noqa: E402
from referee.clock import Clock, Control, go_words, parse_tc        # noqa: E402
from referee.results import Results, ResultsError                   # noqa: E402
from referee.tournament import Match, pairings                      # noqa: E402
from referee.uciclient import EngineError                           # noqa: E402

from engine.notation import fen, parse_fen, parse_move                        # noqa: E402
from engine.rules import game                                       # noqa: E402

MATCH = ROOT / "scripts" / "match.py"
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")


def fake(mode, *more):
    """The command of a fake engine."""
    return shlex.join([sys.executable, str(ROOT / "tests" / "fake_engine.py"), mode, *map(str, more)])


def words(first, second, *more, limit="tc=10", variant="hexapawn"):
    """A command line for two commands."""
    return ["-engine", f"cmd={first}", "-engine", f"cmd={second}", "-each", *limit.split(), "-variant", variant, *map(str, more)]


def play(*args, **kwargs):
    """The records of a match, in the order of its games."""
    asked = settings.parse(words(*args, **kwargs))
    match = Match(asked)
    try:
        match.check_engines()
        fens = openings.read(asked.openings, asked.rules) if asked.openings else [asked.rules.start_fen]
        return sorted(match.run(pairings(asked.games, asked.rounds, fens)), key=lambda record: record["game"])
    finally:
        match.close()


def run(*args, **kwargs):
    """match.py as a process: (status, stdout, stderr)."""
    done = subprocess.run([sys.executable, str(MATCH), *words(*args, **kwargs)], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout, done.stderr


# Faults.

@pytest.mark.parametrize("mode, reason, part, limit", [
    ("hang", "hang", "nor after stop", "tc=0.2"),
    ("late", "time", "time loss, 0.", "tc=0.2"),
    ("flood", "hang", "nor after stop", "tc=0.2"),
    ("crash", "crash", "exited with status 3: something broke", "tc=10"),
    ("gone", "crash", "closed its output", "tc=10"),
    ("dies", "start", "exited with status 1", "tc=10"),
    ("illegal", "illegal", "illegal move 'a1a1'", "tc=10"),
    ("none", "illegal", "(none)", "tc=10"),
    ("empty", "illegal", "illegal move: ''", "tc=10"),
    ("nonsense", "illegal", "illegal move", "tc=10"),
    ("twice", "protocol", "without a go", "tc=10"),
    ("afterwards", "protocol", "without a go", "tc=10"),
])
def test_fault_loses_its_game_with_either_colour_and_the_match_goes_on(mode, reason, part, limit, monkeypatch):
    monkeypatch.setattr("referee.game.GRACE", 10**9 // 2)
    records = play(fake(mode), fake("late" if mode == "afterwards" else "good"), limit=limit, variant="breakthrough5")
    assert [record["result"] for record in records] == ["0-1", "1-0"]
    assert {record["reason"] for record in records} == {reason}
    assert all(part in record["detail"] for record in records), records
    assert [report.points(record) for record in records] == [0, 0]


@pytest.mark.parametrize("mode", ["garbage", "stderr", "plain"])
def test_noise_costs_nothing(mode):
    records = play(fake(mode), fake("good"), variant="twoflags")
    assert {record["reason"] for record in records} == {"normal"}
    assert len({tuple(move[0] for move in record["moves"]) for record in records}) == 1


def test_restarted_engine_plays_the_next_game(tmp_path):
    records = play(fake("once", tmp_path / "log"), fake("good"))
    assert [record["reason"] for record in records] == ["crash", "normal"] and "killed by signal 9" in records[0]["detail"]


def test_engine_killed_between_games_is_restarted_without_a_loss():
    asked = settings.parse(words(fake("good"), fake("good"), "-rounds", 2))
    match = Match(asked)
    try:
        match.check_engines()
        match.first[1].engine.process.kill()
        assert {record["reason"] for record in match.run(pairings(2, 2, [asked.rules.start_fen]))} == {"normal"}
    finally:
        match.close()


@pytest.mark.parametrize("mode, part", [
    ("silent", "is not a UCI engine: no uciok"), ("chess", "does not know the variant 'hexapawn'"), ("wrong", "plays 'chess' instead")])
def test_engine_that_cannot_play_stops_the_match(mode, part, monkeypatch):
    monkeypatch.setattr("referee.uciclient.HANDSHAKE", 10**9 // 2)
    with pytest.raises(EngineError, match=part):
        play(fake("good"), fake(mode))


def test_missing_program_is_named():
    status, _, error = run("./no-such-engine", fake("good"))
    assert status == 2 and "cannot run './no-such-engine'" in error


# Games.

def test_both_colours_from_each_opening_and_results_by_the_rules_alone(tmp_path):
    positions = ["ppp/1P1/P1P b - - 0 1", "ppp/P2/1PP b - - 0 1"]
    (tmp_path / "o.epd").write_text("\n".join(positions))
    records = play(fake("good"), fake("good"), "-rounds", 3, "-openings", f"file={tmp_path / 'o.epd'}")
    assert [record["first"] for record in records] == ["white", "black"] * 3
    expected = [fen(parse_fen(game("hexapawn"), text)) for text in positions for _ in range(2)]
    assert [record["opening"] for record in records] == expected + expected[:2]
    for record in records:
        board = parse_fen(game("hexapawn"), record["opening"])
        for text, *_ in record["moves"]:
            board = board.push(parse_move(board, text))
        assert board.over() and record["result"] == ("1-0" if board.black else "0-1")


def test_concurrent_games_are_those_of_one_at_a_time():
    def moves(*more):
        return [[move[0] for move in record["moves"]] for record in
                play(fake("good"), fake("good"), "-rounds", 4, *more, variant="breakthrough5", limit="nodes=10")]
    assert moves("-concurrency", 3) == moves()


def test_options_in_order_variant_last_and_a_new_game_each(tmp_path):
    log = tmp_path / "log"
    play(fake("good", log), fake("good"), limit="tc=1+0.5 option.Ponder=false option.UCI_Variant=hexapawn option.Hash=7 option.None=1")
    lines = log.read_text().splitlines()
    assert [line for line in lines if line.startswith("setoption")] == [
        "setoption name Ponder value false", "setoption name Hash value 7", "setoption name UCI_Variant value hexapawn"]
    assert lines.count("ucinewgame") == 2 and lines[-1] == "quit"
    first = lines.index("ucinewgame")
    assert lines[first:first + 4] == ["ucinewgame", "isready", "position startpos", "go wtime 1000 btime 1000 winc 500 binc 500"]
    assert any(line.startswith("position startpos moves ") for line in lines)


def test_ponderhit_and_stop(tmp_path):
    hit, miss = tmp_path / "hit", tmp_path / "miss"
    assert {r["reason"] for r in play(fake("ponder", hit), fake("good"), "-ponder", "-games", 1, variant="twoflags")} == {"normal"}
    assert {r["reason"] for r in play(fake("miss", miss), fake("good"), "-ponder", "-games", 1, variant="twoflags")} == {"normal"}
    hits, misses = hit.read_text().splitlines(), miss.read_text().splitlines()
    assert "setoption name Ponder value true" in hits
    assert "ponderhit" in hits and "stop" not in hits[:-2]
    assert "stop" in misses
    at = hits.index("ponderhit")
    assert hits[at - 1].startswith("go ponder wtime ") and hits[at - 2].startswith("position startpos moves ")
    at = misses.index("stop")
    assert misses[at - 1].startswith("go ponder ") and misses[at + 1].startswith("position ") and misses[at + 2].startswith("go wtime")
    # The position that is pondered on ends with the expected move, the one played after a miss with another.
    assert misses[at - 2].split()[-1] != misses[at + 1].split()[-1]


def test_answer_to_an_unfinished_ponder_search_is_a_fault():
    records = play(fake("early"), fake("late"), "-ponder", variant="twoflags")
    assert {(record["reason"], report.points(record)) for record in records} == {("protocol", 0)}


# Clocks.

def test_time_controls():
    second = 10**9
    assert parse_tc("1+0.01") == (second, second // 100, 0)
    assert parse_tc("40/1:30+2") == (90 * second, 2 * second, 40)
    for wrong in ("", "x", "1+x", "0", "0/5", "-1", "nan", "1:2:3"):
        with pytest.raises(ValueError):
            parse_tc(wrong)
    clock = Clock(Control(base=second, increment=second // 10, moves=2))
    other = Clock(Control(base=3 * second))
    assert go_words(clock, other, clock) == "wtime 1000 btime 3000 winc 100 binc 0 movestogo 2"
    clock.spend(second // 2)
    assert (clock.left, clock.moves_to_go) == (6 * second // 10, 1)
    clock.spend(second // 2)
    assert (clock.left, clock.moves_to_go) == (12 * second // 10, 2)
    timed = Clock(Control(move_time=second // 4, depth=9, margin=5))
    assert go_words(timed, other, timed) == "movetime 250 depth 9" and timed.allowed() == second // 4 + 5
    assert go_words(timed, other, other) == "btime 3000 binc 0"
    assert go_words(Clock(Control(nodes=50)), timed, Clock(Control(nodes=50))) == "nodes 50"


def test_margin_forgives_and_each_engine_has_its_own_control():
    own = ["-engine", f"cmd={fake('late')}", "st=0.2", "timemargin=2000", "-engine", f"cmd={fake('good')}", "tc=5", "-variant", "hexapawn",
           "-games", "1"]
    match = Match(settings.parse(own))
    try:
        match.check_engines()
        record, = match.run(pairings(1, 1, [game("hexapawn").start_fen]))
    finally:
        match.close()
    assert record["reason"] == "normal" and record["limits"] == {"white": "st=0.2", "black": "5+0"}
    assert record["moves"][0][1] > 390 and record["moves"][0][2] is None and record["moves"][1][2] < 5000


# The command line.

@pytest.mark.parametrize("line, part", [
    ("-engin cmd=x", "'-engin'"),
    ("-engine cmd=x -each tc=1", "two -engine, found 1"),
    ("-engine cmd=x hash=3 -engine cmd=y", "'hash=3'"),
    ("-engine name=x -engine cmd=y -each tc=1", "no cmd="),
    ("-engine cmd=x -engine cmd=y", "no limit"),
    ("-engine cmd=x -engine cmd=y -each tc=fast", "tc='fast'"),
    ("-engine cmd=x -engine cmd=y -each st=0", "st='0'"),
    ("-engine cmd=x -engine cmd=y -each nodes=1.5", "'1.5'"),
    ("-engine cmd=x -engine cmd=y -each tc=1 -variant chess", "'chess'"),
    ("-engine cmd=x -engine cmd=y -each tc=1 -games 4", "'4'"),
    ("-engine cmd=x -engine cmd=y -each tc=1 -rounds", "nothing follows"),
    ("-engine cmd=x -engine cmd=y -each tc=1 -openings order=shuffled", "'order=shuffled'"),
    ("-engine cmd=x proto=xboard -engine cmd=y -each tc=1", "'proto=xboard'"),
])
def test_wrong_words_are_named(line, part):
    with pytest.raises(settings.UsageError) as error:
        settings.parse(line.split())
    assert part in str(error.value)


def test_engine_settings_override_each():
    asked = settings.parse(shlex.split("-each tc=1+0.01 option.Hash=64 option.Threads=1 -engine cmd='a b' args='-c d' option.hash=8 "
                                       "-engine cmd=e tc=2 name=E"))
    first, second = asked.engines
    assert first.command == "a b -c d" and first.options == (("hash", "8"), ("Threads", "1")) and str(first.control) == "1+0.01"
    assert second.name == "E" and second.options == (("Hash", "64"), ("Threads", "1")) and str(second.control) == "2+0"


# On disk.

def test_killed_match_resumes_and_plays_nothing_twice(tmp_path):
    results, pgn_file = tmp_path / "r.jsonl", tmp_path / "g.pgn"
    command = [sys.executable, str(MATCH), *words(fake("good"), fake("good"), "-rounds", 30, "-concurrency", 2, "-resume", results,
                                                  "-pgnout", pgn_file, variant="breakthrough5")]
    killed = 0
    for _ in range(20):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        before = results.stat().st_size if results.exists() else 0
        while process.poll() is None and killed < 2 and (results.stat().st_size if results.exists() else 0) < before + 3000:
            time.sleep(0.005)
        if killed < 2:
            process.send_signal(signal.SIGKILL)
            killed += 1
        output = process.communicate()[0].decode()
        if process.returncode == 0:
            break
    assert "60 games" in output
    records = [json.loads(line) for line in results.read_text().splitlines()[1:]]
    assert sorted(record["game"] for record in records) == list(range(1, 61))
    rounds = [read.tags["Round"] for read in pgn.read(pgn_file)]
    assert sorted(rounds) == sorted(f"{a}.{b}" for a in range(1, 31) for b in (1, 2))


def test_resume_drops_a_torn_line_completes_the_pgn_and_refuses_another_match(tmp_path):
    path, pgn_file = tmp_path / "r.jsonl", tmp_path / "g.pgn"
    fixed = {"variant": "hexapawn", "games a round": 2}
    results = Results(fixed, str(path))
    for record in play(fake("good"), fake("good")):
        results.add(record)
    with open(path, "a") as file:
        file.write('{"game": 3, "res')
    again = Results(fixed, str(path), str(pgn_file))
    assert again.games == results.games and again.id == results.id and path.read_text().endswith("}\n")
    assert len(list(pgn.read(pgn_file))) == 2
    Results(fixed, str(path), str(pgn_file))
    assert len(list(pgn.read(pgn_file))) == 2
    with pytest.raises(ResultsError, match='its games a round is 2, this command says 1'):
        Results(fixed | {"games a round": 1}, str(path))
    path.write_text("something else\n")
    with pytest.raises(ResultsError, match="not the results file"):
        Results(fixed, str(path))


def test_interrupt_prints_the_table_and_leaves_no_engine(tmp_path):
    results = tmp_path / "r.jsonl"
    process = subprocess.Popen(
        [sys.executable, str(MATCH), *words(fake("good"), fake("good"), "-rounds", 5000, "-concurrency", 2, "-resume", results)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    deadline, engines = time.monotonic() + 20, []
    while (len(engines) < 4 or not results.exists() or results.read_text().count("\n") < 5) and time.monotonic() < deadline:
        time.sleep(0.02)
        engines = [pid for task in Path(f"/proc/{process.pid}/task").iterdir() for pid in (task / "children").read_text().split()]
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=10)[0]
    assert process.returncode == 130
    assert "Score" in output and "the same command goes on" in output
    assert len(engines) == 4 and not any(os.path.exists(f"/proc/{pid}") for pid in engines)


def test_pgn_is_read_back_and_python_chess_reads_it_too(tmp_path):
    path = tmp_path / "g.pgn"
    status, output, error = run(fake("good"), fake("crash"), "-pgnout", path, "-rounds", 1, variant="twoflags")
    assert status == 0 and "Faults  2" in output, error
    games = list(pgn.read(path))
    assert len(games) == 2
    first = games[0]
    assert first.tags["White"] == "Fake good" and first.tags["Variant"] == "twoflags" and first.tags["SetUp"] == "1"
    assert first.tags["FEN"] == game("twoflags").start_fen and first.tags["TimeControl"] == "10+0"
    assert first.tags["Termination"] == "abandoned" and first.result == first.tags["Result"] == "1-0"
    assert first.moves == ["a2a3", "a7a6", "b2b3"][:len(first.moves)] and len(first.moves) == 3
    assert first.comments[0].startswith("+0.12/3 0.0") and "n=100 [%clk 0:00:" in first.comments[0]
    assert first.ending == "Black loses: exited with status 3: something broke"
    text = path.read_text().replace('[Variant "twoflags"]\n', "")
    read = chess.pgn.read_game(io.StringIO(text))
    assert not read.errors and [move.uci() for move in read.mainline_moves()] == first.moves
    assert 9.9 < read.next().clock() <= 10


def test_pgn_escapes_and_long_texts_survive(tmp_path):
    record = {"result": "0-1", "reason": "crash", "detail": "White loses: {x}\n\"y\" \\ " + "long " * 60, "moves":
              [["a7a6", 1.0, None, "-M3", 5, None, None], ["b2b3", 61000.0, 3723004.25, 250, None, 7, 1]], "lags": []}
    path = tmp_path / "g.pgn"
    path.write_text(pgn.format_game(record, {"White": 'a "b" \\', "FEN": "8/8 b - - 3 12"}) * 2 + '[White "cut"]\n\n1. a2a3')
    first, second = pgn.read(path)
    assert first == second and first.tags["White"] == 'a "b" \\'
    assert first.moves == ["a7a6", "b2b3"]
    assert first.comments == ["-M3/5 0.001s", "+2.50 61.000s n=7 [%clk 1:02:03.004]"]
    assert first.ending.startswith('White loses: (x) "y" \\ long long')


# Openings.

def test_openings_are_read_checked_and_shuffled_by_seed(tmp_path):
    path = tmp_path / "o.epd"
    path.write_text("# a comment\n\npppp1/pp3/5/1PP2/PPPPP b - - ce 3;\npppp1/pp3/5/1PP2/PPPPP w - - 4 9\n")
    assert openings.read(path, game("breakthrough5")) == ["pppp1/pp3/5/1PP2/PPPPP b - - 0 1", "pppp1/pp3/5/1PP2/PPPPP w - - 4 9"]
    path.write_text("pppp1/pp3/5/1PP2/PPPPP w - -\npppp1/pp3/5/1PP2 w - -\n")
    with pytest.raises(openings.OpeningError, match="line 2: 4 ranks"):
        openings.read(path, game("breakthrough5"))
    many = [str(n) for n in range(20)]
    assert openings.arranged(many, "random", 1) == openings.arranged(many, "random", 1) != openings.arranged(many, "random", 2)
    assert sorted(openings.arranged(many, "random", 1)) == sorted(many) and openings.arranged(many, "sequential", 1) == many


@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_shipped_openings_are_legal_and_no_two_the_same(name):
    rules = game(name)
    fens = openings.read(ROOT / "scripts" / "openings" / f"{name}.epd", rules)
    assert len(fens) >= 250
    assert len({maker.identity(parse_fen(rules, text)) for text in fens}) == len(fens)


def test_identity_of_mirrored_positions():
    rules = game("twoflags")
    left = parse_fen(rules, "8/1ppppppp/8/pP6/8/8/P1PPPPPP/8 w - a6 0 3")
    right = parse_fen(rules, "8/ppppppp1/8/6Pp/8/8/PPPPPP1P/8 w - h6 0 3")
    without = parse_fen(rules, "8/1ppppppp/8/pP6/8/8/P1PPPPPP/8 w - - 0 3")
    assert maker.identity(left) == maker.identity(right) != maker.identity(without)


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_interrupted_openings_end_in_the_same_file(tmp_path):
    whole, parts = tmp_path / "whole.epd", tmp_path / "parts.epd"
    more = ["--nodes", "3000", "--engine", FAIRY, "--seed", "5", "--bound", "30"]
    assert maker.main(["twoflags", str(whole), "--count", "6", *more]) == 0
    for count in "2", "6":
        assert maker.main(["twoflags", str(parts), "--count", count, *more]) == 0
    assert parts.read_text() == whole.read_text() and len(whole.read_text().splitlines()) == 6


# Numbers.

def test_estimate_equals_published_formulas():
    # Expected from the definitions, with nothing of ours: the sample written out, its mean and variance, the normal distribution.
    for cells in ([10789, 19328, 33806, 19402, 10543], [39, 2226, 31451, 2412, 40], [30, 1, 50, 1, 45], [1, 2, 3, 4, 5]):
        sample = [points / 4 for points, count in enumerate(cells) for _ in range(count)]
        mean, error = fmean(sample), (pvariance(sample) / len(sample)) ** 0.5
        found, normal = stats.estimate(cells), NormalDist()
        assert found.score == pytest.approx(mean)
        assert found.elo == pytest.approx(400 * log10(mean / (1 - mean)))
        for end, p in ((found.elo_low, 0.025), (found.elo_high, 0.975)):
            score = mean + normal.inv_cdf(p) * error
            assert end == pytest.approx(400 * log10(score / (1 - score)))
        assert found.los == pytest.approx(normal.cdf((mean - 0.5) / error))


def test_estimate_of_few_and_of_equal_pairs():
    assert stats.estimate([0] * 5) is None
    even = stats.estimate([10, 0, 10, 0, 10])
    assert even.elo == pytest.approx(0) and even.los == pytest.approx(0.5)
    assert even.score_high - 0.5 == pytest.approx(1.96 * (1 / 6 / 30) ** 0.5, rel=1e-3)
    won = stats.estimate([0, 0, 0, 0, 50])
    assert won.score == pytest.approx(1, abs=1e-4) and won.elo > 1190 and won.los == pytest.approx(1)
    same = stats.estimate([0, 0, 50, 0, 0])
    assert same.elo == pytest.approx(0, abs=1e-6) and 0 < same.elo_high < 5
    assert stats.elo(0.75) == pytest.approx(190.8485) and stats.elo(0.25) == pytest.approx(-190.8485)


def test_pairs_are_counted_by_points():
    assert stats.pentanomial([(1, 1), (1, 0), (0, 1), (0, 0), (1, 1), (0.5, 0)]) == [1, 1, 2, 0, 2]


def test_summary_of_fixed_results():
    def record(number, result, first, reason="normal"):
        return {"game": number, "result": result, "reason": reason, "detail": "Black loses: so it goes", "first": first, "white": "A",
                "black": "B", "opening": game("hexapawn").start_fen, "lags": [100, 300],
                "moves": [["a1a2", 100.0, None, 5, 10, 1000, 1], ["b3b2", 300.0, None, "M2", 90, None, None]]}
    records = [record(1, "1-0", "white"), record(2, "1-0", "black"), record(3, "1-0", "white"), record(4, "0-1", "black", "time")]
    text = report.summary(records, ["A", "B"], pairs=True)
    for part in ("4 games", "Score   3 - 1   75.0 %", "Elo     +190.3", "0: 0   1/2: 0   1: 1   3/2: 0   2: 1", "Faults  1", "game 4: A: time",
                 "median 0.200 ms"):
        assert part in text, text
    assert "1,000,000" in text and "10.0" in text
    assert "no estimate: all pairs ended alike" in report.summary(records[2:] + [record(5, "1-0", "white")], ["A", "B"], pairs=True)


# With the real opponent.

@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
@pytest.mark.parametrize("variant", ["twoflags", "pawnsonly", "breakthrough6"])
def test_fairy_stockfish_plays_from_our_variants_file(variant):
    records = play(FAIRY, FAIRY, "-ponder", variant=variant, limit=f"tc=0.5+0.01 timemargin=500 option.VariantPath={ROOT / 'scripts' / 'variants.ini'}")
    assert len(records) == 2 and {record["reason"] for record in records} == {"normal"}


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_fairy_stockfish_without_the_file_is_refused():
    with pytest.raises(EngineError, match="VariantPath"):
        play(FAIRY, FAIRY, variant="twoflags")
