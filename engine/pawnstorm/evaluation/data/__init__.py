"""What the evaluation has learned: weights of each family of games, by scripts/tune.py; n-tuple networks (.ntuple) and the
solver's networks (.solver), by scripts/learn.py; neural networks (.network), by scripts/train.py; their journals (.jsonl).
"""
