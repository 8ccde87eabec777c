"""A report on several files, move logs of the course's server among them."""

import json
import os
import sys

import pytest
from reports import Elements, match, shown_text

from pawnstorm_tools.programs import report as program

LOG = """# AISimplifiedChess move log (replayable)

# GAME 1 WHITE=CLIENT1 BLACK=CLIENT2
1 W a2a4
2 B b7b5
3 W a4b5
RESULT WHITE reason=resignation plies=3

# GAME 2 WHITE=CLIENT2 BLACK=CLIENT1
1 W e2e9
"""


def test_files_and_folders_are_read_as_one_match(tmp_path, capsys):
    folder, alone, made = tmp_path / "logs", tmp_path / "alone.pgn", tmp_path / "x.html"
    folder.mkdir()
    (folder / "b.moves").write_text(LOG)
    (folder / "a.pgn").write_text(match(2, "twoflags"))
    (folder / "empty.moves").write_text("# nothing\n")
    (folder / "other.log").write_text("1. e4")
    alone.write_text(match(1, "hexapawn"))
    assert program.main([str(folder), str(alone), "-o", str(made)]) == 0
    printed, error = capsys.readouterr()
    assert printed.startswith(f"{made}: 4 games, 2 could not be read\n")
    assert error.splitlines() == [
        f"report.py: left out {folder / 'empty.moves'}: holds no game",
        f"report.py: left out {folder / 'b.moves'}: game 4: line 10: 'e2e9': expected a move as two squares, such as e2e4",
    ]
    text = made.read_text()
    data = json.loads(Elements(text).named("script")[0][2])
    assert [game["number"] for game in data["games"]] == [1, 2, 3, 5]
    assert data["games"][2]["texts"] == "a4 b5 axb5" and data["games"][2]["detail"] == "White wins: Black resigns"
    files = [
        shown_text(row, "td", **{"class": "text"}) for row in text[text.index('id="game-rows"') :].split("<tr")[1:5]
    ]
    assert files == ["a.pgn", "a.pgn", "b.moves", "alone.pgn"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes are Linux's")
def test_a_folder_may_hold_other_things_than_files_and_names_of_any_bytes(tmp_path, capsys):
    folder, made = tmp_path / "logs", tmp_path / "x.html"
    (folder / "old.pgn").mkdir(parents=True)
    os.mkfifo(folder / "pipe.moves")
    for name in (b"\xff.moves", b"a.moves"):
        (folder / os.fsdecode(name)).write_text(LOG)
    assert program.main([str(folder), "-o", str(made)]) == 0
    assert f"{made}: 2 games, 2 could not be read\n" in capsys.readouterr().out
    assert "?.moves" in made.read_text()


def test_a_result_of_the_server_that_the_rules_contradict_is_told(tmp_path):
    log = tmp_path / "x.moves"
    moves = "a2a4 b7b5 a4b5 a7a6 b5a6 c7c6 a6a7 c6c5 a7a8 c5c4".split()
    lines = [f"{ply} {'BW'[ply % 2]} {move}" for ply, move in enumerate(moves, 1)]
    log.write_text("\n".join(["# GAME 1 WHITE=a BLACK=b", *lines, "RESULT BLACK reason=resignation plies=10"]))
    assert program.main([str(log), "-o", str(tmp_path / "x.html")]) == 0
    result = shown_text((tmp_path / "x.html").read_text(), "section", id="result")
    assert "Score of a 1 – 0" in result and "In 1 game the log of the course’s server names the other player" in result


def test_a_log_without_a_game_is_an_error(tmp_path, capsys):
    log = tmp_path / "x.moves"
    for text, part in (("", "expected a PGN of Two Flags"), ("# GAME 1\n", "game 1: line 1: game '1' has no moves")):
        log.write_text(text)
        assert program.main([str(log), "-o", str(tmp_path / "x.html")]) == 2
        error = capsys.readouterr().err
        assert "x.moves holds no game that can be read: " in error and part in error
