"""The known opponents, as players of one UCI shell (shell.py). To add one, add a module, and a row to PLAYERS in
players.py; `scripts/players.py --player NAME` starts it.

The engine is measured against them. Each plays as its author described it, weaknesses included, in plain Python on the
engine's boards. Each opponent has a module or shares one with similar opponents; base.py and pawns.py have the code that
several modules use.
"""
