"""Trees of opening positions, grown by long searches, and the opening books that are made of them: the work of
opening_book.py.
"""


class TreeError(ValueError):
    """A tree that cannot be used as asked."""
