"""Files of positions of known value, made by scripts/positions.py for the tests of it."""

import json

import positions as program  # scripts/positions.py
import pytest

GAME = "twoflags4x6"
WORDS = ("--variant", GAME, "--plies", "1", "3", "--plies", "4", "6", "--count", "8", "--hash", "16")


def make(path, *words):
    assert program.main(["make", str(path), *WORDS, *words]) == 0
    return records(path)


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def facts(found):
    """Records without what differs from run to run."""
    return [
        {name: value for name, value in record.items() if name not in ("nodes", "seconds", "within")}
        for record in found
    ]


def by_fen(found):
    return sorted(facts(found), key=lambda record: record["fen"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "set.jsonl"
    make(path)
    return path


def value(path, file, *words):
    return program.main(["value", str(path), str(file), "--variant", GAME, "--hash", "16", *words])


@pytest.fixture(scope="module")
def book(made, tmp_path_factory):
    """The positions of the made file as EPD, by naive play: side to move and all."""
    path = tmp_path_factory.mktemp("book") / "book.epd"
    path.write_text(
        "".join(" ".join(record["fen"].split()[:4]) + "\n" for record in records(made) if "rejected" not in record)
    )
    return path


@pytest.fixture(scope="module")
def valued(book, tmp_path_factory):
    path = tmp_path_factory.mktemp("valued") / "values.jsonl"
    assert value(book, path) == 0
    return path
