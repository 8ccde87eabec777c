"""Damaged networks, books and parameters: each is refused in one line or loads as what it says, and what loads is searched
with.
"""

import random
import re
import zlib

import numpy as np
import pytest
from engine_player import Player
from slow_network import stored_numbers, with_numbers

from pawnstorm.core import native, parameters
from pawnstorm.core.state import HIDDEN_WIDTH, OUTPUT_BUCKETS, OUTPUT_ROW, SOLVER_OUTPUTS
from pawnstorm.evaluation import networks, weights
from pawnstorm.games.datafile import BadFile
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.kernels.evaluate import SCORE_LIMIT
from pawnstorm.openings import repertoire
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm_protocol.system.terminal import escaped

COUNT = 150  # damages of a kind that every run of the tests tries; the same ones each time
SIZES = {
    "network": 2 * ((OUTPUT_ROW + 2 * OUTPUT_BUCKETS) * HIDDEN_WIDTH + OUTPUT_BUCKETS + 1),
    "solver": 2
    * ((OUTPUT_ROW + 2 * OUTPUT_BUCKETS * SOLVER_OUTPUTS) * HIDDEN_WIDTH + SOLVER_OUTPUTS * (OUTPUT_BUCKETS + 1)),
    "ntuple": 2 * (networks.CLASSES + networks.WEIGHTS),
}
FILES = {"network": "breakthrough5x6.network", "solver": "breakthrough5x6.solver", "ntuple": "twoflags8x8.ntuple"}
TABLES = {"book": book.Book, "repertoire": repertoire.Repertoire}
LOADS = networks.EVAL_LOADERS | networks.SOLVER_LOADERS
WORDS = b"nan inf -1 0 1e9 0x10 breakthrough8x8 twoflags pawnstorm".split()
WORDS += [b"9" * 60, b"9" * 190, b"", b" ", b"\n", b"\0", b"\xff", "\u0663".encode()]


def data_of(kind):
    """A file's bytes."""
    body = bytes(range(240))
    if kind == "book":
        return book.FORMAT.header("twoflags5x6", 100, 20, zlib.crc32(body[:220])) + body[:220]
    if kind == "repertoire":
        return repertoire.FORMAT.header("twoflags5x6", 20, zlib.crc32(body)) + body
    with open(f"{networks.FOLDER}/{FILES[kind]}", "rb") as file:
        return file.read()


def damaged(data, chance):
    """The bytes cut, with bits flipped, with parts exchanged, doubled or overwritten, or with another word in the first
    line.
    """
    what, place = chance.randrange(8), chance.randrange(len(data) + 1)
    line, rest = data.split(b"\n", 1)
    if what == 0:
        return data[:place]
    if what == 1:
        return data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
    if what == 2:
        other = chance.randrange(len(data))
        return data[:place] + data[other : other + 50] + data[place + 50 :]
    if what == 3:
        return data[:place] + bytes(chance.choice((1, 50, 5000))) + data[place:]
    if what == 4:
        return data + data[place:]
    if what == 5:
        return chance.choice((b"", b"\n", b"\x7fELF" + rest, rest, line, b"PK" + data, line + b"\n"))
    words = line.split(b" ")
    words[chance.randrange(len(words))] = chance.choice(WORDS)
    return b" ".join(words) + b"\n" + rest


def forged(kind, chance):
    """A file whose numbers are others, and whose checksum is right."""
    data = data_of(kind)
    stored = zlib.decompress(data.partition(b"\n")[2])
    numbers = np.frombuffer(stored, "<i2").astype(int) if kind == "ntuple" else stored_numbers(data)
    for _ in range(chance.choice((1, 10, 10_000))):
        numbers[chance.randrange(len(numbers))] = chance.choice(
            (-32768, 32767, -1, 1, chance.randrange(-32768, 32768), chance.randrange(-127, 128))
        )
    if kind == "ntuple":  # most would be refused for these
        numbers[: networks.CLASSES] = [chance.randrange(64) for _ in range(networks.CLASSES)]
        stored = numbers.astype("<i2").tobytes()
        line = re.sub(rb"check \d+", b"check %d" % zlib.crc32(stored), data.partition(b"\n")[0])
        return line + b"\n" + zlib.compress(stored, 1)
    if chance.randrange(4):
        first, last = OUTPUT_ROW * networks.HALF, len(numbers) - 32
        numbers[first:last] = [chance.randrange(-127, 128) for _ in range(first, last)]
    return with_numbers(data, numbers)


