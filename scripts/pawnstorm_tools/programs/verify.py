"""Check a proof of who wins: `python scripts/verify.py FILE`.

FILE (checking/prooffile.py) names a game, a position (the root) and its winner. It has a plan, which is one or more moves
of the winner, for each position that may arise with the winner to move, except for positions shortly before a win. The
checker begins at the root, follows the plans and tries every reply of the loser. It trusts nothing in the file, and uses
no module of the engine that knows a game.

The walk is compiled (checking/checker.py) and has its own rules (checking/pawnrules.py). They are compared with the slow
rules of checking/naive.py at the root, at positions sampled evenly from all that the walk meets, and along a line that
fails.

Prints what was checked and `verified`; or the line of play that leads to the fault, and `NOT verified` with the reason.
If FILE is verified, the loser cannot make a game last longer than the printed `longest` plies. Exit codes: 0 if FILE is
verified, 1 if it is not, 2 if it is not a proof file, 130 after Ctrl-C.
"""

from pathlib import Path

from pawnstorm_protocol import cli
from pawnstorm_tools import startup
from pawnstorm_tools.checking.filecheck import check_file
from pawnstorm_tools.checking.prooffile import BadProof


def parse(argv):
    parser = cli.Parser(
        description="Check a proof of who wins a position, by rules that share nothing with the solver's."
    )
    parser.add_argument("file", type=Path, help="the proof")
    parser.add_argument(
        "--sample",
        type=cli.positive,
        default=2000,
        metavar="N",
        help="compare with the slow rules (checking/naive.py) at N positions, or up to twice as many (%(default)s)",
    )
    return parser.parse_args(argv)


@startup.program(BadProof)
def main(argv):
    args = parse(argv)
    sound, lines = check_file(args.file, args.sample)
    print("\n".join(lines), flush=True)
    return 0 if sound else 1
