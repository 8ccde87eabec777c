"""The archive of small proofs: what it holds, and what is refused."""

import hashlib
import tarfile

import pytest
from client import ROOT
from second_checker import verdict

from pawnstorm import __version__
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.checking import naive
from pawnstorm_tools.releasing import records, small_proofs
from pawnstorm_tools.releasing.records import ReleaseError

pytestmark = pytest.mark.compiled

NAME = "hexapawn3x3.proof"
DIGEST = small_proofs.read_digests()[NAME]
FOLDER = f"pawnstorm-{__version__}-proofs"


def unpacked(archive):
    """{name: content} of an archive's files."""
    with tarfile.open(archive) as opened:
        return {member.name: opened.extractfile(member).read() for member in opened if member.isfile()}


def test_archive_holds_each_proof_with_what_it_proves(tmp_path):
    said = []
    small_proofs.make(tmp_path, said.append, {NAME: DIGEST})
    archive = tmp_path / f"{FOLDER}.tar.gz"
    assert said == [f"proof 1 of 1: {NAME}"] and set(tmp_path.iterdir()) == {archive, tmp_path / records.FOLDER}
    record = records.read(tmp_path)["proofs"]
    assert record["digests"] == {archive.name: records.digest(archive)}
    assert record["tried"] == {archive.name: "1 proof, each verified by verify.py"}
    files = unpacked(archive)
    proof, readme = (files.pop(f"{FOLDER}/{name}") for name in (NAME, "README.md"))
    assert files == {f"{FOLDER}/SHA256SUMS": f"{DIGEST}  {NAME}\n".encode()}
    (tmp_path / NAME).write_bytes(proof)
    assert hashlib.sha256(proof).hexdigest() == DIGEST and verdict(tmp_path / NAME) == "verified"
    size = len(proof)
    assert readme.decode().endswith(f"| {NAME} | Black | 6 | 6 | 5 | 16 | {size} | `{DIGEST}` |\n")


def pretended(program, *words):
    """Stands in for _run: short forms of what solve.py and verify.py print; solve.py writes a file of one letter."""
    if program == "solve":
        words[-1].write_bytes(b"x")
        return {"winner": "White, in at most 11 plies"}
    return {
        "winner": "White",
        "longest": "9 plies: x",
        "records": "7, 0 of them not reached",
        "positions": "1,234: 7 listed",
    }


def test_proof_of_another_digest_is_named_with_both_and_leaves_no_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(small_proofs, "_run", pretended)
    with pytest.raises(
        ReleaseError, match=f"^{NAME}: expected SHA-256 {DIGEST}, .* found {hashlib.sha256(b'x').hexdigest()}$"
    ):
        small_proofs.make(tmp_path, str, {NAME: DIGEST})
    assert list(tmp_path.iterdir()) == []


def test_digests_that_are_not_compared_stand_in_the_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(small_proofs, "_run", pretended)
    small_proofs.make(tmp_path, str, dict.fromkeys(small_proofs.read_digests()))
    lines = unpacked(tmp_path / f"{FOLDER}.tar.gz")[f"{FOLDER}/SHA256SUMS"].decode().splitlines()
    assert lines == [f"{hashlib.sha256(b'x').hexdigest()}  {name}" for name in small_proofs.read_digests()]


def test_failed_program_is_named_with_its_words_and_what_it_says():
    with pytest.raises(ReleaseError, match=r"^verify.py none.proof: verify.py: 'none.proof': No such file"):
        small_proofs._run("verify", "none.proof")


def test_listed_games_are_solved_ones_that_both_checkers_know():
    for name, digest in small_proofs.read_digests().items():
        game = name.removesuffix(".proof")
        assert get_rules(game).full_name == game and game in naive.GAMES
        assert len(digest) == 64 and set(digest) <= set("0123456789abcdef")


def test_digest_of_a_small_proof_stands_in_its_list_alone():
    for path in (ROOT / "scripts").rglob("*.md"):
        assert not [name for name, digest in small_proofs.read_digests().items() if digest in path.read_text()], path
