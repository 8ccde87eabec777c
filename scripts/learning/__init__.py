"""What scripts/learn.py is made of."""
