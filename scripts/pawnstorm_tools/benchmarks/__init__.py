"""Speed, starts, what the race rules save, what the solver takes, what the master of a cluster can do: the work of
bench_speed.py, bench_uci.py, bench_race.py, bench_solver.py and bench_cluster.py.
"""
