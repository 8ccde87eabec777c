"""scripts/positions.py: values against naive play, one and the same file however it is interrupted, engines that err on request,
and matches from won positions counted again by naive play.
"""

import contextlib
import io
import json
import signal
import subprocess
import sys
import time

import pytest

import naive
import proofs
from matches import FAIRY, ROOT, fake, run   # makes scripts/ importable
from proving import asking, measure, positions
from referee import pgn
from referee.journal import Journal, JournalError

import positions as program   # scripts/positions.py

from engine import native
from engine.notation import parse_fen
from engine.rules import game

GAME = "twoflags4x6"
WORDS = ("--variant", GAME, "--plies", "1", "3", "--plies", "4", "6", "--count", "8", "--hash", "16")
pytestmark = pytest.mark.compiled


def make(path, *words):
    assert program.main(["make", str(path), *WORDS, *words]) == 0
    return records(path)


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def facts(found):
    """Records without what differs from run to run."""
    return [{name: value for name, value in record.items() if name not in ("nodes", "seconds", "within")} for record in found]


def by_fen(found):
    return sorted(facts(found), key=lambda record: record["fen"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "set.jsonl"
    make(path)
    return path


def test_values_and_moves_equal_naive_play(made):
    for record in records(made):
        position = naive.parse_fen(naive.GAMES[GAME], record["fen"])
        winning = [move for move in naive.moves(position) if not proofs.wins(naive.play(position, move))]
        assert sorted(record["winning"]) == sorted(winning)
        assert sorted(record["winning"] + record["losing"]) == sorted(naive.moves(position))
        assert record["value"] == (1 if winning else -1)
        assert record["within"] % 2 == (record["value"] > 0) and record["within"] >= 1


def test_every_part_is_full_and_every_won_position_has_a_choice(made):
    found = records(made)
    taken = [record for record in found if "rejected" not in record]
    assert [sum(record["part"] == name for record in taken) for name in ("1-3", "4-6")] == [8, 8]
    assert {record["value"] for record in taken} == {1, -1}
    for record in found:
        assert ("rejected" in record) == (record["losing"] == [])
        least, most = map(int, record["part"].split("-"))
        assert least <= record["ply"] <= most
        assert record["fen"].split()[1] == "wb"[record["ply"] % 2]


def test_no_race_no_end_no_duplicate_and_no_mirror_image(made):
    seen = set()
    for record in records(made):
        board = parse_fen(game(GAME), record["fen"])
        assert not board.over() and native.race(board.rules, board.own, board.opp, board.ep) == 0
        seen.add(proofs.either(naive.parse_fen(naive.GAMES[GAME], record["fen"])))
    assert len(seen) == len(records(made))


def test_no_position_comes_in_two_parts(tmp_path):
    words = ["--variant", GAME, "--plies", "2", "4", "--plies", "4", "6", "--count", "20", "--hash", "16"]
    path = tmp_path / "set.jsonl"
    assert program.main(["make", str(path), *words]) == 0
    found = [proofs.either(naive.parse_fen(naive.GAMES[GAME], record["fen"])) for record in records(path)]
    assert len(set(found)) == len(found) >= 40


def test_same_seed_makes_the_same_set_with_any_number_of_threads_and_another_seed_another(made, tmp_path):
    assert facts(make(tmp_path / "again.jsonl", "--threads", "2")) == facts(records(made))
    assert facts(make(tmp_path / "other.jsonl", "--seed", "2")) != facts(records(made))


@pytest.mark.parametrize("lines, left", [(1, 0), (4, 17), (9, -2), (12, 0)])
def test_file_that_was_cut_off_is_completed_to_the_same_set(made, tmp_path, lines, left):
    path, whole = tmp_path / "set.jsonl", made.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:lines]) + whole[lines][:left])
    make(path)
    assert facts(records(path)) == facts(records(made)) and path.read_text().startswith("".join(whole[:lines]))


