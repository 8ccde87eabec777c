"""The rules of all games and sizes as data (rules.py), positions, and the text and the numbers for positions and moves."""
