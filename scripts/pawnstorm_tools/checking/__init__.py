"""The check of a proof, for verify.py and `positions.py check`.

It imports nothing of the engine and has rules of its own: compiled ones (pawnrules.py), and the slow ones (naive.py) with
which they are compared and which the tests use too.
"""
