"""Fills in the page's template. The page contains its style, its scripts, the chart library and the games.

The page loads nothing. A content security policy forbids all requests, and all scripts but the page's own. So a text of a PGN
cannot become a script even if its escaping fails. The chart library is Vega-Lite, from vl-convert, the Vega project's own
package. Its charts are SVG, take their colours from the page's scheme, and need no `eval`.
"""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path

from pawnstorm.numbers import pluralize
from pawnstorm.pgn import FAIR
from pawnstorm_tools.referee.standings import standings
from pawnstorm_tools.referee.stats import move_stats
from pawnstorm_tools.reporting import check_libraries, match_statistics, picture, search_statistics
from pawnstorm_tools.reporting.reading import TIME_CONTROL, decided_games, names

FOLDER = Path(__file__).parent
NAMED = 4
"""The most engines that the title names. If there are more, it gives their number."""


def page(games, engine=None):
    """The HTML page of some Games (pawnstorm_tools.reporting.reading). Raises ReportError if a library is missing.

    engine: the address of page.py's page, relative to this one. If None, positions cannot be opened there.
    """
    check_libraries()
    scripts = [library(), joined(scripts_of(FOLDER))]
    texts = {
        name: (FOLDER / file).read_text(encoding="utf-8")
        for name, file in (("style", "page.css"), ("licences", "licences.txt"))
    }
    shown = tables(games)
    return fill_template(
        FOLDER,
        **shown,
        **texts,
        pluralize=pluralize,
        data=embed_json({**data(shown), "engine": engine}),
        engine=engine,
        scripts=scripts,
        hashes=[digest(script) for script in scripts],
    )


def fill_template(folder, template="page.html", boards=None, **values):
    """Fill in a template of `folder`, which extends the report's frame.html; returns the HTML.

    The template gets the values, and the colours and the pawn of a board. boards: the other boards that the page offers, in
    the form of picture.BOARDS.
    """
    import jinja2

    loaded = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FileSystemLoader([folder, FOLDER]),
    ).get_template(template)
    colours = {
        name: {"light": variables(light), "dark": variables(dark)}
        for name, (light, dark) in {"": (picture.LIGHT, picture.DARK), **(boards or {})}.items()
    }
    return loaded.render(**values, boards=colours, pawn=picture.pawn(0, 0))


@cache
def library():
    """Vega, Vega-Lite and Vega-Embed as one script, which defines vegaEmbed()."""
    import vl_convert

    return vl_convert.javascript_bundle()


def scripts_of(folder):
    """The paths of a folder's scripts, sorted by name. main.js, which starts the page, is the last."""
    return sorted(folder.glob("*.js"), key=lambda path: (path.name == "main.js", path.name))


def joined(scripts):
    """Join scripts into one, in a scope of its own, because the library's names are global."""
    texts = (path.read_text(encoding="utf-8") for path in scripts)
    return "\n".join(["(() => {", "'use strict';", *texts, "})();"])


def tables(games):
    """The values for the template's tables."""
    records, players = games.records, names(games.records)
    ended = decided_games(records)
    forfeits = [record for record in records if record["reason"] not in FAIR]
    limits = {
        name: sorted({record["limits"][side] for record in records for side in TIME_CONTROL if record[side] == name})
        for name in players
    }
    return {
        "title": title(players),
        "NAMED": NAMED,
        "controls": sorted({limit for several in limits.values() for limit in several} - {"?"}),
        "variants": list(dict.fromkeys(picture.game_title(record["rules"]) for record in records)),
        "dates": sorted({record["date"] for record in records if "?" not in record["date"]}),
        "players": players,
        "records": records,
        "decided": ended,
        "faults": games.faults,
        "standings": standings(ended, players) if ended else None,
        "comparison": match_statistics.compare(ended, players[0], games.pairs) if ended and len(players) == 2 else None,
        "limits": limits,
        "means": {name: move_stats(records, name) for name in players},
        "searches": games.searches,
        "branching": [
            (rules, picture.game_title(rules), found) for rules, found in search_statistics.of_games(records)
        ],
        "pace": match_statistics.by_move(records, players),
        "colours": match_statistics.by_colour(ended, players),
        "openings": match_statistics.by_opening(records),
        "pairs": match_statistics.pair_ends(records),
        "sources": any(record["source"] for record in records),
        "contradicted": sum("LoggedResult" in record["tags"] for record in records),
        "forfeits": forfeits,
        "forfeited": {record["game"] for record in forfeits},
        "changed": {record["game"]: max(0, len(match_statistics.winner_changes(record)) - 1) for record in records},
    }


def title(players):
    """The match's title as plain text."""
    if len(players) == 2:
        return " against ".join(players)
    return f"{len(players)} engines" if len(players) > NAMED else f"{', '.join(players[:-1])} and {players[-1]}"


