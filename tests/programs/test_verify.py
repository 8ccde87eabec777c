"""The checker of proofs: it accepts whole proofs, names the fault and the line to it in broken ones, and knows the rules for itself."""

import ast
import json
import os
import random
import re
import signal
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import naive
import proofs            # makes scripts/ importable
from proofs import ILLEGAL, MALFORMED, MISSING, ROOT, UNFINISHED, Judge, proof, prove

import verify
from proving import checking, prooffile
from proving.checking import checker, pawnrules, twin

SCRIPT = ROOT / "scripts" / "verify.py"
MADE_OF = [SCRIPT, *(ROOT / "scripts" / "proving" / f"{name}.py" for name in (
    "arguments", "checker", "checking", "machinecode", "pawnrules", "prooffile", "roots", "twin", "wholefile")),
    ROOT / "scripts" / "ctrl_c" / "__init__.py"]

# Roots that naive play proves at once; both colours win, with and without the move.
STARTS = {
    "hexapawn3x3": "b", "hexapawn4x3": "w", "hexapawn1x5": "w", "breakthrough2x5": "b", "breakthrough2x6": "w", "breakthrough3x4": "b",
    "twoflags3x5": "b", "twoflags3x6": "b", "twoflags4x5": "w", "twoflags4x6": "b",
}
def start(name):
    return naive.start(naive.GAMES[name])


def at(name, fen):
    return naive.parse_fen(naive.GAMES[name], fen)


@pytest.fixture
def check(tmp_path, capsys):
    """Write a Proof and check it; (status, what was printed as {first word: the rest of its line})."""
    def run(made, *flags):
        path = tmp_path / "test.proof"
        prooffile.write(path, made)
        status = verify.main([str(path), *flags])
        lines = capsys.readouterr().out.splitlines()
        return status, dict([*(line.split(None, 1) for line in lines[:-1]), ("verdict", lines[-1])])
    return run


def refused(result, made):
    """The (position, reason) that a proof was refused for; its line must be legal and lead there."""
    status, said = result
    assert status == 1 and said["verdict"].startswith("NOT verified: ")
    end = at(made.game, made.fen)
    for move in said["line"].replace("none", "").split():
        assert move in naive.moves(end)
        end = naive.play(end, move)
    assert said["position"] == naive.fen(end)
    return proofs.either(end), re.sub("move .* is", "move is", said["verdict"].removeprefix("NOT verified: "))


@cache
def plans_of(name, seed=1, use_paths=True, mirror=True):
    return prove(start(name), seed, use_paths, mirror)


@pytest.mark.parametrize("use_paths, mirror", ((False, False), (True, True)))
@pytest.mark.parametrize("name", STARTS)
def test_whole_proof_is_verified(check, name, use_paths, mirror):
    plans = plans_of(name, use_paths=use_paths, mirror=mirror)
    made = proof(start(name), plans)
    judge = Judge(made)
    assert made.winner == STARTS[name] and not judge.faults
    status, said = check(made)
    assert status == 0 and said["verdict"] == "verified"
    assert said["game"] == name and said["root"] == made.fen and said["winner"] == proofs.SIDES[made.winner]
    assert said["records"] == f"{len(plans):,}, 0 of them not reached"
    assert f" {len(plans):,} listed," in said["positions"] and said["longest"] == f"{judge.longest} plies"


def test_those_proofs_hold_what_can_go_wrong():
    plans = [(position, squares) for name in STARTS for position, squares in plans_of(name).items()]
    assert {len(squares) - 1 for _, squares in plans} >= {1, 2, 3}
    assert sum(position.ep == squares[1] for position, squares in plans) >= 3
    assert sum(position.ep not in ("-", squares[1]) for position, squares in plans) >= 3
    offers = [position for position, squares in plans if len(squares) == 2 and naive.play(position, "".join(squares)).ep != "-"]
    assert offers, "the loser may never take en passant"


