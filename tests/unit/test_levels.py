"""Weaker play: the scale is monotone, errors are repeatable and people's, and the rules of a search hold at every
strength.
"""

import functools
import random
import time

import pytest

from pawnstorm.core import native
from pawnstorm.games.board import Board
from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.rules import game
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits, mate_in
from pawnstorm.strength import levels
from pawnstorm.strength.levels import HIGHEST, LEARNED, LOWEST, SURE, TABLE, WIN, level

SOON = 10.0  # seconds that only a hang takes
MARKS = (LOWEST, 1100, SURE, 2000, HIGHEST)
# White to move wins at once by d7d8; White must take the pawn on b2, or Black is home with the next move.
WIN_IN_ONE = "8/3P4/8/pp4pp/8/PP4PP/8/8 w - - 0 1"
STOP_IN_ONE = "pp5p/p6p/8/8/8/2P5/1p6/P1P4P w - - 0 1"


@pytest.fixture(scope="module", autouse=True)
def core():
    return native.core()


class Player:
    """An engine of some strength with what it has told."""

    def __init__(self, elo, games=0):
        self.infos, self.bests = [], []
        self.engine = Engine(self.infos.append, lambda *best: self.bests.append(best))
        self.engine.elo = elo
        self.engine.set_hash(1)  # soon emptied
        for _ in range(games):
            self.engine.new_game()

    def go(self, board, **limits):
        """The move that it plays: told once, legal, and what the last line begins with."""
        self.infos.clear(), self.bests.clear()
        self.engine.go(board, Limits(**limits or {"depth": 50}))
        assert self.engine.wait(SOON)
        return self.checked()

    def checked(self):
        ((board, best, ponder),) = self.bests
        assert best in board.moves() and self.infos[0].line[0] == best
        assert ponder is None or ponder in board.push(best).moves()
        return best


def start(name="breakthrough"):
    return Board.start(game(name))


