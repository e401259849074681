"""A browser for the report's tests: headless Chromium, driven through chromedriver with the standard library alone."""

import argparse
import base64
import json
import re
import shutil
import statistics
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


# Bodies for Browser.took(): what a reader does with the list of candidates.
SEARCH = "const box = document.getElementById('search'); box.value = arguments[0]; box.dispatchEvent(new Event('input'))"
CLICK = "document.querySelector(arguments[0]).click()"
CHOOSE = "const box = document.querySelector(arguments[0]); box.value = arguments[1]; box.dispatchEvent(new Event('change'))"


def list_figures(browser, times=5):
    """The list of candidates searched, filtered and sorted by every column: median and most of the milliseconds each took."""
    keys = browser.js("return [...document.querySelectorAll('#candidates th')].map(th => th.dataset.key)")
    search, choose, sort = [], [], []
    for _ in range(times):
        search.append(browser.took(SEARCH, "wrong_value softmax"))
        browser.js(SEARCH, "")
        choose.append(browser.took(CHOOSE, "#filter-verdict", "wrong_value"))
        browser.js(CHOOSE, "#filter-verdict", "")
        sort += [browser.took(CLICK, f"#candidates th[data-key={key}] button") for key in keys]
    said = [f"{name} {statistics.median(ms):.0f} ms (most {max(ms):.0f})" for name, ms in (("search", search), ("filter", choose), (f"sort by one of {len(keys)} columns", sort))]
    return ", ".join(said)


def missing():
    """Says which program is absent, or None."""
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        return "chromium"
    return None if shutil.which("chromedriver") else "chromedriver"


def main(config, words, what):
    """Reads the paths into `config`, then runs the tests of the script that was started; its exit code. `what` is tested."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--kbx", required=True)
    parser.add_argument("--make-run", required=True)
    parser.add_argument("--out", required=True, type=Path)
    _, tests = parser.parse_known_args(namespace=config)
    if absent := missing():
        print(f"SKIPPED: {absent} is not installed, so {what} was not tested in a browser (Debian: chromium chromium-driver)", file=sys.stderr)
        return 77
    config.out.mkdir(parents=True, exist_ok=True)
    result = unittest.main(argv=[sys.argv[0], *tests], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


class Browser:
    """One session; use it in a `with` statement."""

    def __init__(self, width=1440, height=1000):
        self._driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self._driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self._root = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise RuntimeError("chromedriver did not start")
        options = {
            "binary": shutil.which("chromium") or shutil.which("google-chrome"),
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", f"--window-size={width},{height}"],
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self._root += "/session/" + self._call("POST", self._root + "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.post("timeouts", {"script": 120000, "pageLoad": 300000})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the session and the driver."""
        try:
            self._call("DELETE", self._root)
        finally:
            self._driver.terminate()
            self._driver.wait(timeout=20)
            self._driver.stdout.close()

    @staticmethod
    def _call(method, url, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=310) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def post(self, what, body):
        """A WebDriver command of this session."""
        return self._call("POST", f"{self._root}/{what}", body)

    def open(self, path, fragment=""):
        """Loads a local file."""
        self.post("url", {"url": Path(path).resolve().as_uri() + fragment})

    def js(self, script, *args):
        """Runs `script` (a function body) in the page."""
        return self.post("execute/sync", {"script": script, "args": list(args)})

    def text(self, selector):
        """The text of the first element that matches."""
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def count(self, selector):
        """How many elements match."""
        return self.js("return document.querySelectorAll(arguments[0]).length", selector)

    def _element(self, selector):
        return self.post("element", {"using": "css selector", "value": selector})[_ELEMENT]

    def click(self, selector):
        """A real click."""
        self.post(f"element/{self._element(selector)}/click", {})

    def type(self, selector, text):
        """Real key strokes."""
        self.post(f"element/{self._element(selector)}/value", {"text": text})

    def press(self, key):
        """One key, sent to whatever has the focus."""
        strokes = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self.post("actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def choose(self, selector, value):
        """Chooses an option of a select."""
        self.js("const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", selector, value)

    def prefer(self, scheme):
        """Sets what the machine prefers: "dark" or "light"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.post("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}})

    def resize(self, width, height=1000):
        """The page as wide as this, as on a phone."""
        self.post("goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def overflows(self):
        """Whether the page as a whole must be scrolled sideways."""
        return self.js("return document.documentElement.scrollWidth > document.documentElement.clientWidth")

    def first_paint(self):
        """Milliseconds until something was seen. The entry comes a frame after the load; -1: there was none within 10 s."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if found := self.js("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"):
                return found
            time.sleep(0.02)
        return -1

    def took(self, script, *args):
        """Milliseconds of a script and of the layout that it causes."""
        return self.js(f"const start = performance.now(); {script}; document.body.offsetHeight; return performance.now() - start", *args)

    def screenshot(self, path, whole=False):
        """Writes a PNG of the window or of the whole page."""
        params = {"format": "png"}
        if whole:
            self.js("scrollTo(0, 0)")
            height = min(self.js("return document.documentElement.scrollHeight"), 6000)
            width = self.js("return innerWidth")
            params |= {"captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}}
        data = self.post("goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": params})["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path):
        """Prints the page."""
        Path(path).write_bytes(base64.b64decode(self.post("print", {"background": True})))

    def console(self):
        """What the console has said since the last call: errors and warnings."""
        entries = self.post("se/log", {"type": "browser"})
        return [f"{e['level']}: {e['message']}" for e in entries if e["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The URLs that were asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.post("se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
