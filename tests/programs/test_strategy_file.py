"""The file in which a strategy grows: stopped anywhere, it goes on to the same proof; and the set of positions that were
met.
"""

import _thread
import itertools
import os
import random
import time
from threading import Timer

import numpy as np
import pytest

from pawnstorm.games.position import Board
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.kernels import pn_table
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.checking import prooffile
from pawnstorm_tools.programs import verify
from pawnstorm_tools.solving import NotWon, plans, strategy_file, winning_strategy
from pawnstorm_tools.solving.kernels import table_walk
from pawnstorm_tools.solving.savefile import BadSave

pytestmark = pytest.mark.compiled

GAMES = {"breakthrough4x5": "b", "breakthrough3x6": "w", "twoflags6x6": "b", "twoflags5x7": "w", "hexapawn4x7": "b"}


@pytest.fixture(scope="module", params=GAMES)
def solved(request):
    """(a prover that has proven a game's start, the start)."""
    prover, board = Prover(16, endings=True), Board.start(get_rules(request.param))
    assert "wb"[(prover.prove(board).value > 0) == board.black_to_move] == GAMES[request.param]
    return prover, board


@pytest.fixture
def stopping(monkeypatch):
    """Make the work on a strategy raise an exception after so many additions, in small portions."""
    real = winning_strategy.Strategy._add

    def after(calls, error, chunk=64):
        left = iter(range(calls))

        def add(*arguments):
            if next(left, None) is None:
                raise error
            return real(*arguments)

        monkeypatch.setattr(winning_strategy.Strategy, "_add", add)
        monkeypatch.setattr(winning_strategy, "CHUNK", chunk)

    yield after
    monkeypatch.setattr(winning_strategy.Strategy, "_add", real)


def test_stopped_work_goes_on_to_the_same_proof(solved, stopping, tmp_path):
    whole, part, proof = tmp_path / "whole", tmp_path / "proof.part", tmp_path / "proof"
    count, black = winning_strategy.write(*solved, whole)
    sizes = []
    for error in itertools.cycle((KeyboardInterrupt(), OSError("no space left"))):
        stopping(2, error)
        try:
            assert winning_strategy.write(*solved, proof) == (count, black)
            break
        except type(error):
            assert not proof.exists() and part.exists()
            sizes.append(part.stat().st_size)
    assert len(sizes) > 3 and sizes == sorted(sizes)
    assert proof.read_bytes() == whole.read_bytes() and not part.exists()
    assert verify.main([str(proof)]) == 0
    assert len(prooffile.read(proof).records) == count


