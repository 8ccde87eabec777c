"""The progress of the solver on stderr."""

import sys
import time

from pawnstorm_tools.common.bar import tqdm

INTERVAL, FILE_INTERVAL = 0.5, 10.0
"""The least seconds between two rows: on a terminal, where each replaces the one before, and elsewhere."""


class PositionsBar(tqdm):
    """A progress bar that counts positions. It shows their rate in positions a second, once this is known.

    If stderr is not a terminal, a bar with leave=False has no row until FILE_INTERVAL seconds after the last row of any bar.
    Without this delay, thousands of short proofs would fill a file.
    """

    _last = float("-inf")  # when a row was last written, of any bar

    def __init__(self, *arguments, leave=True, delay=0.0, **settings):
        interval = INTERVAL
        if not sys.stderr.isatty():
            interval = FILE_INTERVAL
            delay = delay if leave else max(delay, PositionsBar._last + FILE_INTERVAL - time.monotonic())
        settings = {"unit": " positions", "unit_scale": True, "file": sys.stderr, "miniters": 0} | settings
        super().__init__(*arguments, leave=leave, delay=delay, mininterval=interval, **settings)

    @property
    def format_dict(self):
        values = super().format_dict
        known = values["n"] > values["initial"] and values["elapsed"] > 0
        count = "{n_fmt}" if values["n"] else "0"  # not 0.00
        rate = ", {rate_noinv_fmt}" if known else ""
        if values["total"]:
            left = "<{remaining}" if known else ""
            row = "{l_bar}{bar}| " + count + "/{total_fmt} [{elapsed}" + left + rate + "{postfix}]"
        else:
            row = "{desc}: " + count + "{unit} [{elapsed}" + rate + "{postfix}]"
        return values | {"bar_format": row}

    def display(self, msg=None, pos=None):
        if msg != "":  # an empty message clears the row
            PositionsBar._last = time.monotonic()
        return super().display(msg, pos)


def proof_numbers(proof):
    """What is known of a Proof, as texts for the progress bar; [] at the start."""
    if proof.value:
        return ["proven"]
    return [] if proof.phi is None else [f"proof {proof.phi}, disproof {proof.delta}"]
