"""The HTML report in headless Chromium: rows, filters, sorting, a candidate's page, dark and light, hostile texts, no
network, ten thousand candidates. Screenshots go to the --out folder. Exit code 77: there is no browser here."""

import argparse
import shutil
import subprocess
import sys
import time
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import webdriver  # noqa: E402  (a neighbour of this file)

ENTER, ESCAPE = "\ue007", "\ue00c"
MANY = 10000
config = argparse.Namespace()


def make_report(name, *what):
    """Makes a stored run and its page; returns the page's path."""
    run, page = config.out / f"{name}-run", config.out / f"{name}.html"
    shutil.rmtree(run, ignore_errors=True)
    subprocess.run([config.make_run, run, *what], check=True)
    start = time.monotonic()
    subprocess.run([config.kbx, "report", run, "-o", page], check=True, stderr=subprocess.DEVNULL)
    print(f"\nkbx report: {time.monotonic() - start:.1f} s, {page.stat().st_size / 1e6:.1f} MB", file=sys.stderr)
    return page


class PageTest(unittest.TestCase):
    """A small run in which one candidate attacks with every text it can choose."""

    @classmethod
    def setUpClass(cls):
        cls.page = make_report("hostile", "hostile")
        cls.browser = webdriver.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.open(self.page)
        self.browser.js("try { localStorage.clear(); } catch (error) { /* forbidden */ }")
        self.browser.post("refresh", {})

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        outside = [url for url in self.browser.requests() if not url.startswith("file:")]
        self.assertEqual(outside, [])
        self.assertIsNone(self.browser.js("return window.pwned ?? null"))

    def candidates(self):
        return self.browser.js("return [...document.querySelectorAll('#candidates tbody tr')].map(r => r.querySelector('a').textContent)")

    def test_every_candidate_has_a_row(self):
        self.assertEqual(self.browser.count("#candidates tbody tr"), 12)
        self.assertEqual(self.browser.text("#count"), "12 candidates")
        self.assertIn("11", self.browser.text("#categories tr.total"))  # one is of a task outside the suite
        self.assertTrue(self.browser.js("return document.getElementById('times').hidden"))  # nothing was timed
        self.assertEqual(self.browser.count("th[data-key=speedup]"), 0)

    def test_filters_narrow_the_table_and_reset_widens_it(self):
        self.browser.choose("#filter-verdict", "wrong_value")
        self.assertEqual(self.browser.text("#count"), "2 of 12 candidates")
        self.browser.type("#search", "candidate 3")
        self.assertEqual(self.candidates(), ["model_2.jsonl:3"])
        self.browser.click("#reset")
        self.assertEqual(self.browser.count("#candidates tbody tr"), 12)
        self.browser.choose("#filter-task", "softmax")
        self.assertEqual(self.browser.text("#count"), "2 of 12 candidates")

    def test_disagreements_can_be_picked(self):
        self.browser.click("#differ")
        self.assertEqual(self.browser.count("#candidates tbody tr"), 2)

    def test_a_header_sorts_up_then_down_then_not(self):
        times = "return [...document.querySelectorAll('#candidates td.num')].map(c => Number(c.textContent))"
        before = self.candidates()
        self.browser.click("th[data-key=seconds] button")
        up = self.browser.js(times)
        self.assertEqual(up, sorted(up))
        self.assertEqual(self.browser.js("return document.querySelector('th[data-key=seconds]').ariaSort"), "ascending")
        self.browser.click("th[data-key=seconds] button")
        self.assertEqual(self.browser.js(times), up[::-1])
        self.browser.click("th[data-key=seconds] button")
        self.assertEqual(self.candidates(), before)

    def test_a_candidate_opens_with_its_source_and_findings(self):
        self.browser.click("#candidates tbody tr:nth-child(3) a")
        self.soon("return !document.getElementById('candidate').hidden")
        self.assertIn("model_2.jsonl:3", self.browser.text("#candidate h1"))
        self.assertIn("what went wrong in candidate 3", self.browser.text("#explanation"))
        self.assertIn("reject", self.browser.js("return document.getElementById('L11').className"))
        self.assertIn("expected 0.25, got 0.75", self.browser.text(".remark"))
        self.assertEqual(self.browser.count(".cases tbody tr:not(.why)"), 12)
        self.assertNotIn("[object", self.browser.text("#candidate"))
        self.assertNotIn("undefined", self.browser.text("#candidate"))
        for words in ("sm_120", "aten.empty_like", "Time per stage", "1.2e-7"):
            self.assertIn(words, self.browser.text("#candidate"))
        self.browser.click("#back")
        self.soon("return document.getElementById('candidate').hidden")

    def soon(self, question):
        """The page follows its address a moment later: asks until the answer is true."""
        deadline = time.monotonic() + 5
        while not self.browser.js(question):
            self.assertLess(time.monotonic(), deadline, question)
            time.sleep(0.02)

    def test_an_address_leads_to_its_candidate_and_equal_ids_stay_apart(self):
        for fragment in ("#c=model_0.jsonl%3A1", "#c=model_0.jsonl%3A1~2"):
            self.browser.js("location.hash = arguments[0]", fragment)
            self.soon("return !document.getElementById('candidate').hidden")
            self.assertEqual(self.browser.text("#candidate h1"), "model_0.jsonl:1")
        self.browser.js("location.hash = '#c=%E0%A4%A'")  # no percent-encoded text
        self.soon("return !document.getElementById('overview').hidden")

    def shown_when(self, ready):
        """(address, title) of the open candidate. The page follows its address a moment after a key: wait until they agree and are `ready`."""
        deadline = time.monotonic() + 5
        while True:
            shown = (self.browser.js("return location.hash"), self.browser.text("#candidate h1"))
            agree = urllib.parse.unquote(shown[0]) == "#c=" + shown[1]
            if (agree and ready(shown)) or time.monotonic() > deadline:
                return shown
            time.sleep(0.02)

    def test_keys_lead_through_the_page(self):
        self.browser.press("/")
        self.assertEqual(self.browser.js("return document.activeElement.id"), "search")
        self.browser.js("document.querySelector('#candidates a').focus()")
        self.browser.press(ENTER)
        first = self.shown_when(lambda shown: shown[0].startswith("#c="))
        self.browser.press("j")
        second = self.shown_when(lambda shown: shown != first)
        self.assertNotEqual(second, first)
        self.browser.press("k")
        self.assertEqual(self.shown_when(lambda shown: shown == first), first)
        self.browser.press(ESCAPE)
        self.assertTrue(self.browser.js("return document.getElementById('candidate').hidden"))

    def test_dark_follows_the_machine_and_the_button_overrules_it(self):
        colour = "return getComputedStyle(document.body).backgroundColor"
        self.browser.prefer("light")
        light = self.browser.js(colour)
        self.browser.prefer("dark")
        dark = self.browser.js(colour)
        self.assertNotEqual(light, dark)
        self.browser.click("#theme")
        self.browser.click("#theme")  # auto, dark, light
        self.assertEqual(self.browser.text("#theme"), "Theme: light")
        self.assertEqual(self.browser.js(colour), light)
        self.browser.prefer("light")
        self.browser.click("#theme")
        self.browser.click("#theme")
        self.assertEqual(self.browser.js(colour), dark)

    def test_hostile_texts_are_shown_as_text(self):
        self.assertEqual(self.browser.count("img, iframe, object, embed"), 0)
        attack = next(name for name in self.candidates() if "pwned" in name)
        self.assertTrue(attack.startswith("</script><script>window.pwned=1"))
        self.browser.click("#candidates tbody tr:nth-child(4) a")
        page = self.browser.text("#candidate")
        self.assertGreater(page.count("onerror="), 15)
        self.assertIn("not UTF-8", page)
        self.assertIn("__proto__", page)
        self.assertEqual(self.browser.count("#candidate img, #candidate script"), 0)
        self.assertEqual(self.browser.count("script:not([type])"), 2)

    def test_the_policy_stops_a_script_that_is_not_ours(self):
        self.browser.js("const s = document.createElement('script'); s.textContent = 'window.pwned = 1'; document.body.append(s)")
        self.assertTrue(any("Content Security Policy" in line for line in self.browser.console()))

    def test_charts_are_drawn(self):
        painted = """return [...document.querySelectorAll('canvas')].map(c =>
            c.width * c.height && c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(Boolean))"""
        self.assertEqual(self.browser.js(painted), [True, True, True])

    def test_screenshots(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.browser.js("location.hash = ''")
            self.browser.screenshot(config.out / f"overview-{scheme}.png", whole=True)
            self.browser.click("#candidates tbody tr:nth-child(3) a")
            self.browser.screenshot(config.out / f"candidate-{scheme}.png", whole=True)
        self.browser.click("#next")
        self.browser.screenshot(config.out / "hostile.png", whole=True)
        self.browser.pdf(config.out / "candidate.pdf")
        self.browser.prefer("light")

    def test_narrow(self):
        self.browser.resize(390)
        self.browser.js("location.hash = ''")
        self.browser.screenshot(config.out / "overview-narrow.png", whole=True)
        self.assertFalse(self.browser.overflows())
        self.browser.js("location.hash = '#c=model_2.jsonl%3A3'")
        self.browser.screenshot(config.out / "candidate-narrow.png", whole=True)
        self.assertFalse(self.browser.overflows())
        self.browser.resize(1440)


class TimesTest(unittest.TestCase):
    """A run with made-up times: five candidates on three cards, one of them with a size that has no time."""

    @classmethod
    def setUpClass(cls):
        cls.page = make_report("timed", "timed")
        cls.browser = webdriver.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        self.assertIsNone(self.browser.js("return window.pwned ?? null"))

    def cells(self, selector):
        return self.browser.js("return [...document.querySelectorAll(arguments[0])].map(c => c.textContent)", selector)

    def test_the_sums_and_the_table_hold_every_timed_candidate(self):
        sums = self.browser.text("#times-sums")
        self.assertIn("4 of 5 correct candidates timed, of 12 judged", sums)
        self.assertIn("geometric mean over 3 tasks: 0.825", sums)  # 0.25, sqrt(0.5 * 2), 2.25
        self.assertIn("fast_1.5: 2 (17 %)", sums)
        self.assertEqual(self.cells("#times-table tbody td:nth-child(3)"), ["2.250", "2.000", "0.500", "0.250", "–"])
        self.assertIn("[0.247, 0.253]", self.browser.text("#times-table tbody"))
        self.assertEqual(self.browser.count("#times-table .bar-plot.faster"), 2)
        self.assertEqual(self.browser.count("#times-table .bar-plot.slower"), 2)

    def test_candidates_sort_by_speedup(self):
        self.browser.click("th[data-key=speedup] button")
        self.browser.click("th[data-key=speedup] button")
        top = self.browser.js("return [...document.querySelectorAll('#candidates tbody tr')].slice(0, 2).map(r => r.querySelector('a').textContent)")
        self.assertEqual(top, ["model_0.jsonl:9", "model_3.jsonl:8"])

    def test_a_roofline_a_card_with_a_table_beside_it(self):
        self.assertEqual(self.cells(".roofline-of figcaption"), ["Roofline, NVIDIA H200", "Roofline, NVIDIA L20"])
        for at, sizes in ((1, 9), (2, 2)):
            self.assertEqual(self.browser.count(f".roofline-of:nth-child({at}) .dot"), sizes)
            self.assertEqual(self.browser.count(f".roofline-of:nth-child({at}) tbody tr"), sizes)
        inside = """const box = document.querySelector('.roofline').getBoundingClientRect();
            return [...document.querySelectorAll('.roofline')[0].querySelectorAll('.dot, .roof')].every(d => { const r = d.getBoundingClientRect();
              return r.left >= box.left && r.right <= box.right && r.top >= box.top && r.bottom <= box.bottom; })"""
        self.assertTrue(self.browser.js(inside))
        self.browser.js("document.querySelector('.dot').dispatchEvent(new Event('pointerenter'))")
        self.assertRegex(self.browser.text(".told"), r"^softmax, small, model_3.jsonl:8: 6 µs, .*IOU 31 %")

    def test_dots_lie_under_their_roofs(self):
        """A size at 31 % of the bandwidth lies log10(0.3125) of the y scale under the memory's roof."""
        points = """const plot = document.querySelector('.roofline'), roof = plot.querySelector('.roof');
            const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map(n => Number(roof.getAttribute(n)));
            const grid = [...plot.querySelectorAll('.grid')].filter(g => g.getAttribute('y1') === g.getAttribute('y2')).map(g => Number(g.getAttribute('y1')));
            const dot = [...plot.querySelectorAll('.dot')].find(d => Number(d.getAttribute('cx')) < x2);
            const x = Number(dot.getAttribute('cx'));
            return (Number(dot.getAttribute('cy')) - (y1 + (x - x1) / (x2 - x1) * (y2 - y1))) / Math.abs(grid[1] - grid[0])"""
        self.assertAlmostEqual(self.browser.js(points), 0.5051, places=3)

    def test_a_candidates_sizes(self):
        self.browser.js("location.hash = '#c=model_3.jsonl%3A8'")
        rows = self.cells("#sizes tbody tr")
        self.assertEqual(len(rows), 5)  # three sizes, the first one's note, all
        for words in ("6 µs", "12 µs", "2.000", "[1.961, 2.040]", "18 µs", "21 µs", "31 %", "1.88 µs (memory)", "replay, launch-bound"):
            self.assertIn(words, rows[0])
        self.assertTrue(rows[1].startswith("</script><script>window.pwned=1"))
        self.assertIn("[1.977, 2.023]", rows[4])
        self.assertIn("35 %", rows[4])
        self.assertEqual(self.browser.count("#sizes th"), 14)  # with the shares of what was reached
        for words in ("undefined", "[object", "NaN", "null"):
            self.assertNotIn(words, self.browser.text("#candidate"))
        self.browser.js("location.hash = '#c=model_1.jsonl%3A6'")
        self.assertIn("no time: </script>", self.cells("#sizes tbody tr")[3])
        self.browser.js("location.hash = '#c=model_0.jsonl%3A9'")  # a card that is in no table
        self.assertIn("–", self.cells("#sizes tbody tr")[0])

    def test_dark_and_light(self):
        stroke = "return getComputedStyle(document.querySelector('.roofline .roof')).stroke"
        seen = set()
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            self.browser.js("location.hash = ''")
            seen.add(self.browser.js(stroke))
            self.browser.screenshot(config.out / f"times-{scheme}.png", whole=True)
            self.browser.js("location.hash = '#c=model_3.jsonl%3A8'")
            self.browser.screenshot(config.out / f"times-candidate-{scheme}.png", whole=True)
        self.browser.prefer("light")
        self.assertEqual(len(seen), 2)

    def test_narrow(self):
        self.browser.resize(390)
        for name, fragment in (("times-narrow", ""), ("times-candidate-narrow", "#c=model_3.jsonl%3A8")):
            self.browser.js("location.hash = arguments[0]", fragment)
            self.browser.screenshot(config.out / f"{name}.png", whole=True)
            self.assertFalse(self.browser.overflows(), name)
        self.browser.resize(1440)


class EmptyTest(unittest.TestCase):
    """A run of a method that holds no candidates yet: no charts of nothing, and a table that says so."""

    @classmethod
    def setUpClass(cls):
        cls.browser = webdriver.Browser()
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(make_report("empty", "empty"))

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])
        self.assertIsNone(self.browser.js("return window.pwned ?? null"))

    def test_nothing_is_said_and_not_drawn(self):
        self.assertTrue(self.browser.js("return document.getElementById('charts').hidden"))
        self.assertEqual(self.browser.text("#candidates tbody"), "there are no candidates")

    def test_the_runs_facts_are_words_and_what_is_nested_is_folded(self):
        facts = self.browser.text("#facts .facts")
        for words in ("compiled forsm_80, sm_90", "modelm", "feedbackpublic_only", "tasksa, b, c, d, e, f and 2 more"):
            self.assertIn(words, facts)
        for words in ("budget", '"models"', "[object"):
            self.assertNotIn(words, facts)
        self.assertEqual(self.browser.text("#facts summary"), "method in full")
        self.assertIn('"models"', self.browser.text("#facts pre"))
        self.assertFalse(self.browser.js("return document.querySelector('#facts details').open"))


