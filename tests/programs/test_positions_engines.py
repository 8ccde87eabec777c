"""scripts/positions.py: engines that err on request, matches from won positions counted again by naive play, and values
that are proven again."""

import contextlib
import io
import json

import positions as program  # scripts/positions.py
import proofs
import pytest
from matches import FAIRY, fake, run
from value_files import GAME, book, made, records, valued  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.checking import naive
from pawnstorm_tools.measuring import engine_measurement, known_values
from pawnstorm_tools.referee import player

pytestmark = pytest.mark.compiled


def match(tmp_path, first, second, book, rounds=16):
    """The PGN of a match."""
    path = tmp_path / "games.pgn"
    status, _, error = run(
        fake(first), fake(second), "-openings", f"file={book}", "-rounds", rounds, "-pgnout", path, variant=GAME
    )
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
    """Both play the first legal move, so that each meets each opening's winning side once and does the same with it."""
    path, pairs = match(tmp_path, "good", "good", book), list(winners(valued))
    failed = sum(best != real for best, real in pairs)
    assert 0 < failed < 16 and len(pairs) == 16
    status, printed, _ = converted(valued, path, capsys)
    assert status == 0 and printed.count("not converted") == 2 * failed and "not on the board" not in printed
    _, *lines = printed[printed.index("winning sides") :].splitlines()
    assert printed.count("32 games from 16 openings, 0 games left out") == 1 and len(lines) == 6
    for name, (whole, *colours) in zip(("Fake good ", "Fake good (2) "), (lines[:3], lines[3:])):
        assert whole.strip().startswith(name) and counted(pairs) in whole and "95 %" in whole
        for colour, line in zip(("White", "Black"), colours):
            part = [pair for pair in pairs if pair[0] == colour]
            assert part and line.strip().startswith(f"as {colour} ") and counted(part) in line
    again = converted(made, path, capsys)[1]  # whose positions have other counters
    assert again.partition("winning sides")[1:] == printed.partition("winning sides")[1:]


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
    text, ends = path.read_text(), [game.end_offset for game in pgn.read(path)]
    games = [text[start:end] for start, end in zip([0, *ends], ends)]
    assert len(games) == 8
    games[0] = games[0][:-3] + "*"
    games[1] = games[1][:-3] + "1/2-1/2"
    games[2] = games[2].replace(f'[Variant "{GAME}"]', '[Variant "breakthrough"]')
    games[3] = games[3].replace('[FEN "', '[FEN "x')
    games[6] = games[6].replace(f'[Variant "{GAME}"]\n', "")
    path.write_text("".join(games) + '\n\n[Event "cut off"]\n\n1. a2a3')
    lines = valued.read_text().splitlines(keepends=True)
    fewer.write_text("".join(lines[:3] + lines[4:]))  # without the third
    status, printed, _ = converted(fewer, path, capsys)
    assert status == 0 and "2 games from 1 opening, 6 games left out" in printed
    unknown = f"no value is known of {json.loads(lines[3])['fen']}"
    other = '[Variant "breakthrough"] is another game'
    reasons = "it has no winner: *", "it has no winner: 1/2-1/2", other, "'x", unknown, unknown
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
        assert status == 2 and "winning sides" not in printed
        assert f"none of the {games} games in {path} " in error and str(valued) in error
    assert converted(valued, tmp_path / "none", capsys)[0] == 2
    assert converted(empty, empty, capsys)[0] == 2


@pytest.mark.parametrize(
    "line, told",
    [
        (b"info depth 9 score mate 5 nodes 1 pv a2a3", 1),
        (b"info score mate -5 depth 9", -1),
        (b"info depth 9 score cp 20000 pv a2a3", 0),
        (b"info depth 9 score cp -3", 0),
        (b"", 0),
        (b"info depth 9 score mate 5 lowerbound nodes 3", 1),
        (b"info depth 9 score mate 5 upperbound nodes 3", 0),
        (b"info depth 9 score mate -5 upperbound nodes 3", -1),
        (b"info depth 9 score mate -5 lowerbound nodes 3", 0),
    ],
)
def test_proof_is_told_by_a_mate_score(line, told):
    assert engine_measurement.claim(line) == told


