"""The archive of small proofs of a release: both checkers verify each file, and the winner is the one in solving/README.md.

    python -m pytest -m slow -n 0 -rP tests/slow/test_proof_archive.py

prints how long the checkers take. PAWNSTORM_PROOFS names an archive that was made before; without it one is made.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest
from client import ROOT

from pawnstorm_tools.releasing import small_proofs

LIMIT = 3600  # seconds to make the archive or to run a check, far more than either needs
CHECKERS = {"verify.py": ROOT / "scripts" / "verify.py", "second_checker.py": ROOT / "tests" / "second_checker.py"}
DIGESTS = small_proofs.read_digests()

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(2 * LIMIT)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files of the archive."""
    out = tmp_path_factory.mktemp("proofs")
    if not (archive := os.environ.get("PAWNSTORM_PROOFS")):
        command = [sys.executable, ROOT / "scripts" / "release.py", "proofs", "--out", str(out)]
        subprocess.run(command, check=True, timeout=LIMIT)
        (archive,) = out.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        for member in filter(tarfile.TarInfo.isfile, opened):
            (out / Path(member.name).name).write_bytes(opened.extractfile(member).read())
    return out


def published():
    """{game: (winner, plies)} from the tables in solving/README.md; plies is 0 if a table gives only a bound."""
    found, family, widths = {}, None, []
    for line in (ROOT / "scripts" / "pawnstorm_tools" / "solving" / "README.md").read_text().splitlines():
        first, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells and cells[0].endswith(" wide"):
            family, widths = first.replace(" ", "").lower(), [cell.split()[0] for cell in cells]
        elif family and re.fullmatch("[0-9]( ranks)?", first):
            for width, cell in zip(widths, cells):
                if match := re.fullmatch("([WB]) ([0-9]+)( at most)?", cell):
                    found[f"{family}{width}x{first[0]}"] = match[1], 0 if match[3] else int(match[2])
        elif not set(line) <= set("|-"):
            family = None
    return found


def index(folder):
    """{file name: its row in the archive's README.md}."""
    rows = [line.strip("| ").split(" | ") for line in (folder / "README.md").read_text().splitlines()]
    return {row[0]: row for row in rows if row[0].endswith(".proof")}


def test_archive_holds_the_listed_proofs_with_their_digests(folder):
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.proof")}
    assert digests == DIGESTS and (folder / "SHA256SUMS").read_text() == small_proofs.DIGESTS.read_text()
    assert set(index(folder)) == set(DIGESTS)


def test_winners_are_those_of_the_tables_and_no_game_is_shorter_than_its_length(folder):
    """The bound of a proof may exceed the length, which only --exact finds."""
    solved = published()
    for name, (_, winner, bound, longest, *_) in index(folder).items():
        letter, plies = solved[name.removesuffix(".proof")]
        assert winner[0] == letter and plies <= int(bound) and plies <= int(longest), name


@pytest.mark.parametrize("name", DIGESTS)
def test_both_checkers_verify_it(name, folder):
    for checker, program in CHECKERS.items():
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, program, name], cwd=folder, capture_output=True, text=True, timeout=LIMIT
        )
        print(f"{name}: {checker} {time.monotonic() - start:.1f} s")
        assert done.returncode == 0 and done.stdout.splitlines()[-1].endswith("verified"), done.stdout + done.stderr
