"""A file of rows as Parquet: a column for each of COLUMNS. The metadata of each Arrow field has the meaning and unit of
its column.
"""

import pyarrow
from pyarrow import parquet

from pawnstorm_tools.datasets.columns import COLUMNS

SUFFIX = ".parquet"
ROWS = 1 << 16
"""Rows of a row group; a reader can skip a row group, or load only one."""
REPEATED = ["game", "game_number", "move", "move_by", "best_move", "score_by", "result_by", "proven_by"]
"""Columns with few different values, stored with a dictionary. The others are smaller without one."""


def schema(about):
    """The schema of a file; about: metadata of the whole file, name -> text."""
    return pyarrow.schema(
        [
            pyarrow.field(
                column.name,
                pyarrow.string() if column.kind == "text" else getattr(pyarrow, column.kind)(),
                column.missing is not None,
                {"description": column.meaning} | ({"unit": column.unit} if column.unit else {}),
            )
            for column in COLUMNS
        ],
        about,
    )


def write(file, rules, rows, about):
    """Write rows to a binary file; about: as for schema()."""
    made = schema(about)
    columns = list(zip(*rows))
    table = pyarrow.table([pyarrow.array(values, field.type) for values, field in zip(columns, made)], schema=made)
    parquet.write_table(
        table, file, row_group_size=ROWS, compression="zstd", compression_level=9, use_dictionary=REPEATED
    )


def read_fens(path):
    """The FENs of a file, in order. Raises OSError, and ValueError for another kind of file."""
    return parquet.read_table(path, columns=["fen"])["fen"].to_pylist()
