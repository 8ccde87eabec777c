"""Opening books for the tests, packed without the engine's code."""

import position_tables
import pytest

from pawnstorm.games import position_table
from pawnstorm.openings import repertoire


def content(moves, name="breakthrough5x5"):
    """The bytes of an opening book of {board: [(move, weight, score)]}."""
    rows = []
    for board, choices in moves.items():
        canonical = board.canonical()
        turned = canonical.bitboards != board.bitboards
        for move, weight, score in choices:
            move = position_table.mirror_move(board.rules, move) if turned else move
            entry = (move | weight << 12).to_bytes(2, "little") + score.to_bytes(2, "little", signed=True)
            rows.append((canonical, entry))
    return position_tables.content("repertoire", name, rows)


@pytest.fixture
def ship(tmp_path, monkeypatch):
    """A function that gives the engine an opening book of some moves, or bytes, until the test ends."""
    monkeypatch.setattr(repertoire, "FOLDER", str(tmp_path))

    def shipped(moves, name="breakthrough5x5"):
        data = moves if isinstance(moves, bytes) else content(moves, name)
        (tmp_path / f"{name}.repertoire").write_bytes(data)
        position_table.opened.cache_clear()

    return shipped
