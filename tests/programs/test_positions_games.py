"""`positions.py games`: hard wins from games agree with naive play, and interruptions do not change the file."""

import json
import random
import signal
import sys
from multiprocessing import resource_tracker

import positions as program  # scripts/positions.py
import proofs
import pytest
from matches import ROOT, fake
from processes import Process, wait_until
from value_files import records

from pawnstorm.core import native
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.checking import naive

pytestmark = pytest.mark.compiled

GAME = "breakthrough3x5"
RULES = naive.GAMES[GAME]
COUNT = 12
WORDS = ("--variant", GAME, "--hash", "1", "--processes", "1", "--count", str(COUNT), "--least", "0")
PARTS = ("--plies", "3", "10", "--plies", "11", "17")


def random_game(seed):
    """The moves of a long game: random ones of those that do not end it, as long as there are any."""
    rng, position, moves = random.Random(seed), naive.start(RULES), []
    while legal := naive.moves(position):
        longer = [move for move in legal if naive.moves(naive.play(position, move))]
        moves.append(rng.choice(longer or legal))
        position = naive.play(position, moves[-1])
    return moves


GAMES = [random_game(seed) for seed in range(80)]


def pgn_of(moves, variant=GAME):
    return f'[Variant "{variant}"]\n\n{" ".join(moves)} {"1-0" if len(moves) % 2 else "0-1"}\n\n'


def write(path, games):
    path.write_text("".join(map(pgn_of, games)))
    return path


@pytest.fixture(scope="module", autouse=True)
def tracker():
    """Python starts this process with its first pool and keeps it until it exits, so no test leaves it behind."""
    resource_tracker.ensure_running()


@pytest.fixture(scope="module")
def pgn(tmp_path_factory):
    return write(tmp_path_factory.mktemp("games") / "games.pgn", GAMES)


def take(path, pgn, *words):
    """The status of `games`."""
    return program.main(["games", str(path), str(pgn), *WORDS, *words])


@pytest.fixture(scope="module")
def taken(pgn, tmp_path_factory):
    path = tmp_path_factory.mktemp("taken") / "set.jsonl"
    assert take(path, pgn, *PARTS) == 0
    return path


def parsed(record):
    return naive.parse_fen(RULES, record["fen"])


def positions(moves):
    """The positions of a game, from the start to the end."""
    found = [naive.start(RULES)]
    for move in moves:
        found.append(naive.play(found[-1], move))
    return found


def winning(position):
    return [move for move in naive.moves(position) if not proofs.wins(naive.play(position, move))]


def race(position):
    board = parse_fen(get_rules(GAME), naive.fen(position))
    return native.race(board.rules, *board.bitboards)


def is_hard(position):
    """Whether the side to move wins, no race decides that before or after its move, and at most half of its moves that do
    not lose by a race win.
    """
    after = [race(naive.play(position, move)) for move in naive.moves(position)]
    return race(position) == 0 and min(after) >= 0 and 0 < 2 * len(winning(position)) <= after.count(0)


def untimed(found):
    return [{name: value for name, value in record.items() if name != "seconds"} for record in found]


def test_positions_are_from_their_games_and_moves_equal_naive_play(taken):
    for record in records(taken):
        position = positions(GAMES[record["game"] - 1])[-1 - record["left"]]
        assert parsed(record) == position and is_hard(position)
        assert sorted(record["winning"]) == sorted(winning(position))
        assert record["value"] == 1
        least, most = map(int, record["part"].split("-"))
        assert least <= min(record["left"], record["within"]) <= most


def test_every_game_gives_the_hard_win_farthest_from_its_end(pgn, tmp_path):
    assert take(tmp_path / "set.jsonl", pgn, "--plies", "3", "16", "--count", "15") == 0
    expected, seen = [], set()
    for number, moves in enumerate(GAMES, 1):
        for position in positions(moves)[max(0, len(moves) - 16) : -3]:
            if is_hard(position):
                if proofs.either(position) not in seen:
                    expected.append((number, position))
                seen.add(proofs.either(position))
                break
    assert [(record["game"], parsed(record)) for record in records(tmp_path / "set.jsonl")] == expected[:15]


def test_ranges_take_turns_and_a_game_without_a_hard_win_in_its_range_gives_another(taken):
    for record in records(taken):
        first = ("3-10", "11-17")[(record["game"] - 1) % 2]
        if first == "3-10" and record["part"] == "11-17":
            late = positions(GAMES[record["game"] - 1])[-11:-3]
            assert not any(map(is_hard, late))
    parts = [record["part"] for record in records(taken)]
    assert min(map(parts.count, ("3-10", "11-17"))) >= COUNT // 4


def test_every_game_gives_one_position_at_most(taken):
    games = [record["game"] for record in records(taken)]
    assert games == sorted(set(games))


def test_repeated_and_mirrored_games_give_nothing_new(tmp_path, capsys):
    moves = max(GAMES, key=lambda moves: sum(map(is_hard, positions(moves)[:-3])))
    pgn = write(tmp_path / "games.pgn", [moves, proofs.mirrored(3, moves)] * 10)
    assert take(tmp_path / "set.jsonl", pgn, "--plies", "3", "16", "--count", "20") == 2
    assert len(records(tmp_path / "set.jsonl")) == 1
    assert (
        f"--count 20: only 1 position found in the 20 games of {pgn}: expected a lower count" in capsys.readouterr().err
    )


