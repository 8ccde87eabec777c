"""The report: what is read from PGN, what is counted, and a page that is whole, safe, accessible and steps through its games."""

import base64
import hashlib
import json
import random
import re
import shutil
from html.parser import HTMLParser

import client
import psutil
import pytest
from matches import fake, run
from referee import report, san, standings
from reporting import ReportError, comments, page, reading, statistics

from engine.board import Board
from engine.notation import fen, move_text, parse_fen
from engine.pgn import comment, format_game, quoted, written
from engine.rules import game

import report as program     # scripts/report.py, which matches has made importable

NASTY = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"


def played(name, number, white, black, chance, opening=None):
    """The PGN of a random game with made-up scores, the last ones proven."""
    rules = game(name)
    board = first = parse_fen(rules, opening) if opening else Board.start(rules)
    moves = []
    while not board.over():
        move = chance.choice(board.moves())
        moves.append(move_text(board, move))
        board = board.push(move)
    notes = []
    for index, text in enumerate(moves):
        left = len(moves) - index       # 1 at the winner's last move
        score = chance.randint(-300, 300) if left > 4 else f"{'' if left % 2 else '-'}M{(left + 1) // 2}"
        notes.append([text, chance.uniform(1, 90), None, score, chance.randint(3, 9), 1000, 1])
    record = {"result": "1-0" if board.black else "0-1", "reason": "normal", "detail": "so it ended", "moves": notes}
    tags = {"Event": "test", "Site": "?", "Date": "2026.01.02", "Round": f"{number}", "White": white, "Black": black, "Variant": name, "SetUp": "1",
            "FEN": fen(first), "TimeControl": "nodes=5"}
    return format_game(record, tags, [written(rules, text) for text in moves])


def match(count, name="breakthrough", seed=1, players=("one", "two"), **more):
    """A PGN of so many games, colours alternating."""
    chance = random.Random(seed)
    return "".join(played(name, number, players[number % 2], players[1 - number % 2], chance, **more) for number in range(count))


# Reading.

@pytest.mark.parametrize("comment, black, expected", [
    ("+0.25/12 0.051s n=20030 [%clk 0:00:00.959]", False, (25, 12, 51, 959, 20030)),
    ("-M3/5 0.001s", True, ("-M3", 5, 1, None, None)),
    ("0.051s", False, (None, None, 51, None, None)),
    ("-1.50 2s n=7", True, (-150, None, 2000, None, 7)),
    ("+M1/80 0.003s, White mates", False, ("M1", 80, 3, None, None)),       # cutechess-cli
    ("+0.31/16 1.204s, latency=0.002s, n=1234, nps=1000", False, (31, 16, 1204, None, 1234)),   # fastchess
    ("(e4 e5) +0.10/7 1s", False, (10, 7, 1000, None, None)),
    ("[%eval 0.25,12] [%clk 0:01:02.5]", False, (25, 12, None, 62500, None)),       # python-chess
    ("[%eval 0.25] [%emt 0:00:01]", True, (-25, None, 1000, None, None)),
    ("[%eval #-3]", False, ("-M3", None, None, None, None)),
    ("[%eval #-3,9]", True, ("M3", 9, None, None, None)),
    ("[%eval #4]", True, ("-M4", None, None, None, None)),
    ("book", False, (None,) * 5), ("", True, (None,) * 5), ("a fine move 1/2", False, (None,) * 5), ("2 pawns up", False, (None,) * 5),
    ("2/5 1s", False, (200, 5, 1000, None, None)), ("-0.35/11 2.8", True, (-35, 11, 2800, None, None)),
    ("+0.23 12/0 234 520610", False, (23, None, None, None, None)),
])
def test_comments_of_several_programs(comment, black, expected):
    found = comments.parse(comment, black)
    assert (found.score, found.depth, found.taken, found.left, found.nodes) == expected


def test_what_a_match_writes_is_read_back():
    moves = [["e2e4", 51.0, 959.0, 25, 12, 20030, 50], ["d7d5", 3.0, None, "-M4", 7, None, None]]
    for index, (_, taken, left, score, depth, nodes, _) in enumerate(moves):
        found = comments.parse(comment(*moves[index][1:])[1:-1], index == 1)
        assert (found.taken, found.left, found.score, found.depth, found.nodes) == (taken, left, score, depth, nodes)


def followed(record):
    """The placements that a record's steps lead through, by nothing but removing and placing pawns, as the page does it."""
    rows = record["opening"].split()[0].split("/")
    pawns = {}
    for index, row in enumerate(rows):
        line = "".join("." * int(letter) if letter.isdigit() else letter for letter in row)
        pawns |= {"abcdefgh"[file] + str(len(rows) - index): letter for file, letter in enumerate(line) if letter != "."}
    yield pawns
    for step in record["steps"]:
        pawns = dict(pawns)
        if step[4:]:
            del pawns[step[5:]]
        assert step[2:4] not in pawns
        pawns[step[2:4]] = pawns.pop(step[:2])
        yield pawns


@pytest.mark.parametrize("name, opening", [
    ("twoflags", None), ("pawnsonly", None), ("breakthrough", None), ("breakthrough5", None), ("hexapawn", None), ("twoflags5x6", None),
    ("twoflags", "8/5p2/8/8/pPp5/8/8/8 b - b3 0 5")])
def test_steps_lead_through_the_positions_of_the_game(name, opening):
    games = reading.parse(match(6, name, seed=2, opening=opening), "test")
    assert len(games.records) == 6 and not games.faults
    for record in games.records:
        board = parse_fen(game(name), record["opening"])
        boards = [board]
        for move in record["texts"]:
            boards.append(boards[-1].push(san.parse(boards[-1], move)))
        placements = list(followed(record))
        assert len(placements) == len(boards)
        for board, pawns in zip(boards, placements):
            squares = {"P": 0, "p": 0}
            for square, letter in pawns.items():
                squares[letter] |= 1 << "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)
            assert (squares["P"], squares["p"]) == (board.white, board.black_pawns)


