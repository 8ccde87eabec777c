"""The report of a match: games read from PGN, their statistics, and one page of HTML that needs nothing outside itself."""


class ReportError(ValueError):
    """What no report can be made of, or made with; the text names it and says what was expected."""
