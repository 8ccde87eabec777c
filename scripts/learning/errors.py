"""What learning may fail with, for programs that report it before NumPy and the compiler are loaded."""


class Unfit(ValueError):
    """A file or a wish that a program cannot do with."""
