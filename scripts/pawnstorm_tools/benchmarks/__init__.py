"""Speed, starts, environments, and what the solver takes: the work of bench_speed.py, bench_uci.py, bench_environments.py and
bench_solver.py.
"""
