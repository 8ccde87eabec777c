"""The documents as web pages, which Sphinx makes."""

import importlib
import re
import shutil
from html.parser import HTMLParser
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import browsers
import pytest
from client import ROOT

import pawnstorm
from pawnstorm_tools.releasing.documents import DocumentsError
from pawnstorm_tools.releasing.documents import build as building
from pawnstorm_tools.releasing.documents.pages import PAGES
from pawnstorm_tools.releasing.documents.sample import sample_report

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "srcset")}
FRONT, REFERENCE = "index.html", "reference.html"
PHONE, DESKTOP = 360, 1280


class Page(HTMLParser):
    """The names of a page's elements, its links and images: [(tag, attribute, address)], and its text."""

    def __init__(self, path):
        super().__init__()
        self.names, self.addresses, self.words = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.names.add(value)
            elif name in ("href", "src", "srcset"):
                self.addresses.append((tag, name, value))

    def handle_data(self, data):
        self.words.append(data)


def pages_of(folder):
    """{file name: Page} of all pages in a folder."""
    return {path.name: Page(path) for path in folder.glob("*.html")}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder with the pages."""
    for library in ("sphinx", "myst_parser", "furo", "chess"):
        pytest.importorskip(library)
    folder = tmp_path_factory.mktemp("documents") / "site"
    building.build(folder)
    return folder


def test_every_document_is_in_the_table():
    folders = ("engine", "protocol", "scripts", ".github")
    documents = {path for folder in folders for path in (ROOT / folder).rglob("*.md")} | set(ROOT.glob("*.md"))
    made = {ROOT / path for path in PAGES.values() if path.endswith(".md")}
    assert {path.name for path in documents - made} == {"PULL_REQUEST_TEMPLATE.md"} and made <= documents


def test_every_row_of_the_table_is_a_page(site):
    assert {f"{name}.html" for name in PAGES} | {"search.html"} == set(pages_of(site))


def test_links_and_images_lead_to_what_exists(site):
    pages, inner, above = pages_of(site), 0, set()
    for name, page in pages.items():
        for _, _, address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "data"):
                continue
            if address.startswith("../"):
                above.add(address)
                continue
            target = site / name if not parts.path else site / unquote(parts.path)
            assert not parts.scheme and target.is_file(), (name, address)
            if parts.fragment:
                inner += 1
                assert unquote(parts.fragment) in pages[target.name].names, (name, address)
    assert inner > 200
    assert above == {"../index.html", "../report/index.html"}  # what release.py's stage `site` puts there


def test_pages_load_nothing_from_elsewhere(site):
    for name, page in pages_of(site).items():
        loaded = [address for tag, attribute, address in page.addresses if (tag, attribute) in LOADED]
        assert loaded and not [address for address in loaded if urlsplit(address).scheme not in ("", "data")], name
    assert not [
        path for path in site.rglob("*.css") if re.search(r"@import|url\(\s*['\"]?(https?:)?//", path.read_text())
    ]


def test_reference_has_every_public_name(site):
    chess = pytest.importorskip("pawnstorm.chess")
    names = Page(site / REFERENCE).names
    assert {f"pawnstorm.{name}" for name in pawnstorm.__all__} <= names
    modules = [importlib.import_module(f"pawnstorm.{name}") for name in ("kaggle", "openspiel", "pettingzoo")]
    for module in (chess, *modules):
        assert {f"{module.__name__}.{name}" for name in module.__all__} <= names
    assert "pawnstorm.Engine.analyse" in names and "`" not in "".join(Page(site / REFERENCE).words)


@pytest.mark.slow
def test_same_sources_make_the_same_files(site, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    building.build(tmp_path / "again")
    first, again = ({path.relative_to(top): path.read_bytes() for path in top.rglob("*") if path.is_file()}
                    for top in (site, tmp_path / "again"))  # fmt: skip
    assert first == again


@pytest.fixture(scope="module")
def faulty(site, tmp_path_factory):
    """(text of the error, folder of the pages) for sources whose front page has dead links."""
    top = tmp_path_factory.mktemp("faulty")
    for name in ("README.md", "LICENSE", "engine", "protocol", "scripts", ".github"):
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "data")
            shutil.copytree(source, top / name, ignore=ignored)
        else:
            shutil.copy(source, top)
    with open(top / "README.md", "a") as front:
        front.write("\n[one](engine/none.md) [two](engine/README.md#none) [a folder](engine) [a file](LICENSE)\n")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(DocumentsError) as raised:
        patch.setattr(building, "startup", SimpleNamespace(ROOT=top))
        building.build(top / "site")
    return str(raised.value), top / "site"


def test_dead_links_are_errors_and_are_named(faulty):
    said, _ = faulty
    assert said.count("WARNING") == 2 and "README.md" in said and "engine/none.md" in said and "'none'" in said


def test_link_to_a_folder_becomes_text_and_link_to_a_file_leads_to_a_copy(faulty):
    _, pages = faulty
    front = (pages / FRONT).read_text()
    assert re.search(r"</a> <span[^>]*>a folder</span> <a ", front)
    (copy,) = [address for _, _, address in Page(pages / FRONT).addresses if address.endswith("/LICENSE")]
    assert (pages / copy).read_bytes() == (ROOT / "LICENSE").read_bytes()


@pytest.fixture(scope="module")
def new_page():
    with browsers.chromium() as new_page:
        yield new_page


@pytest.mark.slow
@pytest.mark.parametrize("name", [FRONT, REFERENCE, "solved.html", "programs.html"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_pages_fit_the_screen_and_axe_finds_no_fault(site, new_page, name, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    shown = new_page(color_scheme=scheme, viewport={"width": width, "height": 800}).page
    shown.goto((site / name).as_uri())
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.run(shown).response["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == []


@pytest.mark.slow
def test_search_finds_a_page(site, new_page):
    shown = new_page().page
    shown.goto((site / "search.html").as_uri() + "?q=cutechess")
    shown.wait_for_selector("#search-results li a[href*='matches.html']")


@pytest.mark.slow
@pytest.mark.compiled
def test_sample_report_has_the_same_games_each_time(tmp_path):
    for library in ("jinja2", "vl_convert"):
        pytest.importorskip(library)
    games = []
    for name in ("one", "two"):
        sample_report(tmp_path / name / "index.html", "../pawnstorm.html")
        text = (tmp_path / name / "index.html").read_text()
        games.append(re.findall(r'"steps":"[^"]*"', text))
        assert "../pawnstorm.html" in text
    assert games[0] == games[1] and len(games[0]) == 12
