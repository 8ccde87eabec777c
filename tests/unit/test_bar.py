"""Progress bars and clocks."""

import io
import itertools
import re
import sys
import time

import client
import pytest

from pawnstorm.proof.prover import Proof
from pawnstorm_tools.common.bar import by_system_clock, tqdm
from pawnstorm_tools.solving import progress


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
    paths = (client.ROOT / "scripts").rglob("*.py")
    assert [path.name for path in paths if re.search(r"^ *from tqdm\b", path.read_text(), re.M)] == ["bar.py"]


@pytest.fixture
def rows(monkeypatch):
    """rows(act, terminal) has act(clock) draw bars on a pretended stderr, where clock[0] are the seconds; the rows drawn."""

    def drawn(act, terminal):
        clock, shown = [1000.0], io.StringIO()
        shown.isatty = lambda: terminal
        with monkeypatch.context() as patch:
            patch.setattr(time, "monotonic", lambda: clock[0])
            patch.setattr(sys, "stderr", shown)
            patch.setattr(progress.PositionsBar, "_last", float("-inf"))
            act(clock)
        return [row.strip() for row in re.split("[\r\n]", shown.getvalue()) if row.strip()]

    return drawn


@pytest.mark.parametrize("total", [None, 50])
def test_solver_shows_what_is_known_and_a_rate_in_positions_a_second(rows, total):
    def act(clock):
        with progress.PositionsBar(desc="x", total=total) as bar:
            clock[0] += 4
            bar.set_postfix_str(", ".join(progress.proof_numbers(Proof(0, None, None, None, None))), False)
            bar.update(0)
            clock[0] += 4
            bar.set_postfix_str(", ".join(progress.proof_numbers(Proof(0, None, None, 7, 9))), False)
            bar.update(2)

    first, second, *_, last = rows(act, True)
    assert not any("?" in row or "None" in row or "s/ " in row or "0.00" in row for row in (first, second, last))
    assert "positions/s" not in first + second and re.search(r"0\.\d+ positions/s, proof 7, disproof 9\]$", last)
    if total is None:
        assert first == "x: 0 positions [00:00]"


def test_short_proofs_leave_few_rows_where_stderr_is_no_terminal(rows):
    def act(clock):
        for number in range(100):
            with progress.PositionsBar(desc=f"ply {number}", leave=False) as bar:
                for _ in range(5):
                    clock[0] += 0.2
                    bar.update(1)

    assert 8 <= len(rows(act, False)) <= 11  # of 100 seconds
    assert len(rows(act, True)) >= 100


def test_long_proof_has_rows_at_intervals_and_its_end_where_stderr_is_no_terminal(rows):
    def act(clock):
        with progress.PositionsBar(desc="x") as bar:
            for _ in range(300):
                clock[0] += 0.2
                bar.update(1)

    found = rows(act, False)
    assert 6 <= len(found) <= 8 and found[-1].startswith("x: 300 positions")
