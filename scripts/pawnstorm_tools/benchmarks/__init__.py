"""Speed, starts, batches, environments, and what the solver takes: the work of the programs bench_*.py."""