class ManyTest(unittest.TestCase):
    """Ten thousand candidates: the page stays usable. Figures are printed, not judged."""

    def test_ten_thousand_candidates(self):
        page = make_report("many", "many", str(MANY))
        with webdriver.Browser() as browser:
            browser.open(page)
            paint = browser.first_paint()
            loaded = browser.js("return performance.timing.loadEventEnd - performance.timing.navigationStart")
            figures = webdriver.list_figures(browser)
            print(f"{MANY} candidates: first paint {paint:.0f} ms, loaded {loaded} ms; {figures}", file=sys.stderr)
            browser.js(webdriver.SEARCH, "wrong_value softmax")
            count = browser.text("#count")
            browser.js(webdriver.SEARCH, "")
            self.assertEqual(browser.count("#candidates tbody tr"), 50)
            self.assertEqual(browser.text("#count"), f"{MANY} candidates")
            self.assertTrue(count.endswith(f"of {MANY} candidates") and not count.startswith("0 "), count)
            self.assertEqual(browser.text("#page-at"), "page 1 of 200")
            browser.click("#page-last")
            self.assertEqual(browser.text("#page-at"), "page 200 of 200")
            browser.js("location.hash = '#c=model_3.jsonl%3A10000'")
            self.assertIn("kernel_9999", browser.text("#candidate .code"))
            self.assertEqual(browser.console(), [])


if __name__ == "__main__":
    sys.exit(webdriver.main(config, __doc__, "the HTML report"))
