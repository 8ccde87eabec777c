"""Proofs of who wins, and books of them: the work of solve.py and strategy.py."""
