"""The lines of a search: legal, distinct and sorted, and right about every move."""

import random

import pytest
from boards import after, walk
from search_claims import SMALL, assert_plays_to_the_end, plies, random_boards, search, truth, winner

from pawnstorm.core import native
from pawnstorm.games.notation import fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.engine import Engine


def test_multipv_lines_are_distinct_and_sorted():
    for name in ("twoflags", "breakthrough", "hexapawn5x5"):
        board = Board.start(get_rules(name))
        for count in (2, 5, 64):
            engine = Engine()
            engine.multipv = count
            reports, best = search(board, engine, depth=5 if not native.PLAIN_PYTHON else 2)
            lines = [reports[number] for number in range(1, min(count, len(board.moves())) + 1)]
            assert sorted(reports) == list(range(1, len(lines) + 1))
            assert len({info.pv[0] for info in lines}) == len(lines)
            assert [info.score for info in lines] == sorted((info.score for info in lines), reverse=True)
            assert best == lines[0].pv[0]


@pytest.mark.compiled
def test_multipv_knows_the_value_of_every_move():
    for name, most in SMALL[:4]:
        for board in random_boards(name, most, 8, 17):
            engine = Engine()
            engine.multipv = 64
            reports, _ = search(board, engine, depth=24)
            assert {info.pv[0] for info in reports.values()} == set(board.moves())
            for info in reports.values():
                child = board.push(info.pv[0])
                loses = child.is_game_over() or truth(child) < 0
                assert winner(info) == (1 if loses else -1), (fen(board), move_text(board, info.pv[0]))
                if plies(info):
                    assert_plays_to_the_end(info)


def test_line_of_any_score_is_legal():
    rng = random.Random(18)
    for name in ("twoflags", "breakthrough", "twoflags6x6", "breakthrough7"):
        board = Board.start(get_rules(name))
        while not board.is_game_over():
            info = search(board, depth=6 if not native.PLAIN_PYTHON else 1)[0][1]
            after(board, info.pv)
            board = walk(board, 2 if not native.PLAIN_PYTHON else 12, rng)
