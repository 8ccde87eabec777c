"""The commands of the documents: the lines of their indented blocks that a shell is to run."""

import re
import shlex
from typing import NamedTuple

from client import ROOT

from pawnstorm_protocol.main import TOOLS

ENVIRONMENT = r"(?:[A-Z_]+=(?:\"[^\"]*\"|\S+) )*"
BEGINS = re.compile(ENVIRONMENT + r"(?:git|pip|pawnstorm|python3?|ruff|tar|echo|xboard)\b")
OWN = re.compile(ENVIRONMENT + r"(?:python scripts/(?P<program>\w+)\.py|pawnstorm)\b")
INLINE = re.compile(r"`(pawnstorm (?:--version|go .*?|\w+ -h))`")


class Command(NamedTuple):
    """One command line. document: relative to the checkout; line: its number in it; text: what the shell is given."""

    document: str
    line: int
    text: str

    @property
    def name(self):
        return f"{self.document}:{self.line}"

    def parts(self):
        """The simple commands that && or ; joins in a line."""
        return re.split(r" (?:&&|;) ", self.text)

    def own(self):
        """[(program, words)] of those parts that run a program of this project: 'match' for both
        `python scripts/match.py` and `pawnstorm match`, None for another use of `pawnstorm`."""
        found = []
        for part in self.parts():
            if not (match := OWN.match(part)):
                continue
            program, words = match["program"], shlex.split(part[match.end() :].partition(" > ")[0], comments=True)
            if program is None and words and words[0] in TOOLS:
                program, *words = words
            found.append((program, words))
        return found


def commands():
    """All of them, once each, in the documents' order."""
    found = {}
    for path in sorted(ROOT.rglob("*.md")):
        document = path.relative_to(ROOT).as_posix()
        if document.split("/")[0] not in ("README.md", "engine", "protocol", "scripts", ".github"):
            continue
        text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), path.read_text(), flags=re.M | re.S)
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if line.startswith("    ") and BEGINS.match(line.strip()):
                at = number
                while line.endswith("\\"):
                    line, at = line[:-1] + lines[at].strip(), at + 1
                found.setdefault(line.strip(), Command(document, number, line.strip()))
            for inline in INLINE.findall(line):
                found.setdefault(inline, Command(document, number, inline))
    return list(found.values())
