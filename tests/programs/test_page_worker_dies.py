"""The page when its engine's worker dies: it says so, starts another one with the same question, and the game goes on."""

import json

import pytest
from page_hands import MOVES, begin, make
from pages import browser, with_script, written  # noqa: F401  fixtures

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
SPY = """
  window.workers = [];
  window.Worker = class extends Worker {
    constructor(address) {
      if (window.refused) throw new Error(window.refused);
      super(address);
      window.workers.push(this);
    }
    postMessage(message) {
      if (message.kind === 'go' && window.fatal && (window.fatal.always || !window.fatal.done)) {
        window.fatal.done = true;
        message = structuredClone(message);
        window.fatal.kill(this, message);
      }
      super.postMessage(message);
    }
  };
"""
"""A script before the page's own: its workers can be looked at, window.fatal.kill meets each `go`, or the first one, and
where window.refused is a text, the browser refuses another worker with it.
"""
WAYS = {
    "ended from outside": "worker => worker.terminate()",
    "an error in it": "(worker, message) => { message.position.own = null; }",
    "an error nobody catches": "worker => setTimeout(() => worker.onerror({message: 'out of memory'}), 0)",
}
SAID = "document.getElementById('trouble').textContent"


START = Board.start(get_rules("breakthrough"))


@pytest.fixture
def spied(written, browser, tmp_path):
    """The page with SPY in it."""
    browser.load(with_script(written, SPY, tmp_path / "spied.html"))
    return browser


@pytest.mark.parametrize("way", WAYS)
def test_game_goes_on_with_another_worker(way, spied):
    begin(spied, "breakthrough", "white")
    workers = spied.evaluate("window.workers.length")
    spied.evaluate(f"(window.fatal = {{kill: {WAYS[way]}}}, 0)")
    make(spied, START, START.moves()[0], "click")
    spied.until(f"({MOVES}).length === 2", 60)
    assert spied.evaluate("window.workers.length") == workers + 1
    assert spied.evaluate(SAID).endswith("It has been restarted.")
    spied.act("new-game")
    assert spied.evaluate(SAID) == ""


def test_engine_that_dies_again_is_given_up_until_it_is_asked(spied):
    begin(spied, "breakthrough", "white")
    spied.evaluate(f"(window.fatal = {{always: true, kill: {WAYS['an error nobody catches']}}}, 0)")
    make(spied, START, START.moves()[0], "click")
    assert spied.until(f"{SAID}.endsWith('It restarts when needed.') && {SAID}").count("out of memory") == 1
    spied.evaluate("(window.fatal = null, 0)")
    spied.press("#take-back")
    make(spied, START, START.moves()[1], "click")
    spied.until(f"({MOVES}).length === 2", 60)


def test_analysis_goes_on_with_other_workers(spied):
    spied.press("#mode-analyse")
    spied.until("document.querySelectorAll('#lines li').length === 3")
    spied.evaluate(
        "(window.workers.forEach(worker => worker.terminate()), document.getElementById('lines').replaceChildren(), 0)"
    )
    spied.until("document.querySelectorAll('#lines li').length === 3", 60)
    spied.press("#mode-play")


REFUSED = "The engine cannot run here, since the browser refuses its worker: no more. It restarts when needed."


def test_refusal_of_the_worker_that_takes_over_is_told_until_one_is_had(spied):
    begin(spied, "breakthrough", "white")
    spied.evaluate(f"(window.fatal = {{kill: {WAYS['an error nobody catches']}}}, window.refused = 'no more.', 0)")
    make(spied, START, START.moves()[0], "click")
    spied.until(f"{SAID} === {json.dumps(REFUSED)}")
    assert spied.evaluate("document.getElementById('thinking').hidden")
    spied.press("#take-back")
    make(spied, START, START.moves()[1], "click")
    spied.until(f"{SAID} === {json.dumps(REFUSED)} && document.getElementById('thinking').hidden")
    spied.evaluate("(window.refused = null, 0)")
    spied.press("#take-back")
    make(spied, START, START.moves()[1], "click")
    spied.until(f"({MOVES}).length === 2", 60)
