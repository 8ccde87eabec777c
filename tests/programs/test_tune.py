"""Training positions and the regression on them: files follow from their command line, gradients from their loss,
weights from both.
"""

import signal
import subprocess
import sys

import datagen  # scripts/, which matches has made importable
import numpy as np
import psutil
import pytest
import train
import tune
from kernel_types import float_operations, float_variables, mixed_operations
from matches import ROOT
from numba import njit
from processes import DEADLINE, Process, wait_until

from pawnstorm.core import native
from pawnstorm.core.state import WIN
from pawnstorm.evaluation import weights
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.training import game_positions, network_match, self_play, weights_fit
from pawnstorm_tools.training.kernels import games

NAME = "breakthrough8x7"
RULES = get_rules(NAME)
COMMON = (NAME, "--games", "12", "--nodes", "200", "--processes", "2")


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    """A small file of positions."""
    path = tmp_path_factory.mktemp("datagen") / "positions.bin"
    assert datagen.main([COMMON[0], str(path), *COMMON[1:]]) == 0
    return path


def test_positions_are_quiet_undecided_and_told_by_the_side_to_move(positions):
    records = np.fromfile(positions, game_positions.RECORD)
    assert len(records) > 100 and set(records["won"]) == {0, 1} and set(records["game"]) <= set(range(12))
    for record in records[:200]:
        own, opp = int(record["own"]), int(record["opp"])
        assert own & opp == 0 and own & RULES.goal == opp & RULES.home == 0
        assert native.race(RULES, own, opp, 0) == 0
    for number in set(records["game"]):
        plies = records[records["game"] == number]
        # One side wins a game: whoever is to move at even plies all the time, or at odd ones.
        assert len({(ply % 2) ^ won for ply, won in zip(plies["ply"].tolist(), plies["won"].tolist())}) == 1
        assert sorted(set(plies["ply"])) == plies["ply"].tolist()


def test_a_game_does_not_depend_on_the_search_before():
    """The first depths are searched whatever they take, so that the score is that of the position."""
    source = self_play.Source("breakthrough5x5", 1, 1, (0, 0))
    fresh = source.records(0)
    assert len(fresh) > 3
    for score in (WIN - 1, 1 - WIN, 77):
        source.state.root_score = score
        assert source.records(0).tolist() == fresh.tolist()


@pytest.mark.compiled
def test_compiled_games_keep_to_words():
    """As the engine's kernels do: no word is joined with a signed number, which makes a float."""
    network_match.Source("breakthrough4x4", 5, 1, (0, 2), None, None).records(0)
    # Machine code from the cache knows no types.
    anew = [njit(kernel.signatures[0])(kernel.py_func) for kernel in (games.think, games.play)]
    for function in (*anew, network_match.first_wins):
        for fault in (float_variables, float_operations, mixed_operations):
            assert not fault(function), (function.py_func.__name__, fault.__name__)


def test_interrupted_run_ends_in_the_same_file(positions, tmp_path):
    whole = positions.read_bytes()
    path = tmp_path / "cut.bin"
    path.write_bytes(whole[: len(whole) // 2 + 5])
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "datagen.py", COMMON[0], path, *COMMON[1:]], capture_output=True, text=True
    )
    assert done.returncode == 0 and path.read_bytes() == whole
    path.write_bytes(b"")
    assert game_positions.resume(path, 12, RULES) == 0


def test_fewer_games_than_a_file_has_are_refused(positions, tmp_path, capsys):
    path = tmp_path / "longer.bin"
    path.write_bytes(positions.read_bytes())
    assert datagen.main([NAME, str(path), "--games", "5"]) == 2 and "--games 12 or more" in capsys.readouterr().err
    assert path.read_bytes() == positions.read_bytes()


@pytest.mark.parametrize("program, words", [(datagen, ["--network"]), (train, ["--begin"])])
def test_a_file_that_is_no_network_is_named(program, words, tmp_path, capsys):
    (tmp_path / "other").write_text("pawns")
    for name in "none", "other":
        assert program.main([NAME, str(tmp_path / "new"), *words, str(tmp_path / name)]) == 2
        told = capsys.readouterr().err
        assert str(tmp_path / name) in told and len(told.splitlines()) == 1


def workers_of(pid):
    """The two processes in which datagen.py plays, [] while they are not there."""
    children = psutil.Process(pid).children()
    workers = [child for child in children if any("spawn_main" in word for word in child.cmdline())]
    return workers if len(workers) == 2 else []


def endless(path):
    """A run that plays on and on in two processes."""
    words = [NAME, path, "--games", "1000000", "--nodes", "20", "--processes", "2"]
    return Process([sys.executable, ROOT / "scripts" / "datagen.py", *words])


def test_a_process_that_is_killed_ends_the_run(tmp_path):
    path = tmp_path / "positions.bin"
    with endless(path) as run:
        wait_until(lambda: path.exists() and path.stat().st_size, "the first game")
        workers = workers_of(run.pid)
        workers[1].kill()
        _, told = run.finish(2)
    assert "a process of pawnstorm_tools.training.self_play has ended too early" in told.splitlines()[-1]
    assert not any(worker.is_running() for worker in workers)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_a_run_that_is_killed(number, tmp_path):
    with endless(tmp_path / "positions.bin") as run:
        workers = wait_until(lambda: workers_of(run.pid), "two workers")
        run.signal(number)
        assert run.popen.wait(DEADLINE) == -number
        _, alive = psutil.wait_procs(workers, timeout=DEADLINE)
        for worker in alive:
            worker.kill()
        assert alive == []


@pytest.fixture(scope="module")
def fit(positions):
    return weights_fit.Fit(RULES, np.fromfile(positions, game_positions.RECORD), (0.7, 200), 1e-3, 1e-2)


def test_gradient_is_the_slope_of_the_loss(fit):
    rng = np.random.default_rng(1)
    flat = rng.normal(0, 0.05, 4 * weights_fit.BASE)
    _, slope = fit(flat)
    for _ in range(2):
        direction = rng.normal(0, 1, flat.size)
        step = 1e-3 * direction
        measured = fit(flat + step)[0] - fit(flat - step)[0]
        assert measured == pytest.approx(2 * slope @ step, rel=2e-2, abs=2e-6)


def test_prediction_is_the_engines_static_score(fit, positions):
    """With the engine's own weights the regression's sum is what the engine says."""
    family = weights.BY_FAMILY["breakthrough"]
    sides = np.concatenate([np.array(getattr(family, name), float) for name in weights_fit.PARTS], axis=2)
    odds = fit.odds(np.stack([(sides[0] + sides[1]) / 2, (sides[0] - sides[1]) / 2]))
    records = np.fromfile(positions, game_positions.RECORD)
    for index in range(0, len(records), 7):
        score = native.evaluate(RULES, int(records["own"][index]), int(records["opp"][index]), 0)
        assert score == pytest.approx(odds[index], abs=1.1)


def test_tuned_weights_are_written_and_read_back(positions, tmp_path, capsys):
    output = tmp_path / "weights.py"
    assert tune.main([NAME, str(positions), "--iterations", "5", "-o", str(output)]) == 0
    assert "loss aside" in capsys.readouterr().out
    read = {}
    exec(output.read_text(), read)
    for name, count in weights_fit.PARTS.items():
        assert np.array(read[name]).shape == (2, 2, count)
    assert np.abs(np.array(read["CLASSES"])).max() > 0
