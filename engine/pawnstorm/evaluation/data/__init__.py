"""The trained data: weights of each family of games, from scripts/tune.py; n-tuple networks (.ntuple) and the solver's networks
(.solver), from scripts/learn.py; neural networks (.network), from scripts/train.py, and their journals (.jsonl).
"""
