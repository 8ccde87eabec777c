"""What the evaluation is learned from, and how: the work of datagen.py, tune.py and learn.py."""


class TrainingError(ValueError):
    """A file, or words of the command line, with which nothing can be trained."""
