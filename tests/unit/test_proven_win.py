"""What a search has told of a win holds at the next move, whatever the table has forgotten and however short the time
is.
"""

import random
import time

import pytest
from boards import walk
from engine_player import Player

from pawnstorm.core.state import WIN
from pawnstorm.games.notation import parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import mate_in
from pawnstorm.search.memory import ProvenWin

RACE = "8/8/8/1p3p2/1P3PPp/8/8/8 w - - 0 1"


def test_proven_win_holds_for_every_reply():
    proven_win, board = ProvenWin(), parse_fen(get_rules("twoflags"), RACE)
    line = [parse_move(board, "g4g5")]
    after = board.push(line[0])
    replies = after.moves()
    line += [replies[0], after.push(replies[0]).moves()[0]]
    assert proven_win.recall(board) == (None, [])
    proven_win.remember(board, 57, line)
    assert proven_win.recall(after.push(replies[0])) == (None, [])
    proven_win.remember(board, WIN - 9, line)
    assert proven_win.recall(after.push(replies[0])) == (7, line[2:])
    assert all(proven_win.recall(after.push(reply)) == (7, []) for reply in replies[1:])
    assert proven_win.recall(board) == proven_win.recall(after) == (None, [])
    proven_win.remember(after, -WIN + 8, replies)  # the opponent's own search, in the same process
    assert proven_win.recall(after.push(replies[0])) == (7, line[2:])


@pytest.mark.compiled
def test_told_line_is_followed_where_nothing_else_is_known():
    one, board = Player(mebibytes=16, own_book=False), Board.start(get_rules("twoflags6x6"))
    board = board.push(board.moves()[0])  # which is lost for White, whatever it plays
    one.play(board, movetime=60_000)  # ends as soon as the win is proven, on a busy machine too
    info = one.infos[-1]
    assert mate_in(info.score) > 4 and len(info.pv) > 4
    while not board.is_game_over():
        board = board.push(info.pv[0]).push(info.pv[1]) if len(info.pv) > 1 else board.push(info.pv[0])
        if board.is_game_over():
            break
        one.engine.clear_hash()
        one.play(board, movetime=1)
        before, info = info, one.infos[-1]
        assert WIN - info.score <= WIN - before.score - 2
    assert not board.black_to_move


@pytest.mark.compiled
@pytest.mark.parametrize("name, mebibytes", [("twoflags6x6", 1), ("twoflags5x6", 1), ("breakthrough4x5", 16)])
def test_told_win_is_reached_in_time_by_one_engine_for_both_sides(name, mebibytes):
    """It is proven anew at each move, in milliseconds if no other process takes them."""
    rng, one, kept, late = random.Random(5), Player(mebibytes=mebibytes, own_book=False), 0, 0
    for _ in range(6):
        one.engine.new_game()
        board, due = walk(Board.start(get_rules(name)), rng.randint(0, 4), rng), {}
        while not board.is_game_over():
            start, used = time.monotonic(), time.process_time()
            best = one.play(board, movetime=rng.randint(10, 60))
            mate = mate_in(one.infos[-1].score)
            if board.black_to_move in due:
                if mate is None:
                    late += time.process_time() - used > 0.7 * (time.monotonic() - start)
                    best = one.play(board, movetime=60_000)  # ends as soon as the win is proven
                    mate = mate_in(one.infos[-1].score)
                assert mate is not None and mate > 0
                kept += 1
            if mate is not None and mate > 0:
                due[board.black_to_move] = mate
            board = board.push(best)
        assert (not board.black_to_move) in due or not due
    # The search reads the clock, not the time of the processor: on a busy machine it may end before it has done enough.
    assert kept > 10 and late <= 2
