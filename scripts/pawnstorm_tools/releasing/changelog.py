"""The notes of a release: its version's section of the changelog."""

from pawnstorm import __version__
from pawnstorm_tools import startup
from pawnstorm_tools.releasing.records import ReleaseError

CHANGELOG = startup.ROOT / ".github" / "CHANGELOG.md"


def section(text, version):
    """The text between the heading `## VERSION` and the next heading. Raises ReleaseError if the heading or text is missing."""
    found, inside = [], False
    for line in text.splitlines():
        if line.startswith("## "):
            inside = line.split()[1] == version
        elif inside:
            found.append(line)
    if notes := "\n".join(found).strip():
        return notes
    raise ReleaseError(f"{CHANGELOG.name}: no notes for this version: expected text below `## {version}`")


def notes():
    """This version's section. Raises ReleaseError."""
    return section(CHANGELOG.read_text(encoding="utf-8"), __version__)


def check_tag(tag):
    """Raise ReleaseError unless a tag matches this version."""
    if tag != f"v{__version__}":
        raise ReleaseError(f"--tag '{tag}': expected v{__version__}, the version in engine/pawnstorm/__init__.py")
