"""The help of match.py, made from the tables of flags and keys."""

import sys
import textwrap

from pawnstorm_protocol.system import terminal
from pawnstorm_tools.referee.engine_keys import KEYS
from pawnstorm_tools.referee.flags import FLAGS
from pawnstorm_tools.startup import named

NOTHING_TO_PLAY = "nothing to play: expected -engine cmd=COMMAND -engine cmd=COMMAND -each tc=TIME [flags]; see -help"
COLUMN = 22
OPTION = "a UCI option; sent in this order, UCI_Variant (from -variant unless given) last"


def usage():
    """The help, as wide as the terminal."""
    lines = [*entry(f"{named('match.py')} -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]"), ""]
    for flag in FLAGS.values():
        if flag.kind == "ours":
            lines += entry(f"  {flag.name} {flag.reader.written}", flag.help)
        if flag.name == "-each":
            for name, row in KEYS.items():
                written = name if row.implied is not None else f"{name}={row.kind.written}"
                lines += entry(f"      {written}", row.help)
            lines += entry("      option.NAME=V", OPTION)
    for kind, title in (("idle", "accepted and have no effect"), ("refused", "not supported")):
        lines += ["", *entry(f"Words of fastchess and cutechess-cli that are {title}:")]
        for flag in FLAGS.values():
            if flag.kind == kind:
                lines += entry(f"  {flag.name} {flag.reader.written}", flag.help)
    return "\n".join(lines) + "\n"


def entry(head, help=""):
    """The head, and the help in its column beside it, or below where the head is long. Indented lines stay as they are."""
    width = terminal.width(sys.stdout)
    begin = len(head) - len(head.lstrip())
    heads, rows = textwrap.wrap(head, width, subsequent_indent=" " * (begin + 4), break_on_hyphens=False), []
    for line in help.splitlines():
        rows += [line] if line.startswith(" ") else textwrap.wrap(line, max(width - COLUMN, 20), break_on_hyphens=False)
    rows = [" " * COLUMN + row for row in rows]
    if rows and len(heads) == 1 and len(heads[0]) < COLUMN - 1:
        return [heads[0] + rows[0][len(heads[0]) :], *rows[1:]]
    return [*heads, *rows]
