"""The leaderboard site in headless Chromium, opened from the disk: methods, filters, sorting, pages of tasks and candidates, keys, print,
hostile texts, nothing asked for outside the folder, ten thousand candidates. Screenshots go to --out. Exit code 77: no browser."""

import argparse
import csv
import json
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import webdriver  # noqa: E402  (a neighbour of this file)

MANY = 10000
config = argparse.Namespace()


def make_site(name, *what, flags=()):
    """Makes a stored run and its site; returns the site's folder."""
    run, site = config.out / f"{name}-run", config.out / f"{name}-site"
    for folder in (run, site):
        shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([config.make_run, run, *what], check=True)
    start = time.monotonic()
    subprocess.run([config.kbx, "site", run, "-o", site, *flags], check=True, stderr=subprocess.DEVNULL)
    files = [path for path in site.rglob("*") if path.is_file()]
    print(f"\nkbx site: {time.monotonic() - start:.1f} s, {len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB", file=sys.stderr)
    return site


class SiteTest(unittest.TestCase):
    """A small site of four methods in which one candidate attacks with every text it can choose."""

    @classmethod
    def setUpClass(cls):
        cls.site = make_site("hostile", "hostile", flags=("--title", "Kernels <b>of</b> \"today\""))
        cls.browser = webdriver.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, page, fragment=""):
        self.browser.open(self.site / "data" / "leaderboard.json")  # a fragment alone would not load the page anew
        self.browser.console()
        self.browser.requests()
        self.browser.open(self.site / page, fragment)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        root = self.site.resolve().as_uri()
        self.assertEqual([url for url in self.browser.requests() if not url.startswith(root)], [])
        self.assertIsNone(self.browser.js("return window.pwned ?? null"))

    def cells(self, selector):
        return self.browser.js("return [...document.querySelectorAll(arguments[0])].map(c => c.textContent)", selector)

    def wait(self, ready, what):
        deadline = time.monotonic() + 10
        while not ready():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.02)

    def test_methods_stand_with_intervals_best_first(self):
        self.open("index.html")
        self.assertEqual(self.browser.text("#title"), "Kernels <b>of</b> \"today\"")
        names = self.cells("#methods tbody td:first-child")
        self.assertEqual(len(names), 5)  # four files, and one candidate whose id names none
        shares = [float(text.split(" %")[0]) for text in self.cells("#methods tbody td:nth-child(2)")]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertRegex(self.cells("#methods tbody td:nth-child(2)")[0], r"^[\d.]+ % \[[\d.]+, [\d.]+\]$")
        for words in ("undefined", "NaN", "[object", "null"):
            self.assertNotIn(words, self.browser.text("main"))

    def test_headers_sort_and_filters_narrow(self):
        self.open("index.html")
        self.browser.click("#methods th[data-key=name] button")
        names = self.cells("#methods tbody td:first-child")
        self.assertEqual(names, sorted(names))
        self.assertEqual(self.browser.js("return document.querySelector('#methods th[data-key=name]').ariaSort"), "ascending")
        self.assertEqual(self.browser.text("#count"), "6 tasks")
        self.browser.type("#search", "soft")
        self.assertEqual(self.cells("#tasks tbody td:first-child"), ["softmax"])
        self.assertEqual(self.browser.text("#count"), "1 of 6 tasks")
        self.browser.choose("#filter-solved", "none")
        self.browser.type("#search", "zzz")
        self.assertEqual(self.browser.text("#tasks tbody"), "nothing fits these filters")

    def test_a_method_leads_to_its_candidates_and_one_of_them_opens(self):
        self.open("index.html")
        self.browser.js("[...document.querySelectorAll('#methods tbody a')].find(a => a.textContent === 'model_2').click()")
        self.wait(lambda: self.browser.js("return document.readyState === 'complete' && document.querySelectorAll('#candidates tbody tr').length") == 3, "the list of model_2")
        self.assertEqual(self.browser.text("#count"), "3 of 12 candidates")
        self.browser.click("#candidates tbody tr:first-child a")
        self.wait(lambda: self.browser.count("#candidate .code"), "the candidate's source")
        self.assertIn("what went wrong in candidate 3", self.browser.text("#explanation"))
        self.assertIn("kernel_2", self.browser.text("#candidate .code"))
        self.assertNotIn("undefined", self.browser.text("#candidate"))
        self.browser.js("[...document.querySelectorAll('#candidate .facts a')].find(a => a.textContent === 'argmax').click()")
        self.wait(lambda: self.browser.js("return document.title").startswith("argmax"), "the task's page")
        self.assertEqual(self.browser.count("script"), 0)
        self.browser.js("[...document.querySelectorAll('#candidates tbody a')].find(a => a.textContent === 'model_2.jsonl:3').click()")
        self.wait(lambda: self.browser.count("#candidate .code"), "back to the candidate")

    def test_every_link_of_the_pages_leads_to_a_file(self):
        for page in ("index.html", "candidates.html", *sorted(str(path.relative_to(self.site)) for path in (self.site / "tasks").iterdir())):
            self.open(page)
            links = self.browser.js("return [...document.querySelectorAll('a[href], link[href], script[src]')].map(a => a.href || a.src)")
            self.assertTrue(links)
            for link in links:
                self.assertTrue(link.startswith("file:"), link)
                self.assertTrue(Path(link.split("#")[0].removeprefix("file://").replace("%20", " ")).exists(), f"{page}: {link}")
            self.browser.requests()

    def test_hostile_texts_are_shown_as_text(self):
        self.open("candidates.html")
        self.browser.click("#candidates tbody tr:nth-child(4) a")
        self.wait(lambda: self.browser.count("#candidate .code"), "the hostile candidate")
        self.assertGreater(self.browser.text("#candidate").count("onerror="), 15)
        self.assertIn("__proto__", self.browser.text("#candidate"))
        self.assertEqual(self.browser.count("img, iframe, object, embed"), 0)
        for page in (self.site / "tasks").iterdir():
            self.browser.open(page)
            self.assertEqual(self.browser.count("img, iframe, script"), 0)

    def test_the_policy_stops_a_script_that_is_not_ours(self):
        self.open("index.html")
        self.browser.js("const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s)")
        self.assertTrue(any("Content Security Policy" in line for line in self.browser.console()))

    def test_charts_are_read_by_the_arrow_keys(self):
        self.open("index.html")
        painted = "return [...document.querySelectorAll('canvas')].map(c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(Boolean))"
        self.assertEqual(self.browser.js(painted), [True, True])
        self.browser.js("document.getElementById('chart-methods').focus()")
        self.browser.press("\ue015")  # arrow down
        first = self.browser.text("#plot-methods .said")
        self.assertRegex(first, r"^\S+: [\d.]+ % \[[\d.]+, [\d.]+\], \d+ of \d+$")
        self.browser.press("\ue015")
        self.assertNotEqual(self.browser.text("#plot-methods .said"), first)

    def test_keys_reach_the_search_field(self):
        self.open("index.html")
        self.browser.press("/")
        self.assertEqual(self.browser.js("return document.activeElement.id"), "search")

    def test_print_is_light_and_without_controls(self):
        self.open("index.html")
        self.browser.prefer("dark")
        self.browser.post("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]}})
        self.assertEqual(self.browser.js("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.js("return getComputedStyle(document.getElementById('filters')).display"), "none")
        self.browser.post("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "", "features": []}})
        self.browser.pdf(config.out / "site.pdf")

    def test_downloads_hold_every_candidate(self):
        with (self.site / "data" / "candidates.csv").open(newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 12)
        lines = [json.loads(line) for line in (self.site / "data" / "candidates.jsonl").read_text().splitlines()]
        self.assertEqual(len(lines), 12)
        self.assertEqual(lines[0]["method"], "model_0")
        board = json.loads((self.site / "data" / "leaderboard.json").read_text())
        self.assertEqual(sum(method["all"][0] + method["all"][6] for method in board["methods"]), 11)  # one is of a task outside the suite

    def test_screenshots(self):
        for scheme in ("light", "dark"):
            self.open("index.html")
            self.browser.prefer(scheme)
            self.browser.screenshot(config.out / f"site-{scheme}.png", whole=True)
            self.open("tasks/softmax.html")
            self.browser.screenshot(config.out / f"site-task-{scheme}.png", whole=True)
        self.browser.prefer("light")

    def test_narrow(self):
        self.browser.resize(390)
        for page in ("index.html", "candidates.html", "tasks/softmax.html"):
            self.open(page)
            self.browser.screenshot(config.out / f"narrow-{Path(page).stem}.png", whole=True)
            self.assertFalse(self.browser.overflows(), page)
        self.browser.resize(1440)


class ManyTest(unittest.TestCase):
    """Ten thousand candidates: both pages stay usable. Figures are printed, not judged."""

    def test_ten_thousand_candidates(self):
        site = make_site("many", "many", str(MANY))
        with webdriver.Browser() as browser:
            browser.open(site / "index.html")
            first = browser.first_paint()
            print(f"index.html: first paint {first:.0f} ms, search {browser.took(webdriver.SEARCH, 'soft'):.0f} ms, sort {browser.took(webdriver.CLICK, '#tasks th[data-key=solved] button'):.0f} ms", file=sys.stderr)
            browser.open(site / "candidates.html")
            first = browser.first_paint()
            print(f"candidates.html, {MANY} candidates: first paint {first:.0f} ms; {webdriver.list_figures(browser)}", file=sys.stderr)
            self.assertEqual(browser.text("#count"), f"{MANY} candidates")
            start = time.monotonic()
            browser.js("location.hash = '#c=model_3.jsonl%3A10000'")
            while not browser.count("#candidate .code") and time.monotonic() - start < 10:
                time.sleep(0.01)
            print(f"the last candidate is open after {1000 * (time.monotonic() - start):.0f} ms", file=sys.stderr)
            self.assertIn("kernel_9999", browser.text("#candidate .code"))
            self.assertEqual(browser.console(), [])


if __name__ == "__main__":
    sys.exit(webdriver.main(config, __doc__, "the site"))
