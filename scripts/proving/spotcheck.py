"""Values of positions checked by scripts/verify.py: the winner's strategy is written to a file, and the checker judges that."""

import io
from contextlib import redirect_stdout

import verify
from proving import prooffile, tree, watched


def spot_check(position, prover, look, path):
    """The record of one check: fen, verified, and in words what the checker said; the proof is left at `path`.

    Besides the proof's soundness it counts what the checker says of its root and winner, so that the file's value stands or falls
    by nothing but that. look() is called now and then while the strategy's proof is found again.
    """
    board = position.board
    watched.prove(prover, board, look)
    records, black = tree.strategy(prover, board)
    prooffile.write(path, tree.proof(board, records, black))
    with redirect_stdout(io.StringIO()) as printed:
        status = verify.main([str(path)])
    if status == 130:
        raise KeyboardInterrupt
    *facts, verdict = printed.getvalue().splitlines() or ["the checker cannot read the proof"]
    facts = dict(line.split(maxsplit=1) for line in facts)
    asked = {"game": board.rules.full_name, "root": " ".join(position.fen.split()[:4]), "winner": position.winner}
    wrong = [f"{name} {facts.get(name)} instead of {value}" for name, value in asked.items() if facts.get(name) != value]
    sound = status == 0 and verdict == "verified" and not wrong
    return {"fen": position.fen, "verified": sound, "said": ", ".join([verdict, *wrong]), "positions": facts.get("positions")}
