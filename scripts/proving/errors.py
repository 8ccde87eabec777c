"""What a run that proves may end with, for those who report it before the compiler is loaded."""


class TooLong(RuntimeError):
    """A position that the solver gives up."""


class NotWon(ValueError):
    """A position that the winner's strategy comes to and that the solver does not find won."""
