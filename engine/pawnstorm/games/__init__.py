"""The rules of all games and sizes as data (rules.py), positions, and the forms of positions and moves as text and numbers."""
