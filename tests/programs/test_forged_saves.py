"""Saved files with false claims and a valid checksum: what the programs print is true all the same."""

import json
import re
import zlib

import exhaustive
import numpy as np
import pytest
import strategy
from clusters import Crew, master
from solve_runs import here, told

from pawnstorm.core.state import CODE_MASK, MAX_PROOF_PLIES
from pawnstorm.games.notation import parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import cluster_job
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.programs import solve as program
from pawnstorm_tools.solving import jobs, savefile, table_save, top_tree

pytestmark = pytest.mark.compiled
GAMES = {"breakthrough3x5": "hexapawn3x5", "breakthrough4x4": "hexapawn4x4", "twoflags4x6": "hexapawn4x6"}
PHI, DELTA, CODE = np.uint64(40), np.uint64(16), np.uint64(CODE_MASK)
LOW, BYTE = np.uint64(0xFFFF), np.uint64(255)


def packed(phi, delta, words):
    """The words with these numbers instead of their own."""
    return phi << PHI | delta << DELTA | words & LOW


def exchanged(words, share=1.0, some=None):
    """phi and delta exchanged in every entry, or in a share of them by lot."""
    other = packed(words >> DELTA & CODE, words >> PHI, words)
    return other if some is None else np.where(some.random(len(words)) < share, other, words)


def with_lengths(words, lengths):
    """Proofs that claim these lengths; entries without a proof stay."""
    phi, delta = words >> PHI, words >> DELTA & CODE
    proven = (phi == 0) | (delta == 0)
    number = np.where(phi == 0, delta, phi) & ~BYTE | lengths
    claimed = packed(np.where(phi == 0, phi, number), np.where(phi == 0, number, delta), words)
    return np.where(proven, claimed, words)


NOUGHT, PROVEN = np.uint64(0), np.uint64(1 << 20)
FORGERIES = {
    "exchanged": lambda words, some: exchanged(words),
    "half exchanged": lambda words, some: exchanged(words, 0.5, some),
    "few exchanged": lambda words, some: exchanged(words, 0.02, some),
    "shortened": lambda words, some: with_lengths(words, np.uint64(1)),
    "lengthened": lambda words, some: with_lengths(words, np.uint64(MAX_PROOF_PLIES)),
    "other lengths": lambda words, some: with_lengths(words, some.integers(0, 40, len(words), np.uint64)),
    "all won": lambda words, some: packed(NOUGHT, PROVEN | np.uint64(5), words),
    "all lost": lambda words, some: packed(PROVEN | np.uint64(4), NOUGHT, words),
    "both numbers 0": lambda words, some: packed(NOUGHT, NOUGHT, words),  # which no search writes
    "greatest numbers": lambda words, some: packed(CODE, CODE, words),
    "random words": lambda words, some: some.integers(0, 1 << 64, len(words), np.uint64) & ~BYTE,
    "shuffled": lambda words, some: some.permutation(words),
}


def solve(*words):
    """scripts/solve.py with a table of 1 MiB, which holds these games."""
    return here(program, "--hash", "1", *words)


@pytest.fixture(scope="module", params=GAMES)
def saved(request, tmp_path_factory):
    """(game, the saved table of all that is known of its start, a function board -> exhaustive value)."""
    name, path, memo = request.param, tmp_path_factory.mktemp("saved") / "table", exhaustive.memory(22)
    told(solve("--variant", name, "--save", path, "--exact", "--moves"))
    state = exhaustive.record(get_rules(name))
    return name, path, lambda board: int(exhaustive.value(*map(np.uint64, board.bitboards), state, memo))


def opened(path):
    """(first line of a saved table as a dict, keys, words)."""
    about, data = path.read_bytes()[: -savefile.SUM].split(b"\n", 1)
    entries = np.frombuffer(data, np.uint64).reshape(-1, 2)
    return json.loads(about), entries[:, 0] ^ entries[:, 1], entries[:, 1]


def write(path, about, keys, words):
    """Write such a table, with a valid checksum."""
    content = json.dumps(about).encode() + b"\n" + np.stack([keys ^ words, words], 1).tobytes()
    path.write_bytes(content + zlib.crc32(content).to_bytes(savefile.SUM, "little"))


