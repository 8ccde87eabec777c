"""The opponents of the past: their quirks are there."""

import pytest
from known_players import BREAKTHROUGH, INFINITY, at, player, think

from pawnstorm.games.notation import move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.opponents import mcts, seed000, seed001, seed002
from pawnstorm_tools.opponents.base import Budget, Stopped


def test_seed000_moves_in_board_order():
    for fen, moves in (
        ("8/8/8/2p1p3/3P4/8/P6P/8 w", "d4d5 d4c5 d4e5 a2a3 a2a4 h2h3 h2h4"),
        ("8/p6p/8/3p4/2P1P3/8/8/8 b", "a7a6 a7a5 h7h6 h7h5 d5d4 d5c4 d5e4"),
    ):
        board = at(fen)
        ordered = sorted(board.moves(), key=seed000.ORDER[board.black_to_move])
        assert " ".join(move_text(board, move) for move in ordered) == moves


@pytest.mark.parametrize("name", ("seed000-coded", "seed000-reported"))
def test_seed000_plays_no_en_passant_unless_nothing_else_is_legal(name):
    takes = at("8/8/8/8/3pP3/8/7P/8 b - e3")
    assert parse_move(takes, "d4e3") and think(name, takes, depth=4)[1] == "d4d3"
    only = at("8/8/8/8/3pP3/3P4/8/8 b - e3")
    assert [move_text(only, move) for move in only.moves()] == ["d4e3"] and think(name, only, depth=4) == ([], None)


def test_seed000_coded_sees_no_win_on_the_far_rank():
    board = at("8/P7/8/8/8/8/7p/8 w")
    rules = seed000.known_rules(far_rank=False)
    made = player("seed000-coded")
    made.budget = Budget()
    assert made.search(Board(rules, board.own, board.opp, 0, False), 1, -INFINITY, INFINITY) == 7 - 6
    # Two plies after the promotion the search still plays on.
    assert made.search(Board(rules, board.own, board.opp, 0, False), 2, -INFINITY, INFINITY) == 7 - 7
    assert think("seed000-coded", board, depth=4)[1] == "a7a8"


def test_seed000_reported_ends_on_the_far_rank():
    assert think("seed000-reported", at("8/8/P7/8/8/8/7p/8 w"), depth=3)[0][-1][1] == -seed000.HOME
    assert think("seed000-reported", at("8/8/P7/8/8/7p/8/8 w"), depth=3)[0][-1][1] == seed000.HOME


def test_seed000_without_a_move_has_lost():
    rules = seed000.known_rules(far_rank=False)
    made = player("seed000-coded")
    made.budget = Budget()
    assert made.search(Board(rules, 1 << 24, 1 << 32, 0, True), 3, -INFINITY, INFINITY) == -seed000.NO_MOVES


@pytest.mark.compiled
def test_seed000_treats_bounds_as_exact():
    board = Board.start(seed000.known_rules(far_rank=False))
    made = player("seed000-coded")
    made.budget = Budget()
    cut = made.search(board, 3, -INFINITY, -5)  # fails high: a lower bound
    assert cut >= -5 and made.table[board.own, board.opp, False] == (3, cut)
    assert made.search(board, 3, -INFINITY, INFINITY) == cut
    made.new_game()
    assert made.search(board, 3, -INFINITY, INFINITY) > cut


@pytest.mark.compiled
def test_seed000_uses_a_partial_iteration_and_keeps_its_values():
    board = Board.start(get_rules("twoflags"))
    whole, _ = think("seed000-coded", board, depth=5)
    made = player("seed000-coded")
    partial, _ = think(None, board, depth=5, nodes=4000, made=made)
    assert partial[-1][0] == partial[-2][0] + 1 and partial[:-1] == whole[: len(partial) - 1]
    depth, _, (first, *_) = partial[-1]
    assert first == min(board.moves(), key=seed000.ORDER[False])  # cut within the first root move
    child = board.push(first)
    assert made.table[child.own, child.opp, child.black_to_move][0] == depth - 1


def test_seed000_goes_deeper_after_ten_plies():
    early, late = at("8/8/p7/P7/8/8/7P/8 w - - 0 5"), at("8/8/p7/P7/8/8/7P/8 w - - 0 6")
    assert think("seed000-coded", early)[0][-1][0] == 8
    assert think("seed000-coded", late)[0][-1][0] == 12


def test_seed001_depth_follows_the_last_moves_time():
    ratios = (0.25, 0.249, 0.1, 0.099, 0.05, 0.049, 0.01, 0.009)
    assert [seed001.next_depth(6, ratio) for ratio in ratios] == [5, 6, 6, 7, 7, 8, 8, 9]
    assert seed001.next_depth(19, 0.001) == seed001.next_depth(20, 0.001) == 20 and seed001.next_depth(1, 0.5) == 1


@pytest.mark.compiled
def test_seed001_three_random_moves_then_depth_two_and_three():
    made = player("seed001")
    start = Board.start(get_rules("twoflags"))
    assert len({think("seed001", start, seed=seed)[1] for seed in range(40)}) > 8
    depths = []
    for number in (3, 4, 5, 6):
        board = at(f"8/pppppp1p/6p1/8/8/1P6/P1PPPPPP/8 w - - 0 {number}")
        depths.append(think(None, board, made=made, clock=(10**7, 0))[0][-1][0])
    assert depths == [1, 2, 3, 6]  # far below a hundredth of the time left: three more


