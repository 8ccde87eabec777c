"""The documents as web pages, for release.py: build.py makes them with Sphinx, configured by conf.py; sample.py makes a
sample report, of a short match.
"""

import os
import subprocess
from importlib.util import find_spec

from pawnstorm_tools import startup


class DocumentsError(RuntimeError):
    """A page could not be made; the text says why."""


def check_libraries(*names):
    """Raises DocumentsError if one of these libraries is missing."""
    if missing := [name for name in names if find_spec(name) is None]:
        raise DocumentsError(f"the documents need {', '.join(missing)}: pip install -e '.[release]'")


def run(step, command):
    """Run a command in the clone. If it fails, raises DocumentsError with its output."""
    paths = os.pathsep.join(str(startup.ROOT / folder) for folder in ("engine", "protocol", "scripts"))
    done = subprocess.run(
        list(map(str, command)),
        cwd=startup.ROOT,
        env=os.environ | {"PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise DocumentsError(f"{step}: {(done.stderr or done.stdout).strip()}")
