"""The known opponents, as players behind one UCI shell (shell.py). To add one, add a module, and a row to PLAYERS in
players.py; `scripts/players.py --player NAME` starts it.

They exist to be measured against: each plays as its author described it, weaknesses included, in plain Python over the
engine's boards. Each system has a module; what several of them share is in base.py and pawns.py.
"""
