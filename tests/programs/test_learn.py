"""Positions out of the solver's tables, and what is learned from them, n-tuples or a neural network: files follow from
their command line, scores from the file that is written.
"""

import itertools
import random
import re
import zlib

import learn
import numpy as np
import pytest
from slow_network import numbers_of, slow_outputs

from pawnstorm.core.state import SOLVER_OUTPUTS
from pawnstorm.evaluation import networks
from pawnstorm.games.notation import parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.solving import table_save
from pawnstorm_tools.training import TrainingError, ntuple_model, solver_positions
from pawnstorm_tools.training.solver_positions import LEAST, RECORD, read, resume, unproven

RULES = get_rules("twoflags8x8")
HASH, NODES, ROOTS = 4, 3000, 2
COMMON = ("--roots", ROOTS, "--nodes", NODES, "--hash", HASH, "--seed", 5, "--processes", 2)
PASSES = 60  # of a network through the few positions, a batch each


def run(*words):
    """The exit status of learn.py in this process."""
    return learn.main(list(map(str, words)))


@pytest.fixture(scope="module")
def positions(tmp_path_factory):
    """A small file of positions."""
    path = tmp_path_factory.mktemp("learn") / "positions.bin"
    assert run("positions", path, *COMMON) == 0
    return path


def entered(root, prover):
    """{(own, opp): Proofs} of the positions, the lesser of mirror images, that a prover's table leads to from a root,
    by plain Python.
    """
    nothing, waiting, met, found = Prover(1), [root.canonical()], set(), {}
    for board in waiting:
        if board.bitboards in met or board.is_game_over() or nothing.probe(board).value:  # decided statically: no entry
            continue
        met.add(board.bitboards)
        proof = prover.probe(board)
        if proof.phi is not None:
            found.setdefault((board.own, board.opp), []).append(proof)
            waiting += [board.push(move).canonical() for move in board.moves()]
    return found


def expansions(prover):
    """The expansions below each entry of a prover's table, as the table counts them: an array, with 0 for an empty place."""
    codes = table_save.words(prover.table)[1::2] >> np.uint64(8) & np.uint64(255)
    return (4 | codes & np.uint64(3)) << (codes >> np.uint64(2)) >> np.uint64(2)


@pytest.mark.compiled
def test_positions_are_what_the_table_says_each_once(positions):
    records = read(positions)
    assert len(records) > 100 and set(records["root"]) == set(range(ROOTS))
    prover = Prover(HASH)
    for number, root in enumerate(itertools.islice(candidates(RULES, (3, 12), "learn 5"), ROOTS)):
        prover.clear()
        prover.prove(root, NODES)
        known, own_records = entered(root, prover), records[records["root"] == number]
        for record in own_records.tolist():
            own, opp, _, phi, delta, _ = record
            assert any(
                (phi == 0, delta == 0) == (proof.value > 0, proof.value < 0)
                and (proof.value or (phi, delta) == proof[3:])
                for proof in known[own, opp]
            ), record
        # Two positions may differ by their right to take en passant alone, which a record does not tell.
        places = [record[:2] for record in own_records.tolist()]
        assert all(places.count(place) <= len(known[place]) for place in set(places))
        work = expansions(prover)
        assert sorted(own_records["work"]) == sorted(work[work >= LEAST])


