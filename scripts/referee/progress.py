"""What a match prints while it is played: a line for each finished game, and the score, in the bar and where asked."""

import contextlib
import math
import os
import sys
from collections import Counter

from engine.pgn import clean

from referee import report


class Progress:
    """Follows a match.

    names   the engines'
    bar     a tqdm, on stderr
    games   the records by number; whoever owns them adds those that end
    """

    def __init__(self, asked, names, bar, games):
        self.asked, self.names, self.bar, self.games = asked, names, bar, games
        self.counted = report.tally([], asked.games == 2)
        self.won, self.played = Counter(), Counter()
        self.output = stream(asked.pgnout)
        if asked.rating_interval and len(names) > 2:
            import referee.standings    # noqa: F401  loads numpy before the clocks run: meanwhile no engine is heard
        for record in games.values():
            self.count(record)
        self.show()

    def add(self, record):
        """Print what is to be said of a game that has just ended, and is among the games."""
        self.count(record)
        self.line(finished(record))
        count = len(self.games)
        if due(self.asked.rating_interval, count):
            records, pairs = list(self.games.values()), self.asked.games == 2
            self.line("\n".join(report.ratings(records, self.names, pairs, self.asked.sprt)))
        elif due(self.asked.score_interval, count):
            self.line(self.score())
        self.show()
        self.bar.update()

    def decided(self):
        """Whether the test is over."""
        return bool(self.asked.sprt and self.asked.sprt.verdict(self.asked.sprt.llr(self.counted.cells)))

    def count(self, record):
        if len(self.names) == 2:
            self.counted.add(record["game"], report.points(record))
        self.won[record["white" if record["result"] == "1-0" else "black"]] += 1
        self.played.update((record["white"], record["black"]))

    def line(self, text):
        """Print above the bar if both are on a terminal, or else just print."""
        if all(stream is not None and stream.isatty() for stream in (self.output, sys.stderr)):
            self.bar.write(text, file=self.output)
        else:
            print(text, file=self.output, flush=True)

    def score(self):
        """The line of -scoreinterval."""
        count = len(self.games)
        if len(self.names) > 2:
            return f"Score after {count} games: {standing(self.entries(), math.inf)}"
        first, second = map(clean, self.names)
        won = self.won[self.names[0]]
        return f"Score of {first} vs {second}: {won} - {count - won}   {100 * won / count:.1f} %"

    def show(self):
        """Put the score into the bar."""
        if len(self.names) > 2:
            others = 42 + 2 * len(str(self.bar.total))     # letters of percentage, games and times
            text = standing(self.entries(), (self.bar.ncols or 80) - others)
        else:
            won = self.won[self.names[0]]
            text = f"{won} - {len(self.games) - won}"
            ratio = self.asked.sprt.llr(self.counted.cells) if self.asked.sprt else None
            text += "" if ratio is None else f", LLR {ratio:+.2f}"
        self.bar.set_postfix_str(text, refresh=False)

    def entries(self):
        """(name, won, played) of the engines that have played, best first."""
        ranked = sorted(self.played, key=lambda name: (-self.won[name] / self.played[name], self.names.index(name)))
        return [(clean(name), self.won[name], self.played[name]) for name in ranked]


def stream(pgnout):
    """Where the lines go: stdout, or stderr where the games themselves go to stdout."""
    with contextlib.suppress(OSError):
        if pgnout and os.path.samestat(os.stat(pgnout), os.fstat(1)):
            return sys.stderr
    return sys.stdout


def due(interval, count):
    return interval and count % interval == 0


SHORTEST = 6
"""No name is shortened to fewer letters."""


def finished(record):
    """The line on one game, as fastchess and cutechess-cli have it."""
    white, black = clean(record["white"]), clean(record["black"])
    return f"Finished game {record['game']} ({white} vs {black}): {record['result']} {{{clean(record['detail'])}}}"


def standing(entries, width):
    """"one 3/4, two 1/4" in at most `width` letters, if it can be.

    Names are shortened first, then the last engines are left out. entries: (name, won, played) of each, best first.
    """
    text, longest = "", max((len(name) for name, *_ in entries), default=0)
    for shown in range(len(entries), 0, -1):
        for length in range(max(SHORTEST, longest), SHORTEST - 1, -1):
            text = ", ".join(f"{shortened(name, length)} {won}/{played}" for name, won, played in entries[:shown])
            text += ", ..." if shown < len(entries) else ""
            if len(text) <= width:
                return text
    return text


def shortened(name, length):
    """Both ends of a name: those of one engine's versions differ at the end."""
    return name if len(name) <= length else name[:(length - 1) // 2] + "~" + name[len(name) - length // 2:]
