"""Check a proof of who wins: `python scripts/verify.py FILE`.

FILE (proving/prooffile.py) names a game, a position and its winner, and has a plan for each position in which the winner may find
itself. From the root on every reply of the loser is tried. Nothing in the file is trusted, and nothing of engine/ is used. The walk is
compiled (proving/checker.py) and has rules of its own (proving/pawnrules.py), which are compared with tests/naive.py's at the root, at
positions sampled evenly from all that the walk meets, and along a line that fails.

Prints what was checked and `verified`; or the line of play that leads to the fault, and `NOT verified` with the reason. The longest line
is the longest game that the loser can make of it. Exit codes: 0 verified, 1 not, 2 where FILE is no proof file, 130 after Ctrl-C.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import sys
import time
from pathlib import Path

from proving import arguments


def parse(words):
    parser = argparse.ArgumentParser(description="Check a proof of who wins a position, by rules that share nothing with the solver's.")
    parser.add_argument("file", type=Path, help="the proof")
    parser.add_argument("--sample", type=arguments.positive, default=2000, metavar="N",
                        help="compare the rules with tests/naive.py's at N positions, or up to twice as many (%(default)s)")
    return parser.parse_args(words)


def main(words):
    asked, began = parse(words), time.monotonic()
    try:
        from proving import prooffile
        try:
            proof = prooffile.read(asked.file)
            from proving import roots
            root = roots.root(proof.game, proof.fen)
            from proving import checking    # numba, and some seconds where the checker has to be compiled first
            sound, lines = checking.judged(proof, root, asked.sample, began)
        except prooffile.BadProof as error:
            print(f"verify.py: {error}", file=sys.stderr)
            return 2
    except (OSError, MemoryError) as error:
        print(f"verify.py: {error or 'not enough memory'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("verify.py: stopped", file=sys.stderr)
        return 130
    print("\n".join(lines), flush=True)
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
