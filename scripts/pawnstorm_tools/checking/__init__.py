"""The check of a proof, for verify.py and `positions.py check`.

It imports no module of the engine that knows a game, and has rules of its own: compiled ones (pawnrules.py), and the
slow ones (naive.py) with which they are compared and which the tests use too.
"""
