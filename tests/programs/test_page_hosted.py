"""The page on a web host, in a folder beside others: installable, played without a network, and replaced as a whole."""

import contextlib
import json
import os

import browsers
import pytest
import web_server
from page_hands import MOVES, begin_with_a_move, follow
from pages import browser  # noqa: F401  a fixture

from pawnstorm_tools.playing_page import hosted

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
SCOPE = "navigator.serviceWorker.getRegistration().then(found => found?.active?.state === 'activated' && found.scope)"
"""The scope of the page's service worker, once that is in use."""
UPDATED = """(async () => {
  const registration = await navigator.serviceWorker.ready;
  const found = new Promise(done => { registration.onupdatefound = () => done(registration.installing); });
  await registration.update();
  const worker = await found;
  await new Promise(done => {
    const look = () => { if (['activated', 'redundant'].includes(worker.state)) done(); };
    worker.onstatechange = look;
    setTimeout(done, 30000);
    look();
  });
  return worker.state;
})()"""
"""Has the browser look for another service worker, and waits until that is in use or given up: its state."""
OTHERS = ["another project 1", "pawnstorm /elsewhere/ 1 x"]
"""Caches of other folders of the host."""
KEYS = "caches.keys().then(names => names.sort())"
BROKEN_OFF = "Failed to load resource: net::ERR_CONNECTION_RESET"
"""What Chromium says where the server ends while it looks for another version of the service worker."""


SECOND = "https://host.example/"
"""The address that the second version has for its own."""
CANONICAL = "document.querySelector('link[rel=canonical]')?.href"


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    """{path: file} of two versions of the page, as a server has them."""
    pytest.importorskip("ziglang")
    found = []
    for time, url in enumerate((None, SECOND)):
        folder = tmp_path_factory.mktemp("site")
        names = {name: folder / name for name in hosted.write(folder, url=url)}
        for path in names.values():
            os.utime(path, (time, time))  # the server's answers are told apart by their seconds
        found.append({f"pawnstorm/{name}": path for name, path in {**names, "": names["index.html"]}.items()})
    return found


@pytest.fixture
def served(versions):
    """{path: file} that the server of visited() sends: the first version."""
    return dict(versions[0])


@contextlib.contextmanager
def visited(browser, served, cache="no-store", **headers):
    """The page's address, once the browser has been there and has its service worker; at the end the server is stopped.

    cache: how long the server lets its answers be stored outside the service worker. headers: further ones that it sends.
    """
    with web_server.serving(served, {"Cache-Control": cache, **headers}) as server:
        browser.complaints.clear()
        browser.load(f"{server}/pawnstorm/")
        assert browser.until(SCOPE) == f"{server}/pawnstorm/"
        yield f"{server}/pawnstorm/"


@pytest.fixture(scope="module")
def new_page():
    with browsers.chromium() as found:
        yield found


def test_a_game_is_played_without_a_network_after_the_first_visit(browser, served):
    with visited(browser, served) as address:
        pass
    for name in ("", "index.html", "?from=a-link"):
        browser.load(address + name)  # from the service worker: nothing listens there now
        board = begin_with_a_move(browser, "breakthrough")
        follow(browser, board.rules, 2)
        assert len(browser.evaluate(MOVES)) >= 2
    assert {*browser.complaints} <= {BROKEN_OFF}


def test_documents_below_the_page_come_from_the_network_alone(new_page, served, tmp_path):
    browser = new_page()
    document = served["pawnstorm/docs/"] = served["pawnstorm/docs/index.html"] = tmp_path / "document.html"
    with visited(browser, served) as address:
        for title in ("A document", "The same document later"):
            document.write_text(f"<title>{title}</title>")
            for name in ("docs/", "docs/index.html"):
                browser.open(address + name)
                assert browser.page.title() == title
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        browser.open(f"{address}docs/")
    browser.page.context.close()


def test_chromium_finds_it_installable(new_page, served):
    browser = new_page()
    session = browser.page.context.new_cdp_session(browser.page)
    with visited(browser, served) as address:
        found = session.send("Page.getAppManifest")
        errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert found["url"] == f"{address}manifest.webmanifest" and found["errors"] == []
    assert [
        error for error in errors if error["errorId"] != "in-incognito"
    ] == []  # as all of Playwright's contexts are
    assert browser.complaints == []
    browser.page.context.close()


def test_the_policy_that_the_documents_name_is_enough(new_page, served):
    browser = new_page()
    policy = (
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
        "worker-src blob: 'self'; connect-src 'self'; manifest-src 'self'; img-src 'self'"
    )
    session = browser.page.context.new_cdp_session(browser.page)
    with visited(browser, served, **{"Content-Security-Policy": policy}):
        assert session.send("Page.getAppManifest")["errors"] == []
    assert browser.complaints == []
    browser.page.context.close()


def test_a_checker_finds_no_fault(new_page, served):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    browser = new_page()
    with visited(browser, served):
        results = axe.run(browser.page)
    assert results.violations_count == 0, results.generate_report()
    assert browser.complaints == []
    browser.page.context.close()


def test_new_version_replaces_the_old_one_and_no_cache_of_others(new_page, versions, served):
    browser = new_page()
    with visited(browser, served, "max-age=600") as address:
        browser.evaluate(f"Promise.all({json.dumps(OTHERS)}.map(name => caches.open(name))).then(() => 0)")
        before = browser.evaluate(KEYS)
        browser.load(address)  # from the service worker, which such a page would keep in use
        served.update(versions[1])
        assert browser.evaluate(UPDATED) == "activated"
        after = browser.evaluate(KEYS)
        assert len(before) == len(after) == len(OTHERS) + 1 and set(before) & set(after) == set(OTHERS)
    browser.load(address)
    assert browser.evaluate(CANONICAL) == SECOND
    assert browser.complaints == []
    browser.page.context.close()


def test_half_uploaded_version_leaves_the_old_one_as_it_was(new_page, versions, served):
    browser = new_page()
    with visited(browser, served) as address:
        served["pawnstorm/sw.js"] = versions[1]["pawnstorm/sw.js"]
        assert browser.evaluate(UPDATED) == "redundant"
    browser.load(address)
    assert browser.evaluate(CANONICAL) is None
    browser.page.context.close()
