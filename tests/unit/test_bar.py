"""Progress bars and clocks."""

import ast
import io
import itertools
import re

import client

from common.bar import by_system_clock, tqdm


def test_bar_survives_a_change_of_the_date(monkeypatch):
    dates = itertools.cycle((2e9, 1e9, 3e9))
    monkeypatch.setattr("tqdm.std.time", lambda: next(dates))
    for kind, sane in ((by_system_clock, False), (tqdm, True)):
        shown = io.StringIO()
        with kind(total=3, file=shown, mininterval=0) as bar:
            for _ in range(3):
                bar.update()
            elapsed = bar.format_dict["elapsed"]
        assert (0 <= elapsed < 3600) == sane
    assert re.search(r"3/3 \[00:\d\d<00:00", shown.getvalue())


def test_no_program_has_a_bar_by_the_system_clock():
    found = {
        path.relative_to(client.ROOT / "scripts").as_posix()
        for path in (client.ROOT / "scripts").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "tqdm"
    }
    assert found == {"common/bar.py"}