def test_finished_game_needs_no_record(check):
    lost = at("hexapawn3x3", "3/p1p/P1P w - -")
    assert check(proof(lost, {}, "b"))[0] == 0
    made = proof(lost, {}, "w")
    assert refused(check(made), made) == (lost, "White has lost")


# Lone runners: the game, the position, and the path.
RUNNERS = [
    ("hexapawn3x8", "2p/3/3/3/3/3/3/P2 w - -", "a1 a2 a3 a4 a5 a6 a7 a8"),
    ("hexapawn3x8", "2p/3/3/3/3/3/3/P2 b - -", "c8 c7 c6 c5 c4 c3 c2 c1"),
    ("breakthrough5x6", "3pp/3pp/5/P4/5/5 w - -", "a3 b4 a5 b6"),
    ("twoflags8x8", "8/5ppp/8/8/P7/8/8/8 w - -", "a4 a5 a6 a7 a8"),
    ("twoflags8x8", "8/1p6/8/8/8/6PP/8/8 b - -", "b7 b5 b4 b3 b2 b1"),
    ("twoflags5x6", "5/4p/2p2/PP3/5/5 w - -", "b3 c4 c5 c6"),
    ("twoflags8x8", "8/8/p7/Pp6/8/8/8/8 w - b6", "a5 b6 b7 b8"),
]


@pytest.mark.parametrize("name, fen, path", RUNNERS)
def test_runner_needs_one_record(check, name, fen, path):
    root = at(name, fen)
    status, said = check(proof(root, {root: path.split()}))
    assert status == 0 and " 1 listed," in said["positions"]
    image = naive.mirror(root)
    assert check(proof(root, {image: proofs.mirrored(root.game.files, path.split())}))[0] == 0


@pytest.mark.parametrize("name, fen, path", RUNNERS)
def test_runner_s_path_has_to_end_the_game(check, name, fen, path):
    root = at(name, fen)
    for end in range(3, len(path.split())):
        made = proof(root, {root: path.split()[:end]})
        assert refused(check(made), made)[1] == UNFINISHED


@pytest.mark.parametrize("fen, path, moves, reason", (
    pytest.param("8/1p6/8/P7/8/8/8/8 w - -", "a5 a6 a7 a8", "a5a6 b7a6", "White has lost", id="its last pawn is taken"),
    pytest.param("8/1p6/8/P7/8/8/7P/8 w - -", "a5 a6 a7 a8", "a5a6 b7a6", ILLEGAL, id="it is taken"),
    pytest.param("8/8/p7/8/8/P7/7P/8 w - -", "a3 a4 a5 a6 a7 a8", "a3a4 a6a5", ILLEGAL, id="it is blocked"),
    pytest.param("8/8/8/8/8/5p2/P7/8 w - -", "a2 a4 a5 a6 a7 a8", "a2a4 f3f2 a4a5 f2f1", "White has lost", id="it is too slow"),
    pytest.param("8/8/8/8/1p6/1P6/P7/8 w - -", "a2 a4 a5", "a2a4 b4a3", ILLEGAL, id="it is taken en passant"),
    pytest.param("8/8/8/Pp6/8/8/8/8 w - -", "a5 b6 b7 b8", "none", ILLEGAL, id="it takes en passant without the right"),
    pytest.param("8/8/8/8/8/8/P7/7p w - -", "a2 a3 a4", "none", "White has lost", id="the game is over"),
    pytest.param("8/8/8/8/8/8/P6p/8 w - -", "b2 b3 b4", "none", ILLEGAL, id="nobody stands there"),
    pytest.param("8/8/8/8/8/8/P6p/8 w - -", "h2 h1", "none", ILLEGAL, id="it is the loser's"),
    pytest.param("8/8/8/8/8/8/P6p/8 w - -", "a2 a5 a6", "none", ILLEGAL, id="it leaps"),
))
@pytest.mark.parametrize("image", (False, True))
@pytest.mark.parametrize("turned", (False, True))
def test_path_that_is_stopped_is_refused(check, fen, path, moves, reason, image, turned):
    """Also listed as its mirror image, and with the colours changed."""
    root, squares = at("twoflags8x8", fen), path.split()
    if turned:
        def flip(text):
            return re.sub("[1-8]", lambda rank: str(9 - int(rank[0])), text)
        board = tuple(row.swapcase() for row in reversed(root.board))
        root, squares, moves = naive.Position(root.game, board, "b"), [flip(square) for square in squares], flip(moves)
        reason = reason.replace("White", "Black")
    plans = {naive.mirror(root): proofs.mirrored(8, squares)} if image else {root: squares}
    made = proof(root, plans, root.side)
    result = check(made)
    assert refused(result, made)[1] == reason and result[1]["line"] == moves


