"""Parses the lines of UCI. Pure: no engine, no output. A fault raises ValueError, which names the word."""

from pawnstorm.numbers import MAX_LIMIT, parse_int
from pawnstorm.suggestions import did_you_mean

INTEGERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
MINIMUM = {"depth": 1, "nodes": 1, "mate": 1, "perft": 0}
"""Name in INTEGERS -> the smallest number allowed. Clocks have none: some GUIs send a negative time after a clock ran out."""
WORDS = ("infinite", "ponder", "searchmoves")
UCI_NUMBERS = {name: name for name in INTEGERS}
"""Word of `go` that takes a number -> its name in INTEGERS. Other protocols have other words."""


def command(line, known):
    """Split a line at its first known word: (word, rest of the line), or ("", "") if it has none.

    UCI asks to skip unknown words at the beginning of a line.
    """
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
    """Read the words after `setoption` as (name, value). The value keeps the spaces inside it.

    The value is None if the word `value` is missing.
    """
    words = rest.split(" ") if rest else []
    if not words or words[0].lower() != "name":
        raise ValueError(f"'{rest[:40]}' after setoption: expected name NAME [value VALUE]")
    lower = [word.lower() for word in words]
    split = lower.index("value") if "value" in lower else len(words)
    name = " ".join(" ".join(words[1:split]).split())
    value = " ".join(words[split + 1 :]).strip() if split < len(words) else None
    if not name:
        raise ValueError("no option name after setoption: expected name NAME [value VALUE]")
    return name, value


def position(rest):
    """Read the words after `position` as (FEN, list of moves). The FEN is None for the start position."""
    words = rest.split()
    split = words.index("moves") if "moves" in words else len(words)
    setup, moves = words[:split], words[split + 1 :]
    if setup[:1] == ["startpos"]:
        if setup[1:]:
            raise ValueError(f"'{setup[1][:40]}' after startpos: expected the word moves")
        return None, moves
    if setup[:1] == ["fen"]:
        return " ".join(setup[1:]), moves
    raise ValueError(f"'{' '.join(setup)[:40]}' after position: expected startpos or fen FEN")


def go(rest, numbers=UCI_NUMBERS):
    """Read the words after `go` as (values, searchmoves, faults).

    numbers: the protocol's words that take a number, in the form of UCI_NUMBERS.
    values: the numbers given, by their names in INTEGERS, and True for infinite, ponder and prove (`mate infinite`).
    searchmoves: the moves after that word, as text.
    faults: a text for each word that is not understood. The other words still count.
    Only a perft without a valid depth raises ValueError: unlike a search, it cannot run without that number.
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
            first = index
            while index < len(words) and words[index] not in numbers and words[index] not in WORDS:
                searchmoves.append(words[index])
                index += 1
            if index == first:
                faults.append(f"'{(words[index:] or [''])[0][:20]}' after searchmoves: expected moves, such as e2e4")
        elif word == "mate" and words[index : index + 1] == ["infinite"]:
            values["prove"] = True
            index += 1
        elif word in numbers:
            name, text = numbers[word], words[index] if index < len(words) else ""
            try:
                values[name] = max(
                    -MAX_LIMIT, min(MAX_LIMIT, parse_int(text, MINIMUM.get(name), place=f"after {word}"))
                )
                index += 1
            except ValueError as error:
                if name == "perft":
                    raise
                faults.append(f"{error}{' or infinite' * (name == 'mate')}")
                index += text not in numbers and text not in WORDS
        else:
            known = (*numbers, *WORDS)
            faults.append(f"'{word[:20]}' after go{did_you_mean(word, known)}: expected one of {', '.join(known)}")
    return values, searchmoves, faults
