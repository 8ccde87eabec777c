"""The opponents of the past, as players behind one UCI shell (shell.py); scripts/players.py starts one by name.

They exist to be measured against: each plays as its author described it, weaknesses included, in plain Python over engine/'s boards.
A module a system; what several of them truly share is in player.py, budget.py and pawns.py.
"""
