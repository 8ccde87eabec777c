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
from pawnstorm_tools.opponents import naive_players
from pawnstorm_tools.opponents.base import Greedy, Random
from pawnstorm_tools.opponents.mcts import Mcts
from pawnstorm_tools.opponents.seed000 import Seed000, coded, known_rules, reported
from pawnstorm_tools.opponents.seed001 import Seed001
from pawnstorm_tools.opponents.seed002 import Seed002
from pawnstorm_tools.opponents.seed004 import seed004
from pawnstorm_tools.opponents.shell import Shell

PLAYERS = {
    "seed000-coded": lambda chance: Seed000(chance, coded, known_rules(far_rank=False)),
    "seed000-reported": lambda chance: Seed000(chance, reported, known_rules(far_rank=True)),
    "seed001": Seed001,
    "seed002": Seed002,
    "seed004": seed004,
    **{name: naive_players.with_term(name) for name in naive_players.TERMS},
    "naive-random": naive_players.random_values,
    "random": Random,
    "greedy": Greedy,
    "mcts": Mcts,
}
"""name -> what makes the player from a random.Random."""


@startup.program(stopped=None)
def main(words):
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--player", required=True, choices=PLAYERS, metavar="NAME", help=", ".join(PLAYERS))
    name = parser.parse_args(words).player
    Shell(name, PLAYERS[name], sys.stdin.buffer, sys.stdout.buffer).run()


def run(words):
    """main(); ends the process: the player's thread may still be in a search, and nothing that it holds matters any more."""
    os._exit(main(words))