def test_en_passant_names_the_pawn_that_it_takes():
    record, = reading.parse('[FEN "8/8/8/8/pP6/8/8/8 b - b3 0 5"]\n\n5... axb3 *', "test").records
    assert record["steps"] == ["a4b3xb4"]


def test_games_that_cannot_be_read_are_counted_and_named():
    good = match(1)
    text = (good + '[Variant "chess"]\n\n1. e4 1-0\n\n' + '[White "x"]\n\n1. e2e4 e2e4 1-0\n\n' + good
            + '[FEN "nonsense"]\n\n*\n\n' + '[White "y"]\n\n1. e2e4 {cut')
    games = reading.parse(text, "test")
    assert [record["game"] for record in games.records] == [1, 4]
    assert [fault.split(":")[0] for fault in games.faults] == ["game 2", "game 3", "game 5", "game 6"]
    for fault, part in zip(games.faults, ("unknown game 'chess'", "'e2e4'", "nonsense", "cut off"), strict=True):
        assert part in fault


def test_a_result_that_contradicts_the_board_is_a_fault():
    text = match(1)
    won = "1-0" if '[Result "1-0"]' in text else "0-1"
    for result, termination, counted in (("1-0", "normal", won == "1-0"), ("0-1", "normal", won == "0-1"), ("1/2-1/2", "normal", False),
                                         ("1-0", "Adjudication", won == "1-0"), ("*", "normal", True), ("1-0", "time forfeit", True),
                                         ("0-1", "time forfeit", True)):
        changed = text.replace(f"}} {won}", f"}} {result}").replace('Termination "normal', f'Termination "{termination}')
        games = reading.parse(changed + match(1), "test")
        assert [record["game"] for record in games.records] == [1, 2][not counted:], (result, termination)
        assert games.faults == [] if counted else games.faults == [
            f"game 1: result '{result}' contradicts the last position: expected '{won}'"]


def identified(numbers, games_a_round=2):
    """The PGN of a match with these games, in this order, as match.py numbers them."""
    return "".join(f'[GameId "abc.{number}"]\n' + one.replace('Round "0"', f'Round "{-(-number // games_a_round)}.{number % 2 or 2}"')
                   for number in numbers for one in [match(1, seed=number, players=("ab", "ba")[number % 2])])


def test_games_have_the_numbers_of_their_match():
    text = identified([3, 1, 12, 2])
    games = reading.parse(text, "test")
    assert [record["game"] for record in games.records] == [1, 2, 3, 12] and games.pairs
    assert [record["round"] for record in games.records] == ["1.1", "1.2", "2.1", "6.2"]
    broken = reading.parse(text.replace("\n1. ", "\n1. a1a8 ", 1), "test")
    assert [fault.split(":")[0] for fault in broken.faults] == ["game 3"]
    for other in (text + text, text + match(1), text.replace("abc.12", "abd.12"), text.replace("abc.12", "x")):
        games = reading.parse(other, "test")
        assert [record["game"] for record in games.records] == list(range(1, len(games.records) + 1)) and games.pairs is None


def test_missing_tags_and_equal_names():
    text = '1. e4 {book} e5 {book} 2. d4 {+0.10/3 1s} exd4 0-1\n\n[White "me"]\n[Black "me"]\n\n1. e4 1/2-1/2'
    record, other = reading.parse(text, "test").records
    assert (record["white"], record["black"]) == ("? (White)", "? (Black)")
    assert record["rules"].name == "twoflags" and record["book"].startswith("8/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8 w")
    assert (other["white"], other["black"]) == ("me (White)", "me (Black)") and reading.decided([record, other]) == [record]


def test_the_asked_variant_is_that_of_games_without_one():
    record, = reading.parse("1. a2b3 1-0", "test", "breakthrough").records
    assert record["rules"].name == "breakthrough" and record["steps"] == ["a2b3"]


@pytest.mark.parametrize("text", ["", "no PGN at all", '[White "x"]\n'])
def test_a_file_without_games_is_an_error_that_names_it(text):
    with pytest.raises(ReportError, match="^here.pgn holds no game that can be read: .*expected"):
        reading.parse(text, "here.pgn")


# Counting.

def record(number, white, black, result, scores=(), opening="o w", reason="normal", book=None):
    return {"game": number, "white": white, "black": black, "result": result, "reason": reason, "opening": opening, "book": book or opening,
            "moves": [["e2e4", 1000.0, None, score, 5, None, None] for score in scores]}


def test_pairs_are_found_by_opening_and_colours():
    records = [record(1, "a", "b", "1-0", book="x"), record(2, "a", "b", "1-0", book="y"), record(3, "b", "a", "1-0", book="x"),
               record(4, "b", "a", "0-1", book="y"), record(5, "a", "b", "1-0", book="x")]
    assert [number for number, _ in statistics.paired(records)] == [1, 3, 2, 4, 5]
    assert statistics.pair_ends(records) == {"white": 1, "engine": 1}


def test_comparison_is_that_of_the_match():
    chance = random.Random(3)
    records = []
    for pair in range(30):
        for first in ("white", "black"):
            names = ("a", "b") if first == "white" else ("b", "a")
            records.append(record(len(records) + 1, *names, chance.choice(["1-0", "0-1"]), book=f"{pair} w") | {"first": first})
    found = statistics.compare(records, "a")
    counted = report.tally(records, pairs=True)
    assert found.pairs and found.estimate == report.estimate(counted.cells) and found.won == sum(counted.points.values())
    assert len(found.growth) == 60 and found.growth[-1]["score"] == pytest.approx(100 * found.won / 60)
    assert found.growth[0]["low"] is None and found.growth[-1]["low"] == pytest.approx(100 * found.estimate.score_low)
    alone = statistics.compare(records[::2], "a")
    assert not alone.pairs and alone.estimate == report.estimate(report.tally(records[::2], pairs=False).cells)


