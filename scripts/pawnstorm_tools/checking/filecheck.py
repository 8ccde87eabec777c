"""The check of a proof file, from reading it to the verdict. What takes long to import, or to compile, waits until the
file is read.
"""

import time

from pawnstorm_tools.checking import prooffile


def check_file(path, samples):
    """(whether a proof file's proof holds, what to print about it). Raises BadProof, OSError, MemoryError.

    samples: positions at which the compiled rules are compared with checking/naive.py's; up to twice as many may be.
    """
    began = time.monotonic()
    proof = prooffile.read(path)
    from pawnstorm_tools.checking import roots

    root = roots.root(proof.game, proof.fen)
    from pawnstorm_tools.checking import verdict

    return verdict.judged(proof, root, samples, began)
