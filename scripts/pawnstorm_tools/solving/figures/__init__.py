"""Makes the figures of the paper (solving/paper.md) for figures.py: keeps their tables, and draws them.

The tables are CSV files in this folder:

growth.csv         the work of each proof. Written by hand. The winner and the plies (the length, or an upper bound) are those
                   of solving/README.md. The expansions and the records are what solve.py --proof prints, with its default
                   table; but those of 8x8 Two Flags and of 5x6, 4x7, 7x5 and 6x6 Breakthrough are from the documents that
                   report these results, rounded as there. The seconds are from solving/README.md. Their cell is empty if
                   they are not recorded there
depths.csv         the number of positions in a proof by their plies from the root. Written by counting.py
proof_numbers.csv  the proof numbers of a root during its proof. Written by progress_log.py
"""


class FigureError(ValueError):
    """A table, a log or a figure that cannot be made or read. The text names it and says what was expected."""
