"""Proofs of who wins: the prover, its part in a search, books."""
