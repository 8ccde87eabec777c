"""Two browsers for tests of pages, with hands: Chromium through Playwright, Firefox through WebDriver BiDi.

Both offer open(address), evaluate(expression), click(x, y, button), tap(x, y), drag(from, to, touch, button), grab(from, to), drop(),
key(name), held(name) and complaints, the messages of the page's console and its errors. Places are in pixels of the window.
"""

import asyncio
import contextlib
import itertools
import json
import re
import shutil
import subprocess
import time

import client
import psutil
import pytest

KEYS = {
    "Enter": "\ue007",
    "End": "\ue010",
    "Home": "\ue011",
    "Escape": "\ue00c",
    "Delete": "\ue017",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
SIZE = (1280, 800)
READY = "document.documentElement.dataset.ready"
"""True once the page can be used."""


class Browser:
    """What both can do by what each can."""

    def until(self, fact, seconds=20):
        """Wait until an expression is true in the page; returns its value."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(fact)):
            assert time.monotonic() < end, fact
            time.sleep(0.02)
        return value

    def load(self, address):
        """Open the page anew at an address, and wait until it can be used."""
        self.open("about:blank")  # from an address that differs in its fragment alone the page would not be loaded
        self.open(address)
        self.until(READY)

    def text(self, name):
        """The text of the element of that id."""
        return self.evaluate(f"document.getElementById('{name}').textContent")

    def act(self, name):
        """Click the element of that id, by no pointer: what lies above it may come and go."""
        self.evaluate(f"(document.getElementById('{name}').click(), 0)")

    def unfold(self):
        """Open all that can be folded up."""
        self.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")

    def middle(self, selector):
        """The middle of the first such element."""
        place = json.dumps(selector)
        self.evaluate(f"document.querySelector({place}).scrollIntoView({{block: 'nearest', behavior: 'instant'}})")
        return self.evaluate(
            f"(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector({place}).getBoundingClientRect())"
        )

    def press(self, selector, button="left"):
        self.click(*self.middle(selector), button)

    def choose(self, selector, value):
        """Set a select, as its user does, to one of its values."""
        place = json.dumps(selector)
        chosen = self.evaluate(
            f"(field => {{ field.value = {json.dumps(value)}; field.dispatchEvent(new Event('change', {{bubbles: true}})); return field.value; }})"
            f"(document.querySelector({place}))"
        )
        assert chosen == value, f"{selector} has no {value!r}"


class Chromium(Browser):
    """A page of Playwright's Chromium; context: of a new one."""

    def __init__(self, page):
        self.page, self.complaints = page, []
        self._cdp = page.context.new_cdp_session(page)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, address):
        self.page.goto(address)

    def evaluate(self, expression):
        return self.page.evaluate(expression)

    def click(self, x, y, button="left"):
        self.page.mouse.click(x, y, button=button)

    def _touch(self, kind, *points):
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def tap(self, x, y):
        self._touch("touchStart", (x, y))
        self._touch("touchEnd")

    def drag(self, source, target, touch=False, button="left"):
        if touch:
            self._touch("touchStart", source)
            for point in (halfway(source, target), target):
                self._touch("touchMove", point)
            self._touch("touchEnd")
            return
        self.grab(source, target, button)
        self.drop(button)

    def grab(self, source, target, button="left"):
        """Begin a drag, which drop() ends."""
        self.page.mouse.move(*source)
        self.page.mouse.down(button=button)
        for point in (halfway(source, target), target):
            self.page.mouse.move(*point)

    def drop(self, button="left"):
        self.page.mouse.up(button=button)

    def key(self, name):
        self.page.keyboard.press(name)

    @contextlib.contextmanager
    def held(self, name):
        """A key is held down."""
        self.page.keyboard.down(name)
        yield
        self.page.keyboard.up(name)


