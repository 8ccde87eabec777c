"""The neural networks of Breakthrough: their scores against slow ones from the files' numbers, the hidden layers that
follow the line against those made afresh, and what becomes of a damaged file.
"""

from pathlib import Path

import numpy as np
import pytest
from boards import random_games
from numba import njit
from slow_network import numbers_of, slow_outputs, slow_score, stored_numbers, with_numbers

from pawnstorm.core import native
from pawnstorm.core.state import HIDDEN_WIDTH, OUTPUT_ROW, PAWN_KINDS, SOLVER_OUTPUTS, State
from pawnstorm.evaluation import networks, weights
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.kernel import STATE_DTYPE
from pawnstorm.kernels.movegen import generate_moves
from pawnstorm.kernels.network import evaluate_network, set_line_position, solver_outputs
from pawnstorm.kernels.position import flip, make_move
from pawnstorm.proof.prover import Prover

RULES = get_rules("breakthrough")
NAME = "breakthrough8x8"
PATH = Path(networks.FOLDER, f"{NAME}.network")
GAMES = [get_rules(path.stem) for path in sorted(Path(networks.FOLDER).glob("*.network"))]
all_networks = pytest.mark.parametrize("rules", GAMES, ids=[rules.full_name for rules in GAMES])
SOLVED = [get_rules(path.stem) for path in sorted(Path(networks.FOLDER).glob("*.solver"))]
all_solvers = pytest.mark.parametrize("rules", SOLVED, ids=[rules.full_name for rules in SOLVED])
DEEPEST = 200


@all_networks
def test_score_is_the_networks_and_that_of_the_mirror_image(rules):
    numbers = numbers_of(Path(networks.FOLDER, f"{rules.full_name}.network"), rules)
    for board in random_games(rules, 50 if native.PLAIN_PYTHON else 500, "network"):
        for image in (board, board.mirrored()):
            assert native.evaluate(rules, image.own, image.opp, 0) == slow_score(numbers, board)


@njit
def differences(steps, seed, own, opp, line, state, fresh):
    """Go up and down a line at random; returns how often a score or a hidden layer was not what a fresh one is, and how
    often that was looked at.
    """
    line[0] = own, opp
    set_line_position(own, opp, 0, state)
    ply, different, looked = 0, 0, 0
    for _ in range(steps):
        seed ^= seed << np.uint64(13)
        seed ^= seed >> np.uint64(7)
        seed ^= seed << np.uint64(17)
        chance = seed >> np.uint64(20)
        count = generate_moves(own, opp, np.uint64(0), state)
        if ply == DEEPEST or not count or chance % np.uint64(4) == 0:
            ply = np.int64(chance >> np.uint64(2)) % (ply + 1)
            own, opp = line[ply]
            if ply == 0:
                set_line_position(own, opp, 0, state)
        elif chance % np.uint64(16) == 1:  # a null move
            own, opp = flip(opp, state.flip_shift), flip(own, state.flip_shift)
            ply += 1
            line[ply] = own, opp
            set_line_position(own, opp, ply, state)
        else:
            move = np.uint64(state.moves[np.int64(chance >> np.uint64(8)) % count])
            own, opp, _ = make_move(own, opp, np.uint64(0), move, state)
            ply += 1
            line[ply] = own, opp
            set_line_position(own, opp, ply, state)
        if chance >> np.uint64(30) & np.uint64(1):
            looked += 1
            score = evaluate_network(own, opp, ply, state)
            set_line_position(own, opp, 0, fresh)
            same = evaluate_network(own, opp, 0, fresh) == score
            for index in range(2 * HIDDEN_WIDTH):
                same = same and fresh.accumulators[index] == state.accumulators[2 * HIDDEN_WIDTH * ply + index]
            different += not same
    return different, looked


def record(rules, solver=False):
    state = State()
    state.set_game(rules)
    weights.set_weights(state, rules)
    if solver:
        networks.set_solver_network(state, rules)
    return np.frombuffer(bytearray(bytes(state)), STATE_DTYPE).view(np.recarray)[0]


@all_networks
def test_hidden_layers_after_moves_and_unmakes_are_those_made_afresh(rules):
    start, line = Board.start(rules), np.zeros((DEEPEST + 2, 2), np.uint64)
    bitboards, records = (np.uint64(start.own), np.uint64(start.opp)), (record(rules), record(rules))
    steps = 2000 if native.PLAIN_PYTHON else 200_000
    with np.errstate(over="ignore"):
        different, looked = differences(steps, np.uint64(88172645463325252), *bitboards, line, *records)
    assert different == 0 and looked > 0.4 * steps


