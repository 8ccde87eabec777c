"""What the evaluation is learned from, and how: the work of datagen.py, tune.py and learn.py."""