def boards(count, seed, name="breakthrough"):
    """Unfinished positions of random games."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        line = [start(name)]
        while moves := line[-1].moves():
            line.append(line[-1].push(rng.choice(moves)))
        found.append(rng.choice(line[:-1]))
    return found


# The scale.


@pytest.mark.parametrize("table", [TABLE, LEARNED])
def test_every_column_of_the_tables_is_monotone(table):
    for weak, strong in zip(table, table[1:]):
        assert weak.elo + 200 == strong.elo and weak.nodes < strong.nodes and weak.sight < strong.sight
        assert weak.noise > strong.noise or weak.noise == 0 == strong.noise
        assert weak.lapse > strong.lapse or weak.lapse == 0 == strong.lapse


@pytest.mark.parametrize("learned", [False, True])
def test_between_the_rows_a_level_is_monotone_and_smooth(learned):
    table = LEARNED if learned else TABLE
    assert [level(row.elo, learned) for row in table] == list(table)
    every = [level(elo, learned) for elo in range(LOWEST, HIGHEST + 1)]
    for weak, strong in zip(every, every[1:]):
        assert weak.nodes <= strong.nodes <= weak.nodes * 1.02 + 1 and weak.sight < strong.sight
        assert 0 <= weak.noise - strong.noise < 1 and 0 <= weak.lapse - strong.lapse < 0.01


def test_a_level_is_held_within_the_table():
    assert level(0) == TABLE[0] and level(9999) == TABLE[-1] and level(9999, True) == LEARNED[-1]


# The errors.


def test_misjudgement_belongs_to_the_position_and_the_game():
    one, (board, other) = level(1000), boards(2, 1)
    assert levels.misjudgement(one, 5, board) == levels.misjudgement(one, 5, board)
    assert len({levels.misjudgement(one, seed, board) for seed in range(20)}) > 10
    assert levels.misjudgement(one, 5, board) != levels.misjudgement(one, 5, other)


def test_misjudgement_is_as_large_as_the_level_says():
    one, found = (
        level(1000),
        [levels.misjudgement(level(1000), seed, board) for seed in range(50) for board in boards(20, 2)],
    )
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
        error, best = rng.randint(-60, 60), levels.judged(rng.choice(scores), rng.randint(-60, 60))
        score = rng.choice(scores)
        assert (levels.judged(score, error) > best) == (score > levels.unjudged(best, error)), (score, error, best)


def test_what_is_proven_is_judged_right_and_nothing_else_is_proven():
    assert levels.judged(WIN - 3, -500) == WIN - 3 and levels.judged(3 - WIN, 500) == 3 - WIN
    assert not levels.proven(levels.judged(20_000, 20_000)) and not levels.proven(levels.judged(-20_000, -20_000))


def test_a_far_quiet_reply_escapes_more_than_a_capture_nearby():
    child = parse_fen(game("twoflags"), "8/8/8/3p4/4P3/8/P7/8 b - - 0 1")
    one, rules = level(1000), child.rules
    move = 3 * 8 + 4 << 6 | 2 * 8 + 4  # e3e4
    replies = {move_text(child, reply): levels.surprise(one, child, [move, reply], 0) for reply in child.moves()}
    assert replies["d5e4"] < replies["d5d4"]
    far = parse_fen(rules, "8/8/p7/3p4/4P3/8/P7/8 b - - 0 1")
    replies = {move_text(far, reply): levels.surprise(one, far, [move, reply], 0) for reply in far.moves()}
    assert replies["d5e4"] < replies["d5d4"] < replies["a6a5"]


def test_a_race_beyond_sight_is_not_seen():
    board = start()
    child, one = board.push(board.moves()[0]), level(LOWEST)
    assert levels.sees(one, 0, board, child, board.moves()[:1], WIN - 3, False)
    assert not levels.sees(one, 0, board, child, board.moves()[:1], WIN - 25, False)
    assert levels.sees(level(HIGHEST), 0, board, child, board.moves()[:1], WIN - 25, False)


# What a level promises in play.


def wins(board):
    return [move for move in board.moves() if board.push(move).over()]


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


@pytest.mark.parametrize("elo", [SURE, SURE + 1, 2000, HIGHEST])
def test_a_win_in_one_is_taken(elo):
    for seed, board in enumerate(critical()[0]):
        assert Player(elo, seed % 5).go(board, nodes=200) in wins(board)


@pytest.mark.parametrize("elo", [SURE, SURE + 1, 2000, HIGHEST])
def test_a_loss_in_one_is_stopped(elo):
    for board in critical()[1]:
        for seed in range(5):
            assert not loses_at_once(board, Player(elo, seed).go(board, nodes=200))


def test_the_weakest_now_and_then_misses_a_win_in_one_and_the_need_to_stop_one():
    win, stop = parse_fen(game("twoflags"), WIN_IN_ONE), parse_fen(game("breakthrough"), STOP_IN_ONE)
    assert wins(win) and {loses_at_once(stop, move) for move in stop.moves()} == {False, True}
    one = Player(LOWEST)
    missed, let_in = 0, 0
    for _ in range(150):
        one.engine.new_game()
        missed += one.go(win, nodes=200) not in wins(win)
        let_in += loses_at_once(stop, one.go(stop, nodes=200))
    assert 0 < missed < 50 and 0 < let_in < 50


def test_weak_moves_are_not_random():
    """A pawn that can be won for nothing is won far more often than by one move in twenty-odd."""
    board = parse_fen(game("breakthrough"), "pppppppp/ppppppp1/8/4p3/3P4/8/PPPPPPPP/PPP1PPPP w - - 0 5")
    one, taken = Player(LOWEST), 0
    for _ in range(60):
        one.engine.new_game()
        taken += move_text(board, one.go(board)) == "d4e5"
    assert taken > 15


@pytest.mark.parametrize("name", ["breakthrough", "twoflags", "breakthrough5", "hexapawn4x5"])
def test_whole_games_are_legal_and_repeatable_and_differ_from_one_another(name):
    def played(players):
        board, line = start(name), []
        while board.moves():
            line.append(players[board.black].go(board))
            board = board.push(line[-1])
        return line

    elos = (900, 1300)
    first = [Player(elo) for elo in elos]
    games = []
    for _ in range(3):
        for one in first:
            one.engine.new_game()
        games.append(played(first))
    second = [Player(elo) for elo in elos]
    for one in second:
        one.engine.new_game()
    assert played(second) == games[0]
    assert len({tuple(line) for line in games}) > 1


# A search is still a search.


@pytest.mark.compiled
@pytest.mark.parametrize("elo", MARKS)
def test_nodes_are_the_levels_or_fewer_where_asked(elo):
    one = Player(elo)
    one.go(start())
    assert (
        0 < one.engine.nodes <= level(elo, True).nodes + 1000
    )  # the first iteration and a quiescence are always finished
    one.go(start(), nodes=400)
    assert one.engine.nodes <= 1400


@pytest.mark.compiled
@pytest.mark.parametrize("elo", [LOWEST, HIGHEST])
@pytest.mark.parametrize("limits", [{"movetime": 15}, {"clock": (40, 0)}, {"clock": (1, 0)}, {"clock": (-5, 0)}])
def test_time_limits_a_weaker_player_too(elo, limits, monkeypatch):
    monkeypatch.setattr(levels, "TABLE", TABLE[:-1] + (TABLE[-1]._replace(nodes=10**9),))
    one = Player(elo)
    begun = time.monotonic()
    one.go(start(), **limits)
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    "limits", [{"infinite": True}, {"ponder": True, "movetime": 10}, {"ponder": True, "clock": (100, 0)}]
)
def test_infinite_and_ponder_wait_for_stop(limits):
    one = Player(1000)
    one.engine.go(start("breakthrough5"), Limits(**limits))
    assert not one.engine.wait(0.1) and not one.bests
    one.engine.stop()
    assert one.engine.wait(SOON) and one.checked()


def test_ponderhit_lets_a_weaker_player_answer():
    one = Player(1000)
    one.engine.go(start("breakthrough5"), Limits(ponder=True, movetime=10))
    assert not one.engine.wait(0.05)
    one.engine.ponderhit()
    assert one.engine.wait(SOON) and one.checked()


@pytest.mark.parametrize("elo", [LOWEST, HIGHEST])
def test_several_lines_are_told_in_the_order_of_their_scores(elo):
    one = Player(elo)
    one.engine.multipv = 4
    one.go(start(), nodes=1000)
    scores = [info.score for info in one.infos]
    assert len(scores) == 4 == len({info.line[0] for info in one.infos}) and scores == sorted(scores, reverse=True)
    assert [info.multipv for info in one.infos] == [1, 2, 3, 4]


def test_only_searchmoves_are_played():
    board = start()
    for move in board.moves()[::5]:
        assert Player(LOWEST).go(board, searchmoves=[move]) == move


def test_a_mate_is_searched_for_with_full_strength():
    one, board = Player(LOWEST), parse_fen(game("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    for _ in range(5):
        one.engine.new_game()
        one.engine.go(board, Limits(mate=3))
        assert (
            one.engine.wait(SOON) and mate_in(one.infos[-1].score) == 3 and move_text(board, one.bests[-1][1]) == "f6f5"
        )


def test_a_weaker_player_uses_one_thread_and_the_full_one_all_again():
    one = Player(1000)
    one.engine.set_threads(3)
    one.go(start("breakthrough5"))
    assert len(one.engine.memory.states) == 1
    one.engine.elo = None
    one.go(start("breakthrough5"), depth=3)
    assert len(one.engine.memory.states) == 3