@all_solvers
def test_estimates_are_the_solvers_networks_and_those_of_mirror_images(rules):
    numbers = numbers_of(Path(networks.FOLDER, f"{rules.full_name}.solver"), rules, networks.load_solver)
    state = record(rules, solver=True)
    for board in random_games(rules, 50 if native.PLAIN_PYTHON else 500, "solver"):
        for image in (board, board.mirrored()):
            own, opp = np.uint64(image.own), np.uint64(image.opp)
            set_line_position(own, opp, 0, state)
            assert solver_outputs(own, opp, 0, state) == slow_outputs(numbers, board, SOLVER_OUTPUTS)


def test_solver_has_the_network_of_its_game_alone():
    prover = Prover(1)
    for rules in (SOLVED[0], RULES, get_rules("breakthrough5x5"), get_rules("twoflags"), SOLVED[0]):
        prover.prove(Board.start(rules), 1)
        state = prover._query
        assert bool(state.solver_network) == Path(networks.FOLDER, f"{rules.full_name}.solver").exists()
        assert state.network == (state.solver_network or networks.addresses(rules)["network"])


def test_damaged_solvers_network_is_told_and_done_without(tmp_path, monkeypatch, capsys):
    (tmp_path / f"{SOLVED[0].full_name}.solver").write_bytes(b"not one")
    monkeypatch.setattr(networks, "FOLDER", str(tmp_path))
    monkeypatch.setattr(networks, "_loaded", {})
    for _ in range(2):
        state = State()
        networks.set_solver_network(state, SOLVED[0])
        assert state.solver_network == state.network == 0
    assert capsys.readouterr().err.count("going on without it") == 1


def test_games_without_a_network_have_none():
    assert networks.addresses(RULES)["network"] and not networks.addresses(RULES)["ntuple"]
    assert not any(networks.addresses(get_rules("hexapawn8x8")).values())


def test_file_has_each_row_of_inputs_as_a_difference(tmp_path):
    """Of kind 13 from kind 5, of that from kind 1, and of that from kind 0; sums are modulo 2**16."""
    numbers, chance = stored_numbers(PATH.read_bytes()), np.random.default_rng(1)
    inputs = chance.integers(-32768, 32768, (2, PAWN_KINDS, 64, networks.HALF))
    numbers[: inputs.size] = inputs.reshape(-1)
    (tmp_path / "file").write_bytes(with_numbers(PATH.read_bytes(), numbers))
    rows = np.frombuffer(networks.load_network(tmp_path / "file", NAME)[1], "<i2")[: 2 * inputs.size]
    rows = rows.reshape(2, PAWN_KINDS, 64, 2, networks.HALF)
    expected = inputs[:, [0, 1, 5, 13]].sum(axis=1).astype(np.int16)
    assert (rows[:, 13, :, 0] == expected).all()
    assert (rows[:, 14, :, 1] == expected[:, [square ^ 7 for square in range(64)]]).all()  # of the mirror image
    assert (rows[:, 0, :, 0] == inputs[:, 0]).all()


@pytest.mark.parametrize(
    "damage, told",
    [
        (lambda data: data[:-9], "is damaged"),
        (lambda data: data.replace(b" width 128 ", b" width 64 "), "width 64"),
        (lambda data: data.replace(b"breakthrough8x8", b"breakthrough7x7"), "neural network of breakthrough8x8"),
        (lambda data: b"", "neural network of breakthrough8x8"),
    ],
)
def test_damaged_file_is_refused(damage, told, tmp_path):
    (tmp_path / "file").write_bytes(damage(PATH.read_bytes()))
    with pytest.raises(BadFile, match=told):
        networks.load_network(tmp_path / "file", NAME)


def test_output_weights_that_would_overflow_are_refused(tmp_path):
    numbers = stored_numbers(PATH.read_bytes())
    numbers[OUTPUT_ROW * networks.HALF] = 128
    (tmp_path / "file").write_bytes(with_numbers(PATH.read_bytes(), numbers))
    with pytest.raises(BadFile, match="from -127 to 127"):
        networks.load_network(tmp_path / "file", NAME)


@pytest.mark.parametrize("name", ["breakthrough", "breakthrough8x9", "nonsense", "BREAKTHROUGH8X8"])
def test_network_of_a_game_that_there_is_not_is_refused(name, tmp_path):
    """It would be read and never used."""
    (tmp_path / "file").write_bytes(PATH.read_bytes().replace(b"breakthrough8x8", name.encode(), 1))
    with pytest.raises(BadFile, match=f"file is of the game '{name}': expected a game and its size"):
        networks.set_eval_file(tmp_path / "file")
