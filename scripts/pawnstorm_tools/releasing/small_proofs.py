"""The stage `proofs` of a release: an archive of the proofs of small boards.

For each game in solving/small_proofs.sha256, scripts/solve.py proves who wins from the start, on one thread. The digest of
the proof is compared with that list, and scripts/verify.py checks the proof. The archive has the proofs, their SHA256SUMS
and a README.md that says what each proves. It is the same for every platform.
"""

import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

from pawnstorm import __version__
from pawnstorm.numbers import pluralize
from pawnstorm_tools import startup
from pawnstorm_tools.releasing import records
from pawnstorm_tools.releasing.packing import pack
from pawnstorm_tools.releasing.records import ReleaseError

DIGESTS = Path(__file__).parents[1] / "solving" / "small_proofs.sha256"
"""A line for each proof, as sha256sum writes it: the digest, two spaces, GAME.proof."""
README = """\
# Proofs of who wins

Each file proves who wins a game from its start. Made by Pawnstorm {version}; scripts/pawnstorm_tools/solving/PROOFS.md
in its sources specifies the format. To check a file:

    pip install 'pawnstorm[solve]'
    pawnstorm verify FILE

`sha256sum --check SHA256SUMS` shows that the files are intact. To make one again:
`pawnstorm solve --variant GAME --proof FILE`, where GAME is the file's name without `.proof`.

- **bound**: the solver's upper bound on the length of the game, in plies. A shorter win may exist.
- **longest**: the longest game that the proof allows, in plies, as `pawnstorm verify` finds it. It can exceed the bound: for a
  position without a record, the longest win that the format allows there is counted.
- **moves**: the number of positions for which the file has the winner's move; mirror images count once.
- **positions**: the number of positions that `pawnstorm verify` follows.

| file | winner | bound | longest | moves | positions | bytes | SHA-256 |
|---|---|---|---|---|---|---|---|
"""
ROW = "| {name} | {winner} | {bound} | {longest} | {moves} | {positions} | {size:,} | `{digest}` |\n"

Proof = namedtuple("Proof", "name winner bound longest moves positions size digest")
"""A row of the table; winner, bound, longest, moves and positions are as the programs print them."""


def make(out, say, digests):
    """Write the archive into an existing folder, and record it. Raises ReleaseError and OSError.

    say: called with a line before each proof; digests: {file name: SHA-256, or None to accept any}.
    """
    archive = out / f"pawnstorm-{__version__}-proofs.tar.gz"
    with tempfile.TemporaryDirectory(dir=out) as work:
        folder = Path(work) / archive.name.removesuffix(".tar.gz")
        folder.mkdir()
        proofs = []
        for number, (name, digest) in enumerate(digests.items(), 1):
            say(f"proof {number} of {len(digests)}: {name}")
            proofs.append(_prove(folder / name, digest))
        table = "".join(ROW.format(**proof._asdict()) for proof in proofs)
        (folder / "README.md").write_text(README.format(version=__version__) + table)
        (folder / "SHA256SUMS").write_text("".join(f"{proof.digest}  {proof.name}\n" for proof in proofs))
        pack(folder, archive, records.epoch())
    tried = {archive.name: f"{pluralize(len(proofs), 'proof')}, each verified by verify.py"}
    records.write(out, "proofs", [archive], tried=tried)


def read_digests():
    """{file name: SHA-256} of DIGESTS."""
    return {name: digest for digest, name in map(str.split, DIGESTS.read_text().splitlines())}


def _prove(path, expected):
    """Prove the game that a path is named after; write the file there and return its Proof. Raises ReleaseError."""
    solved = _run("solve", "--variant", path.stem, "--proof", path)
    digest = records.digest(path)
    if expected and digest != expected:
        raise ReleaseError(f"{path.name}: expected SHA-256 {expected}, from {DIGESTS.name}, found {digest}")
    checked = _run("verify", path)
    bound, longest = (rest.split()[0] for rest in (solved["winner"].split(", in at most ")[1], checked["longest"]))
    moves, positions = checked["records"].split(", ")[0], checked["positions"].split(":")[0]
    return Proof(path.name, checked["winner"], bound, longest, moves, positions, path.stat().st_size, digest)


def _run(program, *words):
    """Run a program of scripts/; returns what it prints, {first word of a line: the rest}. Raises ReleaseError."""
    command = [sys.executable, startup.ROOT / "scripts" / f"{program}.py", *words]
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{program}.py {' '.join(map(str, words))}: {(done.stdout + done.stderr).strip()[-500:]}")
    return dict(line.split(None, 1) for line in done.stdout.splitlines() if " " in line)
