"""The opponents of the past: their evaluations are the described ones, and their searches find what plain minimax does."""

import pytest
from known_players import INFINITY, at, player, positions, think

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.opponents import naive_players, seed000, seed001, seed002, seed004
from pawnstorm_tools.opponents.base import Budget


@pytest.mark.parametrize("side, sign", (("w", 1), ("b", -1)))
def test_seed000_coded_counts_pawns_and_steps(side, sign):
    # 10 x (2 - 1) + (2 + 2) - 3
    assert seed000.coded(at(f"8/8/8/4p3/8/2P1P3/8/8 {side}")) == sign * 11


@pytest.mark.parametrize("side, sign", (("b", 1), ("w", -1)))
@pytest.mark.parametrize(
    "pawns, value",
    (
        # b2 is passed; h7 and g5, h7 and h2 stop each other
        ("8/7p/8/6P1/8/8/1p5P/8", 30 * 6 + 1000 + 250 + 30 * 6 + 30 - 120 - 30),
        # White one step from home has nothing for it
        ("8/P6p/8/8/8/8/8/8", (30 + 250 + 30) - (180 + 150 + 180)),
    ),
)
def test_seed000_reported_adds_up_for_black(pawns, value, side, sign):
    board = at(f"{pawns} {side}")
    known = Board(seed000.known_rules(far_rank=True), board.own, board.opp, 0, board.black_to_move)
    assert seed000.reported(known) == sign * value


def test_seed000_passed_looks_at_three_files_strictly_ahead():
    rules = seed000.known_rules(far_rank=True)
    beside = Board(rules, 1 << 27, 1 << 26, 0, False)  # d4 beside c4: both passed
    assert seed000.reported(beside) == -(250 + 2 * 120 - (150 + 2 * 90))
    ahead = Board(rules, 1 << 27, 1 << 34, 0, False)  # c5 ahead of d4 on the next file: neither
    assert seed000.reported(ahead) == 90 - 90


@pytest.mark.parametrize(
    "fen, steps",
    (
        ("8/p7/8/4P3/8/8/8/8 w", (3, 10)),
        ("8/p7/8/8/4P3/8/8/8 w", (10, 10)),
        ("8/3p4/8/4P3/8/8/8/8 w", (10, 10)),
        ("8/8/8/4P3/1p6/8/8/8 w", (3, 3)),
        ("8/8/P7/8/1p6/8/6p1/8 b", (1, 2)),
        ("8/8/8/3pP3/8/8/8/8 w", (3, 10)),
    ),
)
def test_seed001_attackers(fen, steps):
    assert seed001.steps_to_go(at(fen)) == steps


@pytest.mark.parametrize(
    "fen, value",
    (
        ("8/p7/8/4P3/8/8/8/8 w", 2000),
        ("8/p7/8/4P3/8/8/8/8 b", -2000),
        ("8/8/8/4P3/1p6/8/8/8 w", 3000),
        ("8/8/8/4P3/1p6/8/8/8 b", 3000),
        ("8/8/p7/P7/8/7P/8/8 w", -4000),
        ("8/8/p7/P7/8/8/1P6/8 w", -3000),
        ("8/1ppppppp/8/8/8/8/PPPPPPPP/8 w", 625),
        ("8/1ppppppp/8/8/8/8/PPPPPPPP/8 b", -5000 / 7),
    ),
)
def test_seed001_evaluation(fen, value):
    board = at(fen)
    assert seed001.evaluate(board, len(board.moves())) == pytest.approx(value)


@pytest.mark.parametrize("side, sign", (("w", 1), ("b", -1)))
def test_seed002_evaluation(side, sign):
    # Black's view: (1 - 2) + 0.1 x (-(5 - 4.5) - 2 x (3 - 4.5))
    assert seed002.evaluate(at(f"8/8/8/4p3/8/2P1P3/8/8 {side}")) == pytest.approx(sign * 0.75)
    assert seed002.evaluate(at(f"8/pppppppp/8/8/8/8/PPPPPPPP/8 {side}")) == pytest.approx(0)


