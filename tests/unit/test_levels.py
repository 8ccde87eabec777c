"""Weaker play: the scale is monotone, errors are repeatable and people's, and the rules of a search hold at every
strength.
"""

import functools
import random
import time

import pytest
from boards import playout
from engine_player import Player, start

from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import mate_in
from pawnstorm.strength import levels
from pawnstorm.strength.levels import HIGHEST, LOWEST, NETWORK_TABLE, SURE_ELO, TABLE, WIN, level

MARKS = (LOWEST, 1100, SURE_ELO, 2000, HIGHEST)
# White to move wins at once by d7d8; White must take the pawn on b2, or Black is home with the next move.
WIN_IN_ONE = "8/3P4/8/pp4pp/8/PP4PP/8/8 w - - 0 1"
STOP_IN_ONE = "pp5p/p6p/8/8/8/2P5/1p6/P1P4P w - - 0 1"


BREAKTHROUGH = start("breakthrough")


def boards(count, seed, name="breakthrough"):
    """Unfinished positions of random games."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        found.append(rng.choice(playout(get_rules(name), rng)[:-1]))
    return found


# The scale.


@pytest.mark.parametrize("learned", [False, True])
def test_between_the_rows_a_level_is_monotone_and_smooth(learned):
    table = NETWORK_TABLE if learned else TABLE
    assert [level(row.elo, learned) for row in table] == list(table)
    every = [level(elo, learned) for elo in range(LOWEST, HIGHEST + 1)]
    for weak, strong in zip(every, every[1:]):
        assert weak.nodes <= strong.nodes <= weak.nodes * 1.02 + 1 and weak.sight < strong.sight
        assert 0 <= weak.noise - strong.noise < 1 and 0 <= weak.lapse - strong.lapse < 0.01


def test_a_level_is_held_within_the_table():
    assert level(0) == TABLE[0] and level(9999) == TABLE[-1] and level(9999, True) == NETWORK_TABLE[-1]


# The errors.


def test_misjudgement_belongs_to_the_position_and_the_game():
    one, (board, other) = level(1000), boards(2, 1)
    assert levels.misjudgement(one, 5, board) == levels.misjudgement(one, 5, board)
    assert len({levels.misjudgement(one, seed, board) for seed in range(20)}) > 10
    assert levels.misjudgement(one, 5, board) != levels.misjudgement(one, 5, other)


def test_misjudgement_is_as_large_as_the_level_says():
    one, some = level(1000), boards(20, 2)
    found = [levels.misjudgement(one, seed, board) for seed in range(50) for board in some]
    mean = sum(found) / len(found)
    deviation = (sum((error - mean) ** 2 for error in found) / len(found)) ** 0.5
    assert abs(mean) < one.noise / 5 and 0.9 * one.noise < deviation < 1.1 * one.noise
    assert max(map(abs, found)) <= 3.5 * one.noise


def test_stronger_levels_misjudge_the_same_positions_less():
    for board in boards(20, 3):
        errors = [abs(levels.misjudgement(level(elo), 1, board)) for elo in MARKS]
        assert errors == sorted(errors, reverse=True)


def test_lapses_come_as_often_as_the_level_says():
    found = boards(50, 4)
    for elo in MARKS:
        one = level(elo)
        share = sum(levels.lapses(one, seed, board) for seed in range(40) for board in found) / 2000
        assert abs(share - one.lapse) < 0.05


def test_a_score_is_above_unjudged_just_where_it_is_judged_better():
    rng = random.Random(5)
    scores = [
        *range(-40, 41),
        *(rng.randint(-20_000, 20_000) for _ in range(40)),
        *(sign * (WIN - plies) for plies in range(1, 30) for sign in (1, -1)),
    ]
    for _ in range(20_000):
        error, best = rng.randint(-60, 60), levels.add_error(rng.choice(scores), rng.randint(-60, 60))
        score = rng.choice(scores)
        assert (levels.add_error(score, error) > best) == (score > levels.remove_error(best, error)), (
            score,
            error,
            best,
        )


def test_what_is_proven_is_judged_right_and_nothing_else_is_proven():
    assert levels.add_error(WIN - 3, -500) == WIN - 3 and levels.add_error(3 - WIN, 500) == 3 - WIN
    assert not levels.plies_to_end(levels.add_error(20_000, 20_000)) and not levels.plies_to_end(
        levels.add_error(-20_000, -20_000)
    )


def test_a_far_quiet_reply_escapes_more_than_a_capture_nearby():
    child = parse_fen(get_rules("twoflags"), "8/8/8/3p4/4P3/8/P7/8 b - - 0 1")
    one, rules = level(1000), child.rules
    move = 3 * 8 + 4 << 6 | 2 * 8 + 4  # e3e4
    replies = {
        move_text(child, reply): levels.oversight_chance(one, child, [move, reply], 0) for reply in child.moves()
    }
    assert replies["d5e4"] < replies["d5d4"]
    far = parse_fen(rules, "8/8/p7/3p4/4P3/8/P7/8 b - - 0 1")
    replies = {move_text(far, reply): levels.oversight_chance(one, far, [move, reply], 0) for reply in far.moves()}
    assert replies["d5e4"] < replies["d5d4"] < replies["a6a5"]


def test_a_race_beyond_sight_is_not_seen():
    board = BREAKTHROUGH
    child, one = board.push(board.moves()[0]), level(LOWEST)
    assert levels.notices(one, 0, board, child, board.moves()[:1], WIN - 3, False)
    assert not levels.notices(one, 0, board, child, board.moves()[:1], WIN - 25, False)
    assert levels.notices(level(HIGHEST), 0, board, child, board.moves()[:1], WIN - 25, False)


# What a level promises in play.


def wins(board):
    return [move for move in board.moves() if board.push(move).is_game_over()]


def loses_at_once(board, move):
    return bool(wins(board.push(move)))


@functools.cache
def critical():
    """(positions with a win in one, those where the opponent has one that some moves stop and others do not)."""
    every = boards(300, 6) + boards(300, 7, "twoflags")
    winning = [board for board in every if wins(board)][:40]
    stoppable = [
        board
        for board in every
        if board.opp & board.rules.home << 8
        and not wins(board)
        and {loses_at_once(board, move) for move in board.moves()} == {False, True}
    ]
    assert len(winning) > 10 and len(stoppable) > 5
    return winning, stoppable


@pytest.mark.parametrize("elo", [SURE_ELO, SURE_ELO + 1, 2000, HIGHEST])
def test_a_win_in_one_is_taken(elo):
    for seed, board in enumerate(critical()[0]):
        assert Player(elo=elo, game_seed=seed % 5).play(board, nodes=200) in wins(board)


@pytest.mark.parametrize("elo", [SURE_ELO, SURE_ELO + 1, 2000, HIGHEST])
def test_a_loss_in_one_is_stopped(elo):
    for board in critical()[1]:
        for seed in range(5):
            assert not loses_at_once(board, Player(elo=elo, game_seed=seed).play(board, nodes=200))


def test_the_weakest_now_and_then_misses_a_win_in_one_and_the_need_to_stop_one():
    win, stop = parse_fen(get_rules("twoflags"), WIN_IN_ONE), parse_fen(get_rules("breakthrough"), STOP_IN_ONE)
    assert wins(win) and {loses_at_once(stop, move) for move in stop.moves()} == {False, True}
    one, missed, let_in = Player(elo=LOWEST), 0, 0
    for _ in range(150):
        one.engine.new_game()
        missed += one.play(win, nodes=200) not in wins(win)
        let_in += loses_at_once(stop, one.play(stop, nodes=200))
    assert 0 < missed < 50 and 0 < let_in < 50


def test_weak_moves_are_not_random():
    """A pawn that can be won for nothing is won far more often than by one move in twenty-odd."""
    board = parse_fen(get_rules("breakthrough"), "pppppppp/ppppppp1/8/4p3/3P4/8/PPPPPPPP/PPP1PPPP w - - 0 5")
    one, taken = Player(elo=LOWEST), 0
    for _ in range(60):
        one.engine.new_game()
        taken += move_text(board, one.play(board, depth=50)) == "d4e5"
    assert taken > 15


@pytest.mark.parametrize("name", ["breakthrough", "twoflags", "breakthrough5", "hexapawn4x5"])
def test_whole_games_are_legal_and_repeatable_and_differ_from_one_another(name):
    def played(players):
        board, line = start(name), []
        while board.moves():
            one = players[board.black_to_move]
            line.append(one.play(board, depth=50))
            assert one.infos[0].pv[0] == line[-1]
            board = board.push(line[-1])
        return line

    first, games = [Player(elo=elo) for elo in (900, 1300)], []
    for _ in range(3):
        for one in first:
            one.engine.new_game()
        games.append(played(first))
    assert played([Player(elo=elo, game_seed=1) for elo in (900, 1300)]) == games[0]
    assert len({tuple(line) for line in games}) > 1


# A search is still a search.


@pytest.mark.compiled
@pytest.mark.parametrize("elo", MARKS)
def test_nodes_are_the_levels_or_fewer_where_asked(elo):
    one = Player(elo=elo)
    one.play(BREAKTHROUGH, depth=50)
    assert 0 < one.engine.nodes <= level(elo, True).nodes + 1000  # the first iteration and a quiescence are finished
    one.play(BREAKTHROUGH, nodes=400)
    assert one.engine.nodes <= 1400


@pytest.mark.compiled
@pytest.mark.parametrize("elo", [LOWEST, HIGHEST])
@pytest.mark.parametrize("limits", [{"movetime": 15}, {"clock": (40, 0)}, {"clock": (1, 0)}, {"clock": (-5, 0)}])
def test_time_limits_a_weaker_player_too(elo, limits, monkeypatch):
    monkeypatch.setattr(levels, "TABLE", TABLE[:-1] + (TABLE[-1]._replace(nodes=10**9),))
    one = Player(elo=elo)
    start = time.monotonic()
    one.play(BREAKTHROUGH, **limits)
    assert time.monotonic() - start < 2


@pytest.mark.parametrize(
    "end, limits",
    [("stop", {"infinite": True}), ("stop", {"ponder": True}), ("ponderhit", {"ponder": True, "movetime": 10})],
)
def test_infinite_and_ponder_wait_for_a_weaker_player_too(end, limits):
    one = Player(elo=1000)
    one.go(start("breakthrough5"), **limits)
    one.silent()
    getattr(one.engine, end)()
    one.answer()


@pytest.mark.parametrize("elo", [LOWEST, HIGHEST])
def test_several_lines_are_told_in_the_order_of_their_scores(elo):
    one = Player(elo=elo, multipv=4)
    assert one.play(BREAKTHROUGH, nodes=1000) == one.infos[0].pv[0]
    scores = [info.score for info in one.infos]
    assert len(scores) == 4 == len({info.pv[0] for info in one.infos}) and scores == sorted(scores, reverse=True)
    assert [info.multipv for info in one.infos] == [1, 2, 3, 4]


def test_only_searchmoves_are_played():
    for move in BREAKTHROUGH.moves()[::5]:
        assert Player(elo=LOWEST).play(BREAKTHROUGH, depth=50, searchmoves=[move]) == move


def test_a_mate_is_searched_for_with_full_strength():
    one, board = Player(elo=LOWEST), parse_fen(get_rules("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    for _ in range(5):
        one.engine.new_game()
        assert move_text(board, one.play(board, mate=3)) == "f6f5" and mate_in(one.infos[-1].score) == 3


def test_a_weaker_player_uses_one_thread_and_the_full_one_all_again():
    one = Player(threads=3, elo=1000)
    one.play(start("breakthrough5"), depth=50)
    assert len(one.engine.memory.states) == 1
    one.engine.elo = None
    one.play(start("breakthrough5"), depth=3)
    assert len(one.engine.memory.states) == 3
