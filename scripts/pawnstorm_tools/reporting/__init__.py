"""The report of a match, for report.py and match.py -report: games read from PGN, their statistics, and one page of HTML
that needs nothing outside itself. diagram.py draws with the same pictures.
"""

import contextlib
from importlib.util import find_spec
from urllib.parse import urlsplit

from pawnstorm_tools import startup

LIBRARIES = ("jinja2", "vl_convert")
SCHEMES = ("", "http", "https", "file")
"""Of the address of a page; without a scheme it is seen from the report."""


class ReportError(ValueError):
    """What no report can be made of, or made with; the text names it and says what was expected."""


def check_libraries():
    """Raises ReportError where a library is missing."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ReportError(f"a report needs {' and '.join(missing)}: {startup.installing('report')}")


def check_address(flag, text):
    """Raises ReportError, naming the flag, where a text cannot be the address of page.py's page; None is no address."""
    with contextlib.suppress(ValueError):  # urlsplit's
        if text is None or text.strip() and "#" not in text and urlsplit(text).scheme in SCHEMES:
            return
    raise ReportError(f"{flag}: '{text[:80]}' is no address of a page: expected a file's or one with http")
