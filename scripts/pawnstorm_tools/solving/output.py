"""The output of solve.py and strategy.py: lines with a word, a gap and a value."""

from pawnstorm.games.notation import COLOURS
from pawnstorm.numbers import pluralize


def print_row(name, text):
    """Print one line."""
    print(f"{name:11}{text}", flush=True)


def proof(path, records, black, of_the_book=None):
    """Print where a proof was written, who wins, and its number of records. black: whether Black wins. of_the_book: how many
    of the records have their move from a book; None if there is no book.
    """
    part = "" if of_the_book is None else f", in {of_the_book:,} of them the book's"
    print_row("proof", f"{path}: {COLOURS[black]}'s move in {pluralize(records, 'position')}{part}")