def test_en_passant_is_part_of_what_a_record_is_about(check):
    """With the right, White takes and wins; without it White has no move."""
    root = at("twoflags8x8", "8/8/p7/Pp6/8/8/8/8 w - b6")
    for other in (root._replace(ep="-"), naive.mirror(root)._replace(ep="-"), root._replace(ep="a6"), root._replace(ep="h6")):
        made = proof(root, {other: ["a5", "b6", "b7", "b8"]}, "w")
        assert refused(check(made), made) == (proofs.either(root), MISSING)


def test_reply_en_passant_has_to_be_answered(check):
    root = at("twoflags8x8", "8/7P/8/8/1p6/8/P7/8 w - -")
    plans = {root: ("a2", "a4"), at("twoflags8x8", "8/7P/8/8/P7/1p6/8/8 w - -"): ("h7", "h8")}
    made = proof(root, plans)
    taken = at("twoflags8x8", "8/7P/8/8/8/p7/8/8 w - -")
    assert refused(check(made), made) == (proofs.either(taken), MISSING)
    assert check(proof(root, plans | {taken: ("h7", "h8")}))[0] == 0


def test_game_that_the_loser_has_won_does_not_go_on(check):
    """Though the position is listed, with a move after which the pawn that has come home cannot move."""
    root, home = at("twoflags8x8", "8/8/8/8/8/8/P5p1/8 w - -"), at("twoflags8x8", "8/8/8/8/P7/8/8/6p1 w - -")
    for path in (("a4", "a5"), ("a4", "a5", "a6")):
        made = proof(root, {root: ("a2", "a4"), home: path}, "w")
        assert refused(check(made), made) == (proofs.either(home), "White has lost")


@pytest.mark.parametrize("name", ("hexapawn3x3", "twoflags3x5", "twoflags4x5", "breakthrough2x5"))
def test_no_record_can_be_spared(check, name):
    plans = plans_of(name)
    for position in plans:
        made = proof(start(name), {other: squares for other, squares in plans.items() if other != position})
        assert refused(check(made, "--sample", "1"), made) == (proofs.either(position), MISSING)


@pytest.mark.parametrize("name", STARTS)
def test_loser_is_not_the_winner(check, name):
    made = proof(start(name), plans_of(name))
    made = made._replace(winner=naive.OTHER[made.winner])
    assert refused(check(made), made) in Judge(made).faults


