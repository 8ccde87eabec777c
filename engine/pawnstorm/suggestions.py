"""Which known word may be meant by an unknown one, for whatever reports such a word."""

from functools import lru_cache


def did_you_mean(word, known, after=""):
    """ " (did you mean X?)" with the known word that is most like this one, or ""; after: what follows such a word."""
    by_name = {name.lstrip("-").lower(): name for name in known}
    near = _nearest(word[:60].lstrip("-").lower(), tuple(by_name))
    return f" (did you mean {by_name[near[0]]}{after}?)" if near else ""


@lru_cache(maxsize=100)  # a file of many games may have one unknown name
def _nearest(word, names):
    """[the name most like a word], or []."""
    import difflib  # late: every start would pay for it, and only a mistake needs it

    return difflib.get_close_matches(word, names, 1)
