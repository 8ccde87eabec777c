"""Datasets of positions with values, for dataset.py: games are played or read, searched and solved by several processes,
and written as Parquet or npz with a card.

columns        the columns of a row
values         the search and the solver, which give scores and proofs
own_games      games that the engine plays against itself, in one process
pgn_games      games from PGN files, in one process
seen           the positions that have been written
parquet_file, npz_file    write and read a file of rows
counts         the numbers of rows that the card reports
card           the card, README.md
run            a run from the first game to the last, which can be stopped and continued
"""


class DatasetError(ValueError):
    """A folder, a file or the command line has a fault, so that no dataset can be made."""