def test_games_from_one_opening_are_no_pairs_if_the_match_had_none():
    played = reading.parse(identified(range(1, 9), games_a_round=1), "test")
    assert played.pairs is False
    found = statistics.compare(played.records, "a", played.pairs)
    points = [int(statistics.winner(record) == "a") for record in played.records]
    assert found.estimate == report.estimated([points.count(0), 0, points.count(1)]) and found.estimate and not found.pairs
    paired = reading.parse(identified([1, 2, 3, 5]), "test")
    assert statistics.compare(paired.records, "a", paired.pairs).pairs      # though half of the games wait for their partners
    assert not statistics.compare(paired.records, "a").pairs


def test_long_lines_are_thinned_to_their_end():
    points = list(range(1, 1234))
    thin = statistics.thinned(points)
    assert len(thin) <= statistics.POINTS and thin[-1] == 1233 and statistics.thinned(points[:400]) == points[:400]


@pytest.mark.parametrize("scores, opening, result, expected", [
    ((10, -10, 20), "x w", "1-0", []),
    ((10, -10, "M2", "-M1", "M1"), "x w", "1-0", [(3, "white")]),
    ((10, "-M3", "M3"), "x w", "1-0", [(2, "white")]),
    ((10, "-M3", 10, "M2", "-M1", "M1"), "x w", "0-1", [(2, "white"), (4, "black")]),
    (("-M3", 10, "M2"), "x b", "0-1", [(1, "white"), (3, "black")]),
    (("M3", 10), "x w", "0-1", [(1, "white"), (2, "black")]),       # thrown away, as nobody noticed
    (("M3", 10), "x w", "*", [(1, "white")]),
])
def test_where_the_known_value_changes_hands(scores, opening, result, expected):
    assert statistics.changes(record(1, "a", "b", result, scores, opening)) == expected


def test_a_loss_on_time_proves_nothing():
    assert statistics.changes(record(1, "a", "b", "0-1", ("M3",), reason="time forfeit")) == [(1, "white")]


def test_means_by_move():
    long, short = record(1, "a", "b", "1-0", (10, 10, 10, 10, "M1")), record(2, "b", "a", "1-0", (10, 20, "M1"))
    rows = {(row["engine"], row["move"]): row for row in statistics.by_move([long, short], ["a", "b"])}
    assert rows["a", 1]["games"] == 2 and rows["a", 1]["seconds"] == 1 and rows["a", 1]["depth"] == 5
    assert rows["a", 3]["games"] == 1 and rows["a", 3]["depth"] is None and ("b", 3) not in rows


def test_results_by_colour_and_opening():
    records = [record(1, "a", "b", "1-0", book="x"), record(2, "b", "a", "1-0", book="x"), record(3, "a", "b", "0-1", book="y")]
    for one in records:
        one["rules"] = game("twoflags")
    assert statistics.by_colour(records, ["a", "b"]) == [{"engine": "a", "white": (1, 2), "black": (0, 1)},
                                                         {"engine": "b", "white": (1, 1), "black": (1, 2)}]
    assert [(row["fen"], row["white"], row["black"]) for row in statistics.by_opening(records)] == [("x", 2, 0), ("y", 0, 1)]


# The page.