def changed(made, lot):
    """A Proof with one thing changed by lot, for better or worse."""
    records = [list(record) for record in made.records]
    at_random = lot.randrange(len(records))
    kind = lot.randrange(9)
    if kind == 0:
        del records[at_random]
    elif kind == 1:
        records[at_random][2] ^= 1 << lot.randrange(64)
    elif kind == 2:
        records[at_random][lot.randrange(2)] ^= 1 << lot.randrange(40)
    elif kind == 3:
        records[at_random][2] = records[lot.randrange(len(records))][2]
    elif kind == 4:
        records.insert(lot.randrange(len(records)), [*records[at_random][:2], lot.choice(records)[2]])
    elif kind == 5:
        records[at_random][2] = records[at_random][2] & ~7 | lot.randrange(8)
    elif kind == 6:
        path = prooffile.path(records[at_random][2])
        path[lot.randrange(len(path))] += lot.choice((-9, -8, -7, -1, 1, 7, 8, 9))
        records[at_random][2] = prooffile.plan([square & 63 for square in path], records[at_random][2] >> 4 & 15)
    elif kind == 7:
        white, black, plan = records[at_random]
        colour = black if made.winner == "b" else white
        pawn = lot.choice([square for square in range(64) if colour >> square & 1])
        to = pawn + lot.choice((7, 8, 9)) * (1 if made.winner == "w" else -1)
        records[at_random][2] = prooffile.plan([pawn, to & 63], plan >> 4 & 15)
    else:
        made = made._replace(winner=naive.OTHER[made.winner])
    return made._replace(records=records)


@pytest.mark.parametrize("name", (
    "hexapawn3x3", "hexapawn4x3", "twoflags3x5", "twoflags3x6", "twoflags3x7", "twoflags4x5", "breakthrough2x5",
))
def test_changed_proof_is_judged_as_by_naive_play(check, monkeypatch, name):
    """The same verdict; and a fault that the slow judge finds too, at the same position."""
    lot, verdicts = random.Random(f"1 {name}"), []
    for seed in range(100):
        monkeypatch.setattr(checker, "MEMORY", lot.choice((1, 2, 1 << 10)))
        made = proof(start(name), plans_of(name, seed % 7, use_paths=lot.random() < 0.7), seed=seed)
        for _ in range(lot.randint(1, 2)):
            made = changed(made, lot)
        judge, result = Judge(made), check(made, "--sample", "1")
        if judge.faults:
            assert refused(result, made) in judge.faults
        else:
            assert result[0] == 0 and f" {len(judge.listed):,} listed," in result[1]["positions"]
            assert result[1]["longest"] == f"{judge.longest} plies"
        verdicts.append(bool(judge.faults))
    assert 5 < sum(verdicts) < 95


def test_small_memory_for_paths_costs_time_only(check, monkeypatch):
    root = at("breakthrough8x8", "4pp2/4pp2/8/8/P7/8/8/8 w - -")
    made = proof(root, {root: "a4 a5 a6 a7 a8".split()})
    counts = []
    for places in (1, 1 << 16):
        monkeypatch.setattr(checker, "MEMORY", places)
        status, said = check(made, "--sample", "1")
        assert status == 0 and said["longest"] == "7 plies"
        counts.append(int(re.search("([0-9,]+) in paths", said["positions"])[1].replace(",", "")))
    assert counts[0] > 1.5 * counts[1]


@pytest.mark.parametrize("bad", (0, 1))
def test_what_held_on_one_path_need_not_hold_on_another(check, monkeypatch, bad):
    """Black's two moves lead to one position by either order; White's paths there differ in what is still to come."""
    monkeypatch.setattr(checker, "MEMORY", 1)
    root = at("twoflags8x8", "8/4p2p/8/4P2P/P7/8/8/8 b - -")
    plans = {naive.play(root, reply): ["a4", "a5", "a6", "a7"] for reply in naive.moves(root)}
    assert check(proof(root, plans))[0] == 0
    plans[list(plans)[bad]] = ["a4", "a5", "b6", "b7"]
    made = proof(root, plans)
    assert refused(check(made), made)[1] == ILLEGAL


def test_records_not_reached_are_counted(check):
    plans = plans_of("hexapawn3x3")
    made = proof(start("hexapawn3x3"), plans)
    elsewhere = proofs.record(at("hexapawn3x3", "1pp/1P1/P2 b - -"), ("b3", "b2"))
    spare = [elsewhere, made.records[3], [0, 0, 0], [(1 << 64) - 1] * 3]
    status, said = check(made._replace(records=made.records + spare))
    assert status == 0 and said["records"] == f"{len(plans) + 4}, 4 of them not reached"


