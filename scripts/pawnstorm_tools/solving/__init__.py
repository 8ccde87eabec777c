"""Proofs of who wins, and books made from proofs: the work of solve.py and strategy.py."""


class TooLong(RuntimeError):
    """The solver gave up on a position, because lines from there are longer than the solver's stack."""

    def __init__(self):
        super().__init__("lines from here are longer than the solver's stack: expected a position with fewer pawns")


class NotWon(ValueError):
    """The winner's strategy leads to a position that the solver does not find won."""


class Missing(ValueError):
    """The values of positions are needed, but not known."""


class TooLarge(ValueError):
    """A book would have more positions than its file may have."""
