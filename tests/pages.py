"""The page as a file, the browsers that open it, and its engine under node, for tests."""

import contextlib
import json
import math
import shutil
import subprocess
import threading
from pathlib import Path

import browsers
import pytest

from pawnstorm_tools.playing_page import page

RUNNER = Path(__file__).with_name("page_worker.mjs")
READER = Path(__file__).with_name("page_reader.mjs")
MEBIBYTES = 16  # of hash, as the engine begins with


class PageEngine:
    """The page's worker in a process. Each call waits for the answer."""

    def __init__(self, process):
        self._process, self._id, self.readings = process, 0, 0
        assert self._hear()["kind"] == "ready"

    def _say(self, **message):
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _hear(self):
        message = json.loads(self._process.stdout.readline())
        if message["kind"] == "reading":
            self.readings += 1
            return self._hear()
        assert message["kind"] != "fault", message["text"]
        return message

    def _ask(self, kind, board, **more):
        self._id += 1
        own, opp, ep = map(str, board.bitboards)
        position = {"game": board.rules.name, "own": own, "opp": opp, "ep": ep, "black": board.black_to_move}
        self._say(kind=kind, id=self._id, position=position, **more)

    def new_game(self):
        self._say(kind="new game")

    def go(self, board, limits, **settings):
        """(line to play, infos) of a search."""
        self._ask("go", board, limits=limits, settings=settings)
        infos = []
        while (message := self._hear())["kind"] != "best":
            infos.append(message)
        return message["line"], infos

    def prove(self, board):
        """The last that the solver says of a board."""
        self._ask("prove", board)
        while not (message := self._hear()).get("ended"):
            pass
        return message

    def explore(self, board, seconds=math.inf):
        """The facts, as worker/explorer.js tells them, that are found out about a board and its moves in so many seconds."""
        self._ask("explore", board)
        stop = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._say, (), {"kind": "stop", "id": self._id})
        stop.start()
        facts, ended = [], False
        while not ended:
            message = self._hear()
            facts += message["facts"]
            ended = message["ended"]
        stop.cancel()
        return facts

    def perft(self, board, depth):
        self._ask("perft", board, depth=depth)
        return int(self._hear()["count"])


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page's file."""
    pytest.importorskip("ziglang")
    path = tmp_path_factory.mktemp("page") / "pawnstorm.html"
    path.write_text(page.page(), encoding="utf-8")
    return path


def with_script(written, script, path):
    """Write the page with a script in front of its own, as its policy allows it; returns its address."""
    text = written.read_text().replace("script-src '", f"script-src '{page.report.digest(script)}' '", 1)
    path.write_text(text.replace("<title>", f"<script>{script}</script><title>", 1))
    return path.as_uri()


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def browser(request, tmp_path_factory):
    """Each browser in turn, as browsers.py has them."""
    if request.param == "chromium":
        with browsers.chromium() as new_page:
            yield new_page(has_touch=True)
    else:
        with browsers.firefox(tmp_path_factory.mktemp("profile")) as found:
            yield found


@pytest.fixture
def opened(browser, written):
    """The browser with the page as it begins, and a clipboard that is window.copied; nothing complains."""
    browser.complaints.clear()
    browser.load(written.as_uri())
    browser.evaluate(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}}) && 0"
    )
    yield browser
    browser.evaluate("(localStorage.clear(), 0)")  # the preferences
    assert browser.complaints == []


@pytest.fixture
def scripted(browser, written, tmp_path):
    """A function (script, fragment="") that loads the page with_script(), at this fragment of its address; nothing complains."""
    browser.complaints.clear()

    def load(script, fragment=""):
        browser.load(with_script(written, script, tmp_path / "page.html") + fragment)

    yield load
    assert browser.complaints == []


@pytest.fixture(scope="module")
def page_engine(tmp_path_factory):
    """A PageEngine."""
    with worker(tmp_path_factory.mktemp("page")) as engine:
        yield engine


@contextlib.contextmanager
def worker(folder):
    """A PageEngine, of page.contents() as it is now; its files are in a folder."""
    with _under_node(RUNNER, folder, page.worker_script(), mebibytes=MEBIBYTES) as process:
        yield PageEngine(process)


@pytest.fixture(scope="module")
def page_reader(tmp_path_factory):
    """A function (name, *arguments) that calls one of page_reader.mjs's, and returns what that answers."""
    names = (
        "notation",
        "words",
        "endings",
        "game",
        "address",
        "pgn",
        "reading",
        "collection",
        "set_up",
        "knowledge",
        "drawing",
        "shown",
        "analyse",
        "review",
    )
    read = [page.FOLDER / "view" / f"{name}.js" for name in names]
    read += [page.FOLDER / "worker" / f"{name}.js" for name in ("breathe", "opening")]
    files = [
        page.report.FOLDER / "board.js",
        page.report.FOLDER / "pgn.js",
        *page.report.scripts_of(page.FOLDER / "both"),
        *read,
    ]
    script = "\n".join(path.read_text(encoding="utf-8") for path in files)
    with _under_node(READER, tmp_path_factory.mktemp("page"), script) as process:

        def ask(*words):
            process.stdin.write(json.dumps(words) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask


@contextlib.contextmanager
def _under_node(program, folder, script, **more):
    """The process of a program for node that is given the page's numbers, its parts and a script; skips the test without
    node or what makes the core.
    """
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    pytest.importorskip("ziglang")
    numbers, parts = page.contents()
    path = folder / "contents.json"
    path.write_text(json.dumps({"numbers": numbers, "parts": parts, "script": script, **more}))
    with subprocess.Popen([node, program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.stdin.close()
        process.wait(10)
