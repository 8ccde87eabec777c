"""Make the pages with Sphinx."""

import sys
import tempfile
from pathlib import Path

from pawnstorm_tools import startup
from pawnstorm_tools.releasing.documents import check_libraries, run

FOLDER = Path(__file__).parent


def build(out):
    """Make the pages in a folder, which is made if it is missing. The same sources make the same files.

    Raises DocumentsError if Sphinx finds a fault, such as a dead link; the text names all faults.
    """
    check_libraries("sphinx", "myst_parser", "furo", "chess")
    with tempfile.TemporaryDirectory(prefix="pawnstorm-") as work:
        flags = ["--builder", "html", "--quiet", "--fail-on-warning", "--conf-dir", FOLDER, "--doctree-dir", work]
        run("the documents", [sys.executable, "-m", "sphinx", *flags, startup.ROOT, Path(out).resolve()])
