"""What solve.py and strategy.py print: lines of a word, a gap and a value."""

from pawnstorm.games.notation import COLOURS
from pawnstorm.numbers import pluralize


def print_row(name, text):
    """Print one line."""
    print(f"{name:11}{text}", flush=True)


def proof(path, records, black, of_the_book=None):
    """Print where a strategy was written, of how many records, for whom, and how many of its moves are a book's."""
    part = "" if of_the_book is None else f", in {of_the_book:,} of them the book's"
    print_row("proof", f"{path}: {COLOURS[black]}'s move in {pluralize(records, 'position')}{part}")
