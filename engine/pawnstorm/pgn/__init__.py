"""PGN: games as text, written and read.

writer     writes finished games as text, and adds them to files
reader     reads games from text, written by this and other programs
replaying  replays the moves of a game that was read, and finds its rules, its result and its faults
san        converts one move between PGN's notation and the engine's
comments   writes the comment after a move, and reads the comments of several programs

Two Flags on 8x8 is written as chess writes the moves of pawns: `e4`, `exd5`, `e8=Q`. A reader of chess PGN can replay
a game from its FEN if it treats the name in [Variant] as chess, and if it does not require kings. For python-chess, write a
subclass of chess.Board with this name among its aliases, and append it to chess.variant.VARIANTS. Breakthrough's
quiet diagonal steps and the small boards are not chess, so their moves stay in coordinates: `e2e4`.
"""

from pawnstorm.pgn.comments import comment, comment_text, one_line, parse_comment  # noqa: F401
from pawnstorm.pgn.reader import all_games, games, read  # noqa: F401
from pawnstorm.pgn.replaying import DECIDED, FAIR, NORMAL, replay  # noqa: F401
from pawnstorm.pgn.san import move_san, parse_san  # noqa: F401
from pawnstorm.pgn.writer import append, format_game, game_tags, pgn_text, quote, separator  # noqa: F401
