"""Positions of known value, and what engines make of them: the work of positions.py, puzzles.py, openings.py and
`strategy.py walk`. Games against OpenSpiel's MCTS: that of openspiel_match.py.
"""