class Elements(HTMLParser):
    """All elements: (tag, attributes, text directly inside)."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append([tag, dict(attributes), ""])
        if tag not in ("meta", "link", "br", "img", "input"):
            self.open.append(self.found[-1])

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if self.open:
            self.open[-1][2] += data

    def named(self, *tags):
        return [entry for entry in self.found if entry[0] in tags]


@pytest.fixture(scope="module")
def nasty():
    """(text, elements) of a page on games whose every text attacks it."""
    chance = random.Random(7)
    players = (NASTY, "b"), ("b", NASTY), (NASTY, "b"), ("b", "third")
    text = "".join(played("twoflags", number, *names, chance) for number, names in enumerate(players))
    for harmless, tag in (("nodes=5", "TimeControl"), ("normal", "Termination"), ("2026.01.02", "Date")):
        assert f'[{tag} "{harmless}"]' in text
        text = text.replace(f'[{tag} "{harmless}"]', f'[{tag} "{quoted(NASTY)}"]')
    text = text.replace("{so it ended}", "{" + NASTY + "}")
    made = page.page(reading.parse(text + f'[Variant "{quoted(NASTY)}"]\n\n1. e4 *', "test"))
    return made, Elements(made)


def test_no_text_of_a_pgn_becomes_markup(nasty):
    _, elements = nasty
    scripts = elements.named("script")
    assert len(scripts) == 3 and not elements.named("img", "iframe", "object", "link")
    assert not [entry for entry in elements.found if any(name.startswith("on") or name == "src" for name in entry[1])]
    data = json.loads(scripts[0][2])
    assert data["players"] == [NASTY, "b", "third"] and "alert(1)" in data["games"][0]["detail"]


def test_only_the_page_s_own_scripts_may_run_and_nothing_is_loaded(nasty):
    _, elements = nasty
    policy, = [attributes["content"] for _, attributes, _ in elements.named("meta") if attributes.get("http-equiv")]
    allowed = next(part for part in policy.split(";") if part.strip().startswith("script-src")).split()[1:]
    scripts = [text for _, attributes, text in elements.named("script") if attributes.get("type") != "application/json"]
    made = ["'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in scripts]
    assert allowed == made and len(made) == 2
    assert policy.startswith("default-src 'none';") and "unsafe-eval" not in policy
    links = {attributes["href"] for _, attributes, _ in elements.named("a")}
    assert {link for link in links if not link.startswith("#")} == {"https://vega.github.io/vega-lite/"}


def test_tables_headings_and_references_are_whole(nasty):
    _, elements = nasty
    ids = [attributes["id"] for _, attributes, _ in elements.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes, _ in elements.found:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert attributes.get(name, ids[0]) in ids
    assert len(elements.named("table")) == len(elements.named("caption")) >= 7
    assert all("scope" in attributes for _, attributes, _ in elements.named("th"))
    levels = [int(tag[1]) for tag, *_ in elements.named("h1", "h2", "h3")]
    assert levels[0] == 1 and set(levels[1:]) == {2}
    for _, attributes, _ in elements.named("a"):
        target = attributes["href"].removeprefix("#")
        assert target in ids or target.startswith("https:") or target in [f"game={number}&ply=0" for number in (1, 2, 3, 4)], target


def test_the_page_says_what_could_not_be_read_and_what_faults_there_were(nasty):
    text, elements = nasty
    assert "1 game of the file could not be read" in text and "game 5: unknown game" in text
    captions = [entry[2] for entry in elements.named("caption")]
    assert "Games that ended by a fault" in captions and "Ratings" in captions


def test_games_without_winners_comments_and_tags_make_a_page():
    text = '1. e4 *\n\n[Variant "breakthrough5"]\n\n1. a2a3 1/2-1/2\n\n[Variant "hexapawn"]\n\n*'
    elements = Elements(page.page(reading.parse(text, "test")))
    data = json.loads(elements.named("script")[0][2])
    assert [game["variant"] for game in data["games"]] == ["twoflags", "breakthrough5", "hexapawn"] == list(data["boards"])
    assert data["growth"] == [] and data["games"][2]["steps"] == "" and data["games"][0]["scores"] == [None]
    assert "No game has a winner." in [entry[2] for entry in elements.named("p")]


def test_a_page_stands_whatever_the_direction_of_the_names():
    names = "\u05d0\u05d1\u05d2 1", "\u05d3 (2)"
    elements = Elements(page.page(reading.parse(match(4, players=names) + match(1, players=(names[0], "third")), "test")))
    assert {text for _, _, text in elements.named("bdi")} == {*names, "third", "nodes=5"}
    for tag, _, text in elements.named("td", "th", "dt", "option", "figcaption", "p", "h1"):
        for name in names:
            assert text.replace(f"\u2068{name}\u2069", "").count(name) == 0, (tag, text)


def shown_text(text, tag, **wanted):
    """The text of the first such element and all that is in it, on one line."""
    start = text.index(f"<{tag}" + "".join(f' {name}="{value}"' for name, value in wanted.items()))
    return " ".join(re.sub("<[^>]*>", " ", text[start:text.index(f"</{tag}>", start)]).split())


def three_engines(count=12, forfeit=False):
    """The PGN of so many games of three engines, of which the first wins all of its games."""
    chance, games = random.Random(5), []
    for number in range(count):
        names = [("first", "second"), ("second", "third"), ("third", "first")][number % 3]
        text = played("hexapawn", number, *names, chance)
        better = "1-0" if min(names) == names[0] else "0-1"
        while f'[Result "{better}"]' not in text:
            text = played("hexapawn", number, *names, chance)
        games.append(text)
    if forfeit:
        games[0] = games[0].replace('[Termination "normal"]', '[Termination "time forfeit"]')
    return "".join(games)


def test_a_page_on_three_engines_says_first_who_leads():
    text = page.page(reading.parse(three_engines(), "test"))
    assert shown_text(text, "h1") == "first , second and third"
    assert shown_text(text, "title") == "first, second and third: 12 games"
    head = shown_text(text, "header")
    assert "Hexapawn, 3 by 3 · 12 games · nodes=5 · 2026-01-02" in head
    figures = shown_text(text, "dl", **{"class": "figures"})
    found = standings.standings(reading.parse(three_engines(), "test").records, ["first", "second", "third"]).engines
    low, high = found[0].elo - found[0].error, found[0].elo + found[0].error
    assert "First of 3 first won 8 of 8 games, 100.0 %" in figures
    assert f"Elo of the first {found[0].elo:+.0f} 95 % interval {low:+.0f} to {high:+.0f} ".replace("-", "−") in figures
    assert f"Ahead of the second, second {found[0].elo - found[1].elo:+.0f} Elo won 4 – 0 of their games" in figures
    assert figures.endswith("Faults 0 no time loss, no crash, no illegal move")


@pytest.mark.parametrize("text", [match(2).replace('"normal"', '"time forfeit"', 1), three_engines(3, forfeit=True)], ids=["two", "three"])
def test_the_head_counts_the_faults_of_two_engines_and_of_three(text):
    figures = shown_text(page.page(reading.parse(text, "test")), "dl", **{"class": "figures"})
    assert figures.endswith("Faults 1 games that ended by a fault")


def test_many_engines_are_a_number_in_the_title():
    chance = random.Random(3)
    text = "".join(played("hexapawn", number, f"e{number}", f"e{number - 1}", chance) for number in range(1, 5))
    assert shown_text(page.page(reading.parse(text, "test")), "h1") == "5 engines"


def test_the_data_hold_the_tags_of_all_games_once(nasty):
    text, elements = nasty
    data = json.loads(elements.named("script")[0][2])
    assert len(data["tags"]) == len({tuple(tag) for tag in data["tags"]}) and ["FEN", None] in data["tags"]
    for game_ in data["games"]:
        tags = dict(data["tags"][place] for place in game_["tags"])
        assert tags["White"] == game_["white"] and tags["Result"] == game_["result"] and tags["Date"] == NASTY
    assert text.count(data["games"][0]["texts"]) == 1


def test_a_pgn_without_tags_has_those_that_a_reader_needs():
    record, = reading.parse("1. a2b3 {book} a7a6 {book} 2. b3b4 1-0", "test", "breakthrough").records
    tags = dict(page.tags_of(record))
    assert [*tags] == ["Event", "Site", "Date", "Round", "White", "Black", "Result", "Variant", "SetUp", "FEN"]
    assert tags["Result"] == "1-0" and tags["Variant"] == "breakthrough"
    assert page.half_moves(record["book"]) - page.half_moves(record["opening"]) == 2


def test_every_table_stands_in_a_named_region_that_keys_can_scroll(nasty):
    _, elements = nasty
    regions = [attributes for _, attributes, _ in elements.found if "scroll" in attributes.get("class", "").split()]
    assert len(regions) == len(elements.named("table"))
    assert all(entry["role"] == "region" and entry["tabindex"] == "0" and entry["aria-labelledby"] for entry in regions)


def test_the_board_is_described_where_nothing_hides_it(nasty):
    text, elements = nasty
    described, = [attributes["aria-describedby"] for tag, attributes, _ in elements.found if attributes.get("id") == "board"]
    before = text[:text.index(f'id="{described}"')]
    assert before.count("<details") == before.count("</details")


def test_a_match_s_report_is_that_of_its_pgn(tmp_path, capsys):
    written, made = tmp_path / "g.pgn", tmp_path / "out.html"
    status, _, error = run(fake("good"), fake("crash"), "-pgnout", written, "-report", made, "-rounds", 1)
    assert status == 0, error
    text = made.read_text()
    assert program.main([str(written), "-o", str(made)]) == 0 and capsys.readouterr() == (f"{made}: 2 games\n", "")
    assert made.read_text() == text and "something broke" in text


def test_the_program_says_what_is_wrong(tmp_path, capsys):
    bad = tmp_path / "bad.pgn"
    bad.write_text("nothing")
    absent, out = tmp_path / "absent", tmp_path / "x"
    for words, part in ((f"{absent} -o {out}", "absent"), (f"{bad} -o {out}", "bad.pgn holds no game"), (f"{bad} -o {bad}", "is the PGN"),
                        (f"{bad} -o {out} --variant go", "unknown game 'go'")):
        assert program.main(words.split()) == 2
        error = capsys.readouterr().err
        assert error.startswith("report.py: ") and part in error and error.count("\n") == 1
    assert not out.exists() and bad.read_text() == "nothing"


# In a browser.

@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """(show, path): show(fragment, **context) is a page of a 200-game report in headless Chromium; nothing complains, or is loaded.

    before: a script that runs before those of the page.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    pytest.importorskip("axe_playwright_python")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page.page(reading.parse(match(200), "test")), encoding="utf-8")
    complaints, contexts = [], []
    before = set(psutil.Process().children(recursive=True))
    with playwright.sync_playwright() as running:
        try:
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium: {error.message.splitlines()[0]}")
        browsing = {process.pid for process in set(psutil.Process().children(recursive=True)) - before}
        client.shared.update(browsing)

        def show(fragment="", ready="#evaluation-chart svg", address=path.as_uri(), before="", **context):
            contexts.append(browser.new_context(**context))
            shown = contexts[-1].new_page()
            shown.add_init_script(before)
            shown.on("console", lambda message: complaints.append(message.text))
            shown.on("pageerror", lambda error: complaints.append(str(error)))
            shown.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or complaints.append(request.url))
            shown.goto(address + fragment)
            shown.wait_for_selector(ready)
            shown.wait_for_selector("#depth-chart svg")
            return shown

        yield show, path
        browser.close()
    client.shared.difference_update(browsing)
    assert complaints == []


