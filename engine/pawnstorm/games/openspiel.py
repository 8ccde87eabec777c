"""OpenSpiel's Breakthrough: its boards as text and its numbers of actions, for a Board of ours and back.

There the upper side, "b" or player 0, begins and moves down; ranks are named from the bottom. Here White begins and moves
up. So player 0 is our White, player 1 our Black, and the top row is our first rank:

    OpenSpiel, rows from the top      here, ranks from the bottom
    6bbb   player 0 begins            6 ppp
    5bbb                              5 ppp
    4...                              4 ...
    3...                              3 ...
    2www                              2 PPP
    1www   player 1                   1 PPP   White begins

An action is ((row * columns + column) * 6 + direction) * 2 + capture: the square that the pawn leaves, rows counted from
0 at the top; 0, 1, 2 for player 0 to the left, straight on, and to the right, 3, 4, 5 for player 1; 1 if it captures.

With fewer than six rows each side fills one row, not two.
"""

from pawnstorm.games.position import Board
from pawnstorm.games.rules import FAMILIES, get_rules

*_, FILES, RANKS = FAMILIES["breakthrough"]
ROWS_FOR_TWO = 6
"""Fewest ranks with which each side fills two rows there."""
PLAYER_0 = str.maketrans("bw.", "100")
PLAYER_1 = str.maketrans("bw.", "010")


def rules_of(rows, columns):
    """The Rules of a board of this size. Raises ValueError if Breakthrough is not played on it here."""
    if rows not in RANKS or columns not in FILES:
        raise ValueError(
            f"breakthrough(rows={rows},columns={columns}): expected {RANKS[0]} to {RANKS[-1]} rows and {FILES[0]} to "
            f"{FILES[-1]} columns"
        )
    return get_rules(f"breakthrough{columns}x{rows}")


def start_of(rules):
    """The Board on which a game begins there, White to move."""
    row = (1 << rules.files) - 1
    own = row | row << 8 if rules.ranks >= ROWS_FOR_TWO else row
    return Board(rules, own, rules.flip(own), 0, False)


def board_of(rules, rows, player):
    """The Board of rows from the top, each a text of "b", "w" and "."; player: who is to move, 0 or 1."""
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
