"""The opponents of the past, as players behind one UCI shell (shell.py); each has a row in PLAYERS of
players.py, by which programs/players.py starts it. To add one, add a module and a row here.

They exist to be measured against: each plays as its author described it, weaknesses included, in plain Python over the
engine's boards. Each system has a module; what several of them share is in base.py and pawns.py.
"""
