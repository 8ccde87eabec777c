"""Speed, starts, what the race rules save, what the solver takes: the work of bench_speed.py, bench_uci.py, bench_race.py
and bench_solver.py.
"""
