"""Checks a proof, for verify.py and `positions.py check`.

It imports no module of the engine that knows a game. It has rules of its own: compiled rules (pawnrules.py), and slow rules
(naive.py), with which the compiled ones are compared. The tests use the slow rules too.
"""
