"""The referee of match.py: plays matches between UCI engines and checks every move by the rules of the game."""
