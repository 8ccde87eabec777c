"""Scores by the engine's search and proofs by the solver, for the positions of one game after another."""

from typing import NamedTuple

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.notation import fen, move_text
from pawnstorm.proof.prover import Prover
from pawnstorm.search.limits import Limits
from pawnstorm_tools.common.position_search import PositionSearch


class Score(NamedTuple):
    """The result of the search of one position, for the side to move. An unknown field is None."""

    move: int | None
    centipawns: int
    depth: int | None
    nodes: int | None
    source: str


class Step(NamedTuple):
    """A Board, the move played on it, who chose that move, and the Score of the position, or None."""

    board: object
    move: int
    move_by: str
    score: Score | None


class Search(PositionSearch):
    """Searches positions with a node limit."""

    def __init__(self, nodes, mebibytes):
        super().__init__(Limits(nodes=nodes), mebibytes)

    def score(self, board):
        """The Score of a Board whose game is not over."""
        move = self.find(board)
        return Score(move, self.infos[-1].score, self.infos[-1].depth, self.nodes, "search")


class Solver:
    """Proves positions with at most about `expansions` expansions for each; 0 means no proofs."""

    def __init__(self, expansions, mebibytes):
        self._expansions, self._prover = expansions, Prover(mebibytes) if expansions else None

    def values(self, steps):
        """[(value, plies, source)] for each of a game's Steps, for its side to move; (None, None, None) if nothing is proven.

        A score of this engine's search beyond MIN_WIN_SCORE is a proof. If the search and the solver both have a proof, the
        one with fewer plies counts. The positions are solved from the last one back, with one table that is emptied before
        each game, so the values depend only on the game.
        """
        if self._prover is not None:
            self._prover.clear()
        found = [self._value(step.board, _searched(step.score)) for step in reversed(steps)]
        return found[::-1]

    def _value(self, board, searched):
        if self._prover is None:
            return searched
        proof = self._prover.probe(board)
        if not proof.value and searched[0] is None:
            proof = self._prover.prove(board, self._expansions)
        if not proof.value:
            return searched
        if searched[0] not in (None, proof.value):
            raise AssertionError(f"search and solver contradict each other in {fen(board)}")
        return min((searched, (proof.value, proof.plies, "solver")), key=lambda one: one[1] or WIN)


def _searched(score):
    """The (value, plies, source) that a Score proves; each is None if it proves nothing."""
    if score is None or score.source != "search" or abs(score.centipawns) <= MIN_WIN_SCORE:
        return None, None, None
    return 1 if score.centipawns > 0 else -1, WIN - abs(score.centipawns), "search"


def rows(number, first_ply, steps, white_won, result_by, values):
    """The rows (columns.py) of a game.

    number: the game's number. first_ply: the plies before its first Step. white_won: whether White has won, None if unknown.
    values: what Solver.values() has found.
    """
    made = []
    for ply, (step, value) in enumerate(zip(steps, values), first_ply):
        board, score = step.board, step.score or Score(None, None, None, None, None)
        made.append(
            [
                board.rules.name,
                number,
                ply,
                fen(board),
                move_text(board, step.move),
                step.move_by,
                None if score.move is None else move_text(board, score.move),
                score.centipawns,
                score.depth,
                score.nodes,
                score.source,
                None if white_won is None else 1 if white_won != board.black_to_move else -1,
                None if white_won is None else result_by,
                *value,
            ]
        )
    return made
