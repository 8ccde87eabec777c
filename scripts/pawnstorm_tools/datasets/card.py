"""The card of a dataset, README.md, in the form that Hugging Face reads: a head in YAML, then how the dataset was made, its
columns, the distribution of its rows, and what its users must know.
"""

from typing import NamedTuple

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.datasets.columns import COLUMNS
from pawnstorm_tools.datasets.counts import KINDS, PLIES, SCORE_RANGES, SPLITS, values_of

SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))
FAMILIES = {"twoflags": "Two Flags", "pawnsonly": "Two Flags", "breakthrough": "Breakthrough", "hexapawn": "Hexapawn"}
FAULTS = 5
"""The maximum number of faulty games that the card names."""


class Head(NamedTuple):
    """Facts for the card that are not in the settings.

    command     the command that makes the dataset again
    license     the licence, as Hugging Face names it
    """

    command: str
    license: str


def text(head, settings, done, total, counts, faults, names):
    """The text of the card. settings, counts, faults: as in a Run. done, total: how many games are made, and how many are
    wanted. names: the names of the files with rows.
    """
    rules, rows = get_rules(settings["game"]), sum(counts[f"{split}/rows"] for split in SPLITS)
    title = f"{FAMILIES[rules.family]} on {rules.files}x{rules.ranks}: positions with values"
    return "\n".join(
        [
            *_head(head, settings, title, counts, rows),
            f"# {title}",
            "",
            f"{pluralize(rows, 'position')} of {pluralize(done, 'game')}, each with the move played, a score, the result of the "
            "game and, if it is known, the proven value. White's pawns are `P`, and move up the board.",
            *([] if done == total else ["", f"**Not finished: {done:,} of {total:,} games are done.**"]),
            *_reading(settings, names),
            *_making(head, settings, counts, faults),
            *_columns(settings),
            *_distribution(counts),
            *_caveats(settings, counts),
            "",
        ]
    )


def _head(head, settings, title, counts, rows):
    size = next((name for limit, name in SIZES if rows < limit), "n>10M")
    lines = ["---", f"license: {head.license}", f'pretty_name: "{title}"', "task_categories:"]
    lines += ["- reinforcement-learning", "- tabular-classification", "- tabular-regression"]
    lines += ["tags:", "- board-games", f"- {get_rules(settings['game']).family}", "- game-solving"]
    lines += [] if settings["files"] else ["- self-play"]
    lines += ["size_categories:", f"- {size}"]
    if settings["format"] == "parquet":
        lines += ["configs:", "- config_name: default", "  data_files:"]
        for split in SPLITS:
            if counts[f"{split}/rows"]:
                lines += [f"  - split: {split}", f"    path: {split}-*.parquet"]
    return [*lines, "---", ""]


def _reading(settings, names):
    """Examples in Python, formatted as ruff formats them, since the card may be in a repository that checks this."""
    if settings["format"] == "npz":
        name = names[0] if names else "train-00000.npz"
        ways = [
            ["import numpy", "", f'data = numpy.load("{name}")', 'print(data["planes"].shape, data["result"][:10])']
        ]
    else:
        pandas = 'data = pandas.concat(map(pandas.read_parquet, sorted(Path().glob("train-*.parquet"))))'
        polars = ['data = polars.read_parquet("train-*.parquet")', 'print(data.group_by("proven").len())']
        ways = [["from pathlib import Path", "import pandas", "", pandas], ["import polars", "", *polars]]
    blocks = [line for way in ways for line in ("```python", *way, "```", "")]
    return _section("Read it", *blocks[:-1])


def _making(head, settings, counts, faults):
    lines = [
        f"[Pawnstorm](https://pypi.org/project/pawnstorm/) {settings['version']} made it with this command:",
        "",
        f"    {head.command}",
        "",
    ]
    table = f"a table of {settings['hash']} MiB, empty at the beginning of each game"
    if settings["files"]:
        read = ", ".join(f"`{name}` (SHA-256 {digest})" for name, digest in settings["files"])
        lines.append(f"- **Games**: read from {read}.")
    else:
        least, most = settings["plies"]
        lines.append(
            f"- **Games**: the engine against itself. A game begins with {least} to {most} random moves, each legal move "
            "with the same probability. The first position of a game in the dataset is the one after these moves. From there on, "
            f"{_random_moves(settings)} until the game is over by the rules."
        )
    if settings["nodes"]:
        lines.append(f"- **Scores**: a search of about {settings['nodes']:,} nodes on one thread, with {table}.")
    else:
        lines.append("- **Scores**: those of the comments in the PGN.")
    if settings["expansions"]:
        lines.append(
            "- **Proofs**: the solver (depth-first proof-number search) on each position, with at most about "
            f"{settings['expansions']:,} expansions (positions whose moves it generates) and {table}. The solver begins "
            "with the last position of a game and goes back to the first."
            + (" A forced win that the search sees is a proof too." if settings["nodes"] else "")
        )
    else:
        lines.append("- **Proofs**: " + ("only forced wins that the search sees." if settings["nodes"] else "none."))
    if settings["keep_duplicates"]:
        lines.append("- **Duplicates**: kept.")
    else:
        lines.append(
            f"- **Duplicates**: {pluralize(counts['duplicates'], 'position')} left out. A position is written once, with the "
            "values of the first game that reached it. Two positions are the same if they have the same board, side to "
            "move and en passant square; the counters of the FEN do not matter. A position and its mirror image (left and right "
            "exchanged) count as the same."
        )
    lines.append(
        f"- **Splits**: by game. Each game belongs to `validation` with a probability of {settings['validation']:g}, otherwise "
        "to `train`. "
        + (
            "No game is in both, but a position may be."
            if settings["keep_duplicates"]
            else "No game and no position is in both."
        )
    )
    lines.append(f"- **Seed**: {settings['seed']}. The same command makes the same rows, with any number of processes.")
    if faults:
        lines.append(f"- **Left out**: {pluralize(len(faults), 'game')} that could not be read, such as")
        lines += [f"  - {_inline(fault)}" for fault in faults[:FAULTS]]
    if counts["empty"]:
        why = "without a move" if settings["files"] else "that the random moves ended"
        lines.append(f"- **Without a position**: {pluralize(counts['empty'], 'game')} {why}.")
    return _section("How it was made", *lines)


