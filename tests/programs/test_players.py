"""The opponents of the past: their numbers are the described ones, their quirks are there, and they play whole games by the rules."""
import random
import sys
import time

import pytest

import client


import players
from opponents import mcts, naive, seed000, seed001, seed002, seed004
from opponents.budget import Budget, Stopped

from engine.board import Board
from engine.engine import Limits
from engine.notation import move_text, parse_fen, parse_move
from engine.rules import game

INFINITY = float("inf")
TWOFLAGS = [name for name in players.PLAYERS if name.startswith("seed00") and name != "seed004"]
BREAKTHROUGH = ["seed004"] + [name for name in players.PLAYERS if name.startswith("naive-")]
BOTH = ["random", "greedy", "mcts"]
GAMES = [(name, "twoflags") for name in TWOFLAGS + BOTH] + [(name, "breakthrough") for name in BREAKTHROUGH + BOTH]


def at(fen, variant="twoflags"):
    return parse_fen(game(variant), fen)


def player(name, seed=1):
    made = players.PLAYERS[name](random.Random(seed))
    made.new_game()
    return made


def think(name, board, depth=0, seed=1, nodes=0, clock=None, made=None):
    """(yields, move as text) of a player that has no clock."""
    limits = Limits(depth=depth, nodes=nodes, clock=clock)
    yields = list((made or player(name, seed)).think(board, board.moves(), limits, Budget(nodes)))
    return yields, move_text(board, yields[-1][2][0]) if yields else None


