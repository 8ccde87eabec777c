"""Games that the engine plays against itself. Each begins with random moves. Then every position is searched with a node limit,
and the best move, or sometimes a random move, is played, until the game is over by the rules.
"""

import random

from pawnstorm.core import native
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.common.random_openings import random_board
from pawnstorm_tools.datasets.values import Search, Solver, Step, rows


class Source:
    """Plays games by their numbers, in one process. Raises MemoryError.

    plies       (least, most) random moves at the beginning
    random_share    share of random moves after these
    """

    def __init__(self, name, nodes, expansions, mebibytes, seed, plies, random_share):
        native.core()
        self._rules, self._seed, self._plies, self._random_share = get_rules(name), seed, plies, random_share
        self._search, self._solver = Search(nodes, mebibytes), Solver(expansions, mebibytes)

    def records(self, number):
        """The record of game `number`, with its rows: no rows if the random moves ended the game."""
        chance = random.Random(f"{self._seed} {number}")
        board = random_board(self._rules, self._plies, chance)
        first_ply, steps = 2 * (board.fullmove - 1) + board.black_to_move, []
        self._search.new_game()
        while not board.is_game_over():
            score = self._search.score(board)
            if chance.random() < self._random_share:
                steps.append(Step(board, chance.choice(sorted(board.moves())), "random", score))
            else:
                steps.append(Step(board, score.move, "search", score))
            board = board.push(steps[-1].move)
        # In the last position, the side to move has lost.
        values = self._solver.values(steps)
        return {"game": number, "rows": rows(number, first_ply, steps, board.black_to_move, "rules", values)}
