"""Grows a tree (tree.py) in a journal, which has a record for each search."""

import math
import sys
from concurrent.futures import FIRST_COMPLETED, wait

from pawnstorm import __version__
from pawnstorm.core.state import WIN
from pawnstorm.games.notation import fen
from pawnstorm.games.rules import get_rules
from pawnstorm_tools.common import fields, journal, pool
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.opening_tree import TreeError, output
from pawnstorm_tools.opening_tree.searching import signature
from pawnstorm_tools.opening_tree.tree import Tree

KIND, KEY = "tree of openings", "search"
SOURCE = "pawnstorm_tools.opening_tree.searching"
ENGINE = ("engine", "signature")
"""The settings that say which engine searches."""
FIELDS = {
    KEY: (lambda value: fields.is_int(value, 0), "a whole number from 0"),
    "position": (fields.text, "a FEN"),
    "move": (fields.text, "a move"),
    "score": (lambda value: fields.is_int(value) and abs(value) < WIN, "a score"),
}


def check(record, tree):
    """Add a record to a Tree. Raises ValueError if it is not the record of a search, or does not fit those before it."""
    fields.require(record, FIELDS)
    tree.add(record)


def grow(path, rules, limits, mebibytes, ply_score, margin, searches, processes):
    """Add searches to a file until it has `searches` of them, or until nothing is left to search; returns its settled Tree.

    limits: {"nodes": N} or {"movetime": milliseconds} of each search; mebibytes: the hash table of each search; ply_score,
    margin: as for Tree; searches: math.inf for no limit. Prints a summary of the Tree at the end, also after Ctrl-C. Raises
    JournalError, OSError, pool.PoolError, MemoryError.
    """
    settings = {
        "variant": rules.name,
        **limits,
        "hash": mebibytes,
        "engine": __version__,
        "signature": signature(rules),
    }
    tree = Tree(rules, ply_score, margin)
    kept = journal.Journal(path, KIND, KEY, settings, lambda record: check(record, tree), _changed)
    try:
        tree.settle_all()
        count = len(kept.records)
        with (
            pool.workers(SOURCE, (rules.name, limits, mebibytes), processes) as workers,
            tqdm(
                total=None if searches == math.inf else max(searches, count),
                initial=count,
                unit=" searches",
                file=sys.stderr,
                smoothing=0,
            ) as bar,
        ):
            _search(tree, kept, workers, processes, searches, bar)
    finally:
        kept.close()
        tree.settle_all()  # Ctrl-C may have come after tree.add(), before tree.settle() has updated the values
        output.summary(tree)
    return tree


def _search(tree, kept, workers, processes, searches, bar):
    """Search the positions that the tree chooses, as many at a time as there are processes."""
    running = set()
    while True:
        while len(running) < processes and len(kept.records) + len(running) < searches and (task := tree.wanted()):
            tree.begin(task)
            running.add(workers.submit((fen(task.node.board), task.moves)))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            record = {KEY: len(kept.records)} | future.result()
            kept.add(record)
            tree.settle(tree.add(record))
            bar.set_postfix_str(f"start {output.score_text(tree.root.value)}", refresh=False)
            bar.update()


def _changed(name, was, asked):
    """The message for a setting that has another value in the file."""
    if name in ENGINE:
        return (
            f"the engine is not the one that began the file, or plays differently ('{name}' was {was}, now {asked}): "
            "expected that engine, or another file"
        )
    return f"'{name}' was {was}, now {asked}"


def read(path, ply_score, margin):
    """The settled Tree of a file, which a run may be extending. Raises TreeError, JournalError, UnknownGame, OSError."""
    _, settings, records = journal.read(path, KIND, KEY)
    if not isinstance(settings.get("variant"), str):
        raise journal.JournalError(f"{path} names no game: expected a 'variant' among the settings of its first line")
    tree = Tree(get_rules(settings["variant"]), ply_score, margin)
    for number, record in records.items():
        try:
            check(record, tree)
        except ValueError as error:
            raise journal.JournalError(f"{path}, {KEY} {number}: {error}") from None
    if not tree.root.edges:
        raise TreeError(f"{path} holds no search: expected what `grow` has written")
    tree.settle_all()
    return tree
