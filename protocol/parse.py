"""One line of text -> what it asks for. Pure: no engine, no output. Faults raise ValueError with the offending token."""

INTEGERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
WORDS = ("infinite", "ponder", "searchmoves")
LARGEST = 10**15
"""No number that is read, from whomever, is greater."""


def command(line, known):
    """(word, rest of the line): words before the first known one are skipped; ("", "") without one."""
    text = line.replace("\t", " ").strip()
    start = 0
    while start < len(text):
        end = text.find(" ", start)
        end = len(text) if end < 0 else end
        if text[start:end] in known:
            return text[start:end], text[end:].strip()
        start = end + 1
    return "", ""


def option(rest):
    """(name, value) of the words behind `setoption`; value is None where there is no such word. Inner spaces are kept."""
    words = rest.split(" ") if rest else []
    if not words or words[0].lower() != "name":
        raise ValueError(f"'{rest[:40]}' behind setoption: expected name NAME [value VALUE]")
    lower = [word.lower() for word in words]
    split = lower.index("value") if "value" in lower else len(words)
    name = " ".join(" ".join(words[1:split]).split())
    value = " ".join(words[split + 1:]).strip() if split < len(words) else None
    if not name:
        raise ValueError("no option name behind setoption: expected name NAME [value VALUE]")
    return name, value


def position(rest):
    """(fen or None for the start, list of moves) of the words behind `position`."""
    words = rest.split()
    split = words.index("moves") if "moves" in words else len(words)
    setup, moves = words[:split], words[split + 1:]
    if setup[:1] == ["startpos"]:
        return None, moves
    if setup[:1] == ["fen"]:
        return " ".join(setup[1:]), moves
    raise ValueError(f"'{' '.join(setup)[:40]}' behind position: expected startpos or fen FEN")


def go(rest):
    """(values, searchmoves, faults) of the words behind `go`.

    values: the numbers of INTEGERS that were given, and True for infinite, ponder and prove (`mate infinite`). searchmoves: its moves,
    as text. faults: a text for each word that says nothing; the rest counts all the same. Only a perft without a depth raises
    ValueError: it is no search.
    """
    values, searchmoves, faults = {}, [], []
    words = rest.split()
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word in ("infinite", "ponder"):
            values[word] = True
        elif word == "searchmoves":
            while index < len(words) and words[index] not in INTEGERS and words[index] not in WORDS:
                searchmoves.append(words[index])
                index += 1
        elif word in INTEGERS:
            text = words[index] if index < len(words) else ""
            if word == "mate" and text == "infinite":
                values["prove"] = True
                index += 1
                continue
            number = integer(text)
            if number is None and word == "perft":
                raise ValueError(f"'{text[:20]}' behind perft: expected a depth")
            if number is None:
                faults.append(f"'{text[:20]}' behind {word}: expected a whole number{' or infinite' * (word == 'mate')}")
            else:
                values[word] = number
            if number is not None or text not in INTEGERS + WORDS:
                index += 1
        else:
            faults.append(f"'{word[:20]}' behind go: expected one of {', '.join(INTEGERS + WORDS)}")
    return values, searchmoves, faults


def integer(text):
    """The whole number that the text is, held within +-LARGEST, or None."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = int(digits[:16]) if len(digits) <= 16 else LARGEST
    return max(-LARGEST, min(LARGEST, -number if text[0] == "-" else number))