@pytest.mark.compiled
@pytest.mark.parametrize("least", [LEAST, 60])
def test_positions_of_a_saved_table_are_its_entries_of_enough_work(least, tmp_path, capsys):
    rules, prover = get_rules("breakthrough4x6"), Prover(1)
    prover.prove(Board.start(rules), 2 * NODES)
    saved, path = tmp_path / "saved", tmp_path / "positions.bin"
    table_save.save(saved, prover.table, {"game": rules.name, "nodes": 0, "seconds": 0})
    words = ("table", saved, path, "--variant", rules.name, "--least", least)
    assert run(*words) == 0
    records, known = read(path, rules), entered(Board.start(rules), prover)
    assert capsys.readouterr().out == f"{path}: {len(records):,} positions\n" and not records["root"].any()
    assert run(*words) == 2 and f"{path} exists: expected the name of a new file" in capsys.readouterr().err
    for own, opp, _, phi, delta, work in records.tolist():
        proof = known[own, opp][0]
        assert work >= least and (phi == 0, delta == 0) == (proof.value > 0, proof.value < 0)
        assert proof.value or (phi, delta) == proof[3:]
    work = expansions(prover)
    kept = sorted(work[work >= least])  # the greatest is that of the start position, which has no record
    assert 20 < len(records) and sorted(records["work"]) == kept[:-1]


@pytest.mark.compiled
def test_positions_of_a_saved_table_have_no_en_passant_and_fit_into_their_records(tmp_path):
    prover, saved = Prover(HASH), tmp_path / "saved"
    prover.prove(Board.start(RULES), 50 * NODES)
    words = table_save.words(prover.table)
    keys, data = words[::2], words[1::2]
    filled = data != 0
    keys[filled] ^= data[filled]
    data[filled] = data[filled] & ~np.uint64(255 << 8) | np.uint64(160 << 8)  # 2 ** 40 expansions each
    keys[filled] ^= data[filled]
    table_save.save(saved, prover.table, {"game": RULES.name, "nodes": 0, "seconds": 0})
    assert run("table", saved, tmp_path / "x", "--least", LEAST) == 0
    records = read(tmp_path / "x")
    assert len(records) > 100 and (records["work"] == 2**32 - 1).all()
    places = {record[:2] for record in records.tolist()}
    assert len(places) == len(records)


@pytest.mark.compiled
def test_saved_table_of_a_run_that_began_elsewhere_is_refused(tmp_path, capsys):
    rules, prover = get_rules("breakthrough4x6"), Prover(1)
    start = Board.start(rules)
    for text in ("a2b3", "b5b4"):
        start = start.push(parse_move(start, text))
    prover.prove(start, NODES)
    table_save.save(tmp_path / "saved", prover.table, {"game": rules.name, "nodes": 0, "seconds": 0})
    assert run("table", tmp_path / "saved", tmp_path / "x", "--variant", rules.name) == 2
    assert "saved has no entries for positions after the first move" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.compiled
def test_interrupted_run_ends_in_the_same_file(positions, tmp_path):
    whole = positions.read_bytes()
    path = tmp_path / "cut.bin"
    path.write_bytes(whole[: -7 * RECORD.itemsize])
    assert resume(path, ROOTS) == ROOTS - 1 and whole.startswith(path.read_bytes()) and set(read(path)["root"]) == {0}
    path.write_bytes(whole[:-33])
    assert run("positions", path, *COMMON) == 0 and path.read_bytes() == whole
    path.write_bytes(b"")
    assert resume(path, ROOTS) == 0
    path.write_bytes(whole[:5])
    with pytest.raises(TrainingError):
        resume(path, ROOTS)
    assert path.read_bytes() == whole[:5]


def test_fewer_roots_than_a_file_has_are_refused(positions, tmp_path, capsys):
    path = tmp_path / "longer.bin"
    path.write_bytes(positions.read_bytes())
    assert run("positions", path, *COMMON, "--roots", ROOTS - 1) == 2
    assert f"--roots {ROOTS} or more" in capsys.readouterr().err
    assert path.read_bytes() == positions.read_bytes()


