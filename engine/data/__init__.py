"""What the engine carries in numbers: the weights of each family of games, written by scripts/tune.py."""
