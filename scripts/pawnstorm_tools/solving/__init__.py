"""Proofs of who wins, and books of them: the work of solve.py and strategy.py."""


class TooLong(RuntimeError):
    """A position that the solver gives up."""

    def __init__(self):
        super().__init__("lines from here are longer than the solver's stack: expected a position with fewer pawns")


class NotWon(ValueError):
    """A position that the winner's strategy comes to and that the solver does not find won."""


class Missing(ValueError):
    """Positions whose values are needed and not known."""
