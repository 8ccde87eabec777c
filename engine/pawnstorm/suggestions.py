"""Which known word may be meant by an unknown one, for whatever reports such a word."""


def did_you_mean(word, known, after=""):
    """ " (did you mean X?)" with the known word that is most like this one, or ""; after: what follows such a word."""
    import difflib  # late: every start would pay for it, and only a mistake needs it

    by_name = {name.lstrip("-").lower(): name for name in known}
    near = difflib.get_close_matches(word[:60].lstrip("-").lower(), by_name, 1)
    return f" (did you mean {by_name[near[0]]}{after}?)" if near else ""
