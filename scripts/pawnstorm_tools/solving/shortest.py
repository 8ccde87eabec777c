"""The exact length of a game that is decided: the winner's quickest win against the longest resistance.

prove is a function (board, label, within) -> Proof, as engine/pawnstorm/proof/prover.py makes it: within so many plies one side
has to win, the one to move where they are odd.
"""

from pawnstorm.games.notation import move_text
from pawnstorm.numbers import counted


def length(prove, board, proof):
    """The plies to the end with best play by both, of a position whose Proof is known."""
    plies, shorter = proof.plies, proof
    while plies > 1 and shorter.value == proof.value:
        plies = shorter.plies
        shorter = prove(board, f"in {counted(plies - 2, 'ply')}", plies - 2)
    return plies


def line(prove, board, plies):
    """The moves of such a game, of exactly so many plies."""
    moves = []
    while plies:
        # The side that answers has lost in time; or, where it wins, it has failed to do so two plies sooner.
        within = plies - 1 if plies % 2 else plies - 3
        move = next(
            move
            for move in board.moves()
            if within < 0
            or prove(board.push(move), f"ply {len(moves) + 1}: {move_text(board, move)}", within).value < 0
        )
        moves.append(move)
        board, plies = board.push(move), plies - 1
    return moves
