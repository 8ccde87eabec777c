"""Positions of games from PGN files, with the files' moves, results and scores. On request, they are searched and solved."""

from pawnstorm import pgn
from pawnstorm.core import native
from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_tools.datasets.values import Score, Search, Solver, Step, rows

WHITE_WON = {"1-0": True, "0-1": False}


class Source:
    """Replays games, in one process. nodes: the limit for the search of each position; 0 for no search. Raises MemoryError."""

    def __init__(self, name, nodes, expansions, mebibytes):
        native.core()
        self._rules = get_rules(name)
        self._search = Search(nodes, mebibytes) if nodes else None
        self._solver = Solver(expansions, mebibytes)

    def records(self, numbered):
        """The record of a game. The record of a game that cannot be replayed has no rows, but says in words what is wrong.

        numbered: (number, PgnGame).
        """
        number, game = numbered
        try:
            return {"game": number, "rows": self._rows(number, game)}
        except ValueError as error:
            return {"game": number, "rows": [], "fault": str(error)}

    def _rows(self, number, game):
        """The rows of a game. Raises ValueError if it does not follow the rules."""
        if not is_of(game, self._rules):
            raise ValueError(f'[Variant "{game.tags["Variant"][:40]}"]: expected {self._rules.name}')
        found = pgn.replay(game, self._rules.name)
        if found.faults:
            raise found.faults[0]
        if self._search is not None:
            self._search.new_game()
        steps = [
            Step(board, move, "pgn", self._score(board, comment))
            for board, move, comment in zip(found.boards, found.moves, game.comments)
        ]
        board, white_won, result_by = found.boards[-1], WHITE_WON.get(found.result), "pgn"
        if board.is_game_over():
            white_won, result_by = board.black_to_move, "rules"
        return rows(number, 0, steps, white_won, result_by, self._solver.values(steps))

    def _score(self, board, comment):
        """The Score of a position, or None."""
        if self._search is not None:
            return self._search.score(board)
        found = pgn.parse_comment(comment, board.black_to_move)
        if found.score is None:
            return None
        depth = found.depth if found.depth is None else min(found.depth, (1 << 15) - 1)
        return Score(None, centipawns(found.score), depth, found.nodes, "pgn")


def is_of(game, rules):
    """Whether the Variant tag of a PgnGame names these rules. True if there is no such tag."""
    try:
        return get_rules("".join(game.tags.get("Variant", rules.name).split())) is rules
    except UnknownGame:
        return False


def centipawns(score):
    """A MoveComment's score as a number.

    A mate becomes the score of that win or loss; other scores are clipped to [-MIN_WIN_SCORE, MIN_WIN_SCORE].
    """
    if isinstance(score, int):
        return max(-MIN_WIN_SCORE, min(MIN_WIN_SCORE, score))
    moves = min(int(score.lstrip("-M")), (WIN - MIN_WIN_SCORE) // 2)
    return 2 * moves - WIN if score.startswith("-") else WIN - max(0, 2 * moves - 1)
