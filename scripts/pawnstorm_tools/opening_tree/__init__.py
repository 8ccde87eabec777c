"""Trees of opening positions, grown by long searches, and opening books made from them, for opening_book.py."""


class TreeError(ValueError):
    """A tree that cannot be used as asked."""
