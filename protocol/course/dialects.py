"""The ways in which the course's servers speak, by name. Data, and the texts made of it."""

import re
from collections import namedtuple

from engine.notation import COLOURS
from protocol.course import messages

Dialect = namedtuple("Dialect", "greeting answered newline order seconds bare upper colours turn move won lost")
Dialect.__doc__ = """How a server speaks. A client hears most of it; it is told `newline`, `answered` and `seconds`, or guesses them.

greeting    its first line, "" where the client speaks first     answered    whether the client says OK before it hears of a game
newline     what ends a line                                     order       of Setup and Time
seconds     Time counts seconds, not minutes                     bare        Time is a number alone
upper       squares in upper case                                colours     (White, Black): what tells them their colour, or ""
turn        before each move of the client's, or ""              move        how the opponent's move is told
won, lost   the end, as the winner and the loser hear it

In texts {white} and {black} are seconds left, {own} those of who reads it; {move}; {WINNER}, {Winner} and {W} the winner; {plies}.
"""

_COURSE = Dialect("", True, b"\n", ("setup", "time"), False, False, False, ("", ""), "", "{move}", *["GameOver {WINNER} plies={plies}"] * 2)

DIALECTS = {
    "course": _COURSE,      # the course's own server of 2026; the others are older or home-made
    "welcome": _COURSE._replace(greeting="Welcome", answered=False, colours=COLOURS, won="exit", lost="exit"),
    "timer": _COURSE._replace(greeting="Connected", newline=b"\r\n", order=("time", "setup"), bare=True, upper=True,
                              colours=("Color W", "Color B"), turn="TIMER W:{white} B:{black}", won="WIN:{W}", lost="WIN:{W}"),
    "role": _COURSE._replace(greeting="Connected to the server!", colours=("Role White", "Role Black"), turn="TimeRemaining {own}",
                             move="MOVE {move}", won="win: {Winner} wins", lost="win: {Winner} wins"),
    "unended": _COURSE._replace(greeting="Connected with client!", newline=b"", upper=True, won="EXIT", lost="EXIT"),
    "assign": _COURSE._replace(greeting="Connected", order=("time", "setup"), seconds=True, bare=True, turn="Your turn",
                               colours=("ASSIGN White", "ASSIGN Black"), won="Win", lost="Lost"),
}
NEWLINES = {"lf": b"\n", "crlf": b"\r\n", "none": b""}
ORDERS = {"setup-time": ("setup", "time"), "time-setup": ("time", "setup")}


def adapted(name="course", greeting=None, role=None, move=None, newline=None, order=None):
    """A named dialect with some parts replaced, each of them None or a text. Raises ValueError.

    role: the line that tells White its colour, from which Black's is made, "" for none; move: the line that tells the move e2e4;
    newline and order: names in NEWLINES and ORDERS.
    """
    for text, what, known in ((name, "dialect", DIALECTS), (newline, "newline", NEWLINES), (order, "order", ORDERS)):
        if text is not None and text not in known:
            raise ValueError(f"'{text}' is no {what}: expected {', '.join(known)}")
    dialect = DIALECTS[name]
    if greeting is not None:
        known = messages.read(greeting)
        dialect = dialect._replace(greeting=greeting, answered=not known or known[0].value is not False)
    if role is not None:
        black = role
        for word, other in (("WHITE", "BLACK"), ("White", "Black"), ("white", "black"), ("W", "B")):
            black = re.sub(rf"\b{word}\b", other, black)
        if role and black == role:
            raise ValueError(f"'{role}' does not tell White its colour: expected White or W in it, as in 'Color W'")
        dialect = dialect._replace(colours=(role, black))
    if move is not None:
        if "e2e4" not in move:
            raise ValueError(f"'{move}' does not tell a move: expected e2e4 in it, as in 'MOVE e2e4'")
        dialect = dialect._replace(move=move.replace("{", "{{").replace("}", "}}").replace("e2e4", "{move}"))
    if newline is not None:
        dialect = dialect._replace(newline=NEWLINES[newline])
    if order is not None:
        dialect = dialect._replace(order=ORDERS[order])
    return dialect


def described(dialect):
    """What a server of this dialect says in a game of 30 minutes that White wins."""
    case = str.upper if dialect.upper else str
    told = {"setup": f"Setup {case('Wa2')} ...", "time": time_text(dialect, 1800)}
    said = [dialect.greeting] if dialect.greeting else []
    said += [told[part] for part in dialect.order]
    said.append(case(dialect.colours[0] or "Begin"))
    said += [dialect.turn.format(white="12.50", black="9.00", own="12.50")] if dialect.turn else []
    said += [dialect.move.format(move="e7e5"), ending(dialect, 0, True, 34)]
    newline = next(name for name, value in NEWLINES.items() if value == dialect.newline)
    return " | ".join(said) + ("" if newline == "lf" else f"   (line ends: {newline})")


def whole(dialect, seconds):
    """The most seconds, but at least one unit, that a dialect can tell as a whole number of its minutes or seconds."""
    unit = 1 if dialect.seconds else 60
    return max(1, int(seconds // unit)) * unit


def time_text(dialect, seconds):
    """How a dialect tells the time for a game."""
    number = f"{seconds if dialect.seconds else seconds / 60:.6f}".rstrip("0").rstrip(".")
    return number if dialect.bare else f"Time {number}"


def ending(dialect, winner, won, plies):
    """How a dialect tells the end to one of the two. winner: 0 White, 1 Black; won: whether it is the one that reads this."""
    name = COLOURS[winner]
    return (dialect.won if won else dialect.lost).format(WINNER=name.upper(), Winner=name, W=name[0], plies=plies)
