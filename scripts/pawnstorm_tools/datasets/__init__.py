"""Datasets of positions with values, for dataset.py: games are played or read, searched and solved by several processes,
and written as Parquet or npz with a card.

columns        what a row holds
values         search and solver, which give scores and proofs
own_games      games of the engine against itself, in one process
pgn_games      games out of PGN files, likewise
seen           which positions have been written
parquet_file, npz_file    a file of rows
counts         what the card tells of the rows
card           the card, README.md
run            a run from the first game to the last, which goes on where it was stopped
"""


class DatasetError(ValueError):
    """A folder, a file or words of the command line from which no dataset can be made."""