def test_first_of_two_records_counts(check):
    root = start("hexapawn3x3")
    made = proof(root, plans_of("hexapawn3x3"))
    for place, good in enumerate(made.records):
        bad = [*good[:2], good[2] & ~7]
        assert check(made._replace(records=[*made.records, bad]))[0] == 0
        again = made._replace(records=[bad, *made.records])
        assert refused(check(again), again)[1] == MALFORMED


def random_positions(name, games, seed=1):
    """The positions of random games."""
    lot = random.Random(f"{seed} {name}")
    for _ in range(games):
        position = start(name)
        yield position
        while not naive.over(position):
            position = naive.play(position, lot.choice(naive.moves(position)))
            yield position


@pytest.mark.parametrize("name, games", (
    ("twoflags8x8", 15), ("twoflags3x5", 30), ("twoflags5x6", 30), ("breakthrough8x8", 3), ("breakthrough2x4", 20), ("hexapawn1x3", 1),
    ("hexapawn8x7", 5),
))
def test_compiled_rules_are_naive_play_s(name, games):
    rules, en_passant = pawnrules.make(naive.GAMES[name]), 0
    for position in random_positions(name, games):
        twin.compare(position, rules)
        *sets, up = twin.words(position)
        assert twin.position(position.game, *sets, up) == position
        image = [pawnrules.mirror(squares, rules.files) for squares in sets]
        assert twin.position(position.game, *image, up) == naive.mirror(position)
        en_passant += position.ep != "-"
    assert en_passant > 3 or "twoflags" not in name


EMPTY, ALL = np.uint64(0), np.uint64((1 << 64) - 1)


@pytest.mark.parametrize("name, wrong", (
    ("twoflags5x6", {"second": EMPTY}), ("twoflags5x6", {"seventh": EMPTY}), ("twoflags5x6", {"passed": EMPTY}),
    ("twoflags5x6", {"diagonals": ALL}), ("twoflags5x6", {"top": EMPTY}), ("twoflags5x6", {"bottom": EMPTY}),
    ("twoflags5x6", {"board": np.uint64(0xF0F0F0F0F0F)}), ("breakthrough5x6", {"diagonals": EMPTY}),
    ("hexapawn5x5", {"second": np.uint64(0x1F)}),
))
def test_comparison_sees_wrong_rules(check, monkeypatch, name, wrong):
    right = pawnrules.make
    with pytest.raises(twin.Differs):
        for position in random_positions(name, 50):
            twin.compare(position, right(naive.GAMES[name])._replace(**wrong))


def test_difference_in_the_rules_is_a_fault_that_names_the_position(check, monkeypatch):
    """Without the loser's right to take en passant, whether the walk then ends well or not."""
    root = at("twoflags8x8", "8/7P/8/8/1p6/8/P7/8 w - -")
    plans = {root: ("a2", "a4"), at("twoflags8x8", "8/7P/8/8/P7/1p6/8/8 w - -"): ("h7", "h8")}
    right = pawnrules.make
    monkeypatch.setattr(pawnrules, "make", lambda game: right(game)._replace(passed=EMPTY))
    for listed in (plans, {root: plans[root]}):
        status, said = check(proof(root, listed))
        assert status == 1 and "disagree about what the moves lead to in 8/7P/8/8/1p6/8/P7/8 w - -" in said["verdict"]


def test_sample_is_every_so_many_th_position():
    made = proof(start("twoflags4x6"), plans_of("twoflags4x6"))
    made = made._replace(records=np.array(made.records, np.uint64))

    def sample(count):
        check = checking.Check(made, start("twoflags4x6"), count)
        assert check.run()
        return check.walk.samples[:check.walk.numbers[checker.SAMPLED]].tolist(), check.met()

    everything, met = sample(10_000)
    assert len(everything) == met
    root = twin.words(check_root := start("twoflags4x6"))
    assert check_root.side == "w" and tuple(everything[0]) == tuple(map(int, root))
    for count in (1, 7, 50):
        some, _ = sample(count)
        stride = next(1 << power for power in range(20) if met <= 2 * count << power)
        assert some == everything[::stride] and count <= len(some) <= 2 * count


