"""The errors of a run that proves, without the compiler, which takes long to load."""


class TooLong(RuntimeError):
    """A position that the solver gives up."""


class NotWon(ValueError):
    """A position that the winner's strategy comes to and that the solver does not find won."""


class Missing(ValueError):
    """Positions whose values are needed and not known."""
