"""Positions of known value, and measurements of engines with them: the work of positions.py, puzzles.py, openings.py and
`strategy.py walk`. Also games against OpenSpiel's MCTS: the work of openspiel_match.py.
"""
