"""The files that docker build reads agree with the checkout."""

import re
from fnmatch import fnmatch

from client import ROOT

import pawnstorm

DOCKERFILE = ROOT / ".github" / "Dockerfile"
TEXT = DOCKERFILE.read_text(encoding="utf-8")


def test_image_has_the_version_of_the_package():
    assert re.findall(r'image\.version="(.*)"', TEXT) == [pawnstorm.__version__]


def test_what_the_image_copies_is_there_and_not_ignored():
    """Dockerfile.dockerignore lists what docker build may see; a COPY of anything else fails."""
    sources = [source for words in re.findall(r"^COPY (?!--from)(.*) \S+$", TEXT, re.M) for source in words.split()]
    seen = re.findall("^!(.*)$", DOCKERFILE.with_name("Dockerfile.dockerignore").read_text(), re.M)
    assert len(sources) >= 6
    for source in sources:
        assert list(ROOT.glob(source)), source
        assert any(fnmatch(source, pattern) or source.startswith(f"{pattern}/") for pattern in seen), source
    assert all((ROOT / path).exists() for path in seen)