def _random_moves(settings):
    if settings["random"]:
        return (
            f"both sides play the best move of their search or, with a probability of {settings['random']:g}, a random move "
            "(see the column `move_by`)"
        )
    return "both sides play the best move of their search"


def _columns(settings):
    rows = [f"| {name} | {kind} | {unit} | {meaning} |" for name, kind, unit, _, meaning in COLUMNS]
    if settings["format"] == "parquet":
        note = "An unknown value is null. The metadata of the fields in each file has the meanings and units too."
    else:
        missing = ", ".join(
            f"`{column.name}` {column.missing}" for column in COLUMNS if column.missing not in (None, "")
        )
        note = (
            f"An unknown value is {missing}, or an empty text in a column of texts. Texts are ASCII bytes. `planes` is a uint8 "
            "array [n, 4, ranks, files]; index [:, :, r, f] is the square on rank r + 1 and file f, 0 for the a-file. Plane 0 "
            "has White's pawns, 1 Black's pawns, 2 the en passant square, and 3 ones if Black is to move."
        )
    return _section("Columns", "| column | type | unit | meaning |", "|---|---|---|---|", *rows, "", note)


def _distribution(counts):
    lines = [
        "| | | train | validation |",
        "|---|---|---:|---:|",
        _row("positions", "", [counts[f"{s}/rows"] for s in SPLITS]),
    ]
    for kind in KINDS:
        found = values_of(counts, kind)
        if kind == "score":
            order = [name for name in (*SCORE_RANGES, "null") if name in found]
        else:
            order = sorted(found, key=int if kind == "ply" else str)
        for value in order:
            shown = f"{value} to {int(value) + PLIES - 1}" if kind == "ply" else value
            lines.append(_row(f"`{kind}`", shown, found[value].values()))
    outcomes = [f"{name} {counts[name]:,}" for name in ("white won", "black won", "undecided") if counts[name]]
    return _section("What is in it", *lines, "", f"Games: {', '.join(outcomes) or 'none'}.")


def _row(kind, value, numbers):
    return f"| {kind} | {value} | " + " | ".join(f"{number:,}" for number in numbers) + " |"


def _caveats(settings, counts):
    kept = values_of(counts, "kept")
    yes, no = (sum(kept.get(answer, {}).values()) for answer in ("yes", "no"))
    lines = [
        "- `score`, `result` and `proven` are for the side to move. The board in `fen`, and in the `planes` of npz files, is not "
        "turned for Black.",
        "- `result` is that of one game, in which both players may err."
        + (
            f" For {pluralize(yes + no, 'position')} it is proven who wins with best play. The proven winner "
            f"also won the game in {f'{yes:,}' if no else 'all'} of these positions."
            if yes + no
            else ""
        ),
        "- A position without a proven value is not a draw, and need not be even: it could not be proven within the limits. Most "
        "proven positions are near the end of a game, so they are not a representative sample.",
    ]
    if settings["nodes"]:
        lines.append(
            "- A score also depends on the earlier positions of the game, whose searches filled the table. A search of the FEN "
            f"alone can give another score. Scores beyond ±{MIN_WIN_SCORE} are wins and losses, not centipawns: clip them, or "
            "use `proven`."
        )
    if settings["files"]:
        lines.append("- The positions are those of the players in the PGN, with their style and mistakes.")
    else:
        lines.append(
            "- The positions are those that one engine reaches after random openings, which human players would not choose. "
            "Nobody resigns, so many positions are already decided."
        )
    if not settings["keep_duplicates"]:
        lines.append(
            "- A position that many games reach is in the dataset only once. So its frequency is lost, and a game lacks the "
            "positions that it shares with an earlier game. `--keep-duplicates` writes whole games."
        )
    return _section("What to know", *lines)


def _section(title, *lines):
    return ["", f"## {title}", "", *lines]


def _inline(text):
    """A text as inline code in Markdown."""
    return "`" + " ".join(text.split()).replace("`", "'")[:200] + "`"
