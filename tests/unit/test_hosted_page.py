"""The page as a folder for a web host: its addresses are relative, and lead to files that exist."""

import json
import re
import struct
from urllib.parse import urlsplit

import page as program
import pytest
from reports import Elements

from pawnstorm_tools.playing_page import PageError, hosted, page

CORE, OTHER = b"a core", b"another core"
URL = "https://host.example/pawnstorm/"


class Parsed(Elements):
    """The elements of the page, as the tests ask for them."""

    def scripts(self):
        """The texts of the scripts that run."""
        return [text for tag, attributes, text in self.found if tag == "script" and not attributes]

    def meta(self, key):
        """The contents of the meta elements with this name or property."""
        return [found["content"] for _, found, _ in self.found if key in (found.get("name"), found.get("property"))]

    def links(self):
        """The addresses in all elements."""
        return [found[key] for _, found, _ in self.found for key in ("href", "src", "action") if key in found]

    def policy(self):
        """{directive: its sources} of the content security policy."""
        text = next(found["content"] for _, found, _ in self.found if "http-equiv" in found)
        return {words[0]: set(words[1:]) for words in map(str.split, text.split(";"))}


def site(files):
    """The object `site`, with which the service worker begins."""
    return json.loads(re.search(r"^const site = (.*);$", files["sw.js"].decode(), re.M)[1])


def size(png):
    """(width, height) of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


@pytest.fixture(scope="module")
def files():
    return hosted.files(CORE)


@pytest.fixture(scope="module")
def parsed(files):
    return Parsed(files["index.html"].decode())


def test_manifest_gives_the_true_sizes_of_its_icons(files):
    told = json.loads(files["manifest.webmanifest"])
    for icon in told["icons"]:
        assert "{}x{}".format(*size(files[icon["src"]])) == icon["sizes"] and icon["type"] == "image/png"
    kinds = {(icon["sizes"], icon["purpose"]) for icon in told["icons"]}
    assert kinds == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    assert told["name"] == told["short_name"] == "Pawnstorm" and told["display"] == "standalone"
    assert told["start_url"] == told["scope"] == "./"
    assert "id" not in told  # relative to the host's root, so other folders could have the same


def test_all_addresses_are_relative_and_lead_to_files(files, parsed):
    told = json.loads(files["manifest.webmanifest"])
    links = parsed.links() + [told["start_url"], told["scope"], *(icon["src"] for icon in told["icons"])]
    links += [*site(files)["files"], re.search(r"register\('(.*?)'\)", parsed.scripts()[-1])[1]]
    assert {"manifest.webmanifest", "icon-192.png", "sw.js"} <= set(links)
    for link in links:
        assert link in files or link == "./" or link.startswith("#"), link
    assert parsed.meta("og:image") == parsed.meta("og:url") == [] and parsed.meta("twitter:card") == ["summary"]


def test_shared_link_has_title_description_and_picture(files):
    made = hosted.files(CORE, URL)
    parsed = Parsed(made["index.html"].decode())
    assert parsed.meta("og:title") == ["Pawnstorm: Two Flags and Breakthrough"]
    assert parsed.meta("description") == parsed.meta("og:description") == [page.texts()["site-description"]]
    assert parsed.meta("og:image") == [f"{URL}share.png"] and parsed.meta("twitter:card") == ["summary_large_image"]
    assert parsed.meta("og:url") == [URL] and ["link", {"rel": "canonical", "href": URL}, ""] in parsed.found
    assert size(made["share.png"]) == (1200, 630)
    assert [*parsed.meta("og:image:width"), *parsed.meta("og:image:height")] == ["1200", "630"]


def test_policy_also_allows_the_manifest_the_icons_and_the_service_worker(parsed):
    single = Parsed(page.page(CORE)).policy()
    assert single["img-src"] == {"data:"} and single["worker-src"] == {"blob:"} and "manifest-src" not in single
    *_, registration = parsed.scripts()
    more = {"img-src": {"'self'"}, "manifest-src": {"'self'"}, "worker-src": {"blob:", "'self'"}}
    hashes = single["script-src"] | {f"'{page.report.digest(registration)}'"}
    assert parsed.policy() == {**single, **more, "script-src": hashes}


def test_page_differs_from_the_single_file_only_in_head_and_registration(files, parsed):
    *_, registration = parsed.scripts()
    body = files["index.html"].decode().partition("<body>")[2].replace(f"<script>{registration}</script>\n", "")
    assert body == page.page(CORE).partition("<body>")[2]


def test_service_worker_keeps_all_files_except_the_picture_of_links(files):
    told = site(files)
    assert told["version"] == page.__version__
    assert told["files"].keys() == files.keys() - {"index.html", "share.png", "sw.js"} | {"./"}
    assert told["files"]["./"] == page.report.digest(files["index.html"].decode())


def test_digest_depends_on_the_content(files):
    assert hosted.files(CORE) == files
    assert site(hosted.files(OTHER))["digest"] != site(files)["digest"]


def test_other_files_in_the_folder_stay(files, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.html").write_text("documents")
    (tmp_path / "index.html").write_text("the version before")
    assert hosted.write(tmp_path, CORE) == files
    assert (tmp_path / "docs" / "index.html").read_text() == "documents"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == files


@pytest.mark.parametrize("url", [URL, "http://localhost:8000/", "https://host.example/a/b/"])
def test_address_of_a_folder_is_accepted(url):
    hosted.check_url(url)
    assert urlsplit(Parsed(hosted.index(CORE, url)).meta("og:image")[0]).path.endswith("/share.png")


@pytest.mark.parametrize(
    "url",
    [
        "host.example/",
        "/pawnstorm/",
        "https://host.example/pawnstorm",
        "https:///x/",
        "ftp://host.example/",
        "https://[/",
    ]
    + ["https://host.example/?x=/", "https://host.example/#/", "https://host.example/a b/", "", "javascript:alert(1)/"],
)
def test_other_address_is_refused(url, tmp_path, capsys):
    assert program.main(["--site", str(tmp_path / "site"), "--url", url]) == 2
    assert f"--url: '{url}' is not the address of a folder: expected " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words, named", [([], "-o FILE or --site DIR is required"), (["-o", "x", "--url", URL], "--url needs --site DIR")]
)
def test_missing_flag_is_named(words, named, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        program.main(words)
    assert named in capsys.readouterr().err


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(hosted, "find_spec", lambda name: None)
    with pytest.raises(PageError, match="needs vl_convert: pip install"):
        hosted.files(CORE)
