"""The games: rules as data, boards, text."""
