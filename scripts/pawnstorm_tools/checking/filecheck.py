"""Checks a proof file, from reading it to the verdict.

Modules that take long to import or to compile are imported after the file was read.
"""

import re
import time

from pawnstorm_tools.checking import naive, prooffile


def check_file(path, samples):
    """Check a proof file; returns (whether its proof holds, the lines to print). Raises BadProof, OSError, MemoryError.

    samples: the number of positions at which the compiled rules are compared with those of checking/naive.py. Up to twice as
    many may be compared.
    """
    start = time.monotonic()
    proof = prooffile.read(path)
    position = root(proof.game, proof.fen)
    from pawnstorm_tools.checking import verdict

    return verdict.check_proof(proof, position, samples, start)


def root(game_name, fen):
    """Read the root position of a proof, in the form of naive.py, from the proof's header. Raises BadProof."""
    if game_name not in naive.GAMES:
        raise prooffile.BadProof(
            f"unknown game {game_name[:40]!r}: expected family and size, such as twoflags8x8 or breakthrough5x5"
        )
    game = naive.GAMES[game_name]
    wrong = prooffile.BadProof(
        f"bad position {fen[:100]!r} for {game_name}: expected a FEN of pawns, not yet won by the side to move, "
        "with an en passant square only if a pawn can just have passed it"
    )
    try:
        third, passed = fen.split()[2:4]
        found = naive.parse_fen(game, fen)
    except (AssertionError, IndexError, KeyError, ValueError):
        raise wrong from None
    if third != "-" or found.side not in naive.PAWN:
        raise wrong
    if passed != "-" and not (game.en_passant and re.fullmatch("[a-h][1-8]", passed)):
        raise wrong
    side, up = found.side, naive.direction(found.side)
    if not set("".join(found.board)) <= set("Pp.") or naive.PAWN[side] in found.board[naive.far_rank(game, side)]:
        raise wrong
    if passed != "-":
        file, rank = naive.coordinates(passed)
        if file >= game.files:
            raise wrong
        column = "".join(row[file] for row in found.board)[::up]
        # Seen from the side to move, the file has the pawn that made the double step, then the square that it passed and the
        # square that it left.
        if rank != (game.ranks - 3 if side == "w" else 2) or column[-4:-1] != naive.PAWN[naive.OTHER[side]] + "..":
            raise wrong
    return found