def measured(path, mode, capsys, *words):
    """(status, stdout) of a measurement of a fake engine."""
    status = program.main(["measure", str(path), "--engine", fake(mode), "--movetime", "1", *words])
    return status, capsys.readouterr().out


def rows(printed):
    """{(part, time): (wins kept, kept by random moves, proven)} of what was printed."""
    found = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| ")]
    return {(part, time): cells for part, time, *cells in found[1:]}


def settled(path):
    return known_values.of_value(get_rules(GAME), records(path))


def first_move(position):
    return naive.moves(naive.parse_fen(naive.GAMES[GAME], position.fen))[0]


def test_wins_that_an_engine_keeps_are_counted(made, capsys, tmp_path):
    """The fake plays the first legal move and proves nothing."""
    status, printed = measured(made, "good", capsys, "--results", str(tmp_path / "r"))
    won = [position for position in settled(made) if position.value > 0]
    kept = [position for position in won if first_move(position) in position.winning]
    assert status == 0 and 0 < len(kept) < len(won)
    assert list(rows(printed)) == [("1-3", "1 ms"), ("4-6", "1 ms"), ("all", "1 ms")]
    kept_cell, chance, proven = rows(printed)["all", "1 ms"]
    assert kept_cell.startswith(f"{len(kept)} of {len(won)} ") and proven.startswith("0 of 16 ")
    moves = [len(naive.moves(naive.parse_fen(naive.GAMES[GAME], position.fen))) for position in won]
    shares = [len(position.winning) / count for position, count in zip(won, moves)]
    assert chance == f"{sum(shares) / len(won):.1%}"
    assert "0 wrong proofs, 0 faults" in printed
    assert printed.count("not kept ") == len(won) - len(kept)
    answers = {record["search"]: record for record in records(tmp_path / "r")}
    assert {name: answer["move"] for name, answer in answers.items()} == {
        f"1 ms {position.fen}": first_move(position) for position in settled(made)
    }


def test_several_times_are_measured_in_one_run_or_one_after_the_other(made, capsys, tmp_path):
    def table(path, *times):
        words = ["measure", str(made), "--engine", fake("good"), "--results", str(path), "--movetime", *times]
        assert program.main(words) == 0
        return rows(capsys.readouterr().out)

    both = table(tmp_path / "both", "1", "2")
    assert list(both) == [(part, time) for part in ("1-3", "4-6", "all") for time in ("1 ms", "2 ms")]
    one, two = table(tmp_path / "single", "1"), table(tmp_path / "single", "2")
    assert len(records(tmp_path / "single")) == len(records(tmp_path / "both")) == 32
    assert one | two == both and one.keys().isdisjoint(two)


def test_proofs_are_counted_by_whether_they_are_right(made, capsys):
    """This fake says of every third position that it loses."""
    _, printed = measured(made, "gloomy", capsys)
    values = [position.value for position in settled(made)]
    told = values[2::3]
    assert rows(printed)["all", "1 ms"][2].startswith(f"{told.count(-1)} of 16 ")
    assert f"1 ms: {pluralize(told.count(1), 'wrong proof')}, 0 faults" in printed


@pytest.mark.parametrize(
    "mode, fault, count",
    [
        ("illegal", "illegal move 'a1a1'", 8),
        ("none", "'(none)' is not a move", 8),
        ("empty", "'' is not a move", 8),
        ("crash", "crash: exited with status 3: something broke", 4),
    ],
)
def test_faults_are_named_and_the_measurement_goes_on(made, capsys, mode, fault, count):
    """The one that crashes does so at every second position."""
    status, printed = measured(made, mode, capsys, "--part", "4-6")
    assert status == 0 and printed.count(fault) == count and list(rows(printed)) == [("4-6", "1 ms")]
    assert f"0 wrong proofs, {count} faults" in printed


