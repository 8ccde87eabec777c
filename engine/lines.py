"""Lines of won positions, to the end of the game."""

from engine import native


def _race(board):
    return native.race(board.rules, board.own, board.opp, board.ep)


def play_out(board, bound, plies):
    """Moves that end the game in exactly `plies` plies, by a race that running alone wins within `bound` plies; [] without such.

    Both numbers are odd where the side to move wins, even where it loses; 1 <= plies <= bound. The winner keeps to moves after which
    the race is still won in time, the other side to those that make it last; where the winner would be too fast it strolls, so that
    the line has the length that was announced.
    """
    winning = plies % 2 == 1
    replies = []
    for move in board.moves():
        child = board.push(move)
        if child.over():
            if plies == 1:
                return [move]
            continue   # over too early, whoever it favours
        left = -_race(child) if winning else _race(child)
        if plies > 1 and 0 < left <= bound - 1:
            replies.append((abs(plies - 1 - left), move, child))
    replies.sort(key=lambda reply: reply[0])
    for _, move, child in replies:
        rest = play_out(child, bound - 1, plies - 1)
        if rest:
            return [move] + rest
    return []


def complete(board, line, plies):
    """`line`, which proves a win or a loss within `plies` plies from `board`, with what it lacks to the end of the game.

    It may end sooner than in `plies`, by an even number: a race bounds the length of a win, and where no play-out lasts as long as
    the bound, the loser running out of moves on the way, the win is shorter.
    """
    for move in line:
        board = board.push(move)
    bound = plies - len(line)
    for left in range(bound, 0, -2):
        rest = play_out(board, bound, left)
        if rest:
            return line + rest
    return line
