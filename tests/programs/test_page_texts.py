"""The page's words for people: all of them stand in texts.json, so that a page in another language needs another such file alone."""

import json
import re
from html.parser import HTMLParser

import pytest
import script_words
from script_words import HOLE

from pawnstorm_tools.playing_page import artwork, hosted, numbers, page

KINDS = {
    f"count-{HOLE}": ("gave-away", "blunder", "mistake", "inaccuracy"),
    f"explorer-{HOLE}": ("winning", "losing", "undecided"),
    f"outcome-{HOLE}": ("winning", "losing", "undecided"),
    f"fault-{HOLE}": ("gave-away", "blunder", "mistake", "inaccuracy"),
    f"known-by-{HOLE}": ("book", "opening", "solver"),
    f"puzzle-level-{HOLE}": ("easy", "medium", "hard"),
    f"puzzle-result-{HOLE}": ("first", "later", "failed", "open"),
    f"bad-{HOLE}": ("minutes", "increment", "seconds"),
    f"rules-{HOLE}": page.FAMILIES,
    f"family-{HOLE}": page.FAMILIES,
    f"tool-{HOLE}": ("white", "black", "eraser"),
}
"""What fills the holes in names that scripts make."""
TABLES = re.compile(r"(address|damaged|ended|rule)-[\w-]+")
"""Names of texts that stand in tables of the scripts, or are given to functions."""
NAMED = {"name": ("link", "fen", "pgn"), "fault": (), "row.caption": ()}
"""What text() is given beside names that can be read: each with the names that it may be, if they are not in TABLES."""
FAULTS = {f"no text {HOLE}", f"preference {HOLE} is not {HOLE}", "the memory of the core is used up"}
"""What only a fault of the page itself would say."""
PGN = {
    "far rank reached",
    "no move left",
    "last pawn taken",
    "the opponent has run out of time",
    "as the PGN says",
    "as the address says",
    f"{HOLE} has resigned",
    f"{HOLE} wins: {HOLE}",
}
"""What PGNs and addresses say in all languages: view/endings.js."""
NO_WORDS = {
    "new game",
    "own move",
    "not all",
    "select, input, textarea, dialog",
    "defs, title",
    ":hover, :focus-within",
    ".pictures figure",
    "#board title",
    "#moves a",
    "ppppp/ppppp/5/5/PPPPP/PPPPP w",
    "(prefers-reduced-motion: reduce)",
    f"(prefers-color-scheme: {HOLE})",
    f"translate({HOLE}px, {HOLE}px)",
    f"const numbers = {HOLE};\\n{HOLE}",
}
"""Names, selectors and code."""
SENTENCE = re.compile(r"[^\W\d_]{2,}[.,:;!?]* +[^\W\d_]|[^\W\d_]{2,}([.,:;!?]+ |[.!?]$)|[^\W\d_]{2,} “")
SHOWN = ("aria-label", "title", "placeholder", "alt", "content")
"""Attributes that people read; `content` is that of meta elements."""
URL = "https://host.example/pawnstorm/"


def scripts():
    """{path: source} of what the page has from this folder and shares with the report."""
    paths = [path for folder in ("both", "view", "worker") for path in page.report.scripts_of(page.FOLDER / folder)]
    paths += [page.report.FOLDER / name for name in page.REPORT]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def calls():
    """[(where, arguments)] of the scripts' calls of text()."""
    return [(path.name, words) for path, source in scripts().items() for words in script_words.calls(source, "text")]


def names(argument):
    """The names that the first argument of text() may be."""
    if argument in NAMED:
        return set(NAMED[argument])
    found = set()
    for place, name in script_words.strings(argument):
        if re.search(r"[!=]==\s*$", argument[:place]):
            continue  # what something is compared with
        found |= {name.replace(HOLE, kind) for kind in KINDS[name]} if HOLE in name else {name}
    assert found or re.match(r"\w+\[", argument), argument
    return found


def in_tables():
    """The names of texts in tables of the scripts."""
    found = {text for source in scripts().values() for _, text in script_words.strings(source)}
    return {text for text in found if TABLES.fullmatch(text)}


def forms(text):
    return list(text.values()) if isinstance(text, dict) else [text]


def needed(name):
    """The names of the values that a text takes."""
    return {value for form in forms(page.texts()[name]) for value in re.findall(r"\{(\w+)\}", form)}


