"""The page on screens of all sizes, in both schemes: nothing overflows, and a checker of accessibility finds no fault."""

import itertools

import browsers
import pytest
from pages import written  # noqa: F401  a fixture
from reports import PHONE, TURNED, match, write_report

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
FEW = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"  # of several games
NARROW = {"viewport": {"width": 200, "height": 400}}
FAULTS = """(() => {
  const box = part => part.getBoundingClientRect();
  const scope = document.querySelector('dialog[open]') ?? document.documentElement;    // what lies behind a dialog cannot be used
  const seen = (...kinds) => kinds.flatMap(kind => [...scope.querySelectorAll(kind)]).filter(part => part.checkVisibility() && box(part).width > 1);
  const name = part => `${part.tagName} ${part.id || part.textContent.trim().slice(0, 20)}`;
  const found = [];
  if (scope.scrollWidth > scope.clientWidth) found.push(`${scope.id || 'the page'} is ${scope.scrollWidth} wide`);
  for (const part of seen('button', 'select', 'input', 'textarea', 'summary', 'p', 'h1', 'h2', 'h3', 'svg', 'table')) {
    if (!part.closest('.scroll, .frame, .skip') && (box(part).left < 0 || box(part).right > innerWidth)) found.push(`${name(part)} leaves the window`);
  }
  for (const part of seen('button')) if (part.scrollWidth > part.clientWidth + 1) found.push(`${name(part)} is cut off`);
  for (const part of seen('select:not(#chosen)')) {    // a report's games have players with names of any length
    const copy = part.parentNode.appendChild(document.createElement('select'));
    copy.style.cssText = 'position: absolute; max-width: none';
    copy.append(new Option(part.selectedOptions[0].text));
    if (copy.offsetWidth > part.offsetWidth) found.push(`${name(part)} is cut off`);
    copy.remove();
  }
  const controls = seen('button', 'select', 'input', 'textarea', 'summary');
  controls.forEach((one, index) => controls.slice(index + 1).forEach(other => {
    const [a, b] = [box(one), box(other)];
    const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (width > 1 && height > 1 && !one.contains(other)) found.push(`${name(one)} and ${name(other)} overlap`);
  }));
  return found;
})()"""
"""What leaves the window, is cut off, or lies upon something else."""
SCREENS = {"desktop": {}, "phone": PHONE, "turned": TURNED}


@pytest.fixture(scope="module")
def new_page():
    with browsers.chromium() as found:
        yield found


@pytest.mark.parametrize("screen, scheme", list(itertools.product(SCREENS, ("light", "dark"))))
def test_a_checker_finds_no_fault(screen, scheme, new_page, written):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    browser = new_page(color_scheme=scheme, **SCREENS[screen])
    browser.load(written.as_uri())
    for mode in ("play", "analyse", "learn"):
        browser.act(f"mode-{mode}")
        browser.unfold()
        if mode == "analyse":
            browser.until("document.getElementById('explorer-counts').textContent.includes('All are known.')", 60)
        results = axe.run(browser.page)
        assert results.violations_count == 0, (mode, results.generate_report())
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), mode
        box = browser.evaluate(
            "(({width, height}) => [width, height])(document.getElementById('board').getBoundingClientRect())"
        )
        assert min(box) > 200 and box[1] <= browser.evaluate("innerHeight"), mode
    browser.page.context.close()
    assert browser.complaints == []


def test_a_checker_finds_no_fault_while_a_review_runs(new_page, written):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    browser = new_page()
    browser.load(f"{written.as_uri()}#game=breakthrough&moves=a2a3a7a6b2b3b7b6c2c3c7c6d2d3d7d6e2e3e7e6&mode=analyse")
    browser.act("review-game")
    results = axe.run(browser.page)
    assert browser.text("review-text").startswith("Reviewing")
    assert results.violations_count == 0, results.generate_report()
    browser.page.context.close()