def data(shown):
    """The data for the page's scripts, made from tables(). Scores are White's, whoever moved."""
    players, records, comparison = (shown[name] for name in ("players", "records", "comparison"))
    variants = {record["rules"].name: record["rules"] for record in records}
    tags = {}
    return {
        "square": picture.SQUARE,
        "margin": picture.MARGIN,
        "players": players,
        "boards": {
            name: {
                "files": rules.files,
                "ranks": rules.ranks,
                "called": picture.game_title(rules),
                "passing": bool(rules.ep_squares),
                "backdrops": backdrops(rules, picture.MARGIN),
            }
            for name, rules in variants.items()
        },
        "growth": comparison.growth if comparison else match_statistics.growth(shown["decided"], players),
        "pace": shown["pace"],
        "games": [
            {
                "number": record["game"],
                "white": record["white"],
                "black": record["black"],
                "variant": record["rules"].name,
                "result": record["result"],
                "detail": record["detail"],
                "reason": record["reason"],
                "tags": [tags.setdefault(tag, len(tags)) for tag in tags_of(record)],
                "book": half_moves(record["book"]) - half_moves(record["opening"]),
                "fen": record["opening"],
                "texts": " ".join(record["texts"]),
                "steps": " ".join(record["steps"]),
                "scores": [
                    opposite(move[3]) if mover_is_black(record, ply) else move[3]
                    for ply, move in enumerate(record["moves"])
                ],
                "depths": [move[4] for move in record["moves"]],
                "times": [whole_milliseconds(move[1]) for move in record["moves"]],
                "clocks": all_or_none([whole_milliseconds(move[2]) for move in record["moves"]]),
                "nodes": all_or_none([move[5] for move in record["moves"]]),
                "searches": all_or_none([move[6] for move in record["moves"]]),
                "changes": match_statistics.winner_changes(record),
            }
            for record in records
        ],
        "tags": list(tags),  # each game has indices into this list, because most tags are the same in every game
    }


def tags_of(record):
    """The tags of a game's PGN, as [(name, value)].

    The tags are in the order of the file. If a tag that PGN readers need is missing there, all needed tags come first, in PGN's
    order. A missing Variant gets the game's name as its value, a missing SetUp gets "1", and any other missing tag "?". Result
    is always that of the record. FEN is always None, because the data already have the FEN.
    """
    needed = dict.fromkeys(("Event", "Site", "Date", "Round", "White", "Black", "Result"), "?")
    needed |= {"Variant": record["rules"].name, "SetUp": "1", "FEN": None}
    tags = record["tags"] if needed.keys() <= record["tags"].keys() else needed | record["tags"]
    return [*(tags | {"Result": record["result"], "FEN": None}).items()]


def half_moves(fen):
    """The number of plies before a position, from its FEN, plus 2."""
    _, turn, _, _, _, number = fen.split()
    return 2 * int(number) + (turn == "b")


def all_or_none(values):
    """The values, or None if all of them are None, because this is shorter in JSON."""
    return values if any(value is not None for value in values) else None


def whole_milliseconds(milliseconds):
    """Milliseconds, rounded to a whole number; None stays None."""
    return None if milliseconds is None else round(milliseconds)


def mover_is_black(record, ply):
    """Whether Black makes the move after `ply` plies."""
    return (record["opening"].split()[1] == "b") == (ply % 2 == 0)


def opposite(score):
    """A score from the other side's view."""
    if isinstance(score, str):
        return score[1:] if score.startswith("-") else f"-{score}"
    return None if score is None else -score


def embed_json(value):
    """JSON for a script element. It has no `<`, so it cannot end the element."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def digest(script):
    """The hash by which the content security policy names a script."""
    return integrity(script.encode())


def integrity(data):
    """The SHA-256 of bytes, in the form that policies and requests use."""
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()


def backdrops(rules, margin):
    """The SVG elements of a game's empty board in the page's colours: [with White at the bottom, with Black]."""
    return ["".join(picture.backdrop(rules, VARIABLES, margin, turned)) for turned in (False, True)]


def variables(colours):
    """The CSS declarations of a board's colours."""
    return " ".join(
        f"{variable(name, place)}: {value};"
        for name, values in colours.items()
        for place, value in enumerate(values if isinstance(values, tuple) else (values,))
    )


def variable(name, place=0):
    return f"--board-{name.replace(' ', '-')}-{place}"


VARIABLES = {
    name: tuple(f"var({variable(name, place)})" for place in range(len(values)))
    if isinstance(values, tuple)
    else f"var({variable(name)})"
    for name, values in picture.LIGHT.items()
}
"""A board's colours as references to the page's variables."""
