"""Text of others, as it may reach a terminal or a file of lines."""


def printable(text):
    """The text on one line, with each letter that cannot be shown as Python's escape.

    Escaped are control characters, line breaks, marks that turn the direction of writing, bytes that were no UTF-8:
    whatever str.isprintable() denies. What is escaped already stays as it is.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
