"""A report of a match whose positions open in the page, for analysis."""

import browsers
import pytest
from matches import fake, run
from pages import READY, written  # noqa: F401  a fixture
from reports import match

from pawnstorm_tools.programs import report as program
from pawnstorm_tools.reporting import page, reading


def test_a_report_without_the_page_has_no_link_to_it():
    text = page.page(reading.parse(match(2), "test"))
    assert 'id="analyse"' not in text and 'id="analyse"' in page.page(reading.parse(match(2), "test"), "pawnstorm.html")


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "page.html#game=1", "http://[", " ", ""],
)
def test_what_is_no_address_of_a_page_is_refused(address, tmp_path, capsys):
    pgn = tmp_path / "games.pgn"
    pgn.write_text(match(1))
    assert program.main([str(pgn), "-o", str(tmp_path / "out.html"), "--page", address]) == 2
    assert "is no address of a page" in capsys.readouterr().err


def test_a_match_s_report_has_the_page_that_the_match_names(tmp_path, capsys):
    written, made = tmp_path / "games.pgn", tmp_path / "out.html"
    asked = ["-report", f"file={made}", "page=../pawnstorm.html"]
    status, _, error = run(fake("good"), fake("good"), "-pgnout", written, *asked)
    assert (status, error.count("match.py:")) == (0, 0), error
    text = made.read_text()
    assert program.main([str(written), "-o", str(made), "--page", "../pawnstorm.html"]) == 0
    assert made.read_text() == text and 'id="analyse"' in text


def test_a_match_without_an_address_of_a_page_does_not_begin(tmp_path):
    made = tmp_path / "out.html"
    status, output, error = run(fake("good"), fake("good"), "-report", f"file={made}", "page=javascript:alert(1)")
    assert (status, output) == (2, "") and "-report page: 'javascript:alert(1)' is no address of a page" in error


@pytest.mark.slow
@pytest.mark.compiled
def test_a_position_of_a_report_is_analysed(written, tmp_path):
    records = reading.parse(match(3), "test").records
    path = tmp_path / "report.html"
    path.write_text(page.page(reading.parse(match(3), "test"), written.as_uri()), encoding="utf-8")
    with browsers.chromium() as new_page:
        browser = new_page()
        browser.open(path.as_uri() + "#game=2&ply=7")
        browser.until("document.getElementById('position').textContent.includes('Ply 7 of')")
        with browser.page.context.expect_page() as found:
            browser.press("#analyse")
        opened = browsers.Chromium(found.value)
        opened.until(READY)
        assert opened.evaluate("document.querySelectorAll('#moves a').length") == len(records[1]["steps"])
        assert opened.evaluate("document.querySelector('#moves a[aria-current]').dataset.ply") == "7"
        opened.until("document.querySelectorAll('#lines li').length === 3")
        assert browser.complaints == opened.complaints == []
