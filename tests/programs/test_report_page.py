"""The page of a report: whole, safe, and made alike by match.py and report.py."""

import base64
import hashlib
import json
import random
import re

import pytest
from matches import fake, run
from reports import NASTY, Elements, match, played, report, shown_text, three_engines

from pawnstorm.pgn import quote
from pawnstorm_tools.programs import report as program
from pawnstorm_tools.referee import standings
from pawnstorm_tools.reporting import page, reading


@pytest.fixture(scope="module")
def nasty():
    """(text, elements) of a page on games whose every text attacks it."""
    chance = random.Random(7)
    players = (NASTY, "b"), ("b", NASTY), (NASTY, "b"), ("b", "third")
    text = "".join(played("twoflags", number, *names, chance) for number, names in enumerate(players))
    for harmless, tag in (("nodes=5", "TimeControl"), ("normal", "Termination"), ("2026.01.02", "Date")):
        assert f'[{tag} "{harmless}"]' in text
        text = text.replace(f'[{tag} "{harmless}"]', f'[{tag} "{quote(NASTY)}"]')
    text = text.replace("{so it ended}", "{" + NASTY + "}")
    made = report(text + f'[Variant "{quote(NASTY)}"]\n\n1. e4 *')
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
    (policy,) = [attributes["content"] for _, attributes, _ in elements.named("meta") if attributes.get("http-equiv")]
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
        assert target in ids or re.fullmatch("https:.*|game=[1-4]&ply=0", target), target


def test_the_page_says_what_could_not_be_read_and_what_faults_there_were(nasty):
    text, elements = nasty
    assert "1 game could not be read" in text and "game 5: unknown game" in text
    captions = [entry[2] for entry in elements.named("caption")]
    assert "Games that ended by a fault" in captions and "Ratings" in captions


def test_games_without_winners_comments_and_tags_make_a_page():
    text = '1. e4 *\n\n[Variant "breakthrough5"]\n\n1. a2a3 1/2-1/2\n\n[Variant "hexapawn"]\n\n*'
    elements = Elements(report(text))
    data = json.loads(elements.named("script")[0][2])
    assert list(data["boards"]) == [game["variant"] for game in data["games"]]
    assert list(data["boards"]) == ["twoflags", "breakthrough5", "hexapawn"]
    assert data["growth"] == [] and data["games"][2]["steps"] == "" and data["games"][0]["scores"] == [None]
    assert "No game has a winner." in [entry[2] for entry in elements.named("p")]


def test_a_page_stands_whatever_the_direction_of_the_names():
    names = "\u05d0\u05d1\u05d2 1", "\u05d3 (2)"
    elements = Elements(report(match(4, players=names) + match(1, players=(names[0], "third"))))
    assert {text for _, _, text in elements.named("bdi")} == {*names, "third", "nodes=5"}
    for tag, _, text in elements.named("td", "th", "dt", "option", "figcaption", "p", "h1"):
        for name in names:
            assert text.replace(f"\u2068{name}\u2069", "").count(name) == 0, (tag, text)


def test_a_page_on_three_engines_says_first_who_leads():
    text = report(three_engines())
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


def test_an_interval_of_few_games_has_no_end():
    """Of two pairs one engine has won one half and all."""
    games, start, other = [], "ppp/3/PPP w - - 0 1", "ppp/P2/1PP b - - 0 1"
    for number, (opening, seed) in enumerate(((start, 2), (start, 2), (other, 0), (other, 5))):
        names = ("two", "one") if number % 2 else ("one", "two")
        games.append(played("hexapawn", number, *names, random.Random(seed), opening))
    figures = shown_text(report("".join(games)), "dl", **{"class": "figures"})
    assert "Score of one 3 – 1" in figures and "interval −69 to +∞ Likelihood" in figures, figures


@pytest.mark.parametrize(
    "text", [match(2).replace('"normal"', '"time forfeit"', 1), three_engines(3, forfeit=True)], ids=["two", "three"]
)
def test_the_head_counts_the_faults_of_two_engines_and_of_three(text):
    figures = shown_text(report(text), "dl", **{"class": "figures"})
    assert figures.endswith("Faults 1 games that ended by a fault")


def test_many_engines_are_a_number_in_the_title():
    chance = random.Random(3)
    text = "".join(played("hexapawn", number, f"e{number}", f"e{number - 1}", chance) for number in range(1, 5))
    assert shown_text(report(text), "h1") == "5 engines"


def test_the_data_hold_the_tags_of_all_games_once(nasty):
    text, elements = nasty
    data = json.loads(elements.named("script")[0][2])
    assert len(data["tags"]) == len({tuple(tag) for tag in data["tags"]}) and ["FEN", None] in data["tags"]
    for game_ in data["games"]:
        tags = dict(data["tags"][place] for place in game_["tags"])
        assert tags["White"] == game_["white"] and tags["Result"] == game_["result"] and tags["Date"] == NASTY
    assert text.count(data["games"][0]["texts"]) == 1


def test_a_pgn_without_tags_has_those_that_a_reader_needs():
    (record,) = reading.parse("1. a2b3 {book} a7a6 {book} 2. b3b4 1-0", "test", "breakthrough").records
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
    (described,) = [
        attributes["aria-describedby"] for tag, attributes, _ in elements.found if attributes.get("id") == "board"
    ]
    before = text[: text.index(f'id="{described}"')]
    assert before.count("<details") == before.count("</details")


def test_a_match_s_report_is_that_of_its_pgn(tmp_path, capsys):
    written, made, asked = tmp_path / "g.pgn", tmp_path / "out.html", "../pawnstorm.html"
    flags = ["-pgnout", written, "-report", f"file={made}", f"page={asked}", "-rounds", 1]
    status, _, error = run(fake("good"), fake("crash"), *flags)
    assert (status, error.count("match.py:")) == (0, 0), error
    text = made.read_text()
    assert program.main([str(written), "-o", str(made), "--page", asked]) == 0
    printed, error = capsys.readouterr()
    assert printed.startswith(f"{made}: 2 games\n\nengine ") and error == ""
    assert made.read_text() == text and "something broke" in text and 'id="analyse"' in text


def test_the_program_says_what_is_wrong(tmp_path, capsys):
    bad = tmp_path / "bad.pgn"
    bad.write_text("nothing")
    absent, out, empty = tmp_path / "absent", tmp_path / "x", tmp_path / "empty"
    empty.mkdir()
    for words, part in (
        (f"{absent} -o {out}", "absent"),
        (f"{bad} -o {out}", "bad.pgn holds no game"),
        (f"{bad} -o {bad}", "bad.pgn' is a file of games, expected another file"),
        (f"{tmp_path} -o {bad}", "bad.pgn' is a file of games, expected another file"),
        (f"{empty} -o {out}", "empty' is a folder: expected files in it whose names end in .pgn or .moves"),
        (f"{bad} {absent} -o {out}", "absent"),
        (f"{bad} -o {out} --variant go", "unknown game 'go'"),
    ):
        assert program.main(words.split()) == 2
        error = capsys.readouterr().err
        assert error.startswith("report.py: ") and part in error and error.count("\n") == 1
    assert not out.exists() and bad.read_text() == "nothing"
