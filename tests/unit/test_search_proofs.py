"""What the search proves, against exhaustive play: never a wrong win, every win in reach, the shortest where that is
asked for.
"""

import pytest
from search_claims import (
    LONGEST,
    SMALL,
    assert_plays_to_the_end,
    few,
    plies,
    random_boards,
    search,
    small_engine,
    truth,
    winner,
)

from pawnstorm.core import native
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits


@pytest.mark.parametrize("name, most", SMALL)
def test_deep_search_wins_exactly_where_exhaustive_play_does(name, most):
    for board in random_boards(name, most, few(12), 11):
        reports, best = search(board, depth=LONGEST)
        value = truth(board)
        assert winner(reports[1]) * value > 0, (fen(board), value, reports[1].score)
        assert best in board.moves()
        if value > 0:
            after = board.push(best)
            assert after.is_game_over() or truth(after) < 0, (
                f"{move_text(board, best)} throws the win away in {fen(board)}"
            )


@pytest.mark.parametrize("name, most", SMALL)
def test_what_is_proven_at_any_depth_is_right(name, most):
    """By the ordinary search, with all its pruning: the winner; a length within which the win comes, whatever the loser
    tries; and a line that plays to the end.
    """
    lengths = 0
    for board in random_boards(name, most, few(12), 12):
        engine, seen, value = small_engine(), [], truth(board)
        engine.on_info = seen.append
        engine.go(board, Limits(depth=12 if not native.PLAIN_PYTHON else 5))
        engine.wait()
        for info in seen:
            if winner(info) and not info.bound:
                assert winner(info) * value > 0, (fen(board), info.depth, info.score, value)
                assert abs(plies(info)) >= abs(value), (fen(board), info.depth, info.score, value)
                assert_plays_to_the_end(info)
                lengths += 1
    assert lengths


@pytest.mark.parametrize(
    "name, text, depth",
    [("twoflags4x6", "4/p1p1/Pp1p/1P2/2PP/4 b - - 0 3", 3), ("hexapawn5x5", "p2pp/1p3/3p1/2P2/PP2P w - - 0 4", 11)],
)
def test_line_that_ends_early_does_not_shorten_the_proof(name, text, depth):
    """A race bounds the length; that one line under the bound ends sooner does not mean that every line does."""
    if native.PLAIN_PYTHON and depth > 5:
        pytest.skip("too deep for plain Python")
    board = parse_fen(get_rules(name), text)
    value, found = truth(board), [search(board, depth=number)[0][1] for number in range(1, depth + 1)]
    assert any(map(winner, found))
    for info in found:
        claim = plies(info)
        assert winner(info) * value >= 0 and (claim is None or abs(claim) >= abs(value)), (info.depth, claim, value)


@pytest.mark.parametrize("name, most", SMALL)
def test_go_mate_finds_the_shortest_win(name, most):
    found = 0
    for board in random_boards(name, most, few(12), 13):
        value = truth(board)
        if value > 0:
            reports, best = search(board, mate=(value + 1) // 2)
            assert plies(reports[1]) == value and len(reports[1].pv) == abs(value), (
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
    lost = [board for board in random_boards(name, most, 90, 14) if truth(board) < 0][:15]
    assert len(lost) > 4
    for board in lost:
        reports, best = search(board, mate=LONGEST)
        value = truth(board)
        assert plies(reports[1]) == value and len(reports[1].pv) == abs(value), (fen(board), value, plies(reports[1]))
        assert_plays_to_the_end(reports[1])


@pytest.mark.compiled
def test_table_size_changes_no_proven_value():
    small, large = Engine(), Engine()
    small.set_hash(1)
    large.set_hash(64)
    for name, most in SMALL:
        for board in random_boards(name, most, 4, 16):
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
            info = search(board, engine, depth=LONGEST)[0][1]
            assert winner(info) * truth(board) > 0, fen(board)
