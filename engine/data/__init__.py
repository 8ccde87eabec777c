"""What the engine carries: the weights of each family of games, written by scripts/tune.py, and the books of solved games, written by
scripts/strategy.py."""
