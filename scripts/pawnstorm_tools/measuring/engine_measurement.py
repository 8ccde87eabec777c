"""What a UCI engine makes of positions of known value: whether it keeps a win, and whether it has proven who wins."""

import statistics
import sys

from scipy.stats import binomtest

from pawnstorm.core import native
from pawnstorm.games.notation import move_text
from pawnstorm.numbers import pluralize
from pawnstorm_protocol.client.info import parse_info
from pawnstorm_protocol.client.process import EngineFault
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.fields import is_int, number, require, text
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.measuring.known_values import KEY, Unsuitable
from pawnstorm_tools.referee.clock import TimeControl
from pawnstorm_tools.referee.player import Player
from pawnstorm_tools.referee.settings import EngineSettings
from pawnstorm_tools.startup import ROOT

OPTIONAL = {"VariantPath", "Hash", "Threads"}
"""The UCI options that an engine may lack."""
FAULT = {"fault": (text, "text")}
ANSWER = {
    "move": (text, "a move"),
    "claim": (lambda value: value in (-1, 0, 1), "-1, 0 or 1"),
    "score": (lambda value: value is None or is_int(value) or text(value), "a score"),
    "ms": (number, "a number from 0"),
}
"""The fields of a record of ask()."""


def measure(file, part, engine, options, movetime, results_path):
    """Have an engine think about each position of a ValueFile, or of one part, and print the result, whatever ended the
    run.

    engine: its command, None for ours; options: {name: value}, of which it may lack those of OPTIONAL. Raises
    Unsuitable, EngineError.
    """
    if any(position.winning is None for position in file.positions):
        raise Unsuitable(f"{file.path} does not tell which moves win: expected a file that `make` has written")
    found = file.of_part(part)
    command, folder = (engine, None) if engine else (f"'{sys.executable}' -m pawnstorm", str(ROOT))
    options = {"VariantPath": str(ROOT / "scripts" / "variants.ini")} | options
    player = Player(
        EngineSettings(command, TimeControl(), directory=folder, options=tuple(options.items())), file.rules
    )
    results = None
    try:
        native.core()  # a fresh checkout builds it here, not in the engine
        player.start()
        player.require_options(OPTIONAL)
        fixed = {
            "positions": file.identifier,
            "engine": player.engine.name,
            "command": player.settings.command,
            "movetime": movetime,
            "options": [list(item) for item in player.settings.options],
        }
        results = Journal(results_path, "measurement", KEY, fixed, check)
        for position in tqdm(found, unit=" positions", file=sys.stderr, smoothing=0):
            if position.fen not in results.records:
                results.add(ask(player, position, movetime))
    finally:
        player.engine.quit()
        if results:
            results.close()
            answered = [position for position in found if position.fen in results.records]
            show([(position, results.records[position.fen]) for position in answered], part, found)


def check(record):
    """Raise ValueError, which says what is wrong, unless it is a record of ask()."""
    require(record, FAULT if "fault" in record else ANSWER)


def show(answers, part, found):
    """Print what (Position, record of ask()) say, of each part of the positions `found` and of all."""
    parts = list(dict.fromkeys(position.part for position in found))
    for line in failures(answers):
        print(line)
    groups = [(name, [pair for pair in answers if pair[0].part == name]) for name in parts if len(parts) > 1]
    for name, some in [*groups, (part or "all", answers)]:
        print(f"plies {name}: {pluralize(len(some), 'position')}")
        print("\n".join(report(some)), flush=True)


def claim(info):
    """1 where an info line, as bytes, tells that the side to move is proven to win, -1 to lose, 0 neither. A bound
    tells one half only.
    """
    score, *_ = parse_info(info)
    if not isinstance(score, str):
        return 0
    told = -1 if score.startswith("-") else 1
    return 0 if (b" upperbound" if told > 0 else b" lowerbound") in info else told


def ask(player, position, movetime):
    """The record of one search, from an empty table and of `movetime` ms: fen, move, claim, score as told and ms to the
    answer.

    Or fen and fault, in words, where there was no legal answer. Raises EngineFault when an engine that has died cannot
    be started again.
    """
    player.new_game()
    try:
        move, milliseconds = player.answer(position.board, movetime)
    except EngineFault as fault:
        player.engine.kill()
        return {"fen": position.fen, "fault": f"{fault.kind}: {fault}"}
    info = player.engine.info
    return {
        "fen": position.fen,
        "move": move_text(position.board, move),
        "claim": claim(info),
        "score": parse_info(info)[0],
        "ms": round(milliseconds, 1),
    }


def keeps(position, answer):
    """Whether a won position is still won after the answer."""
    return answer.get("move") in position.winning


def proves(position, answer):
    """Whether the answer came with a proof of the position's value."""
    return answer.get("claim") == position.value


def errs(position, answer):
    """Whether the answer came with a proof of the contrary."""
    return answer.get("claim") == -position.value


def share(counts):
    """`117 of 118  99.2 % (95 %: 95.4 to 100.0 %)` of a list of truth values; the interval is Clopper and Pearson's."""
    good, total = sum(counts), len(counts)
    text = f"{good} of {total}"
    if total:
        low, high = binomtest(good, total).proportion_ci(method="exact")
        text = f"{text:12} {good / total:6.1%}   (95 %: {low:.1%} to {high:.1%})"
    return text


def report(answers):
    """Lines about a list of (Position, record of ask())."""
    won, lost = ([pair for pair in answers if pair[0].value == value] for value in (1, -1))
    lines = [f"  win kept    {share([keeps(*pair) for pair in won])}"]
    for name, pairs in ("proven", answers), ("  won", won), ("  lost", lost):
        lines.append(f"  {name:11} {share([proves(*pair) for pair in pairs])}")
    lines.append(
        f"  wrong       {sum(errs(*pair) for pair in answers)} proofs of the contrary, "
        f"{sum('fault' in answer for _, answer in answers)} faults"
    )
    times = [answer["ms"] for _, answer in answers if "ms" in answer]
    if times:
        lines.append(f"  time        median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")
    return lines


def failures(answers):
    """A line for each win that was not kept, each wrong proof and each fault."""
    for position, answer in answers:
        if "fault" in answer:
            yield f"fault       {position.fen}: {answer['fault']}"
        elif errs(position, answer):
            yield f"wrong       {position.fen}: the engine says {answer['score']}, the value is {position.value}"
        if position.value > 0 and "move" in answer and not keeps(position, answer):
            yield f"not kept    {position.fen}: {answer['move']} instead of {' or '.join(position.winning)}"