def test_memory_stays_within_sixty_bytes_a_record():
    for records in (100_000, 87_382, 174_763):
        walk = checker.begin(pawnrules.make(naive.GAMES["twoflags8x8"]), True, 8, np.zeros((records, 3), np.uint64), 1)
        beside = sum(part.nbytes for part in (walk.table, walk.parent, walk.link, walk.depth))
        assert beside <= 60 * records
        assert len(walk.table) > 1.4 * records


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_game_without_en_passant_has_no_such_square_in_its_root(tmp_path, capsys, name):
    """By it White would take the pawn that Black wins with."""
    records = [[1 << proofs.number("b2"), 1 << proofs.number("a2"), prooffile.plan([proofs.number("b2"), proofs.number("a3")], 1)]]
    prooffile.write(tmp_path / "proof", prooffile.Proof(name, "3/3/3/pP1/3 w - a3 0 1", "w", records))
    assert verify.main([str(tmp_path / "proof")]) == 2
    assert "en passant" in capsys.readouterr().err


@pytest.mark.parametrize("name", ("hexapawn3x5", "breakthrough3x5"))
def test_compiled_rules_have_en_passant_only_where_the_game_does(name):
    """A set that says otherwise changes no move and removes no pawn."""
    root = at(name, "3/3/3/pP1/3 w - -")
    rules, passed = pawnrules.make(root.game), np.uint64(1 << proofs.number("a3"))
    white, black, ep, up = twin.words(root)
    rows, without = (np.zeros((pawnrules.ROWS, 3), np.uint64) for _ in range(2))
    count = pawnrules.successors(white, black, passed, up, rules, rows)
    assert count == pawnrules.successors(white, black, ep, up, rules, without) == len(naive.moves(root))
    assert (rows == without).all()


def written(tmp_path, content):
    path = tmp_path / "bad.proof"
    path.write_bytes(content)
    return str(path)


def header(**changed):
    return json.dumps({"file": prooffile.MAGIC, "game": "hexapawn3x3", "fen": "ppp/3/PPP w - -", "winner": "b"} | changed).encode()


