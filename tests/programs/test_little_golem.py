"""Little Golem's records in all three readers: pawnstorm.parse_pgn(), report.py, and the page under node."""

import io
import re

import pytest
from little_golem import RECORDS
from pages import page_reader  # noqa: F401  a fixture

import pawnstorm
from pawnstorm_tools.checking import naive
from pawnstorm_tools.programs import report
from pawnstorm_tools.reporting import ReportError, reading

each = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)


def check(game, record):
    """Assert that a Game is what the record says."""
    assert (game.moves, game.result) == (record.moves, record.result)
    assert len(game.errors) == len(record.errors), game.errors
    assert all(part in str(error) for part, error in zip(record.errors, game.errors)), game.errors
    if record.game is None:
        with pytest.raises(ValueError, match="the game has no board: unknown game"):
            game.board()
        return
    assert game.board().game == record.game and game.board().moves == record.moves
    notes = dict(enumerate([game.comment, *game.comments]))
    assert {number: text for number, text in notes.items() if text} == record.comments


@each
def test_package_reads_a_record(record):
    (game,) = pawnstorm.parse_pgn(record.text)
    check(game, record)
    if record.game:
        assert game.tags.get("Site", "www.littlegolem.net") == "www.littlegolem.net" and "Result" not in game.tags
        assert list(pawnstorm.parse_pgn(str(game))) == [game]


@each
def test_positions_are_those_of_the_slow_twin(record):
    if record.game is None:
        return
    (game,) = pawnstorm.parse_pgn(record.text)
    position = naive.start(naive.breakthrough(*{"breakthrough6": (6, 6)}.get(record.game, ())))
    for board, move, _ in game.mainline():
        assert board.fen.split()[:3] == naive.fen(position).split()[:3]
        assert move in naive.moves(position)
        position = naive.play(position, move)
    assert game.board().is_game_over() == naive.over(position)


def test_no_record_stops_the_reading_of_a_file(tmp_path):
    path = tmp_path / "games.txt"
    path.write_bytes("\n\n".join(record.text for record in RECORDS).encode())
    games = list(pawnstorm.read_pgn(path))
    for game, record in zip(games, RECORDS, strict=True):
        check(game, record)
    with open(path, encoding="utf-8") as file:
        assert list(pawnstorm.read_pgn(file)) == games
    assert list(pawnstorm.read_pgn(io.StringIO(path.read_bytes().decode()))) == games


@each
def test_report_reads_a_record_or_says_why_not(record):
    if record.errors:
        with pytest.raises(ReportError, match=re.escape(record.errors[0])):
            reading.parse(record.text, "record")
        return
    (read,) = reading.parse(record.text, "record").records
    assert (read["rules"].name, read["result"], read["reason"]) == (record.game, record.result, "normal")
    assert [move[0] for move in read["moves"]] == record.moves and len(read["steps"]) == len(record.moves)
    resigned = [text for text in record.comments.values() if text.endswith("resigns")]
    assert read["detail"] == "".join(resigned)


def test_report_of_a_file_of_records(tmp_path, capsys):
    path, page = tmp_path / "games.txt", tmp_path / "report.html"
    path.write_bytes("\n\n".join(record.text for record in RECORDS).encode())
    assert report.main([str(path), "-o", str(page)]) in (0, None)
    said, faults = capsys.readouterr()
    unread = [(number, record) for number, record in enumerate(RECORDS, 1) if record.errors]
    assert f"{len(RECORDS) - len(unread)} games, {len(unread)} could not be read" in said
    for line, (number, record) in zip(faults.splitlines(), unread, strict=True):
        assert f"left out game {number}: " in line and record.errors[0] in line
    assert "White resigns" in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(300)
@each
def test_page_reads_a_record_or_says_why_not(record, page_reader):
    found = page_reader("textRead", record.text, "twoflags")
    if record.refused:
        assert record.page in found["refused"]
        return
    read, nodes = found["answer"], page_reader("nodesOf", record.text)["answer"]
    assert read["game"] == record.game and [node[1] for node in nodes["nodes"][1:]] == record.moves
    assert read["told"].rpartition("read.")[2].strip() == record.page and read["others"] == []
    contradicted = "but its moves lead to" in record.page
    expected = {"1-0": "0-1", "0-1": "1-0"}[record.result] if contradicted else record.result
    assert (nodes["result"] or "*") == expected
    resigned = [text.replace("resigns", "has resigned") for text in record.comments.values() if "resigns" in text]
    if resigned:
        assert nodes["ending"].partition(": ")[2] == resigned[0]
    comments = {number: text for number, text in record.comments.items() if "resigns" not in text}
    assert {place: node[3] for place, node in enumerate(nodes["nodes"]) if node[3]} == comments


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(300)
def test_page_lists_the_records_of_a_file(page_reader):
    text = "\n\n".join(record.text for record in RECORDS)
    found = page_reader("gamesIn", text)["answer"]
    assert found["count"] == len(RECORDS)
    for item, record in zip(found["items"], RECORDS, strict=True):
        assert item["text"].split() == record.text.split()
        assert page_reader("nodesOf", item["text"]) == page_reader("nodesOf", record.text)
