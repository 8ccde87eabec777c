"""scripts/verify.py: a proof is judged as naive play judges it."""

import random
import re

import proofs
import pytest
from proof_checks import STARTS, at, check, plans_of, refused, start  # noqa: F401  fixtures
from proofs import ILLEGAL, MALFORMED, MISSING, UNFINISHED, NaiveChecker, proof
from second_checker import Checker, verdict

from pawnstorm_tools.checking import checker, naive, prooffile
from pawnstorm_tools.programs import verify


def longest(said):
    """The plies of the longest game that a proof allows, which the checker says are that."""
    plies, what = re.fullmatch("(\\d+) pl(?:y|ies): (.*)", said["longest"]).groups()
    assert what == "the longest game that the proof allows; the shortest win may be shorter"
    return int(plies)


@pytest.mark.parametrize("use_paths, mirror", ((False, False), (True, True)))
@pytest.mark.parametrize("name", STARTS)
def test_whole_proof_is_verified(check, name, use_paths, mirror):
    plans = plans_of(name, use_paths=use_paths, mirror=mirror)
    made = proof(start(name), plans)
    checked = NaiveChecker(made)
    assert made.winner == STARTS[name] and not checked.faults
    status, said = check(made)
    assert status == 0 and said["verdict"] == "verified"
    assert said["game"] == name and said["root"] == made.fen and said["winner"] == proofs.SIDES[made.winner]
    assert said["records"] == f"{len(plans):,}, 0 of them not reached"
    assert f" {len(plans):,} listed," in said["positions"] and longest(said) == checked.longest


def test_those_proofs_hold_what_can_go_wrong():
    plans = [(position, squares) for name in STARTS for position, squares in plans_of(name).items()]
    assert {len(squares) - 1 for _, squares in plans} >= {1, 2, 3}
    assert sum(position.ep == squares[1] for position, squares in plans) >= 3
    assert sum(position.ep not in ("-", squares[1]) for position, squares in plans) >= 3
    offers = [
        position
        for position, squares in plans
        if len(squares) == 2 and naive.play(position, "".join(squares)).ep != "-"
    ]
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
def test_runner_needs_one_record_whose_path_ends_the_game(check, name, fen, path):
    root, squares = at(name, fen), path.split()
    status, said = check(proof(root, {root: squares}))
    assert status == 0 and " 1 listed," in said["positions"]
    assert check(proof(root, {naive.mirror(root): proofs.mirrored(root.game.files, squares)}))[0] == 0
    for end in range(3, len(squares)):
        made = proof(root, {root: squares[:end]})
        assert refused(check(made), made)[1] == UNFINISHED


@pytest.mark.parametrize(
    "fen, path, moves, reason",
    (
        pytest.param(
            "8/1p6/8/P7/8/8/8/8 w - -", "a5 a6 a7 a8", "a5a6 b7a6", "White has lost", id="its last pawn is taken"
        ),
        pytest.param("8/1p6/8/P7/8/8/7P/8 w - -", "a5 a6 a7 a8", "a5a6 b7a6", ILLEGAL, id="it is taken"),
        pytest.param("8/8/p7/8/8/P7/7P/8 w - -", "a3 a4 a5 a6 a7 a8", "a3a4 a6a5", ILLEGAL, id="it is blocked"),
        pytest.param(
            "8/8/8/8/8/5p2/P7/8 w - -",
            "a2 a4 a5 a6 a7 a8",
            "a2a4 f3f2 a4a5 f2f1",
            "White has lost",
            id="it is too slow",
        ),
        pytest.param("8/8/8/8/1p6/1P6/P7/8 w - -", "a2 a4 a5", "a2a4 b4a3", ILLEGAL, id="it is taken en passant"),
        pytest.param(
            "8/8/8/Pp6/8/8/8/8 w - -", "a5 b6 b7 b8", "none", ILLEGAL, id="it takes en passant without the right"
        ),
        pytest.param("8/8/8/8/8/8/P7/7p w - -", "a2 a3 a4", "none", "White has lost", id="the game is over"),
        pytest.param("8/8/8/8/8/8/P6p/8 w - -", "b2 b3 b4", "none", ILLEGAL, id="nobody stands there"),
        pytest.param("8/8/8/8/8/8/P6p/8 w - -", "h2 h1", "none", ILLEGAL, id="it is the loser's"),
        pytest.param("8/8/8/8/8/8/P6p/8 w - -", "a2 a5 a6", "none", ILLEGAL, id="it leaps"),
    ),
)
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
    for other in (
        root._replace(ep="-"),
        naive.mirror(root)._replace(ep="-"),
        root._replace(ep="a6"),
        root._replace(ep="h6"),
    ):
        made = proof(root, {other: ["a5", "b6", "b7", "b8"]}, "w")
        assert refused(check(made), made) == (proofs.either(root), MISSING)