def test_nothing_moves_for_those_who_want_it_still(new_page, written):
    browser = new_page(reduced_motion="reduce")
    browser.load(written.as_uri() + "#game=twoflags&mode=learn")
    browser.act("show-rules")
    assert browser.text("pictures") == "Start the pictures"
    before = browser.evaluate("document.getElementById('rules-twoflags').innerHTML")
    browser.page.wait_for_timeout(2000)
    assert browser.evaluate("document.getElementById('rules-twoflags').innerHTML") == before
    browser.page.context.close()


@pytest.mark.parametrize("size", [(200, 400), (320, 256), (320, 640), (640, 400)], ids=str)
@pytest.mark.parametrize("mode", ["play", "analyse", "learn"])
def test_page_fits_into_a_narrow_window(mode, size, new_page, written):
    browser = new_page(viewport=dict(zip(("width", "height"), size)))
    browser.load(written.as_uri())
    browser.act(f"mode-{mode}")
    # Chips that have been scrolled out of their frame do not overlap what lies there.
    assert [fault for fault in browser.evaluate(FAULTS) if "◇" not in fault] == []
    browser.page.context.close()


@pytest.mark.parametrize("mode", ["play", "analyse", "learn"])
def test_question_for_an_opponent_fits_into_a_window_of_200_pixels(mode, new_page, written):
    browser = new_page(**NARROW)
    browser.load(f"{written.as_uri()}#game=breakthrough&moves=a2a3a7a6b2b3b7b6&mode=play")
    browser.act(f"mode-{mode}")
    browser.unfold()
    assert browser.evaluate(FAULTS) == []
    for field in ("family", "level", "time") if mode == "play" else ():
        count = browser.evaluate(f"document.getElementById('{field}').length")
        for index in range(count):
            browser.evaluate(f"(document.getElementById('{field}').selectedIndex = {index}, 0)")
            assert browser.evaluate(FAULTS) == []
    browser.page.context.close()


def open_dialog(browser, button):
    """Open the dialog of a button, full of what it can show."""
    browser.act(button)
    if button == "show-edit":
        browser.act("edit-clear")  # which is a fault
    if button == "show-open":
        players = '[White "A player with a long name"]\\n[Black "Another one of that kind"]'
        browser.evaluate(f"(document.getElementById('text').value = '{players}\\n1. e4 e5 2. d4 *\\n'.repeat(9), 0)")
        browser.act("open")
        browser.evaluate(f"(document.getElementById('text').value = '{FEW}', 0)")


def close_dialog(browser):
    browser.evaluate("document.querySelector('dialog[open]')?.close() ?? 0")


DIALOGS = ["show-new", "show-edit", "show-open", "show-share", "show-rules", "show-settings"]


@pytest.mark.parametrize("button", DIALOGS)
def test_dialog_fits_into_a_window_of_200_pixels(button, new_page, written):
    browser = new_page(**NARROW)
    browser.load(f"{written.as_uri()}#game=twoflags&moves=e2e4e7e5&mode=analyse")
    open_dialog(browser, button)
    assert browser.evaluate(FAULTS) == []
    if button == "show-open":
        browser.act("open")
        assert browser.evaluate("document.querySelectorAll('#as-others button').length") == 2
        assert browser.evaluate(FAULTS) == []
    browser.page.context.close()


@pytest.mark.parametrize("screen, scheme", list(itertools.product(("desktop", "phone"), ("light", "dark"))))
def test_a_checker_finds_no_fault_in_a_dialog(screen, scheme, new_page, written):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    browser = new_page(color_scheme=scheme, **SCREENS[screen])
    browser.load(written.as_uri())
    for button in DIALOGS:
        open_dialog(browser, button)
        results = axe.run(browser.page)
        assert results.violations_count == 0, (button, results.generate_report())
        close_dialog(browser)
    browser.page.context.close()
    assert browser.complaints == []


def test_report_fits_into_a_window_of_200_pixels(new_page, tmp_path):
    browser = new_page(**NARROW)
    browser.open(write_report(tmp_path / "report.html", match(3), "pawnstorm.html") + "#game=2&ply=7")
    browser.until("document.getElementById('position').textContent.includes('Ply 7 of')")
    browser.unfold()
    browser.until("document.querySelectorAll('.chart svg').length >= 3")
    assert browser.evaluate(FAULTS) == []
    browser.page.context.close()
