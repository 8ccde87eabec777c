"""scripts/verify.py run on proofs that naive play makes, for its tests."""

import re
from functools import cache

import proofs
import pytest
from proofs import ROOT, prove

from pawnstorm_tools.checking import naive, prooffile
from pawnstorm_tools.common import machinecode
from pawnstorm_tools.programs import verify

machinecode.load()  # before a test imports the checker's kernels, which would compile them

SCRIPT = ROOT / "scripts" / "verify.py"
PROGRAM = ROOT / "scripts" / "pawnstorm_tools" / "programs" / "verify.py"
MADE_OF = [
    PROGRAM,
    *(ROOT / "scripts" / "pawnstorm_tools" / "checking").glob("*.py"),
    *(
        ROOT / "scripts" / "pawnstorm_tools" / "common" / f"{name}.py"
        for name in ("atomicfile", "bar", "jsonline", "machinecode")
    ),
]

# Roots that naive play proves at once; both colours win, with and without the move.
STARTS = {
    "hexapawn3x3": "b",
    "hexapawn4x3": "w",
    "hexapawn1x5": "w",
    "breakthrough2x5": "b",
    "breakthrough2x6": "w",
    "breakthrough3x4": "b",
    "twoflags3x5": "b",
    "twoflags3x6": "b",
    "twoflags4x5": "w",
    "twoflags4x6": "b",
}


def start(name):
    return naive.start(naive.GAMES[name])


def at(name, fen):
    return naive.parse_fen(naive.GAMES[name], fen)


@pytest.fixture
def check(tmp_path, capsys):
    """Write a Proof and check it; (status, what was printed as {first word: the rest of its line})."""

    def run(made, *flags):
        path = tmp_path / "test.proof"
        prooffile.write(path, made)
        status = verify.main([str(path), *flags])
        lines = capsys.readouterr().out.splitlines()
        return status, dict([*(line.split(None, 1) for line in lines[:-1]), ("verdict", lines[-1])])

    return run


def refused(result, made):
    """The (position, reason) that a proof was refused for; its line must be legal and lead there."""
    status, said = result
    assert status == 1 and said["verdict"].startswith("NOT verified: ")
    end = at(made.game, made.fen)
    for move in said["line"].replace("none", "").split():
        assert move in naive.moves(end)
        end = naive.play(end, move)
    assert said["position"] == naive.fen(end)
    return proofs.either(end), re.sub("move .* is", "move is", said["verdict"].removeprefix("NOT verified: "))


@cache
def plans_of(name, seed=1, use_paths=True, mirror=True):
    return prove(start(name), seed, use_paths, mirror)