@pytest.mark.compiled
def test_roots_from_a_file_are_positions_of_it_that_are_not_proven(positions, tmp_path, capsys):
    path = tmp_path / "deeper.bin"
    assert run("positions", path, *COMMON, "--from", positions) == 0
    source, records = read(positions), read(path)
    known = {record[:2]: record[3] and record[4] for record in source.tolist()}
    roots = unproven(positions, RULES, ROOTS, "learn 5")
    assert len(set(roots)) == ROOTS
    for number, (own, opp, ep) in enumerate(roots):
        assert known[own, opp] and not ep
        board = Board(RULES, own, opp, 0, False).canonical()
        assert (board.own, board.opp) in {record[:2] for record in records[records["root"] == number].tolist()}
    capsys.readouterr()
    for words, told in (
        ((path, "--from", path), "expected a file other than the one to write"),
        ((tmp_path / "more", "--from", positions, "--roots", len(source) + 1), "no more positions that are not proven"),
    ):
        assert run("positions", *words[:1], *COMMON, *words[1:]) == 2 and told in capsys.readouterr().err


@pytest.mark.compiled
def test_roots_from_games_are_their_positions_near_the_end(tmp_path, capsys):
    moves = "b2b4 g7g5 b4b5 g5g4 b5b6 g4g3 f2g3 c7b6 g3g4 h7h5 g4h5".split()
    pgn = tmp_path / "games.pgn"
    pgn.write_text(f'[Variant "twoflags"]\n\n{" ".join(moves)} *\n\n' * 2)  # each position twice
    board, after = Board.start(RULES), {}
    for ply, move in enumerate(moves, 1):
        board = board.push(parse_move(board, move))
        after[board.canonical().bitboards] = len(moves) - ply
    found = solver_positions.from_games(pgn, RULES, (1, 4), 9, "seed")
    assert sorted(map(after.get, found)) == [1, 2, 3, 4]
    path = tmp_path / "roots.bin"
    words = ("positions", path, *COMMON, "--games", pgn, "--plies", 3, 4)
    assert run(*words) == 0
    records = read(path)
    first = {tuple(record)[:2] for root in (0, 1) for record in records[records["root"] == root][:1].tolist()}
    assert first == {bitboards[:2] for bitboards, left in after.items() if left in (3, 4)}
    assert run(*words, "--roots", 3) == 2 and "has no more positions that lie --plies before" in capsys.readouterr().err
    pgn.write_text('[Variant "twoflags"]\n\nb2b4 b2b4 *\n')
    assert run("positions", tmp_path / "none", *COMMON, "--games", pgn) == 2
    assert f"{pgn}, game 1: " in capsys.readouterr().err


def test_classes_are_of_the_contents_of_a_file_alone():
    known = ntuple_model.classes()
    assert known.shape == (4096,) and known.min() == 0 and known.max() == ntuple_model.KNOWN - 1
    assert [known[1 << rank] for rank in range(6)] == [*range(1, 7)] and [known[64 << rank] for rank in range(6)] == [
        *range(7, 13)
    ]
    pairs = [known[1 << own | 64 << opp] for own, opp in itertools.permutations(range(6), 2)]
    assert pairs == [*range(13, 43)] and (known == 0).sum() == 1 + 4096 - 729
    assert known[0b000011] == 43 and known[0b110000] == 47 and known[0b110000 << 6] == 48 and known[0b000011 << 6] == 52
    assert known[0b000011 | 0b001000 << 6] == 55 and known[0b001001 | 0b000010 << 6] == 53
    assert known[0b000010 | 0b011000 << 6] == 56 and known[0b000010 | 0b010001 << 6] == 54
    assert known[0b000011 | 0b001100 << 6] == 57


def some_records(count, seed):
    """RECORDs of random pawns, ten roots of them, in which rule() tells who wins; every third is proven."""
    chance = random.Random(seed)
    records = np.zeros(count, RECORD)
    for index in range(count):
        squares = chance.sample(range(8, 56), 10)
        own, opp = (sum(1 << square for square in part) for part in (squares[:5], squares[5:]))
        sign = 1 if rule(own, opp) else -1
        numbers = ((0, 9) if sign > 0 else (9, 0)) if index % 3 == 0 else (8, 128) if sign > 0 else (128, 8)
        records[index] = own, opp, index * 10 // count, *numbers, LEAST
    return records