def loaded(kind, data, path):
    """What a file of these bytes loads as, None if it is refused."""
    path.write_bytes(data)
    try:
        if kind in TABLES:
            found = TABLES[kind](path)
            assert len(found._data) == (11 if kind == "book" else 12) * found.count
            return found
        name, numbers = LOADS[kind](path)
    except BadFile as error:
        assert str(path) in str(error) and "\n" not in str(error)
        return None
    assert len(numbers) == SIZES[kind]
    return name, numbers


@pytest.mark.parametrize("kind", [*FILES, *TABLES])
def test_damaged_file_is_refused_or_loads_whole(kind, tmp_path, seed=1, count=COUNT):
    chance, good, path = random.Random(seed), data_of(kind), tmp_path / "file"
    whole, refused = loaded(kind, good, path), 0
    for _ in range(count):
        data = damaged(good, chance)
        if (found := loaded(kind, data, path)) is None:
            refused += 1
        elif kind in TABLES:  # a header may name another game, or another number that the checksum does not cover
            assert found._data == whole._data
        else:
            assert found[1] == whole[1]
    assert refused > count // 2


@pytest.mark.compiled
@pytest.mark.parametrize("kind", FILES)
def test_forged_numbers_are_refused_or_searched_with(kind, tmp_path, monkeypatch, seed=2, count=8):
    chance, path, refused = random.Random(seed), tmp_path / "file", 0
    for number in range(count):
        found = loaded(kind, forged(kind, chance), path)
        if found is None:
            refused += 1
            continue
        name, numbers = found
        rules = get_rules(name)
        monkeypatch.setattr(
            networks, "_loaded", {(name, *networks.EVAL_LOADERS): {}, (name, *networks.SOLVER_LOADERS): {}}
        )
        networks._loaded[name, *(networks.SOLVER_LOADERS if kind == "solver" else networks.EVAL_LOADERS)] = {
            kind: numbers
        }
        board = Board.start(rules)
        for _ in range(chance.randrange(12)):
            if board.is_game_over():
                break
            assert abs(native.evaluate(rules, *board.bitboards)) <= SCORE_LIMIT
            board = board.push(chance.choice(board.moves()))
        if board.is_game_over():
            continue
        Player().play(board, nodes=3_000)
        if kind == "solver":
            Prover(16, 1).prove(board, 3_000)
        networks._kept.append(numbers)  # no record may keep the address of what is gone
        weights.set_weights(native.scratch(rules, *board.bitboards), rules)
    assert refused < count


def test_damaged_parameters_are_refused_or_in_their_bounds(seed=3, count=2_000):
    rows, chance, refused = {row.name: row for row in parameters.PARAMETERS}, random.Random(seed), 0
    for _ in range(count):
        words = []
        for _ in range(chance.randint(0, 4)):
            row = chance.choice(parameters.PARAMETERS)
            value = chance.choice((row.low, row.high, chance.randint(row.low, row.high), row.high + 1, row.low - 1))
            words.append(f"{row.name}={value}")
        text = " ".join(words)
        if text and chance.randrange(2):
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice((*map(bytes.decode, WORDS[:-2]), "\u0663", "=")) + text[place + 1 :]
        try:
            found = parameters._overrides(text)
        except ValueError as error:
            assert "PAWNSTORM_PARAMETERS" in str(error) and "expected" in str(error)
            assert "\n" not in escaped(str(error))
            refused += 1
        else:
            assert all(rows[name].low <= value <= rows[name].high for name, value in found.items())
            assert set(found) <= set(rows) and "\u0663" not in text
    assert count // 10 < refused < count
