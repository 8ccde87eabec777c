"""The games: their rules as data, with all games and sizes (rules.py); their positions; positions and moves as text."""
