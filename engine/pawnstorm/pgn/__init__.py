"""PGN: games as text, written and read.

writer     a finished game -> text, and to the end of a file
reader     text -> games, from this and other programs
replaying  a game as read -> the game by the rules, with its result and its faults
san        one move, as PGN has it <-> as the engine has it
comments   what the comment after a move says of its search: written, and read from several programs

The pawn game on 8x8 is written as chess writes pawns: `e4`, `exd5`, `e8=Q`. Any reader of chess PGN replays it from
the FEN, kings or none, if it takes the name in [Variant] for chess. In python-chess that is a chess.Board subclass
with the name among its aliases, appended to chess.variant.VARIANTS. Breakthrough's quiet diagonal steps and the small
boards are not chess and stay in coordinates: `e2e4`.
"""

from pawnstorm.pgn.comments import comment, comment_text, one_line, parse_comment  # noqa: F401
from pawnstorm.pgn.reader import all_games, games, read  # noqa: F401
from pawnstorm.pgn.replaying import DECIDED, FAIR, NORMAL, replay  # noqa: F401
from pawnstorm.pgn.san import move_san, parse_san  # noqa: F401
from pawnstorm.pgn.writer import append, format_game, game_tags, pgn_text, quote, separator  # noqa: F401
