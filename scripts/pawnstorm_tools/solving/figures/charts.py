"""The figures as charts of Vega-Lite, drawn as SVG."""

WIDTH, HEIGHT = 200, 260  # of one panel, in pixels
FONT = "Liberation Sans, Arial, sans-serif"  # the first one comes with vl_convert: the same widths everywhere
CONFIG = {"aria": False, "font": FONT, "axis": {"gridColor": "#eee"}, "view": {"stroke": "#ccc"}}
GAMES = ("Two Flags", "Breakthrough", "Hexapawn")
LABEL = "replace(replace(replace(datum.label, 'G', ' billion'), 'M', ' million'), 'k', ',000')"
"""Vega's expression for a number on an axis: 10,000 for 10k."""
FAMILIES = {title.replace(" ", "").lower(): title for title in GAMES}


def growth(rows):
    """The work of the proofs by the number of squares: a panel for each game, a line for each number of ranks.

    In each line, only the last board can have a label. It has one if no board of the game with as many squares or fewer took
    more work. This keeps most labels from overlapping.
    """
    points = [
        {
            "game": FAMILIES[row["game"]],
            "squares": row["files"] * row["ranks"],
            "ranks": row["ranks"],
            "expansions": row["expansions"],
            "board": f"{row['files']}x{row['ranks']}",
        }
        for row in rows
        if row["expansions"]  # a logarithm has no place for 0
    ]
    for point in points:
        game = [other for other in points if other["game"] == point["game"]]
        longer = [p for p in game if p["ranks"] == point["ranks"] and p["squares"] > point["squares"]]
        harder = [p for p in game if p["squares"] <= point["squares"] and p["expansions"] > point["expansions"]]
        point["label"] = "" if longer or harder else point["board"]
    x, y = _axis("squares", "squares of the board"), _axis("expansions", "expansions", log=True)
    colour = {"field": "ranks", "type": "ordinal", "title": "ranks", "scale": {"scheme": "viridis"}}
    layers = [
        {"mark": {"type": "line", "point": {"size": 25}, "strokeWidth": 1.5}, "encoding": {"color": colour}},
        {
            "transform": [{"filter": "datum.label"}],
            "mark": {"type": "text", "align": "right", "dx": -5, "dy": -6},
            "encoding": {"text": {"field": "label"}},
        },
    ]
    panels = {"layer": layers, "encoding": {"x": x, "y": y}, "width": WIDTH, "height": HEIGHT}
    return _figure(points, {"facet": _facet("game", GAMES), "spec": panels})


def depths(rows):
    """The positions of the proofs by their plies from the start: a line for each board."""
    points = [row | {"board": _board(row["game"])} for row in rows]
    boards = list(dict.fromkeys(point["board"] for point in points))
    colour = {"field": "board", "type": "nominal", "title": None, "sort": boards}
    encoding = {
        "x": _axis("plies", "plies from the start"),
        "y": _axis("positions", "positions in the file", log=True),
        "color": colour,
    }
    mark = {"type": "line", "point": {"size": 20}, "strokeWidth": 1.5}
    return _figure(points, {"mark": mark, "encoding": encoding, "width": 2 * WIDTH, "height": HEIGHT})


def proof_numbers(rows):
    """The proof and disproof number of the start position, plotted against the expansions so far: a panel for each run. A
    vertical line marks a finished proof.
    """
    kinds = {"disproof": "that the side to move loses", "proof": "that it wins"}
    points = [
        {"run": row["run"], "millions": row["expansions"] / 1e6, "kind": kind, "number": row[field]}
        for field, kind in kinds.items()
        for row in rows
        if row[field] is not None
    ]
    points += [{"run": row["run"], "proven": row["expansions"] / 1e6} for row in rows if row["proof"] is None]
    colour = {
        "field": "kind",
        "type": "nominal",
        "title": "estimated work to prove",
        "scale": {"domain": [*kinds.values()], "range": ["#c2410c", "#1d4ed8"]},
        "legend": {"orient": "bottom"},
    }
    x = _axis("millions", "million expansions")
    lines = {
        "transform": [{"filter": "isValid(datum.number)"}],
        "mark": {"type": "line", "strokeWidth": 1.5},
        "encoding": {"x": x, "y": _axis("number", "proof number", log=True), "color": colour},
    }
    ends = {
        "transform": [{"filter": "isValid(datum.proven)"}],
        "mark": {"type": "rule", "strokeDash": [4, 3]},
        "encoding": {"x": x | {"field": "proven"}},
    }
    runs = list(dict.fromkeys(row["run"] for row in rows))
    panels = {"layer": [lines, ends], "width": 3 * WIDTH // 2, "height": HEIGHT}
    return _figure(points, {"facet": _facet("run", runs), "spec": panels, "resolve": {"scale": {"x": "independent"}}})


def svg(chart):
    """Draw a chart; the same chart gives the same text."""
    import vl_convert  # late: it takes long to import

    return vl_convert.vegalite_to_svg(chart)


def _board(game):
    """`7x5 Breakthrough` for breakthrough7x5."""
    family = next(family for family in FAMILIES if game.startswith(family))
    return f"{game.removeprefix(family)} {FAMILIES[family]}"


def _axis(field, title, log=False):
    scale = {"type": "log"} if log else {"zero": False, "nice": True}
    axis = {"title": title, "tickCount": 6, **({"format": "~s", "labelExpr": LABEL} if log else {})}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}


def _facet(field, order):
    return {"column": {"field": field, "type": "nominal", "sort": list(order), "header": {"title": None}}}


def _figure(points, chart):
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "config": CONFIG,
        "data": {"values": points},
        **chart,
    }
