"""Proofs of who wins: the prover, alone or beside a search, and books."""
