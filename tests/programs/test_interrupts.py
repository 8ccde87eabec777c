"""Ctrl-C at the moments at which Python would print a traceback, or hang."""

import os
import signal
import subprocess
import sys

import pytest
from matches import MATCH, fake, words

import match as program  # scripts/match.py, which matches has made importable


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

    class Bar(program.tqdm):
        """Interrupted in the middle of one of its methods."""

    def interrupted(self, *args, **kwargs):
        if not begun:
            begun.append(moment)
            os.kill(os.getpid(), signal.SIGINT)
            whole.append(moment)
        getattr(super(Bar, self), moment)(*args, **kwargs)

    setattr(Bar, moment, interrupted)
    monkeypatch.setattr(program, "tqdm", Bar)
    try:
        status = program.main(words(fake("good"), fake("good")))
    except KeyboardInterrupt:  # which would end pytest
        status = None
    assert status == 130 and whole == [moment]
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert moment == "__init__" or f"{2 if moment == 'close' else 1} games" in printed.out
