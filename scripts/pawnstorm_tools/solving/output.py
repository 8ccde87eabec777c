"""The output of solve.py and strategy.py: lines with a word, a gap and a value."""

from pawnstorm.games.notation import COLOURS
from pawnstorm.numbers import pluralize


def print_row(name, text):
    """Print one line."""
    print(f"{name:11}{text}", flush=True)


def proof(path, records, black, of_the_book=None):
    """Print where a strategy was written, who wins, its number of records, and how many of their moves a book gave."""
    part = "" if of_the_book is None else f", in {of_the_book:,} of them the book's"
    print_row("proof", f"{path}: {COLOURS[black]}'s move in {pluralize(records, 'position')}{part}")
