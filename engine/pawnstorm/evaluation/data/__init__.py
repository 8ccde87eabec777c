"""What the engine carries: the weights of each family of games, written by scripts/tune.py, n-tuple networks, written by
scripts/learn.py, and the books of solved games, written by scripts/strategy.py."""
