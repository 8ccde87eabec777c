"""The set of positions that have been written. A position and its mirror image, left and right exchanged, count as one."""

import hashlib
from array import array

FIRST = 1 << 12
"""Slots of an empty set."""


def key(fen):
    """A 64-bit number above 0 for a FEN. It ignores the counters, and is the same for the mirror image."""
    placement, side, _, ep = fen.split()[:4]
    ranks = placement.split("/")
    files = sum(int(letter) if letter.isdigit() else 1 for letter in ranks[0])
    mirrored = "/".join(rank[::-1] for rank in ranks)
    mirrored_ep = ep if ep == "-" else "abcdefgh"[files - 1 - "abcdefgh".index(ep[0])] + ep[1]
    text = min(f"{placement} {side} {ep}", f"{mirrored} {side} {mirrored_ep}")
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") or 1


class Seen:
    """A set of numbers from 1 to 2**64 - 1, in 12 to 24 bytes each: open addressing, 0 marks a free slot."""

    def __init__(self):
        self._slots, self._count = array("Q", bytes(8 * FIRST)), 0

    def __contains__(self, number):
        return self._slots[self._slot(number)] == number

    def add(self, number):
        slot = self._slot(number)
        if self._slots[slot] == number:
            return
        self._slots[slot] = number
        self._count += 1
        if 3 * self._count > 2 * len(self._slots):
            old, self._slots = self._slots, array("Q", bytes(16 * len(self._slots)))
            for other in old:
                if other:
                    self._slots[self._slot(other)] = other

    def _slot(self, number):
        """The slot of a number, or the free slot where it belongs. The numbers are digests, so they need no mixing."""
        mask, slot = len(self._slots) - 1, number & len(self._slots) - 1
        while self._slots[slot] not in (0, number):
            slot = slot + 1 & mask
        return slot