def test_reply_en_passant_has_to_be_answered(check):
    root = at("twoflags8x8", "8/8/8/7P/1p6/8/P7/8 w - -")
    plans = {root: ("a2", "a4"), at("twoflags8x8", "8/8/8/7P/P7/1p6/8/8 w - -"): ("h5", "h6", "h7", "h8")}
    made = proof(root, plans)
    taken = at("twoflags8x8", "8/8/8/7P/8/p7/8/8 w - -")
    assert refused(check(made), made) == (proofs.either(taken), MISSING)
    assert check(proof(root, plans | {taken: ("h5", "h6", "h7", "h8")}))[0] == 1


def test_game_that_the_loser_has_won_does_not_go_on(check):
    """Though the position is listed, with a move after which the pawn that has come home cannot move."""
    root, home = at("twoflags8x8", "8/8/8/8/8/8/P5p1/8 w - -"), at("twoflags8x8", "8/8/8/8/P7/8/8/6p1 w - -")
    for path in (("a4", "a5"), ("a4", "a5", "a6")):
        made = proof(root, {root: ("a2", "a4"), home: path}, "w")
        assert refused(check(made), made) == (proofs.either(home), "White has lost")


@pytest.mark.parametrize(
    "name, within",
    [(name, 2) for name in ("hexapawn3x3", "twoflags3x5", "twoflags4x5", "breakthrough2x5", "breakthrough2x6")]
    + [("breakthrough2x5", 3), ("breakthrough2x6", 4), ("breakthrough3x4", 4)],
)
@pytest.mark.parametrize("most", [20, pytest.param(10**6, marks=pytest.mark.slow)], ids=["some", "all"])
def test_records_can_be_spared_where_a_pawn_is_home_soon_and_nowhere_else(check, name, within, most):
    """Of the records that can be spared, and of the others, some are left out, one at a time."""
    plans, alike = plans_of(name), {}
    for position in plans:
        alike.setdefault(proofs.unlisted_win_plies(position, within), []).append(position)

    def of(kept):
        return proof(start(name), kept, within=within)

    for spared, positions in alike.items():
        for position in random.Random(name).sample(positions, min(len(positions), most)):
            made = of({other: squares for other, squares in plans.items() if other != position})
            if not spared:
                assert refused(check(made, "--sample", "1"), made) == (proofs.either(position), MISSING)
            elif position != start(name):
                assert check(made, "--sample", "1")[0] == 0
    assert 0 in alike and {1, 3} & set(alike) and (within == 2 or 2 * within - 1 in alike)
    made = of({other: squares for other, squares in plans.items() if not proofs.unlisted_win_plies(other, within)})
    status, said = check(made)
    assert status == 0 and longest(said) == NaiveChecker(made).longest


@pytest.mark.parametrize(
    "fen, plies",
    (
        pytest.param("8/7P/8/8/8/8/p7/8 w - -", 1, id="before the far rank"),
        pytest.param("6p1/7P/8/8/8/8/8/8 w - -", 1, id="past the last rank's guard, straight on"),
        pytest.param("7p/7P/8/8/8/8/8/8 w - -", 0, id="blocked"),
        pytest.param("8/8/7P/8/8/p7/8/8 w - -", 3, id="two steps from it"),
        pytest.param("8/8/7P/8/8/8/p7/8 w - -", 0, id="the other is faster"),
        pytest.param("8/6p1/7P/8/8/8/8/8 w - -", 3, id="by taking"),
        pytest.param("8/7p/7P/8/8/8/8/8 w - -", 0, id="no move"),
        pytest.param("6p1/8/7P/8/8/8/8/8 w - -", 0, id="it is taken"),
        pytest.param("8/8/7P/6P1/8/8/p7/8 w - -", 0, id="slower"),
    ),
)
@pytest.mark.parametrize("turned", (False, True))
def test_pawns_that_are_home_soon(check, fen, plies, turned):
    """As White, and as Black on the board turned round."""
    root = at("twoflags8x8", fen)
    if turned:
        root = naive.Position(root.game, tuple(row.swapcase() for row in reversed(root.board)), "b")
    status, said = check(proof(root, {}, root.side))
    assert proofs.soon_home(root) == plies
    assert (status, longest(said)) == (0, plies) if plies else status == 1


