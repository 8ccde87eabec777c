"""What a row of a dataset holds: one position of a game, the move played in it, and its values."""

from typing import NamedTuple

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm_tools.common import fields

RANGES = {"int8": 1 << 7, "int16": 1 << 15, "int32": 1 << 31, "int64": 1 << 63}


class Column(NamedTuple):
    """A column. kind: "text", or an integer type as numpy and Arrow name it. unit: "" for none. missing: the value that
    stands for an unknown one in npz files (Parquet files have null instead); None if the value is always known.
    """

    name: str
    kind: str
    unit: str
    missing: int | str | None
    meaning: str

    def fits(self, value):
        """Whether this column can hold the value; None means that the value is unknown."""
        if value is None:
            return self.missing is not None
        if self.kind == "text":
            return fields.text(value) and value.isascii()
        return type(value) is int and -RANGES[self.kind] <= value < RANGES[self.kind]


COLUMNS = (
    Column("game", "text", "", None, "the game and its size, as UCI_Variant names it"),
    Column("game_number", "int32", "", None, "the number of the game in the dataset, from 0"),
    Column("ply", "int16", "plies", None, "plies played before this position, including random ones; in a game from a PGN, "
           "plies since its first position"),
    Column("fen", "text", "", None, "the position; P is White's pawn, ranks from the top"),
    Column("move", "text", "", None, "the move played, such as e2e4"),
    Column("move_by", "text", "", None, "who chose it: search, random or pgn"),
    Column("best_move", "text", "", "", "the move that the search prefers"),
    Column("score", "int16", "centipawns", -(1 << 15), "the score of the search, positive if the side to move is better. "
           f"A score above {MIN_WIN_SCORE} is a win within {WIN} - score plies; a score below -{MIN_WIN_SCORE} is a loss "
           f"within {WIN} + score plies"),
    Column("depth", "int16", "plies", 0, "depth of the iteration that gave the score"),
    Column("nodes", "int64", "positions", 0, "positions that the search visited"),
    Column("score_by", "text", "", "", "the source of score, depth and nodes: search (this engine, at the limit of nodes in "
           "the card) or pgn (a comment in the PGN)"),
    Column("result", "int8", "", 0, "result of the game for the side to move: 1 won, -1 lost; there are no draws"),
    Column("result_by", "text", "", "", "the source of the result: rules (the game was played to its end) or pgn (its Result "
           "tag: a resignation, an adjudication, a loss on time)"),
    Column("proven", "int8", "", 0, "value with best play by both sides, for the side to move: 1 won, -1 lost"),
    Column("proven_plies", "int16", "plies", 0, "the winner can win within this number of plies, whatever the other side plays; "
           "a shorter win may exist"),
    Column("proven_by", "text", "", "", "the source of the proof: search or solver"),
)  # fmt: skip
NAMES = tuple(column.name for column in COLUMNS)


def check_row(row):
    """Raise ValueError if this is not a list with a valid value for each of COLUMNS.

    The error names the column of an invalid value.
    """
    if not isinstance(row, list) or len(row) != len(COLUMNS):
        raise ValueError(f"a row is {str(row)[:40]!r}, expected a list of {len(COLUMNS)} values")
    for column, value in zip(COLUMNS, row):
        if not column.fits(value):
            raise ValueError(f"'{column.name}' is {str(value)[:40]!r}, expected {column.kind}")
