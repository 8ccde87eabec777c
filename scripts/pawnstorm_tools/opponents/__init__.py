"""The opponents of the past, as players behind one UCI shell (shell.py); each has a row in PLAYERS of
programs/players.py, which starts it by name. To add one, add a module here and a row there.

They exist to be measured against: each plays as its author described it, weaknesses included, in plain Python over the
engine's boards. Each system has a module; what several of them share is in base.py and pawns.py.
"""
