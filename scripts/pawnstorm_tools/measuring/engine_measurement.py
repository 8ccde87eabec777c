"""Measures a UCI engine at positions of known value: whether it keeps a win, and whether it has proven who wins."""

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
from pawnstorm_tools.measuring.known_values import by_plies
from pawnstorm_tools.referee.clock import TimeControl
from pawnstorm_tools.referee.player import Player
from pawnstorm_tools.referee.settings import EngineSettings
from pawnstorm_tools.startup import ROOT

KEY = "search"
"""The key of the journal; its values are from name_of()."""
ALL = "all"
"""The name of all parts together."""
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


def measure(file, part, engine, options, movetimes, results_path):
    """Have an engine search the positions of a ValueFile, or of one part of it. However the run ends, print the results.

    movetimes: milliseconds; each position is searched once for each of these times. engine: its command, None for ours.
    options: {name: value} of UCI options; the engine may lack the options in OPTIONAL. results_path: the path of the
    journal, whose searches are not repeated. Raises Unsuitable, EngineError.
    """
    file.require_moves()
    searches = [(movetime, position) for movetime in dict.fromkeys(movetimes) for position in file.of_part(part)]
    command, folder = (engine, None) if engine else (f"'{sys.executable}' -m pawnstorm", str(ROOT))
    options = {"VariantPath": str(ROOT / "scripts" / "variants.ini")} | options
    player = Player(
        EngineSettings(command, TimeControl(), directory=folder, options=tuple(options.items())), file.rules
    )
    results = None
    try:
        native.core()  # a fresh clone builds it here, not in the engine
        player.start()
        player.require_options(OPTIONAL)
        fixed = {
            "positions": file.identifier,
            "engine": player.engine.name,
            "command": player.settings.command,
            "options": [list(item) for item in player.settings.options],
        }
        results = Journal(results_path, "measurement", KEY, fixed, check)
        for movetime, position in tqdm(searches, unit=" searches", file=sys.stderr, smoothing=0):
            name = name_of(movetime, position)
            if name not in results.records:
                results.add({KEY: name} | ask(player, position, movetime))
    finally:
        player.engine.quit()
        if results:
            results.close()
            show([(*search, results.records.get(name_of(*search))) for search in searches])


def name_of(movetime, position):
    """The unique name of a search within a run."""
    return f"{movetime} ms {position.fen}"


def check(record):
    """Raise ValueError, which says what is wrong, unless `record` is one of ask()'s records."""
    require(record, FAULT if "fault" in record else ANSWER)


def show(searches):
    """Print the failures, a table with a row for each part and time, and further figures for each time.

    searches: a (milliseconds, Position, record of ask() or None) for each search; those without a record are left out.
    """
    answered = [search for search in searches if search[2]]
    print("\n".join([*failures(answered), *table(answered), *times(answered)]), flush=True)


def table(answered):
    """Lines of a table in Markdown."""
    yield "| plies | a move | win kept | by a random move | proven |"
    yield "|---|---|---|---|---|"
    parts = by_plies(position.part for _, position, _ in answered)
    rows = [(part or ALL, [part]) for part in parts] + ([(ALL, parts)] if len(parts) > 1 else [])
    for name, among in rows:
        for movetime, pairs in by_time(answered):
            some = [pair for pair in pairs if pair[0].part in among]
            yield "| " + " | ".join([name, f"{movetime} ms", *cells(some)]) + " |"


def by_time(answered):
    """Yield (milliseconds, [(Position, record)]) for each time."""
    for asked in dict.fromkeys(movetime for movetime, *_ in answered):
        yield asked, [(position, answer) for movetime, position, answer in answered if movetime == asked]


def cells(pairs):
    """The cells of a row: the wins kept, the share of wins that a random move would keep, and the values proven.

    pairs: a (Position, record of ask()) for each search of the row
    """
    won = [pair for pair in pairs if pair[0].value > 0]
    chances = [len(position.winning) / len(position.board.moves()) for position, _ in won]
    return (
        " ".join(share([keeps(*pair) for pair in won]).split()),
        f"{statistics.mean(chances):.1%}" if chances else "",
        " ".join(share([proves(*pair) for pair in pairs]).split()),
    )


def times(answered):
    """A line for each time limit: wrong proofs, faults, and how long the engine took."""
    for movetime, pairs in by_time(answered):
        wrong, faults = sum(errs(*pair) for pair in pairs), sum("fault" in answer for _, answer in pairs)
        line = f"{movetime} ms: {pluralize(wrong, 'wrong proof')}, {pluralize(faults, 'fault')}"
        if took := [answer["ms"] for _, answer in pairs if "ms" in answer]:
            line += f"; median {statistics.median(took):.0f} ms, longest {max(took):.0f} ms"
        yield line


def claim(info):
    """The proof that an info line, as bytes, reports: 1 if the side to move wins, -1 if it loses, 0 if there is none.

    An upper bound proves no win, and a lower bound no loss.
    """
    score, *_ = parse_info(info)
    if not isinstance(score, str):
        return 0
    told = -1 if score.startswith("-") else 1
    return 0 if (b" upperbound" if told > 0 else b" lowerbound") in info else told


def ask(player, position, movetime):
    """The record of a search of `movetime` ms from an empty table: move, claim, score as reported and ms to the answer.

    If there was no legal answer, the record has only the fault, in words. Raises EngineFault if an engine that has died
    cannot be started again.
    """
    player.new_game()
    try:
        move, milliseconds = player.answer(position.board, movetime)
    except EngineFault as fault:
        player.engine.kill()
        return {"fault": f"{fault.kind}: {fault}"}
    info = player.engine.info
    return {
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
    """Whether the answer came with a proof of the opposite of the position's value."""
    return answer.get("claim") == -position.value


def share(counts):
    """The share of true values, as `117 of 118    99.2%   (95 %: 95.4% to 100.0%)`; the interval is Clopper and Pearson's."""
    good, total = sum(counts), len(counts)
    text = f"{good} of {total}"
    if total:
        low, high = binomtest(good, total).proportion_ci(method="exact")
        text = f"{text:12} {good / total:6.1%}   (95 %: {low:.1%} to {high:.1%})"
    return text


def failures(answered):
    """A line for each win that was not kept, each wrong proof and each fault."""
    for movetime, position, answer in answered:
        where = f"{movetime} ms, {position.fen}"
        if "fault" in answer:
            yield f"fault       {where}: {answer['fault']}"
        elif errs(position, answer):
            yield f"wrong       {where}: the engine says {answer['score']}, the value is {position.value}"
        if position.value > 0 and "move" in answer and not keeps(position, answer):
            yield f"not kept    {where}: {answer['move']} instead of {' or '.join(position.winning)}"
