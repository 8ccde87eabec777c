"""Lines of won positions, to the end of the game."""

from engine import native

LOOKED_AT = 200   # some milliseconds


def _race(board):
    return native.race(board.rules, board.own, board.opp, board.ep)


def play_out(board, plies, budget, early=False):
    """Moves that end the game from `board` in exactly `plies` plies, by a race that running alone wins in time; [] without such.

    plies odd: the side to move wins, even: it loses. The winner keeps to moves after which the race is still won in time, the other
    side to those that make it last; where the winner would be too fast it strolls, so that the line has the length announced. early:
    the loser may also run out of moves, or pawns, before. budget: a list of the number of positions that may still be looked at.
    """
    winning = plies % 2 == 1
    replies = []
    for move in board.moves() if plies > 0 and budget[0] > 0 else []:
        budget[0] -= 1
        child = board.push(move)
        if child.over():
            if plies == 1 or (early and winning):
                return [move]
            continue   # over too early, or for the wrong side
        bound = -_race(child) if winning else _race(child)
        if 0 < bound <= plies - 1:
            replies.append((plies - 1 - bound, move, child))
    replies.sort(key=lambda reply: reply[0])
    for _, move, child in replies:
        rest = play_out(child, plies - 1, budget, early)
        if rest:
            return [move] + rest
    return []


def complete(board, line, plies):
    """`line`, which proves a win or a loss within `plies` plies from `board`, with what it lacks to the end of the game.

    Where no line is that long, the loser running out of moves on the way, it ends sooner: a race bounds the length, and nobody has
    proven by how much it is less. Where LOOKED_AT positions do not show how the game ends, `line` comes back as it was.
    """
    for move in line:
        board = board.push(move)
    rest = plies - len(line)
    return line + (play_out(board, rest, [LOOKED_AT]) or play_out(board, rest, [LOOKED_AT], early=True))