def test_engine_that_hangs_is_started_again(made, capsys, monkeypatch):
    monkeypatch.setattr(player, "PATIENCE", 10**8)
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
    for one, other in zip(capsys.readouterr().out.splitlines(), printed.splitlines(), strict=True):
        assert one == other or "median" in one and "median" in other
    assert program.main(["measure", str(made), *words, "--hash", "32"]) == 2
    assert "'options' was" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, named",
    [
        (["--part", "5-9"], "expected one of 1-3, 4-6"),
        (["--option", "Contempt=3"], "has no option 'Contempt'"),
        (["--engine", "/no/such"], "/no/such"),
    ],
)
def test_unfit_measurement_is_refused(made, capsys, words, named):
    assert program.main(["measure", str(made), "--engine", fake("good"), *words]) == 2
    assert named in capsys.readouterr().err


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
    words = "--variant twoflags5x5 --plies 1 5 --count 6 --hash 16"
    assert program.main(["make", str(path), *words.split()]) == 0
    capsys.readouterr()
    assert program.main(["measure", str(path), "--engine", FAIRY, "--movetime", "100"]) == 0
    printed = capsys.readouterr().out
    assert rows(printed)["1-5", "100 ms"][2].startswith("6 of 6 ") and "0 wrong proofs, 0 faults" in printed
    assert "not kept" not in printed


def checked(path, *words):
    """(status, stdout) of `check`."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return program.main(["check", str(path), "--hash", "1", *words]), out.getvalue()


def test_values_are_verified_and_none_twice(made, tmp_path):
    for _ in range(2):
        found = checked(made, "--count", "3", "--results", str(tmp_path / "r"))
        assert found == (0, "3 of 3 values verified, 0 left\n")
        assert [record["verified"] for record in records(tmp_path / "r")] == [True] * 3


def test_wrong_value_is_not_verified(made, tmp_path):
    head, *lines = made.read_text().splitlines()
    record, path = json.loads(lines[-1]), tmp_path / "wrong.jsonl"
    wrong = record | {"value": -record["value"], "within": record["within"] + 1}
    path.write_text(f"{head}\n{json.dumps(wrong)}\n")
    status, out = checked(path)
    assert status == 1 and f"NOT verified: {record['fen']}: verified, winner " in out
    assert out.endswith("0 of 1 values verified, 0 left\n")


def test_value_of_a_given_position_is_verified(valued):
    assert checked(valued, "--count", "1") == (0, "1 of 1 values verified, 0 left\n")


def test_what_moves_lead_to_is_verified_too(made, tmp_path):
    """The record has only the winning moves, like that of a position from a game."""
    (record, *_) = [record for record in records(made) if record["winning"] and record["losing"]]
    path, head, losing = tmp_path / "one.jsonl", made.read_text().splitlines()[0], record.pop("losing")
    path.write_text(f"{head}\n{json.dumps(record)}\n")
    count = 1 + len(record["winning"]) + len(losing)
    assert checked(path, "--moves") == (0, f"{count} of {count} values verified, 0 left\n")
    path.write_text(f"{head}\n{json.dumps(record | {'winning': [*record['winning'], losing[0]]})}\n")
    status, out = checked(path, "--moves")
    assert status == 1 and out.count("NOT verified: ") == 1 and f"{count - 1} of {count} values verified" in out


def test_moves_of_a_given_position_cannot_be_verified(valued, capsys):
    assert checked(valued, "--moves") == (2, "")
    assert "does not tell which moves win" in capsys.readouterr().err


MEASURE = ["measure", "--part", "1-3", "--movetime", "1", "--engine", fake("good")]


@pytest.mark.parametrize(
    "command, record, named",
    [
        (["check", "--count", "1"], {"said": "sound"}, "'verified'"),
        (MEASURE, {"move": "a1a2", "claim": 3}, "'claim'"),
        (MEASURE, {"fault": 1}, "'fault'"),
    ],
)
def test_bad_record_of_results_is_named(command, record, named, made, tmp_path, capsys):
    path = tmp_path / "results"
    words = [*command, str(made), "--results", str(path)]
    program.main(words)
    head = path.read_text().splitlines()[0]
    first = records(made)[0]["fen"]
    path.write_text(f"{head}\n{json.dumps({'fen': first, 'search': f'1 ms {first}'} | record)}\n")
    capsys.readouterr()
    assert program.main(words) == 2
    told = capsys.readouterr().err
    assert str(path) in told and named in told