def assert_told_truly(done, name, value_of, exact):
    """The winners, the lengths or their bounds, and the line agree with exhaustive play."""
    facts, moves = told(done)
    start = board = Board.start(get_rules(name))
    value = value_of(start)
    winner, plies = re.fullmatch(r"(\w+), in (?:at most )?([\d,]+) plies", facts["winner"]).groups()
    assert winner == ("White" if value > 0 else "Black")
    line = facts["line"].split()
    for text in line:
        board = board.push(parse_move(board, text))
    assert board.is_game_over() and board.black_to_move == (value > 0)
    assert len(line) == int(plies) == abs(value) if exact else len(line) <= int(plies) >= abs(value)
    assert len(moves) == len(start.moves())
    for line in moves:
        move, winner, at_most, plies = re.fullmatch(
            r"(\w+): (\w+) wins, in (at most )?(\d+) pl(?:y|ies)", line
        ).groups()
        value = value_of(start.push(parse_move(start, move)))
        assert winner == ("Black" if value > 0 else "White") and bool(at_most) != exact
        assert int(plies) == abs(value) + 1 if exact else int(plies) > abs(value)


QUICK = [*((forge, 1) for forge in FORGERIES), ("exchanged", 2), ("few exchanged", 2), ("random words", 2)]
SLOW = [(forge, 2) for forge in FORGERIES if (forge, 2) not in QUICK]


@pytest.mark.parametrize("forge, threads", [*QUICK, *(pytest.param(*row, marks=pytest.mark.slow) for row in SLOW)])
def test_forged_table_changes_nothing_that_is_told(saved, forge, threads, tmp_path):
    name, path, value_of = saved
    about, keys, words = opened(path)
    forged = FORGERIES[forge](words, np.random.default_rng(threads))
    assert (forged != words).any()
    write(tmp_path / "table", about, keys, forged)
    run = ("--variant", name, "--save", tmp_path / "table", "--moves", "--threads", threads)
    assert_told_truly(solve(*run), name, value_of, exact=False)
    # The file that this run has saved is true again, or at least not trusted either.
    assert_told_truly(solve(*run, "--exact"), name, value_of, exact=True)
    write(tmp_path / "table", about, keys, forged)
    assert_told_truly(solve(*run, "--exact"), name, value_of, exact=True)


def test_marks_of_threads_at_work_are_refused(saved, tmp_path):
    """Otherwise the threads of the run would wait for ever for the marked one."""
    name, path, _ = saved
    about, keys, words = opened(path)
    assert not (words & BYTE).any()
    write(tmp_path / "table", about, keys, words | np.uint64(1))
    done = solve("--variant", name, "--save", tmp_path / "table")
    assert done.returncode == 2 and f"{tmp_path / 'table'} is not a complete saved file: expected" in done.stderr


def test_single_false_claim_about_the_start_is_found_out(saved, tmp_path):
    name, path, value_of = saved
    prover = Prover(1)
    table_save.load(path, prover.table, name)
    board = Board.start(get_rules(name))
    before = prover.probe(board).value
    assert before == (1 if value_of(board) > 0 else -1)
    about, keys, words = opened(path)

    def is_found_with(numbers):
        """Whether a table whose entries of these numbers are exchanged has the start the other way round."""
        forged = words.copy()
        forged[numbers] = exchanged(words[numbers])
        write(tmp_path / "table", about, keys, forged)
        other = Prover(1)
        table_save.load(tmp_path / "table", other.table, name)
        return other.probe(board).value == -before

    proofs = np.flatnonzero((words >> PHI == 0) | (words >> DELTA & CODE == 0))
    while len(proofs) > 1:
        half = len(proofs) // 2
        proofs = proofs[:half] if is_found_with(proofs[:half]) else proofs[half:]
    assert is_found_with(proofs)
    done = solve("--variant", name, "--save", tmp_path / "table", "--exact", "--moves")
    assert_told_truly(done, name, value_of, True)


def test_table_of_another_game_under_this_ones_name_changes_nothing(saved, tmp_path):
    name, path, value_of = saved
    other = tmp_path / "other"
    solve("--variant", GAMES[name], "--save", other)
    _, keys, words = opened(other)
    assert len(keys)
    write(tmp_path / "table", opened(path)[0], keys, words)
    done = solve("--variant", name, "--save", tmp_path / "table", "--exact", "--moves")
    assert_told_truly(done, name, value_of, True)


