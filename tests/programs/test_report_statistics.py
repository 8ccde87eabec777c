"""Depth and branching in a report, on the page and in the terminal, beside what python-chess and NumPy find in the PGN."""

import io
import re
import shlex
import sys

import chess.pgn
import matches
import numpy
import pytest
from course_matches import line
from reports import match, shown_text

from pawnstorm_protocol.course import starter
from pawnstorm_tools.programs import report as program
from pawnstorm_tools.referee import commandline, match_run

COMMENT = re.compile(r"(?P<score>[-+]M?[0-9.]+)/(?P<depth>[0-9]+) .*n=(?P<nodes>[0-9]+)")


def played(words):
    """Play the match of a command line to its end."""
    assert match_run.run(commandline.parse([*map(str, words)]), None) == 0


def printed(capsys, *words):
    """(what report.py prints, as words of each line of its table by the engine; stderr)."""
    assert program.main([*map(str, words)]) == 0
    out, error = capsys.readouterr()
    return {cells[0]: cells[1:] for cells in map(str.split, out.splitlines()[3:-1])}, error


def branching(nodes, depth):
    """The positive root of b + ... + b^depth = nodes."""
    roots = numpy.roots([*[1] * depth, -nodes])
    return next(root.real for root in roots if abs(root.imag) < 1e-9 and root.real > 0)


def counted(text):
    """{engine: the words that report.py should print of it}, of a PGN of Two Flags on 8x8, by python-chess."""
    games, found = io.StringIO(text.replace('[Variant "twoflags"]\n', "")), {}
    while game := chess.pgn.read_game(games):
        assert not game.errors
        for node in game.mainline():
            board, name = node.parent.board(), game.headers["White" if node.parent.turn() else "Black"]
            legal = len({(move.from_square, move.to_square) for move in board.legal_moves})
            found.setdefault(name, []).append((legal, COMMENT.match(node.comment)))
    words = {}
    for name, moves in found.items():
        searches = [
            (int(comment["depth"]), int(comment["nodes"]))
            for legal, comment in moves
            if comment and "M" not in comment["score"] and legal > 1
        ]
        depths, nodes = zip(*searches) if searches else ([], [])
        factor = numpy.prod([branching(n, d) ** (1 / len(searches)) for d, n in searches])
        words[name] = [
            f"{len(moves)}",
            f"{len(searches)}",
            *([f"{min(depths)}", f"{numpy.mean(depths):.1f}", f"{max(depths)}"] if depths else "---"),
            *([f"{numpy.mean(nodes):,.0f}", f"{factor:.2f}"] if nodes else "--"),
            f"{numpy.mean([legal for legal, _ in moves]):.1f}",
        ]
    return words


def test_figures_of_made_up_games_are_those_of_python_chess(tmp_path, capsys):
    text = match(8, "twoflags", seed=4)
    (tmp_path / "games.pgn").write_text(text)
    found, _ = printed(capsys, tmp_path / "games.pgn", "-o", tmp_path / "x.html")
    assert found == counted(text) and set(found) == {"one", "two"}
    assert all("-" not in cells for cells in found.values())


def test_figures_of_a_match_of_ours(tmp_path, capsys):
    written = tmp_path / "games.pgn"
    played(matches.own_nodes(2, "-pgnout", written))
    capsys.readouterr()
    found, error = printed(capsys, written, "-o", tmp_path / "x.html")
    assert found == counted(written.read_text()) and error == ""
    for _, searched, least, mean, greatest, nodes, factor, legal in found.values():
        assert int(searched) > 10 and int(least) <= float(mean) <= int(greatest)
        assert 100 < float(nodes.replace(",", "")) < 10_000 and 1 < float(factor) < float(legal)


def with_an_agent(folder, capsys, *command):
    """(the PGN, what printed() finds in it) of a game of an agent of the course, `mine`, against our engine."""
    written, port = folder / "games.pgn", matches.free_port()
    agent = ["name=mine", f"cmd={shlex.join([sys.executable, *map(str, command)]).replace('PORT', str(port))}"]
    other = [matches.OWN, "name=ours", "nodes=2000", f"dir={matches.ROOT}"]
    played(line(port, "-rounds", 1, "-games", 1, "-pgnout", written, agent=agent, other=other))
    capsys.readouterr()
    return written.read_text(), printed(capsys, written, "-o", folder / "x.html")[0]


def test_an_agent_of_the_course_has_no_depth(tmp_path, capsys):
    text, found = with_an_agent(tmp_path, capsys, starter.__file__, "localhost", "PORT")
    assert found == counted(text)
    assert found["mine"][1:-1] == ["0", *"-----"] and int(found["mine"][0]) >= 4
    assert f"{found['mine'][0]} without a known search" in shown_text(
        (tmp_path / "x.html").read_text(), "section", id="pace"
    )


def test_an_agent_of_the_course_may_say_its_depth_and_nodes(tmp_path, capsys):
    text, found = with_an_agent(tmp_path, capsys, matches.ROOT / "tests" / "course_agent.py", "PORT", "info")
    moves, searched, least, mean, greatest, nodes, *_ = found["mine"]
    count = int(moves)
    assert (int(searched), least, int(greatest)) == (count, "3", 2 + count) and text.count("d=") == count > 5
    assert float(mean) == pytest.approx(2 + (1 + count) / 2, abs=0.05)
    assert float(nodes.replace(",", "")) == pytest.approx(100 * (1 + count) / 2)


def test_the_page_has_the_figures_of_the_terminal(tmp_path, capsys):
    (tmp_path / "games.pgn").write_text(match(6, "hexapawn"))
    found, _ = printed(capsys, tmp_path / "games.pgn", "-o", tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text()
    rows = re.findall(r"<tr>.*?</tr>", text[text.index('id="search-table"') :], re.DOTALL)[1:3]
    for row in rows:
        name, searched, of, moves, *cells = re.sub("<[^>]*>", " ", row).split()
        assert (of, [moves, searched, *cells]) == ("of", found[name])
    section = shown_text(text, "section", id="pace")
    assert "Branching factor of the game: in Hexapawn, 3 by 3, the player to move had " in section
