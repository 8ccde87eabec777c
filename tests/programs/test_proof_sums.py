"""How the solver combines the proof numbers of replies, for the values of PN_OTHERS."""

import subprocess
import sys

import client
import pytest

TEST = """
import random

from pawnstorm.kernels.dfpn import combine, reply_limit

draw = random.Random(7)
for _ in range(5000):
    phis = [draw.randint(1, draw.choice((9, 1000))) for _ in range(draw.randint(2, 12))]
    present, others = phis[0], phis[1:]

    def delta(phi):
        return combine(phi + sum(others), max(phi, *others))

    threshold = delta(present) + draw.randint(1, draw.choice((3, 3000)))
    limit = reply_limit(threshold, sum(phis), present, max(others))
    assert delta(limit) >= threshold, (phis, threshold, limit)
    assert limit == present + 1 or delta(limit - 1) < threshold, (phis, threshold, limit)
    assert max(phis) <= delta(present) <= sum(phis)
"""


@pytest.mark.parametrize("value", (0, 1, 5, 8, 15, 16))
def test_reply_is_left_exactly_when_the_sum_reaches_the_threshold(value, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("PAWNSTORM_PARAMETERS", f"PN_OTHERS={value}")
    done = subprocess.run([sys.executable, "-c", TEST], capture_output=True, text=True, cwd=client.ROOT)
    assert done.returncode == 0, done.stderr
