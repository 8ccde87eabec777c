"""Shares work among the workers of a dask cluster: the proofs of solve.py and the games of match.py."""
