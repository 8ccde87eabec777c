"""Imported first by every program: Ctrl-C ends it with status 130 and no traceback, also while it is still importing."""

import os
import sys

_before = sys.excepthook


def _hook(kind, error, trace):
    if issubclass(kind, KeyboardInterrupt):
        os._exit(130)
    _before(kind, error, trace)


sys.excepthook = _hook