@pytest.mark.parametrize("content, word", (
    pytest.param(b"", "is not a proof file", id="empty"),
    pytest.param(os.urandom(3000), "is not a proof file", id="noise"),
    pytest.param(b"[" * 5000, "is not a proof file", id="deep"),
    pytest.param(b"[1, 2]\n", "is not a proof file", id="a list"),
    pytest.param(header(file="pawnstorm proof 2") + b"\n", "is not a proof file", id="another version"),
    pytest.param(header(winner="x") + b"\n", "winner (w or b)", id="no side"),
    pytest.param(header(winner=None) + b"\n", "winner (w or b)", id="no winner"),
    pytest.param(header(fen=7) + b"\n", "game, fen and winner", id="no text"),
    pytest.param(header(), "first line", id="no end of line"),
    pytest.param(header(game="chess") + b"\n", "unknown game 'chess'", id="unknown game"),
    pytest.param(header(game="twoflags") + b"\n", "unknown game 'twoflags'", id="short name"),
    pytest.param(header() + b"\n" + bytes(24 * 5 + 11), "cut short: 11 bytes", id="cut short"),
    pytest.param(header(game="a\nb") + b"\n", r"unknown game 'a\nb'", id="two lines"),
    *(pytest.param(header(fen=fen) + b"\n", f"bad position '{fen}", id=fen) for fen in (
        "", "ppp/3/PPP", "ppp/3/PPP w", "ppp/3/PPP x - -", "ppp/4/PPP w - -", "ppp/PPP w - -", "ppp/3/3/PPP w - -", "pkp/3/PPP w - -",
        "9/3/PPP w - -", "Ppp/3/PPP w - -", "ppp/3/PpP b - -")),
    *(pytest.param(header(game="twoflags4x6", fen=fen) + b"\n", f"bad position '{fen}", id=fen) for fen in (
        "4/4/4/1p2/P3/4 w - b3", "4/4/1p2/Pp2/4/4 w - 4", "4/4/1p2/Pp2/4/4 w - xx",
        "4/1p2/4/Pp2/4/4 w - b4", "4/4/1p2/Pp2/4/4 w - b4", "4/4/Pp2/4/4/4 w - b5")),
))
def test_bad_file_is_told_in_one_line(tmp_path, capsys, content, word):
    assert verify.main([written(tmp_path, content)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and err.startswith("verify.py: ") and word in err


def test_missing_file_is_told_in_one_line(tmp_path, capsys):
    for path in (tmp_path / "none", tmp_path):
        assert verify.main([str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", (["x", "--sample", "0"], ["x", "--sample", "many"], []))
def test_bad_words_are_refused(capsys, words):
    with pytest.raises(SystemExit) as left:
        verify.main(words)
    assert left.value.code == 2 and "usage:" in capsys.readouterr().err


def test_nothing_of_the_engine_is_imported():
    for path in MADE_OF:
        tree = ast.parse(path.read_text())
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                # Of proving/ each module has to be among those looked at.
                names |= {f"proving.{alias.name}" for alias in node.names} if node.module == "proving" else {node.module}
        ours = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names | {"llvmlite", "numba", "numpy", "tqdm"}}
        assert ours <= {"naive", "ctrl_c"} | {f"proving.{path.stem}" for path in MADE_OF}


PLAIN = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import verify
from proving import checker
if sys.argv[2] == "same hash":
    checker.mixed = lambda *words: np.uint64(0)
for path in sys.argv[3:]:
    print(verify.main([path]))
print(sorted(name for name in sys.modules if name.split(".")[0] in ("engine", "protocol", "referee")))
"""


@pytest.mark.parametrize("hashing", ("its own hash", "same hash"))
def test_walk_works_as_plain_python_and_whatever_the_hash_is(tmp_path, hashing):
    """Nothing of the engine is loaded meanwhile."""
    whole = proof(start("twoflags4x5"), plans_of("twoflags4x5", use_paths=False))
    root = at("twoflags8x8", "8/8/p7/Pp6/8/8/8/8 w - b6")
    path, files = ["a5", "b6", "b7", "b8"], {"whole": whole, "broken": whole._replace(records=whole.records[:-1])}
    files["without the right"] = proof(root, {root._replace(ep="-"): path}, "w")
    files["so is its image"] = proof(root, {naive.mirror(root)._replace(ep="-"): proofs.mirrored(8, path)}, "w")
    for name, made in files.items():
        prooffile.write(tmp_path / name, made)
    done = subprocess.run([sys.executable, "-W", "error", "-c", PLAIN, SCRIPT.parent, hashing, *(tmp_path / name for name in files)],
                          env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.isdecimal() or "verified" in line or "[" in line]
    assert said == ["verified", "0", *[f"NOT verified: {MISSING}", "1"] * 3, "[]"]


def test_ctrl_c_ends_it_quietly(tmp_path):
    """As plain Python, which takes its time."""
    prooffile.write(tmp_path / "proof", proof(start("twoflags4x6"), plans_of("twoflags4x6", use_paths=False)))
    run = subprocess.Popen([sys.executable, SCRIPT, tmp_path / "proof"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        while b"checking" not in run.stderr.read1():
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130 and out == b"" and err.endswith(b"verify.py: stopped\n") and b"Traceback" not in err
