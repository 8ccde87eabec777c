"""The dialects of the course's servers: the forms in which they send messages. Data, and the texts made from them."""

import re
from collections import namedtuple

from pawnstorm.games.notation import COLOURS
from pawnstorm_protocol.course import messages

Dialect = namedtuple(
    "Dialect", "greeting ok_before_setup newline order time_in_seconds bare upper colours turn move won lost"
)
Dialect.__doc__ = """How a server speaks. A client hears most of it; it guesses `newline`, `ok_before_setup` and
`time_in_seconds`.

greeting         the server's first line, "" if the client speaks first
ok_before_setup  whether the client says OK before it is told of a game
newline          what ends a line
order            of "setup" and "time"
time_in_seconds  whether Time counts seconds, not minutes
bare             whether Time is a number alone
upper            whether the squares of Setup, and the line by which the first player begins, are in upper case
colours          (White, Black): the lines that tell the players their colours, or ""
turn             the line before each move of the client's, or ""
move             the line that tells the opponent's move
won, lost        the last line, for the winner and for the loser

Texts may hold {move}; {white}, {black} and {own}, the seconds left to White, to Black and to the reader; {WINNER},
{Winner} and {W}, the winner; {plies}.
"""

COURSE = Dialect(
    greeting="",
    ok_before_setup=True,
    newline=b"\n",
    order=("setup", "time"),
    time_in_seconds=False,
    bare=False,
    upper=False,
    colours=("", ""),
    turn="",
    move="{move}",
    won="GameOver {WINNER} plies={plies}",
    lost="GameOver {WINNER} plies={plies}",
)
"""The course's own server of 2026. The other servers are older or home-made; their names say what is special about them."""

DIALECTS = {
    "course": COURSE,
    "welcome": COURSE._replace(greeting="Welcome", ok_before_setup=False, colours=COLOURS, won="exit", lost="exit"),
    "timer": COURSE._replace(
        greeting="Connected",
        newline=b"\r\n",
        order=("time", "setup"),
        bare=True,
        upper=True,
        colours=("Color W", "Color B"),
        turn="TIMER W:{white} B:{black}",
        won="WIN:{W}",
        lost="WIN:{W}",
    ),
    "role": COURSE._replace(
        greeting="Connected to the server!",
        colours=("Role White", "Role Black"),
        turn="TimeRemaining {own}",
        move="MOVE {move}",
        won="win: {Winner} wins",
        lost="win: {Winner} wins",
    ),
    "no-newline": COURSE._replace(greeting="Connected with client!", newline=b"", upper=True, won="EXIT", lost="EXIT"),
    "assign": COURSE._replace(
        greeting="Connected",
        order=("time", "setup"),
        time_in_seconds=True,
        bare=True,
        turn="Your turn",
        colours=("ASSIGN White", "ASSIGN Black"),
        won="Win",
        lost="Lost",
    ),
}
NEWLINES = {"lf": b"\n", "crlf": b"\r\n", "none": b""}
ORDERS = {"setup-time": ("setup", "time"), "time-setup": ("time", "setup")}


def customized(name="course", greeting=None, role=None, move=None, newline=None, order=None):
    """A named dialect with some parts replaced. None leaves a part unchanged. Raises ValueError.

    role: the line that tells White its colour, or "" for none; Black's line is made from it. move: the line that
    reports a move, written for the move e2e4. newline, order: names in NEWLINES and ORDERS.
    """
    for text, what, known in ((name, "dialect", DIALECTS), (newline, "newline", NEWLINES), (order, "order", ORDERS)):
        if text is not None and text not in known:
            raise ValueError(f"'{text}' is not a valid {what}: expected {', '.join(known)}")
    dialect = DIALECTS[name]
    if greeting is not None:
        known = messages.parse(greeting)
        dialect = dialect._replace(greeting=greeting, ok_before_setup=not known or known[0].value is not False)
    if role is not None:
        black = role
        for word, other in (("WHITE", "BLACK"), ("White", "Black"), ("white", "black"), ("W", "B")):
            black = re.sub(rf"\b{word}\b", other, black)
        if role and black == role:
            raise ValueError(f"'{role}' does not tell White its colour: expected White or W in it, as in 'Color W'")
        dialect = dialect._replace(colours=(role, black))
    if move is not None:
        if "e2e4" not in move:
            raise ValueError(f"'{move}' has no place for a move: expected e2e4 in it, as in 'MOVE e2e4'")
        dialect = dialect._replace(move=move.replace("{", "{{").replace("}", "}}").replace("e2e4", "{move}"))
    if newline is not None:
        dialect = dialect._replace(newline=NEWLINES[newline])
    if order is not None:
        dialect = dialect._replace(order=ORDERS[order])
    return dialect


def describe(dialect):
    """The lines that a server of this dialect sends White, in a game of 30 minutes that White wins."""
    case = str.upper if dialect.upper else str
    told = {"setup": f"Setup {case('Wa2')} ...", "time": time_text(dialect, 1800)}
    said = [dialect.greeting] if dialect.greeting else []
    said += [told[part] for part in dialect.order]
    said.append(case(dialect.colours[0] or "Begin"))
    said += [dialect.turn.format(white="12.50", black="9.00", own="12.50")] if dialect.turn else []
    said += [dialect.move.format(move="e7e5"), result_text(dialect, 0, True, 33)]
    newline = next(name for name, value in NEWLINES.items() if value == dialect.newline)
    return " | ".join(said) + ("" if newline == "lf" else f"   (line ends: {newline})")


def whole_units(dialect, seconds):
    """Seconds, rounded down to a whole number of the dialect's unit (minutes or seconds), at least one unit."""
    unit = 1 if dialect.time_in_seconds else 60
    return max(1, int(seconds // unit)) * unit


def time_text(dialect, seconds):
    """The line that tells a player the time for a game."""
    number = f"{seconds if dialect.time_in_seconds else seconds / 60:.6f}".rstrip("0").rstrip(".")
    return number if dialect.bare else f"Time {number}"


def result_text(dialect, winner, won, plies):
    """The line that tells a player the result. winner: 0 for White, 1 for Black. won: whether the player is the winner."""
    name = COLOURS[winner]
    return (dialect.won if won else dialect.lost).format(WINNER=name.upper(), Winner=name, W=name[0], plies=plies)
