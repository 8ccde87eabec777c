"""The known opponents, one UCI program: `python scripts/players.py --player NAME`; `-h` lists the names.

They are there to be played against, not part of the engine. Each plays at its author's own scheme under `go` with a
clock, which most of them do not read (a referee should give a generous time margin), and obeys movetime, depth, nodes
and stop. The option Seed makes chance repeatable: with it every game is played alike, with 0 each differs.

    python scripts/match.py -engine name=mcts \\
      cmd="python scripts/players.py --player mcts" \\
      -engine name=greedy cmd="python scripts/players.py --player greedy" \\
      -each tc=300 timemargin=60000 -variant breakthrough
"""

import os
import sys

from pawnstorm_protocol import cli
from pawnstorm_tools import startup
from pawnstorm_tools.opponents.players import PLAYERS
from pawnstorm_tools.opponents.shell import Shell


@startup.program(stopped=None)
def main(argv):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--player", required=True, choices=PLAYERS, metavar="NAME", help=", ".join(PLAYERS))
    name = parser.parse_args(argv).player
    Shell(name, PLAYERS[name], sys.stdin.buffer, sys.stdout.buffer).run()


def run(argv):
    """main(); ends the process: the player's thread may still be in a search, and nothing that it holds matters any more."""
    os._exit(main(argv))
