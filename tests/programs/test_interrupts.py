"""Ctrl-C: before, during and after a match, and where Python would print a traceback, or hang."""

import os
import signal
import subprocess
import sys
import time

import pytest
from matches import MATCH, engines_of, fake, words
from processes import wait_until

from pawnstorm_tools.programs import match as program
from pawnstorm_tools.referee import match_run


def status_of(line):
    try:
        return program.main(line)
    except KeyboardInterrupt:  # which would end pytest
        return None


@pytest.mark.parametrize("module", ["tqdm", "hashlib"])
def test_interrupt_while_the_modules_are_loaded_ends_it_without_a_word(module, tmp_path):
    (tmp_path / f"{module}.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    line = [sys.executable, str(MATCH), *words(fake("good"), fake("good"))]
    process = subprocess.Popen(
        line, env=os.environ | {"PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.communicate(timeout=20) == (b"", b"")
        assert process.returncode in (-signal.SIGINT, 130)
    finally:
        process.kill()


@pytest.mark.parametrize("moment", ["__init__", "update", "close"])
def test_interrupt_inside_the_progress_bar_waits_until_its_display_is_whole(moment, monkeypatch, capsys):
    begun, whole = [], []

    class Bar(match_run.tqdm):
        """Interrupted in the middle of one of its methods."""

    def interrupted(self, *args, **kwargs):
        if not begun:
            begun.append(moment)
            os.kill(os.getpid(), signal.SIGINT)
            whole.append(moment)
        getattr(super(Bar, self), moment)(*args, **kwargs)

    setattr(Bar, moment, interrupted)
    monkeypatch.setattr(match_run, "tqdm", Bar)
    assert status_of(words(fake("good"), fake("good"))) == 130 and whole == [moment]
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert moment == "__init__" or ("2 games" if moment == "close" else "1 game") in printed.out


@pytest.mark.parametrize(
    "place",
    [
        "pawnstorm_tools.referee.commandline.parse",
        "pawnstorm.core.native.core",
        "pawnstorm_tools.referee.opening_book.positions",
    ],
)
def test_interrupt_before_the_match_ends_it_quietly(place, monkeypatch, capsys, tmp_path):
    openings = tmp_path / "openings.epd"
    openings.write_text("ppp/3/PPP w - -\n")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    assert status_of(words(fake("good"), fake("good"), "-openings", f"file={openings}")) == 130
    assert capsys.readouterr() == ("", "")


def test_second_interrupt_while_engines_end_is_passed_over(tmp_path):
    log = tmp_path / "log"  # the engine hangs, so that the referee waits a second for it to quit
    line = [sys.executable, str(MATCH), *words(fake("hang", log), fake("good"), "-concurrency", 2, limit="tc=50")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: log.exists() and log.read_text().count("go wtime") == 2, "the second game")
        engines = engines_of(process.pid)
        for _ in range(4):
            process.send_signal(signal.SIGINT)
            time.sleep(0.15)
        output, error = process.communicate(timeout=10)
    assert process.returncode == 130 and "0 games" in output and "2 games left" in output
    assert "Traceback" not in error and "Exception" not in error and "Error" not in error
    assert len(engines) == 4 and not any(os.path.exists(f"/proc/{pid}") for pid in engines)