class Firefox(Browser):
    """A tab of Firefox, spoken to over its WebSocket."""

    def __init__(self, address):
        from tornado.websocket import websocket_connect

        self._loop = asyncio.new_event_loop()
        self._numbers, self.complaints = itertools.count(1), []
        self._socket = self._loop.run_until_complete(_connected(websocket_connect, address))
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        viewport = dict(zip(("width", "height"), SIZE))
        self._ask("browsingContext.setViewport", context=self._context, viewport=viewport)

    def close(self):
        self._socket.close()
        self._loop.close()

    def _ask(self, method, seconds=60, **params):
        number = next(self._numbers)
        self._loop.run_until_complete(self._say({"id": number, "method": method, "params": params}))
        end = time.monotonic() + seconds
        while True:
            message = self._loop.run_until_complete(asyncio.wait_for(self._hear(), end - time.monotonic()))
            if message.get("method") == "log.entryAdded":
                self.complaints.append(message["params"]["text"])
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    async def _say(self, message):
        await self._socket.write_message(json.dumps(message))

    async def _hear(self):
        return json.loads(await self._socket.read_message())

    def open(self, address):
        # Firefox does not answer, and may stay where it is, if the old page changes its address meanwhile: it is asked again.
        # Callers wait for the new page anyway.
        for _ in range(2):
            with contextlib.suppress(asyncio.TimeoutError):
                self._ask("browsingContext.navigate", seconds=15, context=self._context, url=address, wait="complete")
                return

    def evaluate(self, expression):
        text = f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"
        found = self._ask("script.evaluate", expression=text, target={"context": self._context}, awaitPromise=True)
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def _act(self, source, *actions):
        self._ask("input.performActions", context=self._context, actions=[{**source, "actions": list(actions)}])

    def _point(self, kind, *points, button="left", ended=True):
        first, *others = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in points]
        source = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        number = {"left": 0, "right": 2}[button]
        down, up = ({"type": name, "button": number} for name in ("pointerDown", "pointerUp"))
        self._act(source, first, down, *others, *[up] * ended)

    def click(self, x, y, button="left"):
        self._point("mouse", (x, y), button=button)

    def tap(self, x, y):
        self._point("touch", (x, y))

    def drag(self, source, target, touch=False, button="left"):
        self._point("touch" if touch else "mouse", source, halfway(source, target), target, button=button)

    def grab(self, source, target):
        """Begin a drag, which drop() ends."""
        self._point("mouse", source, halfway(source, target), target, ended=False)

    def drop(self):
        self._act({"type": "pointer", "id": "mouse"}, {"type": "pointerUp", "button": 0})

    def _keys(self, name, *kinds):
        self._act({"type": "key", "id": "keys"}, *({"type": kind, "value": KEYS.get(name, name)} for kind in kinds))

    def key(self, name):
        self._keys(name, "keyDown", "keyUp")

    @contextlib.contextmanager
    def held(self, name):
        """A key is held down."""
        self._keys(name, "keyDown")
        yield
        self._keys(name, "keyUp")


def halfway(source, target):
    return [(place + other) / 2 for place, other in zip(source, target)]


async def _connected(connect, address):
    return await connect(address, max_message_size=1 << 28)


@contextlib.contextmanager
def shared_processes():
    """What is started inside may outlive a test."""
    before = set(psutil.Process().children(recursive=True))
    added = set()

    def note():
        added.update(process.pid for process in set(psutil.Process().children(recursive=True)) - before)
        client.shared.update(added)

    yield note
    client.shared.difference_update(added)


@contextlib.contextmanager
def chromium():
    """A new_page(**context) that gives a Chromium; skips the test without one."""
    playwright = pytest.importorskip("playwright.sync_api")
    with shared_processes() as note, playwright.sync_playwright() as running:
        try:
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium: {error.message.splitlines()[0]}")
        note()
        viewport = dict(zip(("width", "height"), SIZE))
        yield lambda **context: Chromium(browser.new_context(**{"viewport": viewport, **context}).new_page())
        browser.close()


@contextlib.contextmanager
def firefox(folder):
    """A Firefox with a profile in that folder; skips the test without one."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("Firefox is not installed")
    pytest.importorskip("tornado")
    command = [program, "--headless", "--remote-debugging-port=0", "--profile", folder, "--no-remote", "about:blank"]
    with shared_processes() as note, open(folder / "said", "w+") as said:
        process = subprocess.Popen(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        try:
            end = time.monotonic() + 60
            while not (found := re.search(r"listening on (ws://\S+)", (folder / "said").read_text())):
                assert time.monotonic() < end and process.poll() is None, (folder / "said").read_text()
                time.sleep(0.1)
            browser = Firefox(f"{found[1]}/session")
            note()
            yield browser
            browser.close()
        finally:
            process.terminate()
            process.wait(20)
