"""The known opponents, one UCI program: `python scripts/players.py --player NAME`; `-h` lists the names.

They are opponents for matches, not parts of the engine. Each obeys movetime, nodes and stop; all but mcts obey depth. If
`go` gives the times of a clock, each player uses its author's own time scheme. Most of these schemes ignore the clock, so a
referee should give a generous time margin. The option Seed sets the seed of random choices: with the same seed, every game is the
same; with Seed 0, each game differs.

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
    """Run main(), then end the process at once: the player's thread may still search, and holds nothing of value."""
    os._exit(main(argv))
