"""The n-tuple network of 8x8 Two Flags: its score against a slow one from the file's numbers, and what becomes of a
damaged file.
"""

import random
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest
from boards import random_games

from pawnstorm.core import native
from pawnstorm.evaluation import networks
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

RULES = get_rules("twoflags")
PATH = Path(networks.FOLDER, "twoflags8x8.ntuple")


def address(rules):
    return networks.addresses(rules)["ntuple"]


def file_of(numbers):
    """A network's file."""
    return networks.NTUPLE_FORMAT.header("twoflags8x8", zlib.crc32(numbers)) + zlib.compress(numbers)


def slow_score(numbers, board):
    """The sum over all three neighbouring files, square by square."""

    def file_class(file):
        place = 0
        for rank in range(1, 7):
            square = 8 * rank + file
            place |= (board.own >> square & 1) << rank - 1 | (board.opp >> square & 1) << rank + 5
        return numbers[place]

    weights, total = numbers[4096:].reshape(3, 64, 64, 64), 0
    for triple in range(3):
        west = [triple, triple + 1, triple + 2]
        for files in west, [7 - file for file in west]:
            total += weights[triple][tuple(map(file_class, files))]
    return total


def full_boards():
    """Boards whose files are full or nearly so."""
    chance, inner = random.Random("full"), sum(255 << 8 * rank for rank in range(1, 7))
    for _ in range(500):
        own = chance.getrandbits(64) & inner
        yield Board(RULES, own, chance.getrandbits(64) & inner & ~own, 0, False)


def test_score_is_the_sum_of_six_triples():
    numbers = np.frombuffer(networks.load_ntuple(PATH, "twoflags8x8")[1], "<i2").astype(int)
    assert set(numbers[:4096]) <= set(range(64))
    for board in (*random_games(RULES, 2000, "ntuple"), *full_boards()):
        assert native.evaluate(RULES, *board.bitboards) == slow_score(numbers, board)


def test_games_of_one_board_share_a_network_and_others_have_none():
    assert address(RULES) == address(get_rules("pawnsonly")) == address(get_rules("twoflags-noep")) != 0
    assert not any(address(get_rules(name)) for name in ("twoflags8x7", "twoflags7x8", "breakthrough", "hexapawn8x8"))


@pytest.mark.parametrize(
    "damage, said",
    [
        (lambda data: b"", "is not a valid n-tuple network of twoflags8x8"),
        (lambda data: data.replace(b"ntuple 1", b"ntuple 2", 1), "is not a valid n-tuple network of twoflags8x8"),
        (lambda data: data.replace(b"twoflags8x8", b"twoflags7x8", 1), "is not a valid n-tuple network of twoflags8x8"),
        (lambda data: data[:-100], "is damaged"),
        (lambda data: data.split(b"\n")[0] + b"\n" + zlib.compress(bytes(10)), "is damaged"),
        (
            lambda data: file_of((64).to_bytes(2, "little") + bytes(2 * (4095 + networks.WEIGHTS))),
            "expected classes from 0 to 63",
        ),
        (
            lambda data: file_of((0x8000).to_bytes(2, "little") + bytes(2 * (4095 + networks.WEIGHTS))),
            "expected classes from 0 to 63",
        ),
    ],
)
def test_damaged_file_is_refused(tmp_path, damage, said):
    path = tmp_path / "twoflags8x8.ntuple"
    path.write_bytes(damage(PATH.read_bytes()))
    with pytest.raises(BadFile, match=said):
        networks.load_ntuple(path, "twoflags8x8")


def test_threads_that_ask_at_once_get_the_network_that_stays(monkeypatch):
    monkeypatch.setattr(networks, "_loaded", {})
    barrier, found = threading.Barrier(4), []

    def ask():
        barrier.wait()
        found.append(address(RULES))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and set(found) == {address(RULES)}


def test_engine_plays_without_a_network_that_it_cannot_read(monkeypatch, tmp_path, capfd):
    """It plays as if there were no network."""
    board = parse_fen(RULES, "8/2pp1p1p/8/4p3/3P4/1P6/P1P2PPP/8 w - - 0 9")
    with_network = native.evaluate(RULES, board.own, board.opp, 0)
    (tmp_path / "twoflags8x8.ntuple").write_bytes(b"not one")
    monkeypatch.setattr(networks, "_loaded", {})
    monkeypatch.setattr(networks, "FOLDER", str(tmp_path))
    scores = {native.evaluate(RULES, board.own, board.opp, 0) for _ in range(2)}
    assert capfd.readouterr().err.count("going on without it") == 1
    (tmp_path / "twoflags8x8.ntuple").unlink()
    monkeypatch.setattr(networks, "_loaded", {})
    assert scores == {native.evaluate(RULES, board.own, board.opp, 0)} != {with_network}
