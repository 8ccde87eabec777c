"""A page that was changed, and one that a browser or its policy does not let run: each says so in a sentence."""

import json

import pytest
import web_server
from pages import browser, with_script, written  # noqa: F401  fixtures

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
SCRIPT = "(() => {\n'use strict';"
"""How the page's script begins."""


def said(browser, address, words):
    """What the page at an address says is wrong, once that has the words."""
    browser.open(address)
    browser.until(f"document.getElementById('trouble').textContent.includes({json.dumps(words)})")
    assert browser.evaluate("document.getElementById('trouble').checkVisibility()")
    return browser.text("trouble")


@pytest.mark.parametrize("part, words", [("core", "The engine inside"), ("records", "The table of the games")])
def test_a_changed_part_is_named(part, words, written, browser, tmp_path):
    text = written.read_text()
    place = text.index(">", text.index(f'data-part="{part}"')) + 5000
    changed = tmp_path / "changed.html"
    changed.write_text(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])
    assert said(browser, changed.as_uri(), words).endswith("load or download the page again.")


def test_a_changed_script_is_told(written, browser, tmp_path):
    changed = tmp_path / "changed.html"
    changed.write_text(written.read_text().replace(SCRIPT, f"{SCRIPT}\n", 1))
    assert said(browser, changed.as_uri(), "has not started").endswith("load or download it again.")


@pytest.mark.parametrize(
    "lacking, words",
    [
        ("delete globalThis.WebAssembly;", "this browser has no WebAssembly, or it is switched off. Browsers of 2023"),
        ("delete globalThis.DecompressionStream;", "this browser has no DecompressionStream"),
        ("WebAssembly.validate = () => false;", "this browser’s WebAssembly is too old for its engine. Browsers of"),
        ("Worker = class { constructor() { throw new Error('no.'); } };", "the browser refuses its worker: no."),
    ],
)
def test_what_a_browser_lacks_is_named(lacking, words, written, browser, tmp_path):
    said(browser, with_script(written, lacking, tmp_path / "lame.html"), words)


@pytest.mark.parametrize(
    "policy, words",
    [
        ("default-src 'self'", "the server’s content security policy has to allow the script"),
        ("sandbox", "the server’s content security policy has to allow the script"),
        ("script-src 'unsafe-inline'", "a content security policy has to allow 'wasm-unsafe-eval'"),
        ("script-src 'unsafe-inline' 'wasm-unsafe-eval'", "the browser refuses its worker"),
        ("style-src 'none'", "a content security policy has to allow its style"),
    ],
)
def test_a_strict_policy_of_a_server_is_named(policy, words, written, browser):
    with web_server.serving({"pawnstorm.html": written}, {"Content-Security-Policy": policy}) as address:
        said(browser, f"{address}/pawnstorm.html", words)


def test_the_policy_that_the_documents_name_is_enough(written, browser):
    policy = (
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; worker-src blob:"
    )
    with web_server.serving({"pawnstorm.html": written}, {"Content-Security-Policy": policy}) as address:
        browser.load(f"{address}/pawnstorm.html")
        browser.press("#hint")
        browser.until("document.getElementById('said').textContent.startsWith('Hint: ')")