class Recorded(dict):
    """Texts that remember by which names they were asked for."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.asked = set()

    def __getitem__(self, name):
        self.asked.add(name)
        return super().__getitem__(name)


@pytest.fixture
def filled(monkeypatch):
    """A function that fills in all templates with texts, without the binary parts: returns {name of a file: bytes}."""

    def fill(texts):
        monkeypatch.setattr(page, "texts", lambda: texts)
        monkeypatch.setattr(page, "contents", lambda core=None: ({**numbers.numbers(), "texts": dict(texts)}, {}))
        monkeypatch.setattr(artwork, "png", str.encode)
        monkeypatch.setattr(hosted, "check_library", lambda: None)
        return {"page.html": page.page().encode(), **hosted.files(url=URL)}

    pytest.importorskip("jinja2")
    return fill


def marked(texts):
    """The texts, each between ⟦ and ⟧ but for the values in it, so that a value is marked only if it is a text itself."""

    def mark(text):
        if isinstance(text, dict):
            return {form: mark(words) for form, words in text.items()}
        return "⟦" + re.sub(r"(\{\w+\})", r"⟧\1⟦", text) + "⟧"

    return {**{name: mark(text) for name, text in texts.items()}, "language": "de"}


def unmarked(text):
    """What is in no brackets."""
    return re.sub("⟦[^⟦⟧]*⟧", " ", text)


class Words(HTMLParser):
    """What people are shown of a page as it is written: texts, and the attributes SHOWN."""

    def __init__(self, text):
        super().__init__()
        self.found, self.inside = [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        own = dict(attributes)
        described = (
            tag != "meta"
            or own.get("name") == "description"
            or own.get("property", "").endswith(("title", "description", "alt"))
        )
        self.found += [own[name] for name in SHOWN if own.get(name) and described]

    def handle_data(self, data):
        if self.inside not in ("script", "style"):
            self.found.append(data)


def test_every_text_that_a_script_names_exists():
    used = [(where, name) for where, (first, *_) in calls() for name in names(first)]
    used += [("a table", name) for name in in_tables()]
    assert len(used) > 250
    assert [(where, name) for where, name in used if name not in page.texts()] == []


def test_every_text_is_used(filled):
    texts = Recorded(page.texts())
    filled(texts)
    used = {name for _, (first, *_) in calls() for name in names(first)} | in_tables() | texts.asked
    assert [name for name in texts if name not in used] == []


def test_every_game_has_its_texts():
    offered = {"twoflags" if row["family"] == "pawnsonly" else row["family"] for row in numbers.numbers()["games"]}
    assert offered == set(page.FAMILIES)


def test_every_value_of_a_text_is_given():
    lacking = []
    for where, (first, *more) in calls():
        given = more[0] if more else "{}"
        if not given.startswith("{"):
            assert given in ("premove.move", "move"), (where, given)  # {from, to}
            given = "{from, to}"
        own = [re.match(r"\w+", part)[0] for part in script_words.parts(given[1:-1])]
        lacking += [(where, name, value) for name in names(first) for value in needed(name) - set(own)]
    assert lacking == []
    tables = {"damaged": {"name"}, "ended": {"winner", "words"}, "rule": set(), "address": {"found", "most"}}
    assert [name for name in in_tables() if not needed(name) <= tables[name.partition("-")[0]]] == []


def test_plurals_have_a_form_for_one_and_for_others():
    plurals = {name: text for name, text in page.texts().items() if isinstance(text, dict)}
    assert plurals and all(
        {"one", "other"} <= text.keys() and "count" in needed(name) for name, text in plurals.items()
    )


def test_no_sentence_is_left_in_a_script():
    found = {
        text: path.name
        for path, source in scripts().items()
        for _, text in script_words.strings(source)
        if SENTENCE.search(text)
    }
    assert found.keys() - PGN - FAULTS - NO_WORDS == set()
    assert PGN | FAULTS | NO_WORDS <= found.keys(), "what is allowed is no longer there"
    assert {found[text] for text in PGN} == {"endings.js"}


def test_templates_have_no_words_of_their_own(filled):
    files = filled(marked(page.texts()))
    for name in ("page.html", "index.html"):
        html = files[name].decode()
        assert '<html lang="de">' in html
        left = {word for text in Words(html).found for word in re.findall(r"[^\W\d_]+", unmarked(text))}
        assert left <= {"Pawnstorm", page.__version__}
    told = json.loads(files["manifest.webmanifest"])
    assert told["lang"] == "de" and unmarked(told["description"]).strip() == ""
    shown = re.findall("<text[^>]*>([^<]*)", files["share.png"].decode().partition(artwork.FONT)[2])
    assert {unmarked(text).strip() for text in shown} >= {"", "Pawnstorm"}
