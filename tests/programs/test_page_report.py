"""A report of a match whose positions open in the page, for analysis."""

import browsers
import pytest
from browsers import READY
from matches import fake, run
from pages import written  # noqa: F401  a fixture
from reports import match, report, write_report

from pawnstorm_tools.programs import report as program
from pawnstorm_tools.reporting import reading


def test_a_report_without_the_page_has_no_link_to_it():
    assert 'id="analyse"' not in report(match(2))


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "page.html#game=1", "http://[", " ", ""],
)
def test_what_is_no_address_of_a_page_is_refused(address, tmp_path, capsys):
    pgn = tmp_path / "games.pgn"
    pgn.write_text(match(1))
    assert program.main([str(pgn), "-o", str(tmp_path / "out.html"), "--page", address]) == 2
    assert "is not the address of a page" in capsys.readouterr().err


def test_a_match_without_an_address_of_a_page_does_not_begin(tmp_path):
    made = tmp_path / "out.html"
    status, output, error = run(fake("good"), fake("good"), "-report", f"file={made}", "page=javascript:alert(1)")
    assert (status, output) == (2, "") and "-report page: 'javascript:alert(1)' is not the address of a page" in error


@pytest.mark.slow
@pytest.mark.compiled
def test_a_position_of_a_report_is_analysed(written, tmp_path):
    records = reading.parse(match(3), "test").records
    with browsers.chromium() as new_page:
        browser = new_page()
        browser.open(write_report(tmp_path / "report.html", match(3), written.as_uri()) + "#game=2&ply=7")
        browser.until("document.getElementById('position').textContent.includes('Ply 7 of')")
        with browser.page.context.expect_page() as found:
            browser.press("#analyse")
        opened = browsers.Chromium(found.value)
        opened.until(READY)
        assert opened.evaluate("document.querySelectorAll('#moves a').length") == len(records[1]["steps"])
        assert opened.evaluate("document.querySelector('#moves a[aria-current]').dataset.node") == "7"
        opened.until("document.querySelectorAll('#lines li').length === 3")
        assert browser.complaints == opened.complaints == []
