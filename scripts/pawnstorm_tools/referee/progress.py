"""What a match prints while it is played, and when: a line for each finished game, and the score, in the bar and where
asked. output.py has the text of the lines.
"""

import contextlib
import os
import sys
from collections import Counter

from pawnstorm.pgn import comment_text
from pawnstorm_tools.referee import output, stats


class Progress:
    """Follows a match.

    names   the engines'
    bar     a tqdm, on stderr
    games   the records by number; whoever owns them adds those that end
    """

    def __init__(self, settings, names, bar, games):
        self.settings, self.names, self.bar, self.games = settings, names, bar, games
        self.tally = stats.tally([], settings.pairs)
        self.won, self.played = Counter(), Counter()
        self.stream = stream(settings.pgnout)
        if settings.rating_interval and len(names) > 2:
            from pawnstorm_tools.referee import standings  # noqa: F401  loads numpy before the clocks run: meanwhile no engine is heard
        for record in games.values():
            self.count_game(record)
        self.update_bar()

    def add(self, record):
        """Print what is to be said of a game that has just ended, and is among the games."""
        self.count_game(record)
        self.print_line(output.finished_line(record))
        count = len(self.games)
        if due(self.settings.rating_interval, count):
            records, pairs = list(self.games.values()), self.settings.pairs
            self.print_line("\n".join(output.ratings(records, self.names, pairs, self.settings.sprt)))
        elif due(self.settings.score_interval, count):
            self.print_line(self.score())
        self.update_bar()
        self.bar.update()

    def decided(self):
        """Whether the test is over."""
        return bool(self.settings.sprt and self.settings.sprt.verdict(self.settings.sprt.llr(self.tally.counts)))

    def count_game(self, record):
        if len(self.names) == 2:
            self.tally.add(record["game"], stats.points(record))
        self.won[record["white" if record["result"] == "1-0" else "black"]] += 1
        self.played.update((record["white"], record["black"]))

    def print_line(self, text):
        """Print above the bar if both are on a terminal, or else just print."""
        if all(stream is not None and stream.isatty() for stream in (self.stream, sys.stderr)):
            self.bar.write(text, file=self.stream)
        else:
            print(text, file=self.stream, flush=True)

    def score(self):
        """The line of -scoreinterval."""
        count = len(self.games)
        if len(self.names) > 2:
            return output.standing_line(count, self.entries())
        return output.score_line(self.won[self.names[0]], count, self.names)

    def update_bar(self):
        """Put the score into the bar, if it is shown."""
        if self.bar.disable:
            return
        if len(self.names) > 2:
            others = 42 + 2 * len(str(self.bar.total))  # letters of percentage, games and times
            text = output.standing(self.entries(), (self.bar.ncols or 80) - others)
        else:
            ratio = self.settings.sprt.llr(self.tally.counts) if self.settings.sprt else None
            text = output.bar_score(self.won[self.names[0]], len(self.games), ratio)
        self.bar.set_postfix_str(text, refresh=False)

    def entries(self):
        """(name, won, played) of the engines that have played, best first."""
        ranked = sorted(self.played, key=lambda name: (-self.won[name] / self.played[name], self.names.index(name)))
        return [(comment_text(name), self.won[name], self.played[name]) for name in ranked]


def stream(pgnout):
    """Where the lines go: stdout, or stderr where the games themselves go to stdout."""
    with contextlib.suppress(OSError):
        if pgnout and os.path.samestat(os.stat(pgnout), os.fstat(1)):
            return sys.stderr
    return sys.stdout


def due(interval, count):
    return interval and count % interval == 0
