"""What the search proves, against exhaustive play: never a wrong win, every win in reach, the shortest where that is
asked for.
"""

import functools
import random

import exhaustive
import numpy as np
import pytest
from numba import njit

from pawnstorm.engine import native
from pawnstorm.engine.engine import Engine
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm.engine.games.rules import game
from pawnstorm.engine.kernels.movegen import moves
from pawnstorm.engine.kernels.position import make_move
from pawnstorm.engine.limits import Limits, mate_in
from pawnstorm.engine.state import WIN

# (game, pawns on the board at most, so that exhaustive play stays quick)
SMALL = [
    ("twoflags4x6", 8),
    ("twoflags5x6", 8),
    ("twoflags5x5", 9),
    ("breakthrough3x5", 9),
    ("breakthrough4x4", 12),
    ("breakthrough4x5", 6),
    ("hexapawn4x5", 8),
    ("hexapawn5x5", 9),
]
LONGEST = 40  # plies: no game from such a position is longer
if native.PLAIN:
    SMALL, LONGEST = [("twoflags3x5", 6), ("breakthrough2x5", 6), ("hexapawn3x4", 6)], 16
MEMO = exhaustive.memory(20 if not native.PLAIN else 14)


def few(count):
    """As many positions as plain Python can search in a moment."""
    return count if not native.PLAIN else 8


def search(board, engine=None, **limits):
    """(last reports by multipv number, best move) of a search with an engine of its own, or the given one."""
    reports, best = {}, []
    engine = engine or Engine()
    engine.on_info = lambda info: reports.update({info.multipv: info})
    engine.on_best = lambda board, move, ponder: best.append(move)
    engine.go(board, Limits(**limits))
    assert engine.wait(60)
    assert len(best) == 1 and reports[1].line[:1] == [move for move in best if move is not None]
    return reports, best[0]


def plies(info):
    """The length that a report claims: n > 0 a win within n plies, -n a loss, None without one."""
    if mate_in(info.score) is None:
        return None
    return WIN - info.score if info.score > 0 else -WIN - info.score


def winner(info):
    """1 where the report proves a win for the side to move, -1 for a loss, 0 neither."""
    return 0 if mate_in(info.score) is None else 1 if info.score > 0 else -1


def words(board):
    return np.uint64(board.own), np.uint64(board.opp), np.uint64(board.ep)


def truth(board):
    """n > 0 for a win in n plies with best play by both, -n for a loss."""
    with np.errstate(over="ignore"):
        return int(exhaustive.value(*words(board), exhaustive.record(board.rules), MEMO))


def random_boards(name, most, count, seed):
    """Unfinished positions from random games, of at most `most` pawns, a few of each game."""
    rng, found = random.Random(seed), []
    MEMO[:] = 0
    while len(found) < count:
        line, board = [], Board.start(game(name))
        while not board.over():
            if (board.own | board.opp).bit_count() <= most:
                line.append(board)
            board = board.push(rng.choice(board.moves()))
        found += rng.sample(line, min(3, len(line)))
    return found[:count]


def assert_plays_to_the_end(info):
    """A proven line is no longer than is claimed, and its last position is over, with the loser to move."""
    board = info.board
    for move in info.line:
        assert move in board.moves(), fen(board)
        board = board.push(move)
    spare = abs(plies(info)) - len(info.line)
    assert board.over() and spare >= 0 and spare % 2 == 0, (fen(info.board), info.depth, info.score, info.line)


@pytest.mark.parametrize("name, most", SMALL)
def test_deep_search_wins_exactly_where_exhaustive_play_does(name, most):
    for board in random_boards(name, most, few(30), 11):
        reports, best = search(board, depth=LONGEST)
        value = truth(board)
        assert winner(reports[1]) * value > 0, (fen(board), value, reports[1].score)
        assert best in board.moves()
        if value > 0:
            after = board.push(best)
            assert after.over() or truth(after) < 0, f"{move_text(board, best)} throws the win away in {fen(board)}"


@functools.cache
def claims(name, most):
    """(report, exhaustive value) of every proven score that the ordinary search, with all its pruning, tells of on its
    way.
    """
    found = []
    for board in random_boards(name, most, few(30), 12):
        engine, seen = Engine(), []
        engine.on_info = seen.append
        engine.go(board, Limits(depth=12 if not native.PLAIN else 5))
        engine.wait()
        value = truth(board)
        found += [(info, value) for info in seen if not info.bound and winner(info)]
    assert found
    return found


@pytest.mark.parametrize("name, most", SMALL)
def test_proven_winner_is_right_at_every_depth(name, most):
    assert [
        (fen(info.board), info.depth, info.score, value)
        for info, value in claims(name, most)
        if winner(info) * value < 0
    ] == []


