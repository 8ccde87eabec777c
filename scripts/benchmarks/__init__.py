"""Speed, starts and what the race rules save: the work of bench_speed.py, bench_uci.py and bench_race.py."""
