"""Training of the evaluation, from its positions to its weights: the work of datagen.py, tune.py and learn.py."""


class TrainingError(ValueError):
    """A file or the command line has a fault, so that nothing can be trained."""