@pytest.mark.parametrize("name, most", SMALL)
def test_proven_length_is_never_too_short(name, most):
    """The win takes at most as long as is said, whatever the loser tries."""
    told = [(fen(info.board), info.depth, plies(info), value) for info, value in claims(name, most) if plies(info)]
    assert told and [row for row in told if abs(row[2]) < abs(row[3])] == []


@pytest.mark.parametrize("name, most", SMALL)
def test_proven_line_plays_to_the_end(name, most):
    for info, _ in claims(name, most):
        if plies(info):
            assert_plays_to_the_end(info)


@pytest.mark.parametrize(
    "name, text, depth",
    [("twoflags4x6", "4/p1p1/Pp1p/1P2/2PP/4 b - - 0 3", 3), ("hexapawn5x5", "p2pp/1p3/3p1/2P2/PP2P w - - 0 4", 11)],
)
def test_line_that_ends_early_does_not_shorten_the_proof(name, text, depth):
    """A race bounds the length; that one line under the bound ends sooner does not mean that every line does."""
    if native.PLAIN and depth > 5:
        pytest.skip("too deep for plain Python")
    board = parse_fen(game(name), text)
    value = truth(board)
    for info in [search(board, depth=number)[0][1] for number in range(1, depth + 1)]:
        claim = plies(info)
        assert winner(info) * value >= 0 and (claim is None or abs(claim) >= abs(value)), (info.depth, claim, value)


