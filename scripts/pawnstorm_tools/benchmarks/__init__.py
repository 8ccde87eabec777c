"""Measurements of speed, start-up, batches, environments and the solver's work: the work of the programs bench_*.py."""
