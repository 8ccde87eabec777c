"""Lines of won positions, to the end of the game."""

from engine import native


def _race(board):
    return native.race(board.rules, board.own, board.opp, board.ep)


def play_out(board, plies):
    """Moves that end the game from `board` in `plies` plies, by a race that running alone wins; [] where no race does.

    plies odd: the side to move wins. It keeps to moves after which the race is still won in time, the other side to those that make
    it last; where the winner is faster than it said it strolls, so that the line has the length that was announced.
    """
    if plies <= 0:
        return []
    winning = plies % 2 == 1
    replies = []
    for move in board.moves():
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

    It may end sooner than in `plies`, by an even number: a race bounds the length of a win, and where no play-out lasts as long as
    the bound, the loser running out of moves on the way, the win is shorter.
    """
    for move in line:
        board = board.push(move)
    for left in range(plies - len(line), 0, -2):
        rest = play_out(board, left)
        if rest:
            return line + rest
    return line