@pytest.mark.compiled
def test_seed001_keeps_the_first_of_equal_moves():
    board = at("8/p7/8/8/8/8/P6P/8 w - - 0 9")
    yields, move = think("seed001", board, depth=1)
    values = [-seed001.evaluate(child, len(child.moves())) for child in map(board.push, board.moves())]
    assert move == move_text(board, board.moves()[values.index(max(values))]) and values.count(max(values)) > 1


@pytest.mark.compiled
def test_seed002_chooses_at_random_among_the_best():
    board = Board.start(get_rules("twoflags"))
    doubles = {f"{file}2{file}4" for file in "abcdefgh"}
    assert {think("seed002", board, depth=1, seed=seed)[1] for seed in range(60)} == doubles


@pytest.mark.compiled
def test_seed002_fades_all_but_the_winning_ply():
    board = at("8/8/P7/8/8/7p/8/8 w")
    yields, move = think("seed002", board, depth=3)
    assert move == "a6a7" and yields[-1][1] == pytest.approx(0.96**2 * seed002.WIN)
    assert think("seed002", at("8/P7/8/8/8/7p/8/8 w"), depth=3)[0][-1][1] == seed002.WIN


@pytest.mark.compiled
@pytest.mark.parametrize("name, variant", (("seed002", "twoflags"), ("seed004", "breakthrough")))
def test_an_unfinished_depth_is_dropped(name, variant):
    board = Board.start(get_rules(variant))
    whole, _ = think(name, board, depth=4)
    partial, _ = think(name, board, depth=4, nodes=500)
    assert 1 <= len(partial) < 4 and partial == whole[: len(partial)]


def test_seconds_a_move():
    assert player("seed000-coded").seconds(60.0) == 2 and player("seed000-coded").seconds(None) == 4
    divided = player("seed002")  # the game's time, not what is left
    assert divided.seconds(300.0) == pytest.approx(9.8) == divided.seconds(12.0)
    assert player("seed004").seconds(1.0) == 2.9 and player("mcts").seconds(1.0) == 1.0
    assert player("seed001").seconds(1.0) is None and player("naive-pieces").seconds(1.0) is None


def test_naive_players_search_three_plies():
    board = Board.start(get_rules("breakthrough5"))
    for name in BREAKTHROUGH[1:]:
        assert [depth for depth, _, _ in think(name, board)[0]] == [1, 2, 3]


@pytest.mark.parametrize(
    "variant, fen, moves",
    (
        ("breakthrough", "8/8/1p6/P7/6p1/7P/8/8 w", {"a5b6"}),  # of two captures the one further up
        ("breakthrough", "8/8/8/1p6/8/P7/8/P6P w", {"a3b4"}),  # on a4 it could be taken
        ("breakthrough", "8/8/8/p7/2p5/8/1P6/8 w", {"b2a3", "b2c3"}),  # c4 guards b3 only
        ("breakthrough", "8/8/8/8/1p1p4/8/2P5/8 w", {"c2b3", "c2d3"}),
        ("twoflags", "8/8/8/8/3p4/8/P3P3/8 w", {"a2a4"}),  # e2e4 could be taken in passing
        ("twoflags", "8/8/8/8/3p4/8/4P3/8 w", {"e2e4"}),  # where nothing is safe the furthest
        ("twoflags", "8/P7/8/8/6p1/8/8/8 w", {"a7a8"}),
    ),
)
def test_greedy(variant, fen, moves):
    board = at(fen, variant)
    assert {think("greedy", board, seed=seed)[1] for seed in range(40)} == moves


def test_mcts_playouts_take_a_win_and_stop_one():
    board = at("8/1P6/8/8/8/8/p7/8 w", "breakthrough")
    assert move_text(board, mcts.win_in_one(board, board.moves()))[:2] == "b7"
    threatened = at("8/8/8/8/8/8/p7/1P5P w", "breakthrough")
    assert {move_text(threatened, move) for move in mcts.stopping(threatened, threatened.moves())} == {"b1a2"}
    last = at("8/8/8/8/3p4/2P5/8/8 w")
    assert move_text(last, mcts.win_in_one(last, last.moves())) == "c3d4"
    assert mcts.win_in_one(Board.start(get_rules("twoflags")), Board.start(get_rules("twoflags")).moves()) is None


@pytest.mark.compiled
@pytest.mark.parametrize(
    "variant, fen, move",
    (
        ("breakthrough", "8/1P6/8/8/8/8/p6p/8 w", "b7"),
        ("breakthrough", "p6p/8/8/8/8/8/p7/1P5P w", "b1a2"),
        ("twoflags", "8/8/8/8/1p6/P7/7P/8 w", "a3b4"),
    ),
)
def test_mcts_finds_what_decides(variant, fen, move):
    yields, played = think("mcts", at(fen, variant), nodes=400)
    assert played.startswith(move)


def test_budget_counts_nodes_and_stays_over():
    budget = Budget(nodes=20)
    assert [budget.count_node() for _ in range(25)] == [False] * 19 + [True] * 6
    budget = Budget()
    assert not budget.count_node()
    budget.stop()
    with pytest.raises(Stopped):
        budget.check()
