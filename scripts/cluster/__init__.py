"""Work shared by the processes of a dask cluster: proofs (scripts/solve.py) and matches (scripts/match.py)."""
