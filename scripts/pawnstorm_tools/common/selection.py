"""Some items out of many."""


def evenly(found, count):
    """`count` items of a list, or all of a shorter one, evenly from its first to its last."""
    count = min(count, len(found))
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]
