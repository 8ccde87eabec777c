"""Speed, starts, and what the solver takes: the work of bench_speed.py, bench_uci.py and bench_solver.py."""
