"""Lines of won positions, to the end of the game."""

from engine import native


def _race(board):
    return native.race(board.rules, board.own, board.opp, board.ep)


def play_out(board, plies):
    """Moves that end the game from `board` in exactly `plies` plies, by a race that running alone wins in time; [] without such.

    plies odd: the side to move wins, even: it loses. The winner keeps to moves after which the race is still won in time, the other
    side to those that make it last; where the winner would be too fast it strolls, so that the line has the length announced.
    """
    winning = plies % 2 == 1
    replies = []
    for move in board.moves() if plies > 0 else []:
        child = board.push(move)
        if child.over():
            if plies == 1:
                return [move]
            continue   # over too early, whoever it favours
        bound = -_race(child) if winning else _race(child)
        if 0 < bound <= plies - 1:
            replies.append((plies - 1 - bound, move, child))
    replies.sort(key=lambda reply: reply[0])
    for _, move, child in replies:
        rest = play_out(child, plies - 1)
        if rest:
            return [move] + rest
    return []


def complete(board, line, plies):
    """`line`, which proves a win or a loss within `plies` plies from `board`, with what it lacks to the end of the game.

    Where no line is that long, the loser running out of moves on the way, `line` comes back as it was: the win is shorter than the
    race's bound, but nobody has proven by how much.
    """
    for move in line:
        board = board.push(move)
    return line + play_out(board, plies - len(line))
