"""Completes the line of a proven score to the end of the game, if a race (engine/pawnstorm/kernels/race.py) decides it."""

from pawnstorm.core import native

MAX_POSITIONS = 200  # positions to examine for one line; this takes some milliseconds


def find_race_line(board, plies, positions_left, early=False):
    """Moves of a race that end the game from `board` in exactly `plies` plies; [] if none are found.

    plies           if odd, the side to move wins; if even, it loses
    positions_left  [number of positions that may still be examined]; the number is updated
    early           whether the line may also be shorter, if the loser runs out of moves or pawns

    The winner plays moves after which the race is still won in time. The loser plays the moves that make the race last
    longest. If the winner would be too fast, it loses time, so that the line is as long as announced.
    """
    winning = plies % 2 == 1
    replies = []
    for move in board.moves() if plies > 0 and positions_left[0] > 0 else []:
        positions_left[0] -= 1
        child = board.push(move)
        if child.is_game_over():
            if plies == 1 or (early and winning):
                return [move]
            continue  # over too early, or for the wrong side
        race = native.race(child.rules, *child.bitboards)
        bound = -race if winning else race
        if 0 < bound <= plies - 1:
            replies.append((plies - 1 - bound, move, child))
    replies.sort(key=lambda reply: reply[0])
    for _, move, child in replies:
        rest = find_race_line(child, plies - 1, positions_left, early)
        if rest:
            return [move] + rest
    return []


def complete_pv(board, line, plies):
    """Return `line` with the moves to the end of the game added.

    line    proves a win or a loss within `plies` plies from `board`

    A race only bounds the length of the game. If the loser runs out of moves or pawns on the way, so that no line is
    that long, the result is shorter. If MAX_POSITIONS positions do not show how the game ends, `line` is returned unchanged.
    """
    for move in line:
        board = board.push(move)
    rest = plies - len(line)
    return line + (
        find_race_line(board, rest, [MAX_POSITIONS]) or find_race_line(board, rest, [MAX_POSITIONS], early=True)
    )
