"""A number and what it counts, in words."""

IRREGULAR = {"ply": "plies", "entry": "entries"}


def counted(number, noun):
    """ "1 game", "2,000 games", "3 plies"."""
    return f"{number:,} {noun if number == 1 else IRREGULAR.get(noun, noun + 's')}"