@pytest.mark.parametrize("name, most", SMALL)
def test_go_mate_finds_the_shortest_win(name, most):
    found = 0
    for board in random_boards(name, most, few(20), 13):
        value = truth(board)
        if value > 0:
            reports, best = search(board, mate=(value + 1) // 2)
            assert plies(reports[1]) == value and len(reports[1].line) == abs(value), (
                fen(board),
                value,
                plies(reports[1]),
            )
            assert_plays_to_the_end(reports[1])
            found += 1
    assert found


@pytest.mark.compiled
@pytest.mark.parametrize("name, most", SMALL)
def test_go_mate_finds_the_longest_resistance(name, most):
    for board in random_boards(name, most, 30, 14):
        value = truth(board)
        if value < 0:
            reports, best = search(board, mate=LONGEST)
            assert plies(reports[1]) == value and len(reports[1].line) == abs(value), (
                fen(board),
                value,
                plies(reports[1]),
            )
            assert_plays_to_the_end(reports[1])


@pytest.mark.compiled
@pytest.mark.parametrize("name, most", SMALL)
def test_mirrored_position_is_won_in_as_many_plies(name, most):
    for board in random_boards(name, most, 20, 15):
        one, two = (plies(search(position, mate=LONGEST)[0][1]) for position in (board, board.mirrored()))
        assert one == two == truth(board), fen(board)


@pytest.mark.compiled
def test_table_size_changes_no_proven_value():
    small, large = Engine(), Engine()
    small.set_hash(1)
    large.set_hash(64)
    for name, most in SMALL:
        for board in random_boards(name, most, 6, 16):
            one, two = (winner(search(board, engine, depth=LONGEST)[0][1]) for engine in (small, large))
            assert one == two and one * truth(board) > 0, fen(board)
            one, two = (plies(search(board, engine, mate=LONGEST)[0][1]) for engine in (small, large))
            assert one == two == truth(board), fen(board)


@pytest.mark.compiled
def test_threads_that_share_a_table_prove_the_same():
    engine = Engine()
    engine.set_threads(3)
    for name, most in SMALL:
        for board in random_boards(name, most, 10, 21):
            info = search(board, engine, depth=20)[0][1]
            assert winner(info) * truth(board) >= 0, fen(board)


@pytest.mark.compiled
def test_start_positions_are_solved_as_known():
    for name, value in [
        ("breakthrough4x4", -14),
        ("breakthrough3x5", -18),
        ("breakthrough2x8", 25),
        ("hexapawn5x5", 19),
        ("hexapawn4x6", 21),
        ("hexapawn3x8", -22),
    ]:
        assert plies(search(Board.start(game(name)), mate=LONGEST)[0][1]) == value, name
    assert winner(search(Board.start(game("twoflags4x6")), depth=LONGEST)[0][1]) == -1


@pytest.mark.parametrize("side, best, value", [("b", "f6f5", 5), ("w", "f4f5", 3)])
def test_seed_example_is_solved(side, best, value):
    board = parse_fen(game("twoflags"), f"8/5p2/5p1p/8/5PP1/8/8/8 {side} - - 0 1")
    for limits in ({"mate": 3}, {"depth": 12 if not native.PLAIN else 6}):
        reports, move = search(board, **limits)
        assert move_text(board, move) == best and plies(reports[1]) == value
        assert_plays_to_the_end(reports[1])


def test_searchmoves_decides_between_a_win_and_a_loss():
    board = parse_fen(game("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    for text, value in (("f6f5", 5), ("h6h5", -6)):
        move = parse_move(board, text)
        reports, best = search(board, mate=4, searchmoves=[move])
        assert (best, plies(reports[1])) == (move, value)
        assert_plays_to_the_end(reports[1])


def test_en_passant_is_seen_at_the_root_and_below():
    """The only move takes in passing and wins; a ply earlier the double step that allows it loses."""
    rules = game("twoflags5x6")
    assert plies(search(parse_fen(rules, "5/5/1p3/1Pp2/5/5 w - c4 0 1"), depth=6)[0][1]) == 5
    before = parse_fen(rules, "5/2p2/1p3/1P3/5/5 b - - 0 1")
    for depth in range(1, 8):
        assert winner(search(before, depth=depth)[0][1]) * truth(before) >= 0, depth


def test_multipv_lines_are_distinct_and_sorted():
    for name in ("twoflags", "breakthrough", "hexapawn5x5"):
        board = Board.start(game(name))
        for count in (2, 5, 64):
            engine = Engine()
            engine.multipv = count
            reports, best = search(board, engine, depth=5 if not native.PLAIN else 2)
            lines = [reports[number] for number in range(1, min(count, len(board.moves())) + 1)]
            assert sorted(reports) == list(range(1, len(lines) + 1))
            assert len({info.line[0] for info in lines}) == len(lines)
            assert [info.score for info in lines] == sorted((info.score for info in lines), reverse=True)
            assert best == lines[0].line[0]


@pytest.mark.compiled
def test_multipv_knows_the_value_of_every_move():
    for name, most in SMALL[:4]:
        for board in random_boards(name, most, 8, 17):
            engine = Engine()
            engine.multipv = 64
            reports, _ = search(board, engine, depth=24)
            assert {info.line[0] for info in reports.values()} == set(board.moves())
            for info in reports.values():
                child = board.push(info.line[0])
                loses = child.over() or truth(child) < 0
                assert winner(info) == (1 if loses else -1), (fen(board), move_text(board, info.line[0]))
                if plies(info):
                    assert_plays_to_the_end(info)


def test_line_of_any_score_is_legal():
    rng = random.Random(18)
    for name in ("twoflags", "breakthrough", "twoflags6x6", "breakthrough7"):
        board = Board.start(game(name))
        while not board.over():
            info = search(board, depth=6 if not native.PLAIN else 1)[0][1]
            after = board
            for move in info.line:
                assert move in after.moves(), fen(board)
                after = after.push(move)
            for _ in range(2 if not native.PLAIN else 12):
                board = board if board.over() else board.push(rng.choice(board.moves()))


# Short wins on the big boards.


@njit
def wins_within(own, opp, ep, depth, state):
    """Whether the side to move forces a win in at most `depth` plies: and-or search over move generation, nothing else."""
    for move in state.moves[: moves(own, opp, ep, state)].copy():
        one_own, one_opp, one_ep = make_move(own, opp, ep, np.uint64(move), state)
        replies = state.moves[: moves(one_own, one_opp, one_ep, state)].copy()
        if depth < 2 and len(replies):
            continue
        escaped = False
        for reply in replies:
            two_own, two_opp, two_ep = make_move(one_own, one_opp, one_ep, np.uint64(reply), state)
            if not wins_within(two_own, two_opp, two_ep, depth - 2, state):
                escaped = True
                break
        if not escaped:
            return True
    return False


def near_the_end(name, count, seed):
    """(board, moves to the win) of positions won in one to three moves, from the last plies of random games."""
    rng, state, found = random.Random(seed), exhaustive.record(game(name)), []
    while len(found) < count:
        line, board = [], Board.start(game(name))
        while not board.over():
            line.append(board)
            board = board.push(rng.choice(board.moves()))
        for board in line[-7:-1]:
            depth = next((depth for depth in (1, 3, 5) if wins_within(*words(board), depth, state)), None)
            if depth and (depth > 3 or rng.random() < (0.1, 0.3)[depth // 2]):
                found.append((board, (depth + 1) // 2))
    return found[:count]


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_short_win_is_found_at_twice_its_depth_and_one(name):
    missed, counts = [], {1: 0, 2: 0, 3: 0}
    for board, number in near_the_end(name, 100, 19):
        counts[number] += 1
        if winner(search(board, depth=2 * number + 1)[0][1]) != 1:
            missed.append((fen(board), number))
        exact = search(board, mate=number)[0][1]
        assert plies(exact) == 2 * number - 1, (fen(board), number)
        assert_plays_to_the_end(exact)
    assert missed == []
    assert min(counts.values()) >= 10, counts


@pytest.mark.compiled
def test_pawnsonly_is_searched_as_twoflags():
    one, two = (search(Board.start(game(name)), depth=9)[0][1] for name in ("twoflags", "pawnsonly"))
    assert (one.nodes, one.score, one.line) == (two.nodes, two.score, two.line)
