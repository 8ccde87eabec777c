"""Suggests a known word in place of an unknown one, for error messages."""

from functools import lru_cache


def did_you_mean(word, known, after=""):
    """The text " (did you mean X?)", where X is the known word most like `word`; "" if none is like it.

    after: a text to add after X.
    """
    by_name = {name.lstrip("-").lower(): name for name in known}
    near = _nearest(word[:60].lstrip("-").lower(), tuple(by_name))
    return f" (did you mean {by_name[near[0]]}{after}?)" if near else ""


@lru_cache(maxsize=100)  # a file of many games may have one unknown name
def _nearest(word, names):
    """[the name most like a word], or []."""
    import difflib  # imported here, since it would slow down every start and only a mistake needs it

    return difflib.get_close_matches(word, names, 1)