def test_doubt_leaves_no_proof_and_every_position(saved):
    name, path, _ = saved
    prover = Prover(1)
    table_save.load(path, prover.table, name)
    before = table_save._entries(prover.table).copy()
    table_save.unprove(prover.table)
    after = table_save._entries(prover.table)
    phi, delta = after[:, 1] >> PHI, after[:, 1] >> DELTA & CODE
    used = before[:, 1] != 0
    assert (phi[used] > 0).all() and (delta[used] > 0).all() and not after[~used].any()
    assert (before[:, 0] ^ before[:, 1] == after[:, 0] ^ after[:, 1]).all()
    assert (before[:, 1] & LOW == after[:, 1] & LOW).all()
    won, lost = before[used, 1] >> PHI == 0, before[used, 1] >> DELTA & CODE == 0
    assert won.any() and lost.any() and (phi[used] < delta[used])[won].all() and (phi[used] > delta[used])[lost].all()
    same = ~won & ~lost
    assert same.any() and (before[used][same] == after[used][same]).all()


@pytest.mark.parametrize("forge", ["exchanged", "half exchanged", "few exchanged", "all won", "all lost", "shuffled"])
def test_book_made_with_a_forged_table_is_true_or_refused(forge, tmp_path):
    """The winner's strategy is followed to its leaves, which an empty table proves."""
    name, path = "twoflags5x6", tmp_path / "table"
    told(solve("--variant", name, "--save", path))
    about, keys, words = opened(path)
    for seed in range(4):
        write(path, about, keys, FORGERIES[forge](words, np.random.default_rng(seed)))
        done = here(strategy, "make", tmp_path / "book", "--variant", name, "--leaf", 30, "--hash", 16, "--save", path)
        if done.returncode == 0:
            assert "winner     Black, in at most " in done.stdout
        else:
            assert done.returncode == 2 and "does not find won" in done.stderr.splitlines()[-1]


# Forgeries of the records of a cluster's tree.


def tree_exchanged(records, some, share=1.0):
    numbers = some.random(len(records)) < share
    phi, delta = records["phi"].copy(), records["delta"].copy()
    records["phi"], records["delta"] = np.where(numbers, delta, phi), np.where(numbers, phi, delta)


def tree_some_exchanged(records, some):
    tree_exchanged(records, some, 0.5)


def tree_leaves_only(records, some):
    """Every position is a leaf that is won."""
    records["phi"], records["delta"], records["plies"], records["expanded"] = 0, 1, 3, 0


def tree_other_lengths(records, some):
    records["plies"] = some.integers(0, 300, len(records))


@pytest.fixture(scope="module")
def saved_tree(saved, tmp_path_factory):
    """As saved(), with the saved tree of the start and its first moves in place of the table."""
    name, _, value_of = saved
    path = tmp_path_factory.mktemp("tree") / "tree"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "MIN_BUDGET", 10)
        patch.setattr(cluster_job, "_kept", (None, None))
        run, start = master(name, Crew(name), path), Board.start(get_rules(name))
        for board in [start, *map(start.push, start.moves())]:
            run.prove(board, name)
        run.close()
    return name, path, value_of


@pytest.mark.parametrize("forge", [tree_exchanged, tree_some_exchanged, tree_leaves_only, tree_other_lengths])
def test_forged_tree_changes_nothing_that_is_told(saved_tree, forge, tmp_path):
    name, path, value_of = saved_tree
    about, data = savefile.read(path, savefile.TREE, name, top_tree.RECORD.itemsize)
    records = np.frombuffer(data, top_tree.RECORD).copy()
    before = records.copy()
    forge(records, np.random.default_rng(1))
    assert (records != before).any()
    savefile.write(tmp_path / "tree", savefile.TREE, about, [records.tobytes()])
    run, start = master(name, Crew(name), tmp_path / "tree"), Board.start(get_rules(name))
    for board in [start, *map(start.push, start.moves())]:
        proof, value = run.prove(board, name), value_of(board)
        assert proof.value * value > 0 and proof.plies >= abs(value)
        line = run.prover.line(board)
        for move in line:
            board = board.push(move)
        assert board.is_game_over() and len(line) % 2 == (value > 0)
