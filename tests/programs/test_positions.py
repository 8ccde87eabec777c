"""scripts/positions.py: values against naive play, and one and the same file however it is interrupted."""

import json
import signal
import sys

import positions as program  # scripts/positions.py
import proofs
import pytest
from matches import ROOT, fake
from processes import Process, wait_until
from value_files import GAME, WORDS, book, by_fen, facts, made, make, records, value, valued  # noqa: F401  fixtures

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive
from pawnstorm_tools.common.journal import JournalError
from pawnstorm_tools.common.random_openings import evenly
from pawnstorm_tools.measuring import known_values, valuation

pytestmark = pytest.mark.compiled


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
        board = parse_fen(get_rules(GAME), record["fen"])
        assert not board.is_game_over() and native.race(board.rules, board.own, board.opp, board.ep) == 0
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
    asked = "--variant twoflags7x7 --plies 2 3 --count 3 --hash 64".split()
    line = [sys.executable, ROOT / "scripts" / "positions.py", "make", path, *asked]
    with Process(line) as run:
        wait_until(lambda: path.exists() and path.read_text().count("\n") >= 2, "the first position")
        run.signal(signal.SIGINT)
        printed, complaints = run.finish(130)
    assert "goes on" in complaints and "plies 2-3:" in printed
    before = path.read_text()
    assert before.endswith("}\n") and 1 <= len(records(path)) < 3
    with Process(line) as run:
        assert "3 positions" in run.finish()[0]
    assert path.read_text().startswith(before)


def test_position_that_was_skipped_keeps_its_place_until_it_is_settled(made, tmp_path, capsys):
    path = tmp_path / "set.jsonl"
    capped = make(path, "--cap", "20")
    skipped = [record["fen"] for record in capped if "skipped" in record]
    assert 0 < len(skipped) < len(capped)
    assert sum("rejected" not in record for record in capped) == 16
    first = sum("skipped" in record for record in capped if record["part"] == "1-3")
    assert f"{first} skipped" in capsys.readouterr().out
    assert make(path, "--cap", "20") == capped
    make(path)
    assert by_fen(known_values.read(path)[2]) == by_fen(records(made))


def test_file_of_other_words_is_refused_and_stays(made, capsys):
    before = made.read_bytes()
    for words, named in ("--seed 5", "seed"), ("--plies 2 3", "parts"), ("--variant hexapawn", "variant"):
        assert program.main(["make", str(made), *WORDS, *words.split()]) == 2
        assert f"'{named}' was" in capsys.readouterr().err
    assert made.read_bytes() == before


def test_too_few_positions_are_reported(tmp_path, capsys):
    assert program.main(["make", str(tmp_path / "f"), "--variant", "hexapawn", "--plies", "1", "1", "--hash", "1"]) == 2
    assert "--count 250: only " in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, named",
    [
        (["make", "f", "--count", "0"], "--count: '0'"),
        (["make", "f", "--plies", "8", "4"], "8 4: expected LEAST"),
        (["measure", "f", "--option", "x"], "'x'"),
        (["value", "e", "f", "--count", "0"], "--count: '0'"),
        (["conversion", "f"], "pgn"),
    ],
)
def test_wrong_words_are_named(words, named, capsys):
    with pytest.raises(SystemExit) as error:
        program.main(words)
    assert error.value.code == 2 and named in capsys.readouterr().err


def test_evenly_chosen_items_span_a_list():
    for size, count in ((500, 50), (7, 3), (3, 50), (50, 50)):
        found = evenly(list(range(size)), count)
        assert len(found) == min(size, count) and found == sorted(set(found))
        assert max(b - a for a, b in zip([0, *found], [*found, size - 1])) <= size // len(found) + 1


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
    assert value(book, path) == 0 and facts(records(path)) == facts(records(valued))
    assert path.read_text().startswith(before)


def test_values_are_kept_when_the_run_is_interrupted(book, valued, tmp_path, monkeypatch, capsys):
    path, asked, prove = tmp_path / "values.jsonl", [], valuation.interruptible.prove

    def interrupted(prover, board, on_tick, nodes):
        asked.append(board)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return prove(prover, board, on_tick, nodes)

    monkeypatch.setattr(valuation.interruptible, "prove", interrupted)
    assert value(book, path) == 130
    printed, done = capsys.readouterr(), len(records(path))
    assert 3 <= done < 16 and printed.out.startswith(f"book.epd: {done} positions")
    assert "the same command goes on" in printed.err
    assert value(book, path) == 0 and facts(records(path)) == facts(records(valued))
    assert len(set(asked)) == len(asked) - 1  # only the one under way was asked for twice


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
    assert by_fen(known_values.read(path)[2]) == by_fen(records(valued))


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


GOOD = {
    "fen": "ppp/2P/PP1 b - - 0 1",
    "part": "0-2",
    "ply": 1,
    "value": 1,
    "within": 3,
    "winning": ["b3c2"],
    "losing": ["a3a2"],
    "nodes": 4,
    "seconds": 0.02,
}


@pytest.mark.parametrize(
    "changed, named",
    [
        ({"fen": "9/9 w - - 0 4"}, "9/9"),
        ({"fen": "ppp/2P/PP1 x - - 0 1"}, "'x'"),
        ({"value": 2}, "'value' of 1 or -1"),
        ({"value": [1]}, "'value' of 1 or -1"),
        ({"part": 3}, "'part'"),
        ({"part": "early"}, "'part'"),
        ({"winning": "b3c2"}, "'winning'"),
        ({"nodes": "4"}, "'nodes'"),
        ({"seconds": -1}, "'seconds'"),
        ({"skipped": None}, "'skipped'"),
    ],
)
def test_bad_record_is_named(tmp_path, changed, named):
    path = tmp_path / "bad.jsonl"
    records = [GOOD | {"fen": "ppp/3/PPP w - - 0 1"}, GOOD | changed]
    head = {"selection": "0", "settings": {"variant": "hexapawn"}}
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, *records)))
    for read in known_values.read, lambda path: valuation.journal(path, get_rules("hexapawn")):
        with pytest.raises(JournalError) as error:
            read(path)
        assert named in str(error.value) and records[1]["fen"] in str(error.value)


def test_file_of_no_game_is_refused(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"selection": "0", "settings": {"variants": 1}}\n')
    with pytest.raises(JournalError, match="'variant'"):
        known_values.read(path)