def rule(own, opp):
    """Whether a file at the edge holds nothing but own pawns."""
    return any(own >> file & 0x0101010101010101 and not opp >> file & 0x0101010101010101 for file in (0, 7))


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A file in which a rule was planted."""
    path = tmp_path_factory.mktemp("planted") / "planted.bin"
    some_records(12_000, 3).tofile(path)
    return path


def judged(score):
    """The share of some positions that a function (own, opp) -> score judges by the rule."""
    return np.mean([(score(own, opp) > 0) == rule(own, opp) for own, opp, *_ in some_records(500, 4).tolist()])


def parsed(path):
    """(classes, weights) of a file of weights, by the words of its description."""
    head, packed = path.read_bytes().split(b"\n", 1)
    body = zlib.decompress(packed)
    assert head.decode() == f"pawnstorm ntuple 1 twoflags8x8 check {zlib.crc32(body)}"
    numbers = np.frombuffer(body, "<i2").astype(int)
    assert len(numbers) == 4096 + 3 * 64**3
    return numbers[:4096].tolist(), numbers[4096:].tolist()


def score(own, opp, classes, weights):
    """The sum of a position's six weights, file by file."""
    of = [
        classes[
            sum(
                (own >> 8 * rank + file & 1) << rank - 1 | (opp >> 8 * rank + file & 1) << rank + 5
                for rank in range(1, 7)
            )
        ]
        for file in range(8)
    ]
    triples = [(t, of[t], of[t + 1], of[t + 2]) for t in range(3)] + [
        (t, of[7 - t], of[6 - t], of[5 - t]) for t in range(3)
    ]
    return sum(weights[((t * 64 + a) * 64 + b) * 64 + c] for t, a, b, c in triples)


def test_planted_rule_is_learned_and_told_by_the_file(planted, tmp_path, capsys):
    paths = [tmp_path / name for name in ("one", "again", "other")]
    said = []
    for path, seed in zip(paths, (1, 1, 2)):
        assert run("fit", planted, "-o", path, "--seed", seed, "--scale", 100) == 0
        said.append(capsys.readouterr().out.splitlines())
    base, losses = float(said[0][0].split()[-1]), [float(line.split()[-1]) for line in said[0][1:4]]
    assert losses == sorted(losses, reverse=True) and losses[-1] < 0.7 * base
    assert paths[0].read_bytes() == paths[1].read_bytes() != paths[2].read_bytes()
    classes, weights = parsed(paths[0])
    assert classes == ntuple_model.classes().tolist()
    assert judged(lambda own, opp: score(own, opp, classes, weights)) > 0.9


def test_planted_effort_is_learned_by_a_solvers_network(tmp_path, capsys):
    records = some_records(12_000, 5)
    # A win by the planted rule takes 64 times what a loss does.
    records["work"] = np.where(records["phi"] == 0, 4096, 64)
    records.tofile(tmp_path / "positions")
    breakthrough = get_rules("breakthrough")
    words = ("breakthrough", tmp_path / "positions", "-o", tmp_path / "learned", "--passes", PASSES)
    assert run("solver", *words) == 0
    said = capsys.readouterr().out.splitlines()
    losses = [float(line.split()[4]) for line in said if line.startswith("pass ")]
    assert "error of the predicted work 0." in said[-2] and len(losses) == PASSES and losses[-1] < 0.7 * losses[0]
    numbers = numbers_of(tmp_path / "learned", breakthrough, networks.load_solver)
    found = []
    for own, opp, *_ in some_records(500, 4).tolist():
        odds, win, loss = slow_outputs(numbers, Board(breakthrough, own, opp, 0, False), SOLVER_OUTPUTS)
        found.append((odds > 0) == rule(own, opp) and abs(win - 12 * 256) < 256 and abs(loss - 6 * 256) < 256)
    assert np.mean(found) > 0.8