def test_work_that_was_killed_between_two_writes_goes_on(solved, stopping, tmp_path):
    """Records after the last that is finished may have plans already, and half a record may stand at the end."""
    whole, part = tmp_path / "whole", tmp_path / "proof.part"
    winning_strategy.write(*solved, whole)
    stopping(3, KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        winning_strategy.write(*solved, tmp_path / "proof")
    content = bytearray(part.read_bytes())
    finished = whole.read_bytes()
    first, common = finished.index(b"\n") + 1, min(len(content), len(finished))
    content[first:common] = finished[first:common]  # every plan is there, and not counted as done
    part.write_bytes(content + b"half")
    stopping(10_000, KeyboardInterrupt)
    winning_strategy.write(*solved, tmp_path / "proof")
    assert (tmp_path / "proof").read_bytes() == finished


@pytest.mark.parametrize(
    "content, word",
    (
        (
            prooffile.header("breakthrough4x5", "pppp/pppp/4/PPPP/PPPP w - - 0 1", "w", 4),
            "left over from another proof",
        ),
        (b"\xff" * 10, "left over from another proof"),
        (None, "is cut short"),
    ),
)
def test_another_proof_s_part_is_left_alone(stopping, tmp_path, content, word):
    prover, board, part = Prover(1), Board.start(get_rules("breakthrough4x5")), tmp_path / "proof.part"
    if content is None:
        stopping(2, KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            winning_strategy.write(prover, board, tmp_path / "proof")
        content = part.read_bytes()[:600]
    part.write_bytes(content)
    with pytest.raises(BadSave, match=word):
        winning_strategy.write(prover, board, tmp_path / "proof")
    if b"fen" not in content:
        with pytest.raises(BadSave, match=word):
            strategy_file.check(tmp_path / "proof", board)
    assert part.read_bytes() == content


@pytest.mark.parametrize("make", (os.mkfifo, lambda path: path.symlink_to("/dev/null"), lambda path: path.mkdir()))
def test_part_that_is_no_regular_file_is_refused_at_once(tmp_path, make):
    make(tmp_path / "proof.part")
    for work in (strategy_file.check, lambda path, board: winning_strategy.write(Prover(1), board, path)):
        with pytest.raises(
            (BadSave, IsADirectoryError), match=r"proof\.part.* not a regular file|directory.*proof\.part"
        ):
            work(tmp_path / "proof", Board.start(get_rules("breakthrough4x4")))


def test_two_runs_do_not_write_one_file(tmp_path):
    board, path = Board.start(get_rules("breakthrough4x4")), tmp_path / "proof"
    with strategy_file.open_strategy(path, board, True, ()):
        for work in (strategy_file.check, lambda path, board: winning_strategy.write(Prover(1), board, path)):
            with pytest.raises(BadSave, match="written by another run"):
                work(path, board)
    assert path.exists()
    winning_strategy.write(Prover(1), board, path)
    assert verify.main([str(path)]) == 0


def test_finished_proof_that_did_not_get_its_name_is_found(tmp_path):
    """Stopped between the last writing and the new name."""
    prover, board, path = Prover(1), Board.start(get_rules("breakthrough4x4")), tmp_path / "proof"
    made = winning_strategy.write(prover, board, path)
    content = path.read_bytes()
    path.rename(tmp_path / "proof.part")
    strategy_file.check(path, board)
    assert winning_strategy.write(prover, board, path) == made and path.read_bytes() == content


def test_first_portion_that_is_not_whole_is_written_again(tmp_path):
    """The disk was full: of the moves that are given some are missing, and the root."""
    prover, board, part = Prover(16), Board.start(get_rules("twoflags5x7")), tmp_path / "proof.part"
    moves = [(board, prover.prove(board).move)]
    winning_strategy.write(prover, board, tmp_path / "whole", moves)
    whole = (tmp_path / "whole").read_bytes()
    with pytest.raises(ZeroDivisionError), strategy_file.open_strategy(tmp_path / "proof", board, False, moves) as file:
        file.append(np.ones((3, 3), np.uint64))
        file.finish(np.empty((0, 3), np.uint64))
        1 / 0
    assert part.stat().st_size > 3 * prooffile.RECORD
    winning_strategy.write(prover, board, tmp_path / "proof", moves)
    assert (tmp_path / "proof").read_bytes() == whole


@pytest.mark.parametrize("name", ("twoflags4x5-noep", "twoflags-ghost"))
def test_game_that_the_checker_does_not_know_has_no_proofs(tmp_path, name):
    with pytest.raises(UnknownGame, match=f"there are no proofs of {name}"):
        strategy_file.check(tmp_path / "proof", Board.start(get_rules(name)))


def test_other_given_moves_are_another_proof(stopping, tmp_path):
    prover, board = Prover(1), Board.start(get_rules("twoflags5x7"))
    stopping(2, KeyboardInterrupt)
    for moves in ([], [(board, board.moves()[0])], []):
        with pytest.raises(BadSave if moves else KeyboardInterrupt):
            winning_strategy.write(prover, board, tmp_path / "proof", moves)


@pytest.mark.parametrize(
    "name", ("breakthrough4x5", "twoflags5x7", pytest.param("breakthrough3x7", marks=pytest.mark.slow))
)
def test_threads_write_a_proof_that_holds(monkeypatch, tmp_path, name):
    """In small portions, by planners that remember little, out of a table that loses the proof.

    Planners that plan ahead take the rest of a proof from the table at once, so they prove fewer positions again.
    """
    prover, board, lost = Prover(16, threads=3), Board.start(get_rules(name)), []
    plan, proven_move = plans.Planner.plan, plans.Planner._proven_move
    monkeypatch.setattr(plans.Planner, "plan", lambda *arguments: prover.table.clear() or plan(*arguments))
    monkeypatch.setattr(plans.Planner, "_proven_move", lambda *arguments: lost.append(0) or proven_move(*arguments))
    monkeypatch.setattr(winning_strategy, "CHUNK", 64)
    for constant, number in (("BATCH", 16), ("MAX_LOST_WINS", 3), ("RECENT", 8)):
        monkeypatch.setattr(plans, constant, number)
    proven = []
    for ahead in (0, plans.MAX_AHEAD):
        monkeypatch.setattr(plans, "MAX_AHEAD", ahead)
        assert prover.prove(board).value
        count, _ = winning_strategy.write(prover, board, tmp_path / "proof")
        assert count > 300 and verify.main([str(tmp_path / "proof")]) == 0
        proven.append(len(lost))
        lost.clear()
    assert proven[0] > 2 * proven[-1] > 0, proven


def test_set_of_keys_grows(monkeypatch, tmp_path):
    """The file's records are entered into the larger set, so none is listed twice."""
    sizes, real = [], table_walk.empty_set
    monkeypatch.setattr(winning_strategy, "LEAST", 64)
    monkeypatch.setattr(table_walk, "empty_set", lambda rules, places: sizes.append(places) or real(rules, places))
    monkeypatch.setattr(winning_strategy, "CHUNK", 64)
    prover, board = Prover(16), Board.start(get_rules("breakthrough4x5"))
    prover.prove(board)
    count, _ = winning_strategy.write(prover, board, tmp_path / "proof")
    records = prooffile.read(tmp_path / "proof").records
    assert len(sizes) > 5 and count == len(records) == len(np.unique(records[:, :2], axis=0))


def test_ctrl_c_ends_the_planners_proofs(monkeypatch, tmp_path):
    """The table knows nothing of 7x6, whose first record would take days."""
    prover, board = Prover(16, threads=2), Board.start(get_rules("breakthrough7x6"))
    real, began = plans.Planner._proven_move, []

    def proven_move(*arguments):
        began.append(time.monotonic())
        Timer(0.5, _thread.interrupt_main).start()
        return real(*arguments)

    monkeypatch.setattr(plans.Planner, "_proven_move", proven_move)
    with pytest.raises(KeyboardInterrupt):
        winning_strategy.write(prover, board, tmp_path / "proof", value=1)
    assert len(began) == 1 and time.monotonic() - began[0] < 30 and (tmp_path / "proof.part").exists()


@pytest.mark.parametrize("threads", (1, 3))
def test_strategy_that_does_not_win_leaves_no_part(tmp_path, threads):
    prover, board = Prover(1, threads), Board.start(get_rules("breakthrough4x4"))
    with pytest.raises(NotWon):
        winning_strategy.write(prover, board, tmp_path / "proof", value=1)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ("breakthrough6x6", "twoflags8x8", "twoflags4x5", "hexapawn1x3", "breakthrough5x8"))
def test_positions_are_met_once(name):
    """Compared with a set of Python's; random games, the second half of them seen in the mirror."""
    rules, lot, met = get_rules(name), random.Random(f"met {name}"), set()
    state, keys = table_walk.new_state(rules), table_walk.empty_set(rules, 40_000)
    assert keys.shape[1] == (1 if rules.files * rules.ranks <= 36 else 2)
    again = 0
    for number in range(400):
        board = Board.start(rules)
        while not board.is_game_over():
            board = board.push(lot.choice(board.moves()))
            shown = board.mirrored() if number >= 200 else board
            words = tuple(map(np.uint64, (shown.own, shown.opp, shown.ep)))
            found = pn_table.canonical(*words, state)
            assert found == min((one.own, one.opp, one.ep) for one in (board, board.mirrored()))
            assert table_walk.add(*map(np.uint64, found), keys, state) == (found not in met)
            again += found in met
            met.add(found)
    assert again and np.count_nonzero(keys.any(axis=1)) == len(met)
