"""The rules of all games and sizes as data (rules.py); positions; and positions and moves as text and as numbers."""