def test_solvers_network_follows_from_positions_and_seed(planted, tmp_path):
    paths = [tmp_path / name for name in ("one", "again", "other")]
    for path, seed in zip(paths, (1, 1, 2)):
        assert run("solver", "breakthrough", planted, "-o", path, "--passes", 2, "--seed", seed) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes() != paths[2].read_bytes()


def test_odds_and_effort_of_a_solvers_network_count_as_often_as_asked(planted, tmp_path):
    found, breakthrough = [], get_rules("breakthrough")
    for odds, effort in (("1", "1"), ("2.5", "0.5")):
        path = tmp_path / odds
        words = ("breakthrough", planted, "-o", path, "--passes", 20, "--odds", odds, "--effort", effort)
        assert run("solver", *words) == 0
        found.append(numbers_of(path, breakthrough, networks.load_solver))
    for own, opp, *_ in some_records(50, 8).tolist():
        board = Board(breakthrough, own, opp, 0, False)
        (odds, *effort), (more, *less) = (slow_outputs(numbers, board, SOLVER_OUTPUTS) for numbers in found)
        assert more == pytest.approx(2.5 * odds, abs=4) and odds != 0
        assert less == pytest.approx([number / 2 for number in effort], abs=2) and min(effort) > 0


def test_solvers_network_begins_with_the_odds_of_an_evaluation(planted, tmp_path):
    """After a pass of one batch, a network that began with those of the game is still nearer to them than to a random one."""
    breakthrough = get_rules("breakthrough")
    evaluation = learn.DATA / "breakthrough8x8.network"
    words = ("breakthrough", planted, "--passes", 1)
    assert run("solver", *words, "-o", tmp_path / "begun", "--begin", evaluation) == 0
    assert run("solver", *words, "-o", tmp_path / "random") == 0
    known = numbers_of(evaluation, breakthrough, networks.load_network)
    begun, other = (numbers_of(tmp_path / name, breakthrough, networks.load_solver) for name in ("begun", "random"))
    boards = [Board(breakthrough, own, opp, 0, False) for own, opp, *_ in some_records(200, 9).tolist()]
    expected = [slow_outputs(known, board, 1)[0] for board in boards]
    near, far = (
        np.corrcoef(expected, [slow_outputs(numbers, board, SOLVER_OUTPUTS)[0] for board in boards])[0, 1]
        for numbers in (begun, other)
    )
    assert near > 0.8 > far
    (tmp_path / "wrong").write_text("no network")
    assert run("solver", *words, "-o", tmp_path / "none", "--begin", tmp_path / "wrong") == 2


