"""The book is played in timed games, and in no others."""

import random
import time
from collections import Counter

import pytest
from engine_player import Player, start

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof import book, time_sliced_solver
from pawnstorm.search import deepening
from pawnstorm.search.limits import mate_in
from pawnstorm_tools.common.random_openings import levels

TWOFLAGS = get_rules("twoflags")
pytestmark = pytest.mark.compiled


def test_book_is_played_in_timed_games():
    """The start of Two Flags is won by White: told at once, as a mate, by either side."""
    one = Player()
    for limits in ({"movetime": 5000}, {"clock": (10**6, 0)}):
        begun = time.monotonic()
        best = one.play(start(), **limits)
        assert time.monotonic() - begun < 2 and mate_in(one.infos[-1].score) > 0
        one.play(start().push(best), **limits)
        assert mate_in(one.infos[-1].score) < 0 and one.engine.nodes == 0


@pytest.mark.parametrize(
    "limits, settings",
    [
        ({"depth": 5}, {}),
        ({"nodes": 1000}, {}),
        ({"infinite": True}, {}),
        ({"infinite": True, "movetime": 50}, {}),
        ({"infinite": True, "clock": (10**6, 0)}, {}),
        ({"mate": 2}, {}),
        ({"movetime": 50, "searchmoves": [8 | 16 << 6]}, {}),
        ({"movetime": 50}, {"own_book": False}),
        ({"movetime": 50}, {"multipv": 2}),
        ({"movetime": 50}, {"elo": 1500}),
    ],
)
def test_searches_that_use_no_book(limits, settings):
    one = Player(**settings)
    one.go(start(), **limits)
    time.sleep(0.05)
    one.engine.stop()
    one.answer()
    assert one.engine.nodes > 0


def test_opening_decides_early_positions_in_timed_games():
    """After moves that are in no book: who loses is told, and who wins plays a move after which the other one loses. It
    thinks about which.
    """
    opening, one, seen = book.for_game(TWOFLAGS, "opening"), Player(), Counter()
    for board in levels(TWOFLAGS, 2)[-1]:
        value = -1 if opening.probe(board) else 1
        if book.for_game(TWOFLAGS).probe(board) is None and seen[value] < 5:
            seen[value] += 1
            best = one.play(board, movetime=20)
            assert one.infos and all(mate_in(info.score) * value > 0 for info in one.infos)
            assert one.engine.nodes > 0 and (value < 0 or best in opening.winning_moves(board))
    assert seen == {1: 5, -1: 5}


def test_win_from_the_book_is_proven_after_it_however_short_the_time():
    """The book leaves the solver positions that it proves within 1,000 expansions. The engine proves them in a millisecond's
    budget, one after the other, whatever a search would say.
    """
    strategy, lot, proven = book.for_game(TWOFLAGS), random.Random(4), 0
    for _ in range(6):
        one, board = Player(), start()
        while not board.is_game_over():
            known = strategy.probe(board)
            best = one.play(board, movetime=1)
            assert mate_in(one.infos[-1].score) > 0
            proven += known is None
            board = board.push(best)
            if not board.is_game_over():
                board = board.push(lot.choice(board.moves()))
    assert proven > 6


def test_search_comes_before_a_proof_that_may_fail(monkeypatch):
    """Else the move would be that of a search of one ply if the proof took all of the time."""
    rules, one, searched = get_rules("breakthrough6x6"), Player(), []
    monkeypatch.setattr(
        time_sliced_solver.TimeSlicedSolver,
        "_first_slice",
        lambda solver: searched.append(one.engine.memory.states[0].nodes),
    )
    for first in Board.start(rules).moves()[2:5]:
        one.play(Board.start(rules), movetime=100)
        assert one.engine.memory.winning_book and one.engine.memory.book_leaf >= 1000
        one.play(Board.start(rules).push(first), movetime=100)
    assert len(searched) == 3 and min(searched) >= deepening.SEARCHED_FIRST


def test_expected_win_lasts_to_the_end_of_the_game():
    """After a winning move of the book, the solver has a head start in every later search, until a new game begins."""
    one, other = Player(), parse_fen(TWOFLAGS, "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1")
    one.play(start(), movetime=10)
    for _ in range(2):
        one.play(other, movetime=5)
        assert one.engine.memory.outcome_known
    one.engine.new_game()
    one.play(start().push(one.play(start(), depth=1)), movetime=10)  # as the loser
    assert not one.engine.memory.winning_book and not one.engine.memory.book_leaf


def test_damaged_book_is_said_once_and_not_used(monkeypatch, capsys):
    def damaged(kind):
        def load(rules):
            raise ValueError(f"damaged {kind}")

        return load

    kinds = "book", "opening", "repertoire"
    monkeypatch.setattr("pawnstorm.search.engine.BOOKS", {kind: damaged(kind) for kind in kinds})
    one = Player()
    for _ in range(2):
        one.play(start(), movetime=20)
    said = capsys.readouterr().err
    assert one.engine.nodes > 0 and all(said.count(f"damaged {kind}") == 1 for kind in kinds)
