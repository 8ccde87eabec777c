"""The trained data.

what                                   suffix              made by
weights of each family of games        .py                 scripts/tune.py
n-tuple networks                       .ntuple             scripts/learn.py
solver's networks                      .solver             scripts/learn.py
neural networks, and their journals    .network, .jsonl    scripts/train.py
"""