def test_file_of_a_single_root_is_learned_from_beside_another(planted, tmp_path, capsys):
    records = some_records(3_000, 6)
    records["root"] = 0
    records.tofile(tmp_path / "single")
    counts = []
    for files in ([planted], [tmp_path / "single", planted]):
        assert run("solver", "breakthrough", *files, "--passes", 1, "-o", tmp_path / "learned") == 0
        first = capsys.readouterr().out.splitlines()[0]
        counts.append([int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*", first)])
    (few, aside), (more, other) = counts
    assert more == few + 3_000 and aside == other


def test_solvers_network_begins_with_all_outputs_of_another(planted, tmp_path):
    breakthrough, known = get_rules("breakthrough"), learn.DATA / "breakthrough8x8.solver"
    words = ("breakthrough", planted, "--passes", 1, "-o", tmp_path / "begun", "--begin", known)
    assert run("solver", *words) == 0
    old, new = (numbers_of(path, breakthrough, networks.load_solver) for path in (known, tmp_path / "begun"))
    boards = [Board(breakthrough, own, opp, 0, False) for own, opp, *_ in some_records(200, 9).tolist()]
    outputs = [[slow_outputs(numbers, board, SOLVER_OUTPUTS) for board in boards] for numbers in (old, new)]
    for before, after in zip(*(np.array(some).T for some in outputs)):
        assert np.corrcoef(before, after)[0, 1] > 0.95


def test_folded_triples_are_the_sums_of_pairs_and_triples(tmp_path):
    weights = np.random.default_rng(6).normal(0, 3, ntuple_model.PAIRS + ntuple_model.TRIPLES).astype(np.float32)
    ntuple_model.write(tmp_path / "weights", weights, 40)
    numbers = parsed(tmp_path / "weights")
    records = some_records(200, 7)
    sums = 40 * ntuple_model.scores(ntuple_model.rows(records["own"], records["opp"]), weights)
    for (own, opp, *_), expected in zip(records.tolist(), sums.tolist()):
        assert score(own, opp, *numbers) == pytest.approx(expected, abs=3.01)  # six roundings
        assert score(own, opp, *numbers) == score(RULES.mirror(own), RULES.mirror(opp), *numbers)


def test_targets_are_chances_to_win():
    phi, delta = np.array([0, 9, 8, 8, 64]), np.array([9, 0, 8, 64, 8])
    assert solver_positions.targets(phi, delta, 0.5) == pytest.approx(
        [1, 0, 0.5, 1 / (1 + np.exp(-1.5)), 1 / (1 + np.exp(1.5))]
    )


def test_weights_never_met_are_nought():
    weights, _ = ntuple_model.empty()
    weights[(1 * 64 + 5) * 64 + 6] = weights[(3 * 64 + 7) * 64 + 8] = weights[ntuple_model.PAIRS] = 1
    weights[: ntuple_model.PAIRS].reshape(4, 64, 64)[:, 0, 60] = 1  # such a class there is not
    folded = ntuple_model.fold(weights)
    assert folded[0, 0, 0, 0] == 1 and folded[1, 5, 6, :58].all() and folded[2, :58, 7, 8].all()
    assert folded.sum() == 1 + 58 + 58


@pytest.mark.parametrize(
    "words, named",
    [
        (("fit", "text"), "text is not a file of positions"),
        (("fit", "empty"), "empty holds no positions"),
        (("fit", "single"), "single holds positions of 1 root"),
        (("fit", "planted", "-o", "planted"), "planted is given twice, as an input or an output"),
        (("solver", "breakthrough5x6", "text", "-o", "text"), "text is given twice, as an input or an output"),
        (("positions", "text"), "text is not a file of positions"),
        (("positions", "x", "--hash", 1 << 30), "MiB of hash"),
        (("table", "text", "x"), "text is not a complete saved file"),
        (("table", "text", "text"), "text exists: expected the name of a new file"),
        (("table", "text", "x", "--least", LEAST - 1), f"--least {LEAST - 1}: expected {LEAST} or more"),
    ],
)
def test_bad_files_are_named(words, named, planted, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("not positions at all, but a text\n" * 9)
    (tmp_path / "empty").touch()
    single = np.fromfile(planted, solver_positions.RECORD)
    single["root"] = 0
    single.tofile(tmp_path / "single")
    (tmp_path / "planted").write_bytes(planted.read_bytes())
    before = sorted(tmp_path.iterdir()), (tmp_path / "text").read_bytes()
    assert run(*words) == 2
    said = capsys.readouterr().err
    assert named in said and said.startswith("learn.py: ")
    assert before == (sorted(tmp_path.iterdir()), (tmp_path / "text").read_bytes())


@pytest.mark.parametrize(
    "words, named",
    [
        (("fit", "x", "--scale", "0"), "--scale"),
        (("fit", "x", "--softness", "nan"), "--softness"),
        (("fit", "x", "--passes", "-1"), "--passes"),
        (("positions", "x", "--plies", "5", "3"), "--plies: 5 3"),
        (("positions", "x", "--nodes", "many"), "'many'"),
    ],
)
def test_bad_words_are_named(words, named, capsys):
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2 and named in capsys.readouterr().err


def test_plies_after_which_there_are_too_few_positions_are_named(tmp_path, capsys):
    assert run("positions", tmp_path / "x", "--plies", 0, 0, "--roots", 2) == 2
    assert "--roots 2: only 1 found" in capsys.readouterr().err
