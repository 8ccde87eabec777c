"""The opponents by name: a row for each, which scripts/players.py offers as --player NAME."""

from pawnstorm_tools.opponents import naive_players
from pawnstorm_tools.opponents.base import Greedy, Random
from pawnstorm_tools.opponents.mcts import Mcts
from pawnstorm_tools.opponents.seed000 import Seed000, coded, known_rules, reported
from pawnstorm_tools.opponents.seed001 import Seed001
from pawnstorm_tools.opponents.seed002 import Seed002
from pawnstorm_tools.opponents.seed004 import seed004

PLAYERS = {
    "seed000-coded": lambda rng: Seed000(rng, coded, known_rules(far_rank=False)),
    "seed000-reported": lambda rng: Seed000(rng, reported, known_rules(far_rank=True)),
    "seed001": Seed001,
    "seed002": Seed002,
    "seed004": seed004,
    **{name: naive_players.with_term(name) for name in naive_players.TERMS},
    "naive-random": naive_players.random_values,
    "random": Random,
    "greedy": Greedy,
    "mcts": Mcts,
}
"""name -> function that makes the player from a random.Random."""
