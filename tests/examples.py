"""The examples of the documents: blocks of Python whose first line says what to install, as in

# pip install 'pawnstorm[numpy]' pandas
"""

import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from client import ROOT

DOCUMENTS = ("README.md", "engine/PYTHON.md", "engine/ENVIRONMENTS.md", "protocol/GUIS.md", "scripts/README.md")
DEADLINE = 300  # seconds


class Example(NamedTuple):
    """document: relative to the checkout; packages: what pip is to install; code: the block."""

    document: str
    packages: tuple[str, ...]
    code: str

    def run(self, python, folder: Path, env=None):
        """The output of the block, started in an empty folder. Fails if it fails, or writes to stderr."""
        script = folder / "script.py"
        script.write_text(self.code)
        done = subprocess.run([python, script], cwd=folder, env=env, capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0 and not done.stderr, f"{self.code}\n{done.stdout}\n{done.stderr}"
        return done.stdout.splitlines()


def examples():
    """All of them, as {name: Example}; a name is the document and the block's number in it."""
    found = {}
    for document in DOCUMENTS:
        blocks = re.findall(
            r"^```python\n(# pip install ([^\n]*)\n.*?)^```$", (ROOT / document).read_text(), re.M | re.S
        )
        for number, (code, packages) in enumerate(blocks, 1):
            found[f"{document}:{number}"] = Example(document, tuple(shlex.split(packages)), code)
    return found