def positions(variant, count, plies=(2, 30), seed=1):
    """Positions of random games that are not over."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        board = Board.start(game(variant))
        for _ in range(chance.randint(*plies)):
            if board.over():
                break
            board = board.push(chance.choice(board.moves()))
        if not board.over():
            found.append(board)
    return found


def test_every_player_of_the_issue_is_there():
    assert len(TWOFLAGS) == 4 and len(BREAKTHROUGH) == 10 and set(TWOFLAGS + BREAKTHROUGH + BOTH) == set(players.PLAYERS)


# Evaluations, worked out by hand from the descriptions.

@pytest.mark.parametrize("side, sign", (("w", 1), ("b", -1)))
def test_seed000_coded_counts_pawns_and_steps(side, sign):
    # 10 x (2 - 1) + (2 + 2) - 3
    assert seed000.coded(at(f"8/8/8/4p3/8/2P1P3/8/8 {side}")) == sign * 11


@pytest.mark.parametrize("side, sign", (("b", 1), ("w", -1)))
@pytest.mark.parametrize("pawns, value", (
    ("8/7p/8/6P1/8/8/1p5P/8", 30 * 6 + 1000 + 250 + 30 * 6 + 30 - 120 - 30),   # b2 is passed; h7 and g5, h7 and h2 stop each other
    ("8/P6p/8/8/8/8/8/8", (30 + 250 + 30) - (180 + 150 + 180)),                # White one step from home has nothing for it
))
def test_seed000_reported_adds_up_for_black(pawns, value, side, sign):
    board = at(f"{pawns} {side}", "twoflags")
    assert seed000.reported(Board(seed000.known_rules(far_rank=True), board.own, board.opp, 0, board.black)) == sign * value


def test_seed000_reported_pawn_home():
    assert seed000.reported(at("8/7p/8/8/8/8/P7/p7 w")) == seed000.reported(at("P7/7p/8/8/8/8/P7/8 b")) == -seed000.HOME


def test_seed000_passed_looks_at_three_files_strictly_ahead():
    rules = seed000.known_rules(far_rank=True)
    beside = Board(rules, 1 << 27, 1 << 26, 0, False)       # d4 beside c4: both passed
    assert seed000.reported(beside) == -(250 + 2 * 120 - (150 + 2 * 90))
    ahead = Board(rules, 1 << 27, 1 << 34, 0, False)        # c5 ahead of d4 on the next file: neither
    assert seed000.reported(ahead) == 90 - 90


@pytest.mark.parametrize("fen, steps", (
    ("8/p7/8/4P3/8/8/8/8 w", (3, 10)), ("8/p7/8/8/4P3/8/8/8 w", (10, 10)), ("8/3p4/8/4P3/8/8/8/8 w", (10, 10)),
    ("8/8/8/4P3/1p6/8/8/8 w", (3, 3)), ("8/8/P7/8/1p6/8/6p1/8 b", (1, 2)), ("8/8/8/3pP3/8/8/8/8 w", (3, 10)),
))
def test_seed001_attackers(fen, steps):
    assert seed001.steps_to_go(at(fen)) == steps


@pytest.mark.parametrize("fen, value", (
    ("8/p7/8/4P3/8/8/8/8 w", 2000), ("8/p7/8/4P3/8/8/8/8 b", -2000), ("8/8/8/4P3/1p6/8/8/8 w", 3000), ("8/8/8/4P3/1p6/8/8/8 b", 3000),
    ("8/8/p7/P7/8/7P/8/8 w", -4000), ("8/8/p7/P7/8/8/1P6/8 w", -3000),
    ("8/1ppppppp/8/8/8/8/PPPPPPPP/8 w", 625), ("8/1ppppppp/8/8/8/8/PPPPPPPP/8 b", -5000 / 7),
))
def test_seed001_evaluation(fen, value):
    board = at(fen)
    assert seed001.evaluate(board, len(board.moves())) == pytest.approx(value)


@pytest.mark.parametrize("side, sign", (("w", 1), ("b", -1)))
def test_seed002_evaluation(side, sign):
    # Black's view: (1 - 2) + 0.1 x (-(5 - 4.5) - 2 x (3 - 4.5))
    assert seed002.evaluate(at(f"8/8/8/4p3/8/2P1P3/8/8 {side}")) == pytest.approx(sign * 0.75)
    assert seed002.evaluate(at(f"8/pppppppp/8/8/8/8/PPPPPPPP/8 {side}")) == pytest.approx(0)


@pytest.mark.parametrize("variant, board, value", (
    # a3 is threatened and protected, c to h have no own pawn
    ("breakthrough", "8/8/8/8/1p6/P7/1P6/8", (30 - 30 + 55) + 20 - 50 - 6 * 20 + 3 * 30 + 2 * 5),
    # the same without the protector: b has an enemy too
    ("breakthrough", "8/8/8/8/1p6/P7/8/8", (30 - 30) - 50 - 7 * 20 - 20 + 90 + 10),
    # g2 is one step from home
    ("breakthrough", "8/8/8/8/8/P7/1P4p1/8", 30 + 20 - 170 - 6 * 20 - 20 + 30 + 10),
    ("breakthrough6", "5p/6/6/6/6/P5", 10 - 10 - 5 * 20 - 20 + 150 + 0),
    ("breakthrough", "P7/8/8/8/8/8/8/7p", -1000),
    ("breakthrough", "P7/8/8/8/8/8/7p/8", 1000),
))
def test_seed004_evaluation(variant, board, value):
    rules = game(variant)
    pawns = {"P": 0, "p": 0}
    for rank, row in enumerate(reversed(board.split("/"))):
        for file, letter in enumerate("".join("." * int(c) if c.isdigit() else c for c in row)):
            if letter != ".":
                pawns[letter] |= 1 << 8 * rank + file
    assert seed004.evaluate(pawns["P"], pawns["p"], rules) == value


@pytest.mark.parametrize("name, value", (
    ("pieces", 1), ("greedy", 2 + 1 - 5), ("reckless", 2), ("defensive", 2), ("defensive-reckless", 5), ("proximity", 0),
    ("mobility", 2 + 3), ("mobility-difference", 5 - 2),
))
def test_naive_terms(name, value):
    # a3, c2 against h3: White has a3a4, a3b4 and c2b3, c2c3, c2d3; Black h3h2, h3g2
    board = at("8/8/8/8/8/P6p/2P5/8 w", "breakthrough")
    assert naive.TERMS[f"naive-{name}"](board.own, board.opp, board.rules) == value


def test_naive_proximity_knows_the_end_only():
    rules = game("breakthrough")
    assert naive.proximity(rules.goal & -rules.goal, 1 << 20, rules) == 1
    assert naive.proximity(1 << 20, 1, rules) == -1
    assert naive.proximity(1 << 20, 0, rules) == 1 and naive.proximity(0, 1 << 20, rules) == -1


# Searches against the plain minimax that they speed up.

def minimax(board, depth, leaf, over, fade=1):
    """leaf(board) at depth 0, over(board) at the end; values fade but for the winning ply."""
    moves = board.moves()
    if not moves:
        return over(board)
    if depth == 0:
        return leaf(board)
    children = [board.push(move) for move in moves]
    return max(-(1 if child.over() else fade) * minimax(child, depth - 1, leaf, over, fade) for child in children)


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
    term = seed004.evaluate if name == "seed004" else naive.TERMS[name]

    def static(board):
        flip = board.rules.flip
        mine = board.black == root.black
        return term(board.own, board.opp, board.rules) if mine else -term(flip(board.opp), flip(board.own), board.rules)

    for root in positions("breakthrough", 3, plies=(10, 50)) + positions("breakthrough5", 5):
        yields, _ = think(name, root, depth=3)
        assert yields[-1][1] == minimax(root, 3, static, static)


# Quirks.

def test_seed000_moves_in_board_order():
    board = at("8/8/8/2p1p3/3P4/8/P6P/8 w")
    assert [move_text(board, move) for move in sorted(board.moves(), key=seed000.ORDER[False])] == \
        ["d4d5", "d4c5", "d4e5", "a2a3", "a2a4", "h2h3", "h2h4"]
    board = at("8/p6p/8/3p4/2P1P3/8/8/8 b")
    assert [move_text(board, move) for move in sorted(board.moves(), key=seed000.ORDER[True])] == \
        ["a7a6", "a7a5", "h7h6", "h7h5", "d5d4", "d5c4", "d5e4"]


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
    # Two plies behind the promotion the search still plays on.
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
    cut = made.search(board, 3, -INFINITY, -5)      # fails high: a lower bound
    assert cut >= -5 and made.table[board.own, board.opp, False] == (3, cut)
    assert made.search(board, 3, -INFINITY, INFINITY) == cut
    made.new_game()
    assert made.search(board, 3, -INFINITY, INFINITY) > cut


@pytest.mark.compiled
def test_seed000_uses_a_partial_iteration_and_keeps_its_values():
    board = Board.start(game("twoflags"))
    whole, _ = think("seed000-coded", board, depth=5)
    made = player("seed000-coded")
    partial, _ = think(None, board, depth=5, nodes=4000, made=made)
    assert partial[-1][0] == partial[-2][0] + 1 and partial[:-1] == whole[:len(partial) - 1]
    depth, _, (first, *_) = partial[-1]
    assert first == min(board.moves(), key=seed000.ORDER[False])    # cut within the first root move
    child = board.push(first)
    assert made.table[child.own, child.opp, child.black][0] == depth - 1


def test_seed000_goes_deeper_after_ten_plies():
    early, late = at("8/8/p7/P7/8/8/7P/8 w - - 0 5"), at("8/8/p7/P7/8/8/7P/8 w - - 0 6")
    assert think("seed000-coded", early)[0][-1][0] == 8
    assert think("seed000-coded", late)[0][-1][0] == 12


@pytest.mark.parametrize("depth, ratio, following", (
    (6, 0.25, 5), (6, 0.9, 5), (6, 0.249, 6), (6, 0.1, 6), (6, 0.099, 7), (6, 0.05, 7), (6, 0.049, 8), (6, 0.01, 8), (6, 0.009, 9),
    (19, 0.001, 20), (20, 0.001, 20), (1, 0.5, 1),
))
def test_seed001_depth_follows_the_last_moves_time(depth, ratio, following):
    assert seed001.next_depth(depth, ratio) == following


@pytest.mark.compiled
def test_seed001_three_random_moves_then_depth_two_and_three():
    made = player("seed001")
    start = Board.start(game("twoflags"))
    assert len({think("seed001", start, seed=seed)[1] for seed in range(40)}) > 8
    depths = []
    for number in (3, 4, 5, 6):
        board = at(f"8/pppppp1p/6p1/8/8/1P6/P1PPPPPP/8 w - - 0 {number}")
        depths.append(think(None, board, made=made, clock=(10**7, 0))[0][-1][0])
    assert depths == [1, 2, 3, 6]     # far below a hundredth of the time left: three more


@pytest.mark.compiled
def test_seed001_keeps_the_first_of_equal_moves():
    board = at("8/p7/8/8/8/8/P6P/8 w - - 0 9")
    yields, move = think("seed001", board, depth=1)
    values = [-seed001.evaluate(child, len(child.moves())) for child in map(board.push, board.moves())]
    assert move == move_text(board, board.moves()[values.index(max(values))]) and values.count(max(values)) > 1


@pytest.mark.compiled
def test_seed002_chooses_at_random_among_the_best():
    board = Board.start(game("twoflags"))
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
    board = Board.start(game(variant))
    whole, _ = think(name, board, depth=4)
    partial, _ = think(name, board, depth=4, nodes=500)
    assert 1 <= len(partial) < 4 and partial == whole[:len(partial)]


def test_seconds_a_move():
    assert player("seed000-coded").seconds(60.0) == 2 and player("seed000-coded").seconds(None) == 4
    divided = player("seed002")
    assert divided.seconds(300.0) == pytest.approx(9.8) == divided.seconds(12.0)   # of the game's time, not of what is left
    assert player("seed004").seconds(1.0) == 2.9 and player("mcts").seconds(1.0) == 1.0
    assert player("seed001").seconds(1.0) is None and player("naive-pieces").seconds(1.0) is None


def test_naive_players_search_three_plies():
    board = Board.start(game("breakthrough5"))
    for name in BREAKTHROUGH[1:]:
        assert [depth for depth, _, _ in think(name, board)[0]] == [1, 2, 3]


@pytest.mark.parametrize("variant, fen, moves", (
    ("breakthrough", "8/8/1p6/P7/6p1/7P/8/8 w", {"a5b6"}),          # of two captures the one further up
    ("breakthrough", "8/8/8/1p6/8/P7/8/P6P w", {"a3b4"}),           # on a4 it could be taken
    ("breakthrough", "8/8/8/p7/2p5/8/1P6/8 w", {"b2a3", "b2c3"}),   # c4 guards b3 only
    ("breakthrough", "8/8/8/8/1p1p4/8/2P5/8 w", {"c2b3", "c2d3"}),
    ("twoflags", "8/8/8/8/3p4/8/P3P3/8 w", {"a2a4"}),               # e2e4 could be taken in passing
    ("twoflags", "8/8/8/8/3p4/8/4P3/8 w", {"e2e4"}),                # where nothing is safe the furthest
    ("twoflags", "8/P7/8/8/6p1/8/8/8 w", {"a7a8"}),
))
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
    assert mcts.win_in_one(Board.start(game("twoflags")), Board.start(game("twoflags")).moves()) is None


@pytest.mark.compiled
@pytest.mark.parametrize("variant, fen, move", (
    ("breakthrough", "8/1P6/8/8/8/8/p6p/8 w", "b7"), ("breakthrough", "p6p/8/8/8/8/8/p7/1P5P w", "b1a2"),
    ("twoflags", "8/8/8/8/1p6/P7/7P/8 w", "a3b4"),
))
def test_mcts_finds_what_decides(variant, fen, move):
    yields, played = think("mcts", at(fen, variant), nodes=400)
    assert played.startswith(move)


def test_budget_counts_nodes_and_stays_over():
    budget = Budget(nodes=20)
    assert [budget.spent() for _ in range(25)] == [False] * 19 + [True] * 6
    budget = Budget()
    assert not budget.spent()
    budget.stop()
    with pytest.raises(Stopped):
        budget.check()


# The real process.

def command(name):
    client.build_core()
    return [sys.executable, "scripts/players.py", "--player", name]


def started(name, variant=None, seed=3):
    engine = client.Client(command(name))
    engine.send("uci")
    engine.options = engine.expect("uciok")
    engine.send(f"setoption name Seed value {seed}")
    if variant:
        engine.send(f"setoption name UCI_Variant value {variant}")
    engine.sync()
    return engine


def best(lines):
    return lines[-1].split()[1]


LIMITS = {"mcts": "nodes 40", "seed001": "depth 2"}


def play(white, black, variant, limits, plies=1000):
    """The moves of a game between two clients, each legal, to its end or so far; limits: what each is told behind go."""
    board, moves = Board.start(game(variant)), []
    for engine in (white, black):
        engine.send("ucinewgame")
    while not board.over():
        if len(moves) == plies:
            return moves
        engine = black if board.black else white
        engine.send(f"position startpos moves {' '.join(moves)}")
        lines = engine.go(limits[board.black])
        assert any(line.startswith("info depth") and " score " in line for line in lines)
        moves.append(best(lines))
        board = board.push(parse_move(board, moves[-1]))
    engine = black if board.black else white
    engine.send(f"position startpos moves {' '.join(moves)}")
    assert engine.go("nodes 10") == ["info depth 0 score mate 0", "bestmove (none)"]
    return moves


@pytest.mark.compiled
@pytest.mark.parametrize("name, variant", GAMES)
def test_player_plays_a_game_by_the_rules_and_alike_with_a_seed(name, variant):
    limit = LIMITS.get(name, "nodes 300")
    with started(name, variant) as one, started("random", variant) as other:
        first = play(one, other, variant, (limit, ""))
        assert play(one, other, variant, (limit, ""), plies=12) == first[:12]
        play(other, one, variant, ("", limit))


@pytest.mark.compiled
def test_seed_zero_plays_another_game_each_time():
    with started("random", seed=0) as one:
        moves = set()
        for _ in range(8):
            one.send("ucinewgame")
            one.send("position startpos")
            moves.add(best(one.go("")))
        assert len(moves) > 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ("seed000-coded", "seed001", "seed002", "seed004", "naive-random", "mcts"))
def test_stop_is_answered_and_infinite_waits_for_it(name):
    with started(name) as engine:
        # In the ninth move seed001 no longer plays at random; it needs a depth that lasts.
        engine.send("position fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 9" if name in TWOFLAGS else "position startpos")
        engine.send("go infinite" if name != "seed001" else "go infinite depth 12")
        engine.quiet(0.4)
        engine.sync()
        begun = time.monotonic()
        engine.stop()
        assert time.monotonic() - begun < 1


@pytest.mark.compiled
@pytest.mark.parametrize("name", ("seed000-reported", "seed001", "seed002", "seed004", "mcts"))
def test_movetime_and_nodes_are_obeyed(name):
    with started(name) as engine:
        engine.send("position startpos moves" + (" a2a3 a7a6 b2b3 b7b6 c2c3 c7c6" if name in TWOFLAGS else ""))
        begun = time.monotonic()
        engine.go("movetime 150")
        assert time.monotonic() - begun < 1
        words = engine.go("nodes 50")[-2].split()
        # seed000 goes through the moves of the nodes that it is in when it stops.
        assert int(words[words.index("nodes") + 1]) <= (500 if name == "seed000-reported" else 50)


@pytest.mark.compiled
def test_ponder_waits_for_ponderhit():
    with started("seed000-coded") as engine:
        assert "option name Ponder type check default false" in engine.options
        engine.send("position startpos moves e2e4")
        engine.send("go ponder movetime 100")
        engine.quiet(0.4)
        engine.send("ponderhit")
        engine.expect("bestmove .* ponder .*", 5)
        engine.send("go ponder wtime 1000 btime 1000")
        engine.quiet(0.1)
        engine.stop()
        engine.send("go infinite depth 2")
        engine.send("ponderhit")
        engine.quiet(0.2)
        engine.stop()


@pytest.mark.compiled
def test_searchmoves_are_the_only_choice():
    with started("seed002") as engine:
        assert best(engine.go("depth 2 searchmoves h2h3")) == "h2h3"
        assert best(engine.go("depth 2 searchmoves h2h5 a2a3")) == "a2a3"


@pytest.mark.compiled
@pytest.mark.parametrize("name, accepted, refused", (
    ("seed000-coded", "pawnsonly", "breakthrough"), ("seed002", "TwoFlags8x8", "twoflags7x6"), ("seed004", "breakthrough6", "twoflags"),
    ("naive-pieces", "breakthrough", "chess"), ("random", "hexapawn", "chess"),
))
def test_a_player_plays_its_own_games_only(name, accepted, refused):
    with started(name) as engine:
        assert engine.ask(f"setoption name UCI_Variant value {accepted}")[0].startswith("info string variant ")
        refusal = engine.ask(f"setoption name UCI_Variant value {refused}")
        assert len(refusal) == 1 and refused in refusal[0] and not refusal[0].startswith("info string variant")
        engine.send("position startpos")
        assert engine.go("nodes 20")[-1] != "bestmove (none)"


@pytest.mark.compiled
def test_seed000_survives_the_opponents_en_passant():
    for name in ("seed000-coded", "seed000-reported"):
        with started(name) as engine:
            engine.send("position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6")
            assert best(engine.go("depth 3")) in ("c7d6", "e7d6")


@pytest.mark.compiled
def test_bad_input_is_survived():
    with started("greedy") as engine:
        for line in ("position fen nonsense", "position startpos moves e2e5", "setoption name Nothing value 1",
                     "setoption name Seed value x", "go perft 3", "position", b"\xff\xfe"):
            assert all(answer.startswith("info string") for answer in engine.ask(line))
        assert best(engine.go("")) != "(none)"
