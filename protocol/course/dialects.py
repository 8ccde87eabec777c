"""The ways in which the course's servers speak, by name. Data, and the texts made of it."""

from collections import namedtuple

from engine.notation import COLOURS

Dialect = namedtuple("Dialect", "greeting answered newline order seconds bare upper colours turn move won lost")
Dialect.__doc__ = """How a server speaks. A client knows all of it from hearing it, but for `newline`, `answered` and `seconds`,
which it guesses where the number is bare.

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
    "connected": _COURSE._replace(greeting="Connected", newline=b"\r\n", order=("time", "setup"), bare=True, upper=True,
                                  colours=("Color W", "Color B"), turn="TIMER W:{white} B:{black}", won="WIN:{W}", lost="WIN:{W}"),
    "server": _COURSE._replace(greeting="Connected to the server!", colours=("Role White", "Role Black"), turn="TimeRemaining {own}",
                               move="MOVE {move}", won="win: {Winner} wins", lost="win: {Winner} wins"),
    "client": _COURSE._replace(greeting="Connected with client!", newline=b"", upper=True, won="EXIT", lost="EXIT"),
    "student": _COURSE._replace(greeting="Connected", order=("time", "setup"), seconds=True, bare=True, turn="Your turn",
                                colours=("ASSIGN White", "ASSIGN Black"), won="Win", lost="Lost"),
}
NEWLINES = {"lf": b"\n", "crlf": b"\r\n", "none": b""}


def time_text(dialect, seconds):
    """How a dialect tells the time for a game."""
    number = f"{seconds if dialect.seconds else seconds / 60:.6f}".rstrip("0").rstrip(".")
    return number if dialect.bare else f"Time {number}"


def ending(dialect, winner, won, plies):
    """How a dialect tells the end to one of the two. winner: 0 White, 1 Black; won: whether it is the one that reads this."""
    name = COLOURS[winner]
    return (dialect.won if won else dialect.lost).format(WINNER=name.upper(), Winner=name, W=name[0], plies=plies)
