"""For OpenSpiel's Breakthrough: converts its boards to Boards, and its actions to moves and back.

In OpenSpiel, the upper side, "b" or player 0, moves first, down the board. Row names count from the bottom. On a Board, White
moves first, up the board. So player 0 is White, player 1 is Black, and OpenSpiel's top row is the first rank of a Board:

    OpenSpiel, rows from the top      here, ranks from the bottom
    6bbb   player 0 begins            6 ppp
    5bbb                              5 ppp
    4...                              4 ...
    3...                              3 ...
    2www                              2 PPP
    1www   player 1                   1 PPP   White begins

An action is ((row * columns + column) * 6 + direction) * 2 + capture. row and column are those of the square that the pawn
leaves; rows count from 0 at the top. For player 0, direction is 0 towards the first column, 1 straight ahead, and 2 towards
the last column. For player 1, it is 3, 4 or 5, in the same order. capture is 1 for a capture, else 0.

On fewer than six rows, OpenSpiel's game begins with one row of pawns for each side, not two.
"""

from pawnstorm.games.position import Board
from pawnstorm.games.rules import FAMILIES, get_rules

*_, FILES, RANKS = FAMILIES["breakthrough"]
ROWS_FOR_TWO = 6
"""The fewest rows on which each side begins with two rows of pawns in OpenSpiel."""
PLAYER_0 = str.maketrans("bw.", "100")
PLAYER_1 = str.maketrans("bw.", "010")


def rules_of(rows, columns):
    """The Rules of a board of this size. Raises ValueError if this engine has no such board."""
    if rows not in RANKS or columns not in FILES:
        raise ValueError(
            f"breakthrough(rows={rows},columns={columns}): expected {RANKS[0]} to {RANKS[-1]} rows and {FILES[0]} to "
            f"{FILES[-1]} columns"
        )
    return get_rules(f"breakthrough{columns}x{rows}")


def start_of(rules):
    """The Board with OpenSpiel's start position, White to move."""
    row = (1 << rules.files) - 1
    own = row | row << 8 if rules.ranks >= ROWS_FOR_TWO else row
    return Board(rules, own, rules.flip(own), 0, False)


def board_of(rules, rows, player):
    """The Board of OpenSpiel's rows, top row first. A row is a text of "b", "w" and "."; player: who is to move, 0 or 1."""
    cells = "".join(row.ljust(8, ".") for row in rows)[::-1]
    white, black = int(cells.translate(PLAYER_0), 2), int(cells.translate(PLAYER_1), 2)
    own, opp = (rules.flip(black), rules.flip(white)) if player else (white, black)
    return Board(rules, own, opp, 0, bool(player))


def action_of(board, move):
    """The action of a legal move."""
    rules, source, target = board.rules, move & 63, move >> 6
    row, column, direction = source >> 3, source & 7, (target & 7) - (source & 7) + 1
    if board.black_to_move:
        row, direction = rules.ranks - 1 - row, direction + 3
    return ((row * rules.files + column) * 6 + direction) * 2 + (board.opp >> target & 1)


def move_of(board, action):
    """The legal move of an action. Raises ValueError if the action is not legal."""
    move = next((move for move in board.moves() if action_of(board, move) == action), None)
    if move is None:
        raise ValueError(
            f"action {action} is not legal here: expected one of {sorted(action_of(board, move) for move in board.moves())}"
        )
    return move
