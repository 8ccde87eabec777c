"""Makes the report of a match, for report.py and match.py -report.

It reads the games from PGN, computes their statistics, and writes one HTML page that needs no other file. diagram.py uses the
same pictures of boards.
"""

import contextlib
from importlib.util import find_spec
from urllib.parse import urlsplit

from pawnstorm_tools import startup

LIBRARIES = ("jinja2", "vl_convert")
SCHEMES = ("", "http", "https", "file")
"""The schemes that the address of page.py's page may have. Without a scheme, the address is relative to the report."""


class ReportError(ValueError):
    """A report cannot be made. The text names the cause and says what was expected."""


def check_libraries():
    """Raise ReportError if a library is missing."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ReportError(f"a report needs {' and '.join(missing)}: {startup.installing('report')}")


def check_address(flag, text):
    """Raise ReportError if a text cannot be the address of page.py's page. The error names the flag.

    None, which stands for no address, is accepted.
    """
    with contextlib.suppress(ValueError):  # raised by urlsplit()
        if text is None or text.strip() and "#" not in text and urlsplit(text).scheme in SCHEMES:
            return
    raise ReportError(
        f"{flag}: '{text[:80]}' is not the address of a page: expected the address of a file, or one that begins with http"
    )
