"""The report of a match, for report.py and match.py -report: games read from PGN, their statistics, and one page of HTML
that needs nothing outside itself. diagram.py draws with the same pictures.
"""

from importlib.util import find_spec

LIBRARIES = ("jinja2", "vl_convert")


class ReportError(ValueError):
    """What no report can be made of, or made with; the text names it and says what was expected."""


def check_libraries():
    """Raises ReportError where a library is missing."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ReportError(f"a report needs {' and '.join(missing)}: pip install '.[report]'")