def test_run_that_is_interrupted_says_so_and_goes_on(tmp_path):
    path = tmp_path / "set.jsonl"
    line = [sys.executable, str(ROOT / "scripts" / "positions.py"), "make", str(path), "--variant", "twoflags7x7", "--plies", "2", "3",
            "--count", "3", "--hash", "64"]
    run = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text().count("\n") >= 2):
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    printed, complaints = run.communicate(timeout=30)
    assert run.returncode == 130 and "goes on" in complaints and "plies 2-3:" in printed
    before = path.read_text()
    assert before.endswith("}\n") and 1 <= len(records(path)) < 3
    done = subprocess.run(line, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "3 positions" in done.stdout, done.stderr
    assert path.read_text().startswith(before)


def test_position_that_was_skipped_keeps_its_place_until_it_is_settled(made, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    capped = make(path, "--cap", "20")
    skipped = [record["fen"] for record in capped if "skipped" in record]
    assert 0 < len(skipped) < len(capped)
    assert sum("rejected" not in record for record in capped) == 16
    assert f"{sum('skipped' in record for record in capped if record['part'] == '1-3')} skipped" in capsys.readouterr().out
    assert make(path, "--cap", "20") == capped
    make(path)
    assert by_fen(positions.read(path)[2]) == by_fen(records(made))


def test_file_of_other_words_is_refused_and_stays(made, capsys):
    before = made.read_bytes()
    for words, named in (["--seed", "5"], "seed"), (["--plies", "2", "3"], "parts"), (["--variant", "hexapawn"], "variant"):
        assert program.main(["make", str(made), *WORDS, *words]) == 2
        assert f"'{named}' was" in capsys.readouterr().err
    assert made.read_bytes() == before


def test_too_few_positions_are_reported(tmp_path, capsys):
    assert program.main(["make", str(tmp_path / "f"), "--variant", "hexapawn", "--plies", "1", "1", "--hash", "1"]) == 2
    assert "of 250 asked for" in capsys.readouterr().err


@pytest.mark.parametrize("words, named", [
    (["make", "f", "--count", "0"], "--count: 0"), (["make", "f", "--plies", "8", "4"], "8 4: expected LEAST"),
    (["measure", "f", "--option", "x"], "'x'"), (["value", "e", "f", "--count", "0"], "--count: 0"), (["conversion", "f"], "pgn")])
def test_wrong_words_are_named(words, named, capsys):
    with pytest.raises(SystemExit) as error:
        program.main(words)
    assert error.value.code == 2 and named in capsys.readouterr().err


def test_evenly_chosen_items_span_a_list():
    for size, count in ((500, 50), (7, 3), (3, 50), (50, 50)):
        found = positions.evenly(list(range(size)), count)
        assert len(found) == min(size, count) and found == sorted(set(found))
        assert max(b - a for a, b in zip([0, *found], [*found, size - 1])) <= size // len(found) + 1


# The values of given positions.

def value(path, file, *words):
    return program.main(["value", str(path), str(file), "--variant", GAME, "--hash", "16", *words])


@pytest.fixture(scope="module")
def book(made, tmp_path_factory):
    """The positions of the made file as EPD, by naive play: side to move and all."""
    path = tmp_path_factory.mktemp("book") / "book.epd"
    path.write_text("".join(" ".join(record["fen"].split()[:4]) + "\n" for record in records(made) if "rejected" not in record))
    return path


@pytest.fixture(scope="module")
def valued(book, tmp_path_factory):
    path = tmp_path_factory.mktemp("valued") / "values.jsonl"
    assert value(book, path) == 0
    return path


def test_values_of_given_positions_equal_naive_play(book, valued):
    found = records(valued)
    assert [record["fen"] for record in found] == [line + " 0 1" for line in book.read_text().splitlines()]
    for record in found:
        assert record["value"] == (1 if proofs.wins(naive.parse_fen(naive.GAMES[GAME], record["fen"])) else -1)
        assert record["within"] % 2 == (record["value"] > 0)
    assert {record["value"] for record in found} == {1, -1}


def test_positions_are_printed_as_epd(made, book, valued, capsys):
    for path in made, valued:
        assert program.main(["epd", str(path)]) == 0
        assert capsys.readouterr().out == book.read_text()


def test_values_are_found_of_the_first_positions_and_later_of_more(book, valued, tmp_path, capsys):
    path = tmp_path / "values.jsonl"
    assert value(book, path, "--count", "5") == 0 and facts(records(path)) == facts(records(valued))[:5]
    assert capsys.readouterr().out.startswith("book.epd: 5 positions, ")
    before = path.read_text()
    assert value(book, path) == 0 and facts(records(path)) == facts(records(valued)) and path.read_text().startswith(before)


def test_values_are_kept_when_the_run_is_interrupted(book, valued, tmp_path, monkeypatch, capsys):
    path, asked, prove = tmp_path / "values.jsonl", [], positions.watched.prove

    def interrupted(prover, board, look, nodes):
        asked.append(board)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return prove(prover, board, look, nodes)

    monkeypatch.setattr(positions.watched, "prove", interrupted)
    assert value(book, path) == 130
    printed, done = capsys.readouterr(), len(records(path))
    assert 3 <= done < 16 and printed.out.startswith(f"book.epd: {done} positions") and "the same command goes on" in printed.err
    assert value(book, path) == 0 and facts(records(path)) == facts(records(valued))
    assert len(set(asked)) == len(asked) - 1   # only the one under way was asked for twice


def test_given_position_that_was_skipped_is_judged_again_by_who_may_spend_more(book, valued, tmp_path, capsys):
    path = tmp_path / "values.jsonl"
    assert value(book, path, "--cap", "1") == 0
    skipped = [record for record in records(path) if "skipped" in record]
    assert 0 < len(skipped) < 16 and all(record["skipped"] == 1 and "value" not in record for record in skipped)
    printed = capsys.readouterr().out
    assert printed.startswith(f"book.epd: {16 - len(skipped)} positions, ") and f"; {len(skipped)} skipped" in printed
    assert program.main(["epd", str(path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 16 - len(skipped)
    before = path.read_text()
    assert value(book, path, "--cap", "1") == 0 and path.read_text() == before
    assert value(book, path) == 0
    assert by_fen(positions.read(path)[2]) == by_fen(records(valued))


def test_unfit_files_of_given_positions_are_refused(made, book, valued, tmp_path, capsys):
    wrong = tmp_path / "wrong.epd"
    wrong.write_text("4/pppp/4/4/PPPP/4 w - -\n4/pppp/4/4/PPPQ/4 w - -\n")
    assert value(wrong, tmp_path / "new") == 2
    assert "wrong.epd, line 2: bad letter 'Q'" in capsys.readouterr().err and not (tmp_path / "new").exists()
    before = made.read_bytes(), book.read_bytes()
    for file, named in (made, "'parts' was"), (book, "is not the results file of a selection"):
        assert value(book, file) == 2
        assert named in capsys.readouterr().err
    assert (made.read_bytes(), book.read_bytes()) == before
    assert program.main(["measure", str(valued), "--engine", fake("good")]) == 2
    assert "does not tell which moves win" in capsys.readouterr().err


# Matches from won positions.

def match(tmp_path, first, second, book, rounds=16):
    """The PGN of a match."""
    path = tmp_path / "games.pgn"
    status, _, error = run(fake(first), fake(second), "-openings", f"file={book}", "-rounds", rounds, "-pgnout", path, variant=GAME)
    assert status == 0, error
    return path


def converted(file, path, capsys):
    """(status, stdout, stderr) of `conversion`."""
    capsys.readouterr()
    return program.main(["conversion", str(file), str(path)]), *capsys.readouterr()


def winners(file):
    """(who wins with best play, who wins where each plays the first move) of each position, as colours."""
    for record in records(file):
        position = naive.parse_fen(naive.GAMES[GAME], record["fen"])
        best = position.side if proofs.wins(position) else naive.OTHER[position.side]
        while moves := naive.moves(position):
            position = naive.play(position, moves[0])
        yield proofs.SIDES[best], proofs.SIDES[naive.OTHER[position.side]]


def counted(pairs):
    return f"{sum(best == real for best, real in pairs)} of {len(pairs)} "


def test_conversion_equals_a_count_by_naive_play(made, book, valued, tmp_path, capsys):
    """Both play the first legal move, so that each meets each opening's won side once and does the same with it."""
    path, pairs = match(tmp_path, "good", "good", book), list(winners(valued))
    failed = sum(best != real for best, real in pairs)
    assert 0 < failed < 16 and len(pairs) == 16
    status, printed, _ = converted(valued, path, capsys)
    assert status == 0 and printed.count("not converted") == 2 * failed and "not on the board" not in printed
    _, *lines = printed[printed.index("won sides"):].splitlines()
    assert printed.count("32 games from 16 openings, 0 games left out") == 1 and len(lines) == 6
    for name, (whole, *colours) in zip(("Fake good ", "Fake good (2) "), (lines[:3], lines[3:])):
        assert whole.strip().startswith(name) and counted(pairs) in whole and "95 %" in whole
        for colour, line in zip(("White", "Black"), colours):
            part = [pair for pair in pairs if pair[0] == colour]
            assert part and line.strip().startswith(f"as {colour} ") and counted(part) in line
    again = converted(made, path, capsys)[1]   # whose positions have other counters
    assert again.partition("won sides")[1:] == printed.partition("won sides")[1:]


def test_wins_by_the_others_fault_are_counted_and_told(book, valued, tmp_path, capsys):
    status, printed, _ = converted(valued, match(tmp_path, "good", "illegal", book, rounds=4), capsys)
    first = list(winners(valued))[:4]
    assert status == 0 and "4 of 4 " in printed and "0 of 4 " in printed
    assert "not on the board: 8 won by Fake good (rules infraction)" in printed
    lost = [line for line in printed.splitlines() if line.startswith("not converted")]
    assert len(lost) == 4 and all(line.endswith("(rules infraction)") and "Fake illegal as " in line for line in lost)
    assert sorted(line.split(" as ")[1][:5] for line in lost) == sorted(best for best, _ in first)


def test_games_that_tell_nothing_are_left_out_and_named(book, valued, tmp_path, capsys):
    path, fewer = match(tmp_path, "good", "good", book, rounds=4), tmp_path / "fewer.jsonl"
    text, ends = path.read_text(), [game.end for game in pgn.read(path)]
    games = [text[start:end] for start, end in zip([0, *ends], ends)]
    assert len(games) == 8
    games[0] = games[0][:-3] + "*"
    games[1] = games[1][:-3] + "1/2-1/2"
    games[2] = games[2].replace(f'[Variant "{GAME}"]', '[Variant "breakthrough"]')
    games[3] = games[3].replace('[FEN "', '[FEN "x')
    games[6] = games[6].replace(f'[Variant "{GAME}"]\n', "")
    path.write_text("".join(games) + '\n\n[Event "cut off"]\n\n1. a2a3')
    lines = valued.read_text().splitlines(keepends=True)
    fewer.write_text("".join(lines[:3] + lines[4:]))   # without the third
    status, printed, _ = converted(fewer, path, capsys)
    assert status == 0 and "2 games from 1 openings, 6 games left out" in printed
    unknown = f"no value is known of {json.loads(lines[3])['fen']}"
    reasons = ("it has no winner: *", "it has no winner: 1/2-1/2", '[Variant "breakthrough"] is another game', "'x", unknown, unknown)
    left_out = [line for line in printed.splitlines() if line.startswith("left out")]
    assert len(left_out) == 6
    for number, (line, reason) in enumerate(zip(left_out, reasons), 1):
        assert f"game {number}: " in line and reason in line


def test_match_from_other_positions_is_an_error(book, valued, tmp_path, capsys):
    other, empty = tmp_path / "other.epd", tmp_path / "empty.pgn"
    other.write_text("4/4/4/p3/P2P/4 w - -\n")
    empty.write_text("")
    for path, games in (match(tmp_path, "good", "good", other, rounds=1), 2), (empty, 0):
        status, printed, error = converted(valued, path, capsys)
        assert status == 2 and "won sides" not in printed
        assert f"none of the {games} games in {path} was played to its end from a position whose value {valued} tells" in error
    assert converted(valued, tmp_path / "none", capsys)[0] == 2
    assert converted(empty, empty, capsys)[0] == 2

@pytest.mark.parametrize("line, told", [
    (b"info depth 9 score mate 5 nodes 1 pv a2a3", 1), (b"info score mate -5 depth 9", -1),
    (b"info depth 9 score cp 20000 pv a2a3", 0), (b"info depth 9 score cp -3", 0), (b"", 0),
    (b"info depth 9 score mate 5 lowerbound nodes 3", 1), (b"info depth 9 score mate 5 upperbound nodes 3", 0),
    (b"info depth 9 score mate -5 upperbound nodes 3", -1), (b"info depth 9 score mate -5 lowerbound nodes 3", 0)])
def test_proof_is_told_by_a_mate_score(line, told):
    assert measure.claim(line) == told


def measured(path, mode, capsys, *words):
    """(status, stdout) of a measurement of a fake engine."""
    status = program.main(["measure", str(path), "--engine", fake(mode), "--movetime", "1", *words])
    return status, capsys.readouterr().out


def settled(path):
    return positions.of_value(game(GAME), records(path))


def first_move(position):
    return naive.moves(naive.parse_fen(naive.GAMES[GAME], position.fen))[0]


def test_wins_that_an_engine_keeps_are_counted(made, capsys, tmp_path):
    """The fake plays the first legal move and proves nothing."""
    status, printed = measured(made, "good", capsys, "--results", str(tmp_path / "r"))
    won = [position for position in settled(made) if position.value > 0]
    kept = [position for position in won if first_move(position) in position.winning]
    assert status == 0 and 0 < len(kept) < len(won)
    assert f"win kept    {len(kept)} of {len(won)} " in printed.partition("plies all")[2]
    assert "proven      0 of 16 " in printed and "0 proofs of the contrary, 0 faults" in printed
    assert printed.count("not kept ") == len(won) - len(kept)
    answers = {record["fen"]: record for record in records(tmp_path / "r")}
    assert len(answers) == 16 and all(answers[position.fen]["move"] == first_move(position) for position in settled(made))


def test_proofs_are_counted_by_whether_they_are_right(made, capsys):
    """This fake says of every third position that it loses."""
    _, printed = measured(made, "gloomy", capsys)
    values = [position.value for position in settled(made)]
    told = values[2::3]
    assert f"proven      {told.count(-1)} of 16 " in printed.partition("plies all")[2]
    assert f"{told.count(1)} proofs of the contrary, 0 faults" in printed.partition("plies all")[2]


@pytest.mark.parametrize("mode, fault, count", [
    ("illegal", "illegal move 'a1a1'", 8), ("none", "'(none)' is not a move", 8), ("empty", "'' is not a move", 8),
    ("crash", "crash: exited with status 3: something broke", 4)])
def test_faults_are_named_and_the_measurement_goes_on(made, capsys, mode, fault, count):
    """The one that crashes does so at every second position."""
    status, printed = measured(made, mode, capsys, "--part", "4-6")
    assert status == 0 and printed.count(fault) == count and "plies 4-6: 8 positions" in printed
    assert f"0 proofs of the contrary, {count} faults" in printed


def test_engine_that_hangs_is_started_again(made, capsys, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 10**8)
    _, printed = measured(made, "hang", capsys, "--part", "1-3")
    assert printed.count("hang: no bestmove") == 8


def test_measurement_goes_on_where_it_ended(made, capsys, tmp_path):
    log, path = tmp_path / "log", tmp_path / "r"
    words = ["--engine", fake("good", log), "--movetime", "1", "--results", str(path)]
    assert program.main(["measure", str(made), *words]) == 0
    whole, printed = path.read_text().splitlines(keepends=True), capsys.readouterr().out
    path.write_text("".join(whole[:11]) + whole[11][:9])
    log.unlink()
    assert program.main(["measure", str(made), *words]) == 0
    assert log.read_text().count("go movetime 1\n") == 6 == log.read_text().count("ucinewgame\n")
    again = capsys.readouterr().out
    assert [line for line in again.splitlines() if "time" not in line] == [line for line in printed.splitlines() if "time" not in line]
    assert program.main(["measure", str(made), *words, "--hash", "32"]) == 2
    assert "'options' was" in capsys.readouterr().err


@pytest.mark.parametrize("words, named", [
    (["--part", "5-9"], "expected one of 1-3, 4-6"), (["--option", "Contempt=3"], "has no option Contempt"),
    (["--engine", "/no/such"], "/no/such")])
def test_unfit_measurement_is_refused(made, capsys, words, named):
    assert program.main(["measure", str(made), "--engine", fake("good"), *words]) == 2
    assert named in capsys.readouterr().err


GOOD = {"fen": "ppp/2P/PP1 b - - 0 1", "part": "0-2", "ply": 1, "value": 1, "within": 3, "winning": ["b3c2"], "losing": ["a3a2"],
        "nodes": 4, "seconds": 0.02}


@pytest.mark.parametrize("changed, named", [
    ({"fen": "9/9 w - - 0 4"}, "9/9"), ({"fen": "ppp/2P/PP1 x - - 0 1"}, "'x'"), ({"value": 2}, "'value' of 1 or -1"),
    ({"value": None}, "'value' of 1 or -1"), ({"value": [1]}, "'value' of 1 or -1"), ({"part": 3}, "'part'"),
    ({"winning": "b3c2"}, "'winning'")])
def test_bad_record_is_named(tmp_path, changed, named):
    path = tmp_path / "bad.jsonl"
    records = [GOOD | {"fen": "ppp/3/PPP w - - 0 1"}, GOOD | changed]
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"selection": "0", "settings": {"variant": "hexapawn"}}, *records]))
    with pytest.raises(JournalError) as error:
        positions.read(path)
    assert named in str(error.value) and records[1]["fen"] in str(error.value)


def test_file_of_no_game_is_refused(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"selection": "0", "settings": {"variants": 1}}\n')
    with pytest.raises(JournalError, match="'variant'"):
        positions.read(path)


def test_other_files_are_refused(tmp_path, capsys):
    path = tmp_path / "f"
    for text in ("", "hello\n", '{"match": "0123456789ab", "settings": {}}\n'):
        path.write_text(text)
        assert program.main(["measure", str(path)]) == 2
        assert "is not the results file of a selection" in capsys.readouterr().err and path.read_text() == text
    assert program.main(["measure", str(tmp_path / "none")]) == 2


@pytest.mark.skipif(not FAIRY, reason="fairy-stockfish is not installed")
def test_fairy_stockfish_plays_the_game_of_the_file(tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    assert program.main(["make", str(path), "--variant", "twoflags5x5", "--plies", "1", "5", "--count", "6", "--hash", "16"]) == 0
    capsys.readouterr()
    assert program.main(["measure", str(path), "--engine", FAIRY, "--movetime", "100"]) == 0
    printed = capsys.readouterr().out
    assert "proven      6 of 6 " in printed and "0 proofs of the contrary, 0 faults" in printed and "not kept" not in printed


# The check.

def checked(path, *words):
    """(status, stdout) of `check`."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return program.main(["check", str(path), "--hash", "1", *words]), out.getvalue()


def test_values_are_verified_and_none_twice(made, tmp_path):
    for _ in range(2):
        assert checked(made, "--count", "3", "--results", str(tmp_path / "r")) == (0, "3 of 3 values verified, 0 left\n")
        assert [record["verified"] for record in records(tmp_path / "r")] == [True] * 3


def test_wrong_value_is_not_verified(made, tmp_path):
    head, *lines = made.read_text().splitlines()
    record, path = json.loads(lines[-1]), tmp_path / "wrong.jsonl"
    path.write_text(f"{head}\n{json.dumps(record | {'value': -record['value']})}\n")
    status, out = checked(path)
    assert status == 1 and f"NOT verified: {record['fen']}: verified, winner " in out and out.endswith("0 of 1 values verified, 0 left\n")


def test_value_of_a_given_position_is_verified(valued):
    assert checked(valued, "--count", "1") == (0, "1 of 1 values verified, 0 left\n")


def test_journal_of_another_kind_is_refused(tmp_path):
    Journal(tmp_path / "f", "check", "fen", {}).close()
    with pytest.raises(JournalError, match="of a selection"):
        Journal(tmp_path / "f", "selection", "fen", {})
