"""The searches by which a tree grows, each in a worker process, and the signature of the engine that makes them."""

import random

from pawnstorm.core import native
from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.notation import move_text, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.search.limits import Limits
from pawnstorm_tools.common.position_search import PositionSearch

SAMPLE, SAMPLE_DEPTH = 16, 7  # the searches of signature(): positions of a random game, and plies


class DecidedSearch(PositionSearch):
    """A PositionSearch that ends as soon as the winner is proven."""

    def on_info(self, info):
        if info.score > MIN_WIN_SCORE or self.lost:
            self.stop()

    @property
    def lost(self):
        """Whether a complete iteration has proven that all moves lose. The last iteration may have been cut short, and so may
        not have searched all moves; therefore the iteration before it decides.
        """
        return len(self.infos) > 1 and self.infos[-2].score < -MIN_WIN_SCORE

    def result(self):
        """(Info, score) of the iteration that counts: the last one, or, if `lost`, the one before it. If not `lost`, a score
        that would prove a loss is raised to the lowest score that proves none.
        """
        if self.lost:
            return self.infos[-2], self.infos[-2].score
        return self.infos[-1], max(self.infos[-1].score, -MIN_WIN_SCORE)


class Source:
    """Searches positions of a game, in one process. limits: {name: number} of Limits. Raises MemoryError.

    Each search begins with empty tables. With a node limit, its result depends on neither the process nor earlier searches.
    """

    def __init__(self, name, limits, mebibytes):
        native.core()
        self._rules, self._search = get_rules(name), DecidedSearch(Limits(**limits), mebibytes)

    def records(self, item):
        """The record of a search; item: the FEN, and the moves to consider, at least one."""
        text, moves = item
        board = parse_fen(self._rules, text)
        self._search.new_game()
        self._search.find(board, moves)
        info, score = self._search.result()
        move = move_text(board, info.pv[0])
        return {"position": text, "move": move, "score": score, "depth": info.depth, "nodes": self._search.nodes}


def signature(rules):
    """The nodes of some short searches of a game: a number that differs if the engine plays the game differently."""
    search, chance, total = PositionSearch(Limits(depth=SAMPLE_DEPTH), 1), random.Random(1), 0
    board = Board.start(rules)
    for _ in range(SAMPLE):
        if board.is_game_over():
            break
        search.new_game()
        search.find(board)
        total += search.nodes
        board = board.push(chance.choice(board.moves()))
    return total