def pawns(shown):
    """The squares of the pawns that are drawn: {(x, y, class)} in squares from the upper left."""
    found = shown.eval_on_selector_all("#pawns use", "uses => uses.map(use => ['x', 'y', 'class'].map(name => use.getAttribute(name)))")
    return {((int(x) - 24) // 45, (int(y) - 24) // 45, kind[0]) for x, y, kind in found}


def expected(record, ply):
    placement = list(followed(record))[ply]
    return {("abcdefgh".index(square[0]), 8 - int(square[1]), "w" if letter == "P" else "b") for square, letter in placement.items()}


def told(shown, fragment):
    """Wait until the address says so."""
    shown.wait_for_url(lambda url: url.endswith(fragment), timeout=5000)


@pytest.mark.slow
def test_a_game_is_stepped_through_by_keys_buttons_and_links(opened):
    show, path = opened
    records = reading.parse(match(200), "test").records
    shown = show("#game=12&ply=7")
    assert path.stat().st_size < 5_000_000
    assert pawns(shown) == expected(records[11], 7) and "Ply 7 of" in shown.inner_text("#position")
    for key, ply in (("ArrowRight", 8), ("ArrowRight", 9), ("ArrowLeft", 8)):
        shown.keyboard.press(key)
        assert pawns(shown) == expected(records[11], ply)
        told(shown, f"#game=12&ply={ply}")
    for button, ply in (("#forward", 9), ("#back", 8), ("#first", 0), ("#last", len(records[11]["steps"]))):
        shown.click(button)
        assert pawns(shown) == expected(records[11], ply)
    shown.keyboard.press("ArrowRight")      # the end is the end
    assert pawns(shown) == expected(records[11], ply) and shown.get_attribute("#forward", "aria-disabled") == "true"
    shown.click("#moves a >> nth=4")
    assert pawns(shown) == expected(records[11], 5) and shown.get_attribute("#moves a >> nth=4", "aria-current") == "true"
    shown.click("#next-game")
    assert pawns(shown) == expected(records[12], 0)
    told(shown, "#game=13&ply=0")
    shown.select_option("#chosen", "199")
    told(shown, "#game=200&ply=0")
    shown.click("#game-rows a >> nth=2")
    assert pawns(shown) == expected(records[2], 0) and shown.evaluate("document.activeElement.id") == "replay-title"
    while f"Ply {len(records[2]['steps'])} of" not in shown.inner_text("#position"):
        shown.keyboard.press("ArrowRight")
    assert pawns(shown) == expected(records[2], len(records[2]["steps"])) and "The game is over" in shown.inner_text("#position")


@pytest.mark.slow
def test_the_address_changes_once_the_position_rests(opened):
    show, _ = opened
    shown = show("#game=12&ply=7")
    shown.evaluate("""() => {
        window.changes = 0;
        const replace = history.replaceState.bind(history);
        history.replaceState = (...words) => { window.changes++; replace(...words); };
        const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        for (let i = 0; i < 301; i++) press(i % 2 ? 'ArrowLeft' : 'ArrowRight');
    }""")
    told(shown, "#game=12&ply=8")
    assert shown.evaluate("window.changes") == 1


@pytest.mark.slow
def test_a_link_is_followed_while_the_address_still_names_its_position(opened):
    show, _ = opened
    shown = show("#game=12&ply=7")
    shown.evaluate("""() => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        document.querySelector('#moves a[href="#game=12&ply=7"]').click();
    }""")
    assert "Ply 7 of" in shown.inner_text("#position")


def spoken(shown):
    """[(role, name, description)] of the pictures that a screen reader is told of."""
    nodes = shown.context.new_cdp_session(shown).send("Accessibility.getFullAXTree")["nodes"]
    values = [[node.get(key, {}).get("value", "") for key in ("role", "name", "description")] for node in nodes if not node["ignored"]]
    return [value for value in values if value[0] in ("image", "img", "graphics-document", "SvgRoot")]


@pytest.mark.slow
def test_each_picture_is_told_of_once_and_the_board_with_its_pawns(opened):
    show, _ = opened
    board, *charts = sorted(spoken(show("#game=12&ply=7")), key=lambda picture: picture[1] != "Breakthrough, 8 by 8: Black to move")
    assert board[2].startswith("White pawns: a1, ") and "Last move: " in board[2]
    assert len(charts) == 4 and {role for role, *_ in charts} == {"image"}
    assert sorted(name.split()[0] for _, name, _ in charts) == ["Depth", "Evaluations", "Score", "Seconds"]


@pytest.mark.slow
def test_paper_has_the_tables_whole_and_nothing_to_press(opened):
    show, _ = opened
    shown = show("#game=3&ply=5", viewport={"width": 720, "height": 1000})
    shown.emulate_media(media="print")
    assert not shown.locator("nav").is_visible() and not shown.locator("button, select").filter(visible=True).count()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 720
    assert shown.evaluate("[...document.querySelectorAll('.scroll')].every(place => getComputedStyle(place).overflow === 'visible')")


@pytest.mark.slow
def test_a_single_game_is_a_point(opened, tmp_path):
    show, _ = opened
    path = tmp_path / "one.html"
    path.write_text(page.page(reading.parse(match(1), "test")), encoding="utf-8")
    assert show(address=path.as_uri()).locator("#growth-chart svg .mark-symbol path[opacity='1']").count() == 1


@pytest.mark.slow
def test_ten_long_names_have_room_in_the_legends(opened, tmp_path):
    show, _ = opened
    chance, path = random.Random(3), tmp_path / "ten.html"
    names = [f"pawnstorm-1.{place}.0-long-name" for place in range(10)]
    text = "".join(played("hexapawn", number, names[number], names[number - 1], chance) for number in range(10))
    path.write_text(page.page(reading.parse(text, "test")), encoding="utf-8")
    for width in (1280, 360):
        shown = show(address=path.as_uri(), viewport={"width": width, "height": 800})
        over = shown.evaluate("""[...document.querySelectorAll('.chart svg')].map(svg => Math.max(...[...svg.querySelectorAll('text')].map(
            text => text.getBoundingClientRect().right - svg.getBoundingClientRect().right)))""")
        assert len(over) == 4 and max(over) <= 1


def until(shown, fact):
    """Wait until an expression is true in the page: at most ten seconds, and without wait_for_function's eval, which the page forbids."""
    assert shown.evaluate(f"""() => new Promise(resolve => {{
        const late = setTimeout(() => resolve(false), 10000);
        const look = () => {{ if ({fact}) {{ clearTimeout(late); resolve(true); }} else requestAnimationFrame(look); }};
        look();
    }})"""), fact


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TURNED = PHONE | {"viewport": {"width": 844, "height": 390}}
IN_VIEW = """(({left, right, top, bottom, height}) => height > 100 && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight)(
    document.getElementById('board').getBoundingClientRect())"""


@pytest.mark.slow
@pytest.mark.parametrize("context", [PHONE, TURNED, {"viewport": {"width": 1280, "height": 720}}], ids=["phone", "turned", "desktop"])
def test_a_link_opens_with_the_board_on_the_screen(opened, context):
    show, _ = opened
    shown = show("#game=3&ply=7", **context)
    until(shown, "[...document.querySelectorAll('.chart')].every(place => place.querySelector('svg'))")
    until(shown, IN_VIEW)
    for fragment, far in (("#game=3&ply=9", "#games"), ("#game=5&ply=2", "#result"), ("#game=999", "#result")):
        shown.evaluate("place => document.querySelector(place).scrollIntoView({behavior: 'instant'})", far)
        assert not shown.evaluate(IN_VIEW)
        shown.evaluate("fragment => { location.hash = fragment; }", fragment)
        until(shown, IN_VIEW)


@pytest.mark.slow
def test_the_board_stays_on_the_screen_while_the_charts_above_it_come_late(opened):
    show, _ = opened
    shown = show("#game=3&ply=7", before="""
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('* { overflow-anchor: none !important; } .chart:empty { min-height: 0 !important; }');
        document.adoptedStyleSheets = [sheet];""", **PHONE)
    until(shown, IN_VIEW)
    assert shown.locator("#growth-chart svg").bounding_box()["height"] > 200


@pytest.mark.slow
def test_a_table_that_is_cut_shows_where_it_goes_on(opened):
    show, _ = opened
    frame = "document.querySelector('#games .frame').classList"
    shown = show(**PHONE)
    until(shown, f"{frame}.contains('more-right') && {frame}.contains('more-below') && !{frame}.contains('more-left')")
    assert shown.evaluate("getComputedStyle(document.querySelector('#games .frame'), '::after').content.includes('›')")
    shown.evaluate("document.querySelector('#games .scroll').scrollTo(9999, 99999)")
    until(shown, f"!{frame}.contains('more-right') && !{frame}.contains('more-below') && {frame}.contains('more-left')")
    shown.set_viewport_size({"width": 1280, "height": 844})
    until(shown, f"!{frame}.contains('more-right') && !{frame}.contains('more-left')")
    assert shown.evaluate("getComputedStyle(document.querySelector('#games .frame'), '::after').content") == "none"


@pytest.mark.slow
def test_the_board_turns(opened):
    show, _ = opened
    record = reading.parse(match(200), "test").records[11]
    shown = show("#game=12&ply=7")
    turned = {(7 - x, 7 - y, kind) for x, y, kind in expected(record, 7)}
    labels = "[...document.querySelectorAll('#squares text')].map(label => label.textContent).join('')"
    before = shown.evaluate(labels), shown.inner_text("#player-above"), shown.inner_text("#board-words")
    assert before[0] == "abcdefgh12345678" and before[1].startswith("Black")
    for press in (lambda: shown.click("#flip"), lambda: shown.keyboard.press("f")):
        press()
        if shown.get_attribute("#flip", "aria-pressed") == "true":
            assert pawns(shown) == turned and shown.evaluate(labels) == "hgfedcba87654321"
            assert shown.inner_text("#player-above").startswith("White") and shown.inner_text("#board-words") == before[2]
    assert pawns(shown) == expected(record, 7) and shown.get_attribute("#flip", "aria-pressed") == "false"
    assert (shown.evaluate(labels), shown.inner_text("#player-above"), shown.inner_text("#board-words")) == before


def shown_ply(shown):
    return int(re.match(r"(?:.*)Ply (\d+) of", shown.inner_text("#position"))[1])


@pytest.mark.slow
def test_a_key_acts_only_where_it_has_no_meaning_of_its_own(opened):
    show, _ = opened
    last = len(reading.parse(match(200), "test").records[11]["steps"])
    shown = show("#game=12&ply=7", reduced_motion="reduce")
    for key, ply in (("End", last), ("Home", 0), ("End", last)):
        shown.keyboard.press(key)
        assert shown_ply(shown) == ply
    shown.click("#moves a >> nth=6")
    until(shown, "document.getElementById('position').textContent.includes('Ply 7 of')")
    for place, keys in (("#chosen", "f"), ("#games .scroll", ("Home", "End", " ", "ArrowLeft")), (".moves", ("Home", "End", " ")),
                        ("#flip", " "), ("#replay summary", " ")):
        for key in keys:
            shown.focus(place)
            shown.keyboard.press(key)
            assert (shown_ply(shown), shown.inner_text("#play")) == (7, "Play"), (place, key)
    assert shown.get_attribute("#flip", "aria-pressed") == "true"       # by the space bar on its button, and by nothing else
    shown.evaluate("document.activeElement.blur(); scrollTo({top: 0, behavior: 'instant'})")
    for key in ("End", " "):     # they scroll a page whose board is not in sight
        shown.keyboard.press(key)
        assert (shown_ply(shown), shown.inner_text("#play")) == (7, "Play")
        shown.evaluate("scrollTo({top: 0, behavior: 'instant'})")


@pytest.mark.slow
def test_a_game_plays_by_itself_to_its_end_and_stops_when_the_reader_steps(opened):
    show, _ = opened
    last = len(reading.parse(match(200), "test").records[11]["steps"])
    shown = show(f"#game=12&ply={last - 3}")
    shown.clock.install()
    position = shown.locator("#position")
    shown.keyboard.press(" ")
    assert shown.inner_text("#play") == "Pause" and position.get_attribute("aria-live") == "off"
    shown.clock.run_for(1000)
    assert f"Ply {last - 2} of" in position.inner_text() and shown.inner_text("#play") == "Pause"
    shown.keyboard.press("ArrowLeft")
    assert f"Ply {last - 3} of" in position.inner_text() and shown.inner_text("#play") == "Play"
    assert position.get_attribute("aria-live") == "polite"
    shown.clock.run_for(5000)
    assert f"Ply {last - 3} of" in position.inner_text()
    shown.click("#play")
    shown.clock.run_for(3000)
    assert f"Ply {last} of" in position.inner_text() and shown.inner_text("#play") == "Play"
    assert position.get_attribute("aria-live") == "polite"
    shown.click("#play")        # from the end: once more
    shown.clock.run_for(1000)
    assert "Ply 1 of" in position.inner_text()
    shown.click("#play")
    shown.clock.run_for(5000)
    assert "Ply 1 of" in position.inner_text() and shown.inner_text("#play") == "Play"


STUB = "window.copied = []; Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { copied.push(text); }}});"
COPY_ALL = """() => {
    const click = id => document.getElementById(id).click();
    copied.length = 0;
    for (click('first'); click('copy-fen'), document.getElementById('forward').getAttribute('aria-disabled') === 'false';) click('forward');
    click('copy-pgn');
    return copied;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name, opening", [("twoflags", None), ("twoflags", "8/5p2/8/8/pPp5/8/8/8 b - b3 0 5"), ("twoflags5x6", None),
                                           ("breakthrough5", None)])
def test_what_is_copied_is_the_fen_of_each_position_and_the_pgn_as_it_was_read(opened, tmp_path, name, opening):
    show, _ = opened
    text, path = match(4, name, seed=4, opening=opening, players=('a "quoted" \\ name', "b")), tmp_path / "copied.html"
    written = [f"[Event {part}\n" for part in text.removeprefix("[Event ").strip().split("\n\n[Event ")]
    path.write_text(page.page(reading.parse(text, "test")), encoding="utf-8")
    shown = show(address=path.as_uri(), before=STUB)
    for number, record in enumerate(reading.parse(text, "test").records):
        boards = [parse_fen(record["rules"], record["opening"])]
        for move in record["texts"]:
            boards.append(boards[-1].push(san.parse(boards[-1], move)))
        shown.select_option("#chosen", str(number))
        assert shown.evaluate(COPY_ALL) == [*map(fen, boards), written[number]]


@pytest.mark.slow
def test_a_copied_pgn_has_clocks_and_book_moves_and_is_read_back_alike(opened, tmp_path):
    show, _ = opened
    text = ('[Event "x"]\n\n1. e4 {book} e5 {book} 2. d4 {+0.10/3 1.5s n=70 t=1.499s [%clk 1:01:02.003]} exd4 {-M2} 3. c3 {0.25s}\n'
            "3... dxc3 {-0.05/2} ; it } ended {\n1/2-1/2")
    path = tmp_path / "clocks.html"
    path.write_text(page.page(reading.parse(text, "test")), encoding="utf-8")
    copied = show(address=path.as_uri(), before=STUB).evaluate(COPY_ALL)[-1]
    first, = reading.parse(text, "test").records
    again, = reading.parse(copied, "test").records
    assert '[Variant "twoflags"]' in copied and "{book} e5 {book} 2. d4 {+0.10/3 1.500s n=70 t=1.499s [%clk 1:01:02.003]} exd4 {-M2}" in copied
    for part in ("texts", "moves", "book", "opening", "result"):
        assert again[part] == first[part]


@pytest.mark.slow
def test_copying_works_with_the_clipboard_without_it_and_in_a_browser_that_forbids_it(opened):
    show, _ = opened
    wanted = fen(Board.start(game("breakthrough")))
    shown = show(permissions=["clipboard-read", "clipboard-write"])
    shown.click("#copy-fen")
    until(shown, "document.getElementById('said').textContent === 'FEN copied.'")
    assert shown.evaluate("navigator.clipboard.readText()") == wanted
    insecure = "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
    shown = show(before=insecure + "addEventListener('copy', () => { window.copied = getSelection().toString(); });")
    shown.click("#copy-fen")
    until(shown, "document.getElementById('said').textContent === 'FEN copied.'")
    assert shown.evaluate("[copied, document.activeElement.id]") == [wanted, "copy-fen"]
    shown = show(before=insecure + "document.execCommand = () => false;")
    shown.click("#copy-fen")
    shown.wait_for_selector("#copy-field")
    field = "document.getElementById('copy-field')"
    assert shown.evaluate(f"[{field}.value, getSelection().toString(), document.activeElement.id]") == [wanted, wanted, "copy-field"]
    assert "selected below" in shown.inner_text("#said")


@pytest.mark.slow
def test_the_pgn_is_saved_as_a_file(opened):
    show, _ = opened
    shown = show("#game=3&ply=5")
    with shown.expect_download() as saved:
        shown.click("#save-pgn")
    first = match(3).split("\n\n[Event ")[2]
    assert saved.value.suggested_filename == "game-3.pgn"
    with open(saved.value.path(), encoding="utf-8") as file:
        assert file.read().strip() == f"[Event {first}".strip()


@pytest.mark.slow
def test_a_turned_phone_gets_the_legend_columns_that_it_has_room_for(opened, tmp_path):
    show, _ = opened
    chance, path = random.Random(3), tmp_path / "ten.html"
    names = [f"pawnstorm-1.{place}.0-long-name" for place in range(4)]
    path.write_text(page.page(reading.parse("".join(played("hexapawn", number, names[number], names[number - 1], chance)
                                                    for number in range(4)), "test")), encoding="utf-8")
    shown = show(address=path.as_uri(), **PHONE)
    columns = """new Set([...document.querySelectorAll('#growth-chart .role-legend-label text')].map(
        label => Math.round(label.getBoundingClientRect().left))).size"""
    assert shown.evaluate(columns) == 1
    shown.set_viewport_size(TURNED["viewport"])
    until(shown, f"{columns} > 1")
    shown.set_viewport_size(PHONE["viewport"])
    until(shown, f"{columns} === 1")


@pytest.mark.slow
def test_the_game_list_is_filtered_and_a_wrong_link_is_answered(opened):
    show, _ = opened
    shown = show("#game=999&ply=1")
    assert "no game 999" in shown.inner_text("#notice")
    shown.select_option("#filter", "winner 0")
    won = sum(statistics.winner(record) == "one" for record in reading.parse(match(200), "test").records)
    assert shown.locator("#game-rows tr:visible").count() == won and shown.inner_text("#shown") == f"{won} of 200 games"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_no_fault(opened, scheme, width):
    from axe_playwright_python.sync_playwright import Axe
    show, _ = opened
    shown = show("#game=3&ply=5", color_scheme=scheme, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    shown.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
    found = Axe().run(shown).response
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found["violations"]] == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
