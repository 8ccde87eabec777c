"""The engine's process as the files test_uci_*.py share it, and questions to it.

Those files test the 25 points of the UCI protocol on the real process, from source. A test's number is its point's.
Every search that is made is audited (uci_audit.py). Where a time is part of a promise the bound is one that only a
fault exceeds: scripts/bench_uci.py measures the real ones.
"""

import re
from typing import NamedTuple

import pytest
from client import Client, shared, tested
from uci_audit import MOVE, audit

# Words that structure an option line or a setoption command.
RESERVED = {"name", "value", "type", "default", "min", "max", "var"}


@pytest.fixture(scope="module")
def command():
    """How to start the engine; tests/frozen runs some of the tests on the executables."""
    return tested()


@pytest.fixture(scope="module")
def process(command):
    """Holds the process that the tests of a module share, one after the other."""
    held = []
    yield held
    for client in held:
        client.close()


@pytest.fixture
def engine(process, command):
    """The shared process as if it were a fresh one, but that it searches even what its book has.

    A test may end it: the next one starts another. What Client.close asserts at the end is asserted after each test.
    """
    client = process.pop() if process else Client(command)
    try:
        reset(client)
        client.ask("setoption name OwnBook value false")
        yield client
        if client.alive:
            reset(client)
            process.append(client)
            shared.add(client.process.pid)
    finally:
        print(client.transcript())
        if not process:
            client.kill()


def reset(engine):
    """End what runs, assert what Client.close does, and make the process as a fresh one: options, position, what it has
    learned.
    """
    engine.finish()
    engine.check()
    defaults = {name: option.default for name, option in options_of(engine).items() if option.default is not None}
    engine.ask(*(f"setoption name {name} value {value}" for name, value in defaults.items()))
    engine.ask("ucinewgame", "position startpos")
    engine.check()
    engine.log.clear()


def setup(engine, where):
    """Put this position on the engine's board; it may not complain."""
    lines = engine.ask(f"setoption name UCI_Variant value {where.game}", f"position fen {where.fen()}")
    assert [line for line in lines if not line.startswith("info string variant ")] == []


def play_out(engine, where, limits):
    """One audited search of this position."""
    setup(engine, where)
    return audit(where, engine.go(limits))


def board_fen(engine):
    """The FEN that `d` prints."""
    found = [line.split(":", 1)[1].strip() for line in engine.ask("d") if line.lower().startswith("fen:")]
    assert len(found) == 1 and len(found[0].split()) == 6, found
    return found[0]


def shown(engine):
    """The first four fields of the engine's position."""
    return " ".join(board_fen(engine).split()[:4])


def info_strings(lines):
    """Those lines, all of which must be info strings."""
    assert [line for line in lines if not re.fullmatch("info string .+", line)] == []
    return [line.removeprefix("info string ") for line in lines]


def perft_of(engine, depth):
    """(moves by root move, total) of `go perft`."""
    engine.send(f"go perft {depth}")
    lines = engine.expect(r"Nodes searched: \d+")
    assert set(engine.sync()) <= {""}
    split = dict(re.fullmatch(f"({MOVE}): (\\d+)", line).groups() for line in lines[:-1] if line)
    return {move: int(count) for move, count in split.items()}, int(lines[-1].split()[-1])


class Option(NamedTuple):
    kind: str
    default: str
    low: str
    high: str
    values: list


def options_of(engine):
    """The options by name, read by the rules of UCI: a word of RESERVED starts a part, everything up to the next
    belongs to it.
    """
    engine.send("uci")
    options = {}
    for line in engine.expect("uciok"):
        if not line.startswith("option "):
            continue
        parts, part = {}, []
        for word in line.split(" ")[1:]:
            if word in RESERVED:
                part = parts.setdefault(word, [])
                part.append([])
            else:
                part[-1].append(word)
        assert all(len(texts) == 1 for word, texts in parts.items() if word != "var"), f"a part given twice: {line}"
        text = {word: [" ".join(words) for words in texts] for word, texts in parts.items()}
        one = {word: texts[0] for word, texts in text.items()}
        assert one["name"] not in options, f"{one['name']} twice"
        options[one["name"]] = Option(
            one["type"], one.get("default"), one.get("min"), one.get("max"), text.get("var", [])
        )
    return options