@pytest.mark.parametrize("name", STARTS)
def test_loser_is_not_the_winner(check, name):
    made = proof(start(name), plans_of(name))
    made = made._replace(winner=naive.OTHER[made.winner])
    assert refused(check(made), made) in NaiveChecker(made).faults


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
        path = prooffile.plan_squares(records[at_random][2])
        path[lot.randrange(len(path))] += lot.choice((-9, -8, -7, -1, 1, 7, 8, 9))
        records[at_random][2] = prooffile.encode_plan([square & 63 for square in path], records[at_random][2] >> 4 & 15)
    elif kind == 7:
        white, black, plan = records[at_random]
        colour = black if made.winner == "b" else white
        pawn = lot.choice([square for square in range(64) if colour >> square & 1])
        to = pawn + lot.choice((7, 8, 9)) * (1 if made.winner == "w" else -1)
        records[at_random][2] = prooffile.encode_plan([pawn, to & 63], plan >> 4 & 15)
    else:
        made = made._replace(winner=naive.OTHER[made.winner])
    return made._replace(records=records)


@pytest.mark.parametrize(
    "name",
    ("hexapawn3x3", "hexapawn4x3", "twoflags3x5", "twoflags3x6", "twoflags3x7", "twoflags4x5", "breakthrough2x5"),
)
@pytest.mark.parametrize(
    "seeds", [range(50), pytest.param(range(50, 200), marks=pytest.mark.slow)], ids=["some", "more"]
)
def test_changed_proof_is_judged_as_by_naive_play(check, monkeypatch, name, seeds, tmp_path):
    """The same verdict, also by the second checker; and a fault that the slow judge finds too, at the same position."""
    lot, verdicts = random.Random(f"{seeds.start} {name}"), []
    for seed in seeds:
        monkeypatch.setattr(checker, "MEMORY", lot.choice((1, 2, 1 << 10)))
        made = proof(start(name), plans_of(name, seed % 7, use_paths=lot.random() < 0.7), seed=seed)
        for _ in range(lot.randint(1, 2)):
            made = changed(made, lot)
        checked, result = NaiveChecker(made), check(made, "--sample", "1")
        if checked.faults:
            assert refused(result, made) in checked.faults
        else:
            assert result[0] == 0 and f" {len(checked.listed):,} listed," in result[1]["positions"]
            assert longest(result[1]) == checked.longest
        assert Checker(tmp_path / "test.proof").proves() is not bool(checked.faults)
        verdicts.append(bool(checked.faults))
    assert 5 < sum(verdicts) < len(verdicts) - 5


def test_small_memory_for_paths_costs_time_only(check, monkeypatch):
    root = at("breakthrough8x8", "4pp2/4pp2/8/8/P7/8/8/8 w - -")
    made = proof(root, {root: "a4 a5 a6 a7 a8".split()})
    counts = []
    for places in (1, 1 << 16):
        monkeypatch.setattr(checker, "MEMORY", places)
        status, said = check(made, "--sample", "1")
        assert status == 0 and longest(said) == 7
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


@pytest.mark.parametrize(
    "game, fen, more, body",
    [
        ("hexapawn3x3", "p2/P2/3 w - -", {"within": 3}, b""),  # White has no move
        ("breakthrough4x4", "4/P3/4/3p w - -", {"within": 0}, b""),
        ("breakthrough4x4", "4/P3/4/4 w - -", {"within": 5}, b""),
        ("breakthrough1x4", "1/P/1/1 w - -", {}, b""),
        ("twoflags3x4", "3/P2/3/3 w - -", {}, b""),
        ("hexapawn3x3", "P2/3/3 w - -", {}, b""),
        ("hexapawn3x4", "3/P2/3 w - -", {}, b""),
        ("hexapawn3x3", "3/P2/3 w - b3", {}, b""),
        ("twoflags5x6", "5/P4/5/5/5/5 w - b4", {}, b""),
        ("twoflags5x6", "5/P4/5/5/5/5 w - -", {}, b"cut short"),
        ("twoflags5x6", "5/P4/5/5/5/5 w - -", {"file": "pawnstorm proof 1"}, b""),
    ],
)
def test_file_that_breaks_a_rule_of_its_format_proves_nothing(game, fen, more, body, tmp_path, capsys):
    path = tmp_path / "test.proof"
    path.write_bytes(prooffile.header(game, fen, "w", **more) + body)
    assert verify.main([str(path)]) == 2 and capsys.readouterr().out == ""
    assert verdict(path).startswith("NOT verified: ")
