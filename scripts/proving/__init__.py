"""What scripts/solve.py and scripts/verify.py are made of."""
