"""Rows of a dataset judged by rules and a solver that share nothing with what made them (scripts/pawnstorm_tools/checking)."""

from pawnstorm_tools.checking import naive


def position(game, row):
    return naive.parse_fen(game, row["fen"])


def check_legal(game, rows):
    """Each move is legal on its FEN, and so is the search's."""
    for row in rows:
        legal = naive.moves(position(game, row))
        assert row["move"] in legal and row["best_move"] in (None, *legal), row


def check_whole_game(game, rows):
    """Rows that are all positions of one game, in order: each follows from the one before; the last move ends the game, and
    the result is the winner's.
    """
    for row, after in zip(rows, rows[1:]):
        assert naive.play(position(game, row), row["move"]) == position(game, after)
        assert after["ply"] == row["ply"] + 1 and after["result"] == -row["result"]
    assert naive.over(naive.play(position(game, rows[-1]), rows[-1]["move"])) and rows[-1]["result"] == 1


def check_proofs(game, rows):
    """The proven side wins within the proven plies, by exhaustive play; returns the number of proofs."""
    solver, proofs = naive.Solver(), [row for row in rows if row["proven"]]
    for row in proofs:
        claim = solver.wins if row["proven"] > 0 else solver.loses
        assert claim(position(game, row), row["proven_plies"]), row
    return len(proofs)


def same(game, row):
    """What equal positions have in common: the lesser of a position and its mirror image."""
    here = position(game, row)
    return min(naive.fen(here), naive.fen(naive.mirror(here)))
