"""The page on screens of all sizes, in both schemes: nothing overflows, and a checker of accessibility finds no fault."""

import itertools

import browsers
import pytest
from pages import READY, written  # noqa: F401  a fixture
from reports import PHONE, TURNED

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
SCREENS = {"desktop": {}, "phone": PHONE, "turned": TURNED}


@pytest.fixture(scope="module")
def new_page():
    pytest.importorskip("axe_playwright_python")
    with browsers.chromium() as found:
        yield found


@pytest.mark.parametrize("screen, scheme", list(itertools.product(SCREENS, ("light", "dark"))))
def test_a_checker_finds_no_fault(screen, scheme, new_page, written):
    from axe_playwright_python.sync_playwright import Axe

    browser = new_page(color_scheme=scheme, **SCREENS[screen])
    browser.open(written.as_uri())
    browser.until(READY)
    for mode in ("play", "analyse", "learn"):
        browser.evaluate(f"(document.getElementById('mode-{mode}').click(), 0)")
        browser.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        results = Axe().run(browser.page)
        assert results.violations_count == 0, (mode, results.generate_report())
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), mode
        box = browser.evaluate(
            "(({width, height}) => [width, height])(document.getElementById('board').getBoundingClientRect())"
        )
        assert min(box) > 200 and box[1] <= browser.evaluate("innerHeight"), mode
    browser.page.context.close()
    assert browser.complaints == []


def test_nothing_moves_for_those_who_want_it_still(new_page, written):
    browser = new_page(reduced_motion="reduce")
    browser.open(written.as_uri() + "#game=twoflags&mode=learn")
    browser.until(READY)
    assert browser.evaluate("document.getElementById('pictures').textContent") == "Let the pictures move"
    before = browser.evaluate("document.getElementById('rules-twoflags').innerHTML")
    browser.page.wait_for_timeout(2000)
    assert browser.evaluate("document.getElementById('rules-twoflags').innerHTML") == before
    browser.page.context.close()


def test_a_phone_that_is_turned_sees_the_whole_board(new_page, written):
    browser = new_page(**TURNED)
    browser.open(written.as_uri())
    browser.until(READY)
    assert browser.evaluate("document.getElementById('board').getBoundingClientRect().height <= innerHeight")
    browser.page.context.close()