def test_walk_ends_at_the_first_position_beyond_the_cap(pgn, tmp_path):
    def lefts(name, *words):
        take(tmp_path / name, pgn, "--plies", "1", "16", "--count", "80", *words)  # all there are
        return {record["game"]: (record["left"], record["nodes"]) for record in records(tmp_path / name)}

    whole, capped = lefts("whole"), lefts("capped", "--cap", "300")
    both = whole.keys() & capped.keys()
    assert max(nodes for _, nodes in capped.values()) <= 300 < max(nodes for _, nodes in whole.values())
    assert sum(capped[game][0] for game in both) < sum(whole[game][0] for game in both)


def test_positions_that_the_solver_finds_from_an_empty_table_are_left_out(pgn, tmp_path):
    def effort(record):
        prover = Prover(1, endings=True)
        assert prover.prove(parse_fen(get_rules(GAME), record["fen"])).value == 1
        return prover.nodes

    def efforts(name, *words):
        take(tmp_path / name, pgn, "--plies", "3", "16", "--count", "80", *words)
        return [effort(record) for record in records(tmp_path / name)]

    every, hard = efforts("every"), efforts("hard", "--least", "10")
    assert min(every) <= 10 < min(hard) and 0 < len(hard) < len(every)


@pytest.mark.parametrize("lines, left", [(1, 0), (4, 17), (9, -2), (COUNT, 0)])
def test_file_that_was_cut_off_is_completed_to_the_same_file(taken, pgn, tmp_path, lines, left):
    path, whole = tmp_path / "set.jsonl", taken.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:lines]) + whole[lines][:left])
    assert take(path, pgn, *PARTS, "--processes", "2" if lines == 1 else "1") == 0
    assert untimed(records(path)) == untimed(records(taken)) and path.read_text().startswith("".join(whole[:lines]))


def test_run_that_is_interrupted_says_so_and_goes_on(pgn, taken, tmp_path):
    path, many = tmp_path / "set.jsonl", write(tmp_path / "games.pgn", GAMES * 1000)
    line = [sys.executable, ROOT / "scripts" / "positions.py", "games", path, many, *WORDS, *PARTS, "--count", "1000"]
    with Process(line) as run:
        wait_until(lambda: path.exists() and path.read_text().count("\n") >= 2, "the first position")
        run.signal(signal.SIGINT)
        printed, complaints = run.finish(130)
    assert "goes on" in complaints and "11-17 plies to the end: " in printed
    before = path.read_text()
    assert before.endswith("}\n") and len(records(path)) < 1000
    assert take(path, many, *PARTS) == 0
    assert path.read_text().startswith(before) and untimed(records(path))[:COUNT] == untimed(records(taken))


def test_file_of_other_words_is_refused_and_stays(taken, pgn, tmp_path, capsys):
    before, other = taken.read_bytes(), write(tmp_path / "other.pgn", GAMES)
    for games, words, named in (
        (pgn, ["--plies", "3", "16"], "parts"),
        (pgn, [*PARTS, "--cap", "5"], "cap"),
        (pgn, [*PARTS, "--least", "5"], "least"),
        (other, PARTS, "games"),
    ):
        assert take(taken, games, *words) == 2
        assert f"'{named}' was" in capsys.readouterr().err
    assert taken.read_bytes() == before


def test_unfit_games_are_left_out_and_named_and_more_may_be_added(taken, tmp_path, capsys):
    path, pgn = tmp_path / "set.jsonl", tmp_path / "games.pgn"
    one, other = (GAMES[record["game"] - 1] for record in records(taken)[:2])
    pgn.write_text(pgn_of(one, "breakthrough") + pgn_of(["a2a3", "a2a3"]) + pgn_of(one))
    assert take(path, pgn, *PARTS, "--count", "2") == 2
    told = capsys.readouterr().err
    assert 'game 1 left out: [Variant "breakthrough"] is another game than breakthrough3x5' in told
    assert "game 2 left out: " in told and "'a2a3'" in told and "only 1 position found in the 3 games" in told
    with open(pgn, "a") as file:
        file.write(pgn_of(other))
    assert take(path, pgn, *PARTS, "--count", "2") == 0
    assert [record["game"] for record in records(path)] == [3, 4]


def test_file_can_be_measured_and_printed(taken, capsys):
    assert program.main(["measure", str(taken), "--engine", fake("good"), "--movetime", "1"]) == 0
    printed = capsys.readouterr().out
    assert [line.split(" | ")[0] for line in printed.splitlines() if line.startswith("| ")][1:] == [
        "| 3-10",
        "| 11-17",
        "| all",
    ]
    first = sum(naive.moves(parsed(record))[0] in record["winning"] for record in records(taken))
    assert f"| all | 1 ms | {first} of {COUNT} " in printed
    assert program.main(["epd", str(taken), "--part", "3-10"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        " ".join(record["fen"].split()[:4]) for record in records(taken) if record["part"] == "3-10"
    ]


@pytest.mark.parametrize("field", ["part", "game"])
def test_record_that_lacks_a_field_is_named(taken, pgn, tmp_path, capsys, field):
    path, (head, first, *rest) = tmp_path / "set.jsonl", taken.read_text().splitlines()
    lacking = {name: value for name, value in json.loads(first).items() if name != field}
    path.write_text("\n".join([head, json.dumps(lacking), *rest, ""]))
    assert take(path, pgn, *PARTS) == 2
    assert f"no '{field}'" in capsys.readouterr().err
