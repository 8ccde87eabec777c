"""Everything that is compiled, and nothing else."""
