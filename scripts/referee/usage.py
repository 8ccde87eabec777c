"""The help of match.py, made from the tables of flags and keys."""

import textwrap

from referee.engine_keys import KEYS
from referee.flags import FLAGS

NOTHING_TO_PLAY = """\
match.py: nothing to play: expected -engine cmd=COMMAND -engine cmd=COMMAND -each tc=TIME [flags]; see -help
"""
COLUMN, WIDTH = 22, 118
OPTION = "a UCI option; sent in this order, UCI_Variant (from -variant unless given) last"


def usage():
    """The help."""
    lines = ["match.py -engine KEY=VALUE... -engine KEY=VALUE... [-each KEY=VALUE...] [flags]", ""]
    for flag in FLAGS.values():
        if flag.kind == "ours":
            lines += entry(f"  {flag.name} {flag.reader.written}", flag.help)
        if flag.name == "-each":
            for name, row in KEYS.items():
                written = name if row.implied is not None else f"{name}={row.kind.written}"
                lines += entry(f"      {written}", row.help)
            lines += entry("      option.NAME=V", OPTION)
    for kind, title in (("idle", "accepted and have no effect"), ("refused", "not supported")):
        lines += ["", f"Words of fastchess and cutechess-cli that are {title}:"]
        for flag in FLAGS.values():
            if flag.kind == kind:
                lines += entry(f"  {flag.name} {flag.reader.written}", flag.help)
    return "\n".join(lines) + "\n"


def entry(head, help):
    """The head, and the help in its column beside it, or below where the head is long. Indented lines stay as they are."""
    head, rows = head.rstrip(), []
    for line in help.splitlines():
        rows += [line] if line.startswith(" ") else textwrap.wrap(line, WIDTH - COLUMN)
    rows = [" " * COLUMN + row for row in rows]
    return [head + rows[0][len(head) :], *rows[1:]] if len(head) < COLUMN - 1 else [head, *rows]
