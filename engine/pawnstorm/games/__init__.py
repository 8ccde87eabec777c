"""The games: rules as data, with all games and sizes (rules.py); boards, text."""