@pytest.mark.parametrize(
    "variant, board, value",
    (
        # a3 is threatened and protected, c to h have no own pawn
        ("breakthrough", "8/8/8/8/1p6/P7/1P6/8", (30 - 30 + 55) + 20 - 50 - 6 * 20 + 3 * 30 + 2 * 5),
        # the same without the protector: b has an enemy too
        ("breakthrough", "8/8/8/8/1p6/P7/8/8", (30 - 30) - 50 - 7 * 20 - 20 + 90 + 10),
        # g2 is one step from home
        ("breakthrough", "8/8/8/8/8/P7/1P4p1/8", 30 + 20 - 170 - 6 * 20 - 20 + 30 + 10),
        ("breakthrough6", "5p/6/6/6/6/P5", 10 - 10 - 5 * 20 - 20 + 150 + 0),
        ("breakthrough", "P7/8/8/8/8/8/8/7p", -1000),
        ("breakthrough", "P7/8/8/8/8/8/7p/8", 1000),
    ),
)
def test_seed004_evaluation(variant, board, value):
    rules = get_rules(variant)
    pawns = {"P": 0, "p": 0}
    for rank, row in enumerate(reversed(board.split("/"))):
        for file, letter in enumerate("".join("." * int(c) if c.isdigit() else c for c in row)):
            if letter != ".":
                pawns[letter] |= 1 << 8 * rank + file
    assert seed004.evaluate(pawns["P"], pawns["p"], rules) == value


@pytest.mark.parametrize(
    "name, value",
    (
        ("pieces", 1),
        ("greedy", 2 + 1 - 5),
        ("reckless", 2),
        ("defensive", 2),
        ("defensive-reckless", 5),
        ("proximity", 0),
        ("mobility", 2 + 3),
        ("mobility-difference", 5 - 2),
    ),
)
def test_naive_terms(name, value):
    # a3, c2 against h3: White has a3a4, a3b4 and c2b3, c2c3, c2d3; Black h3h2, h3g2
    board = at("8/8/8/8/8/P6p/2P5/8 w", "breakthrough")
    assert naive_players.TERMS[f"naive-{name}"](board.own, board.opp, board.rules) == value


def test_naive_proximity_knows_the_end_only():
    rules = get_rules("breakthrough")
    assert naive_players.proximity(rules.goal & -rules.goal, 1 << 20, rules) == 1
    assert naive_players.proximity(1 << 20, 1, rules) == -1
    assert naive_players.proximity(1 << 20, 0, rules) == 1 and naive_players.proximity(0, 1 << 20, rules) == -1


# Searches against the plain minimax that they speed up.
def minimax(board, depth, leaf, over, fade=1):
    """leaf(board) at depth 0, over(board) at the end; values fade but for the winning ply."""
    moves = board.moves()
    if not moves:
        return over(board)
    if depth == 0:
        return leaf(board)
    children = [board.push(move) for move in moves]
    return max(
        -(1 if child.is_game_over() else fade) * minimax(child, depth - 1, leaf, over, fade) for child in children
    )


@pytest.mark.compiled
def test_seed001_memo_changes_no_value():
    for board in positions("twoflags", 12, plies=(8, 24)):
        expected = minimax(board, 4, lambda b: seed001.evaluate(b, len(b.moves())), lambda b: -seed001.WIN)
        made = player("seed001")
        made.budget, made.memo = Budget(), {}
        assert made.search(board, 4, -INFINITY, INFINITY) == pytest.approx(expected)
        assert made.memo


@pytest.mark.compiled
def test_seed002_is_minimax_that_fades():
    for board in positions("twoflags", 12, plies=(8, 24)):
        expected = minimax(board, 4, seed002.evaluate, lambda b: -seed002.WIN, fade=seed002.FADE)
        yields, _ = think("seed002", board, depth=4)
        assert [depth for depth, _, _ in yields] == [1, 2, 3, 4]
        assert yields[-1][1] == pytest.approx(expected)


@pytest.mark.compiled
@pytest.mark.parametrize("name", ("seed004", "naive-pieces", "naive-mobility-difference", "naive-defensive-reckless"))
def test_minimax_players_are_minimax_for_the_player_that_thinks(name):
    term = seed004.evaluate if name == "seed004" else naive_players.TERMS[name]

    def static(board):
        flip = board.rules.flip
        mine = board.black_to_move == root.black_to_move
        return term(board.own, board.opp, board.rules) if mine else -term(flip(board.opp), flip(board.own), board.rules)

    for root in positions("breakthrough", 3, plies=(10, 50)) + positions("breakthrough5", 5):
        yields, _ = think(name, root, depth=3)
        assert yields[-1][1] == minimax(root, 3, static, static)
