"""What the programs of training report, without NumPy or the compiler, which take long to load."""


class TrainingError(ValueError):
    """A file, or words of the command line, with which nothing can be trained."""
