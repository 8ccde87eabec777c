"""Settings between searches: threads, a new game, and the size of the table."""

import pytest
from engine_player import Player, start

from pawnstorm.core import native
from pawnstorm.core.hashtable import MAX_MEBIBYTES, HashTable
from pawnstorm.evaluation import networks
from pawnstorm.games import position_table
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import mate_in


def test_any_number_of_threads_plays_and_may_change_between_searches():
    one = Player()
    for threads in (3, 1, 4, 2):
        one.engine.set_threads(threads)
        for limits in (
            {"depth": 4 if not native.PLAIN_PYTHON else 2},
            {"nodes": 2000 if not native.PLAIN_PYTHON else 100},
            {"movetime": 30},
        ):
            one.play(start(), **limits)
        one.play(
            parse_fen(get_rules("twoflags"), "8/5p2/5p1p/8/5PP1/8/8/8 w - - 0 1"),
            depth=10 if not native.PLAIN_PYTHON else 4,
        )
        assert mate_in(one.infos[-1].score) == 2


def test_prepared_engine_has_its_table_and_records_before_the_first_search(monkeypatch):
    cleared = []
    monkeypatch.setattr(HashTable, "clear", lambda table: cleared.append(table.size))
    one = Player(threads=2, mebibytes=4)
    one.engine.prepare()
    assert cleared == [7 << 19, 1 << 19] and len(one.engine.memory.states) == 2
    one.play(start(), depth=3)
    assert cleared == [7 << 19, 1 << 19]


def test_prepared_engine_reads_no_file_in_its_first_search(monkeypatch):
    monkeypatch.setattr(networks, "_loaded", {})
    position_table.opened.cache_clear()
    for name in ("twoflags", "breakthrough5x6"):
        one, rules = Player(), get_rules(name)
        one.engine.prepare(rules)
        with monkeypatch.context() as closed:
            closed.setattr("builtins.open", None)
            closed.setattr("os.open", None)
            board = Board.start(rules)
            best = one.play(board, movetime=20)
            one.play(board.push(best), movetime=20)
        assert one.infos


def described(one):
    """What the last search told, time apart."""
    return [(info.depth, info.seldepth, info.score, info.nodes, info.pv) for info in one.infos] + [
        best for _, *best in one.bests
    ]


@pytest.mark.parametrize("name", ["twoflags", "breakthrough6", "hexapawn5x5"])
def test_new_game_makes_a_search_repeatable(name):
    one, limits = Player(), {"nodes": 20_000 if not native.PLAIN_PYTHON else 200}
    one.play(start(name), **limits)
    first = described(one)
    one.play(start("breakthrough"), **limits)
    one.engine.new_game()
    one.play(start(name), **limits)
    assert described(one) == first


def test_hash_that_cannot_be_had_leaves_the_old_table():
    one = Player()
    one.play(start(), depth=3 if not native.PLAIN_PYTHON else 1)
    first = described(one)
    with pytest.raises(MemoryError):
        one.engine.set_hash(MAX_MEBIBYTES + 1)
    assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 7 << 17
    one.engine.new_game()
    one.play(start(), depth=3 if not native.PLAIN_PYTHON else 1)
    assert described(one) == first


def test_hash_that_cannot_be_had_before_any_search_leaves_the_default():
    one = Player(mebibytes=16)
    with pytest.raises(MemoryError):
        one.engine.set_hash(MAX_MEBIBYTES + 1)
    one.play(start("hexapawn"), depth=2)
    assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 14 << 20


def test_hash_may_change_between_searches():
    one = Player()
    for mebibytes in (1, 8, 2):
        one.engine.set_hash(mebibytes)
        one.play(start("twoflags5x5"), depth=3 if not native.PLAIN_PYTHON else 1)
        assert one.engine.memory.table.size == 7 * one.engine.memory.prover.table.size == 7 * mebibytes << 17
