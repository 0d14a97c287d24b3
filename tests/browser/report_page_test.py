"""report.html in a real browser: report_page_test.py SAMPLE_FOLDER PEERPROOF_REPORT

Sessions are written by the first program and judged by the second. No clock decides anything here.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from chromium import Browser, Page, program  # noqa: E402

SAMPLE_FOLDER, PEERPROOF_REPORT = sys.argv[1:3]
SESSION = "20261201T051500Z-3f2a9c"
PANEL = "document.getElementById('evidence').innerText"
IN_FOCUS = "document.activeElement.dataset.pair"

# What is cut at this width: text beyond the window or over the next cell, sentences in a box that has to be scrolled, a table of
# sentences that has to be. `wide`: nothing has to be scrolled, but for a matrix that is wider than the page.
CUT = """(wide) => {
    const faults = new Set(), name = (element) => `${element.tagName} ${element.className}: ${element.textContent.trim().slice(0, 60)}`;
    const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    const overfull = (element) => element.scrollWidth > element.clientWidth + 1;
    for (const element of document.querySelectorAll("body *")) {
        if (element.closest("svg, select, details:not([open]) > :not(summary)") || !element.getClientRects().length) continue;
        if (scrolls(element)) {
            if (!overfull(element)) continue;
            if (wide && !element.querySelector(".matrix")) faults.add(`has to be scrolled: ${name(element)}`);
            if (element.querySelector(":scope > :is(.bars, .cases, .signature)")) faults.add(`sentences have to be scrolled: ${name(element)}`);
            continue;
        }
        let box = element.parentElement;
        while (box && !scrolls(box)) box = box.parentElement;
        const cell = element.matches("td, th");
        if ((cell || !box) && element.clientWidth > 0 && overfull(element)) faults.add(`wider than its place: ${name(element)}`);
        const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!texts.length) continue;
        if (box && overfull(box) && element.matches("p, h1, h2, h3, h4, caption, figcaption, summary"))
            faults.add(`a sentence in what scrolls: ${name(element)}`);
        if (element.matches("caption, .wide > *:not(table)")) faults.add(`a caption in what scrolls: ${name(element)}`);
        for (const text of box ? [] : texts) {
            const range = document.createRange();
            range.selectNodeContents(text);
            const place = range.getBoundingClientRect();
            if (place.left < -1 || place.right > innerWidth + 1) faults.add(`beyond the window: ${name(element)}`);
        }
    }
    if (wide && new Set([...document.querySelectorAll(".bars .bar")].map((bar) => bar.getBoundingClientRect().left)).size > 1)
        faults.add("bars begin at different places");
    return [...faults];
}"""


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if program() is None:
            raise RuntimeError("chromium was not found: apt-get install chromium, or ctest/install-packages build selftest")
        cls.root = tempfile.TemporaryDirectory(prefix="report page ")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.root.cleanup()

    def report(self, kind, gpus):
        folder = pathlib.Path(self.root.name) / f"{kind} {gpus}"
        if not folder.exists():
            if kind == "empty":
                folder.mkdir()
            else:
                subprocess.run([SAMPLE_FOLDER, kind, str(gpus), folder], check=True)
            subprocess.run([PEERPROOF_REPORT, "verdict", folder, "--session", SESSION], stdout=subprocess.DEVNULL, check=False)
        return folder / "report.html"

    def assert_quiet(self, page, file):
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.requests(), [file.resolve().as_uri()])

    def test_loads_without_a_complaint_or_a_request(self):
        for kind, gpus in (("open", 2), ("locked", 3), ("silent", 3), ("full", 4), ("full", 16), ("hostile", 3), ("self-check", 2), ("empty", 2)):
            with self.subTest(kind=kind, gpus=gpus):
                file = self.report(kind, gpus)
                with Page(self.browser, file) as page:
                    self.assert_quiet(page, file)
                    # The script ran to its end, which it does not where the policy names another hash.
                    if kind != "empty":
                        self.assertIn(" of ", page.run("document.getElementById('filter-count').textContent"))
                    self.assertEqual(page.run("getComputedStyle(document.querySelector('h1')).marginBottom"), "8px")

    def test_a_cell_opens_by_keyboard(self):
        with Page(self.browser, self.report("silent", 3)) as page:
            self.assertNotIn("core.read", page.run(PANEL))
            for _ in range(40):
                page.key("Tab")
                if page.run(IN_FOCUS):
                    break
            self.assertEqual(page.run(IN_FOCUS), "0 1")
            self.assertIn("core.read.gpu0_to_gpu1: wrong", page.run(PANEL))
            # Over the diagonal, and not out of the table.
            for key, pair in (("ArrowDown", "2 1"), ("ArrowDown", "2 1"), ("ArrowLeft", "2 0"), ("ArrowUp", "1 0"), ("ArrowRight", "1 2")):
                page.key(key)
                self.assertEqual(page.run(IN_FOCUS), pair)
            shown = page.run(PANEL)
            for part in ("gpu1 to gpu2", "core.copy.gpu1_to_gpu2: delivered", "core.write.gpu1_to_gpu2: missing", "zeros", "poison intact",
                         "0x0123456789abcdef", "0xfedcba9876543210", "can access peer gpu1 into gpu2: 1", "100 us"):
                self.assertIn(part, shown)
            self.assertEqual(page.run("document.querySelectorAll('.cell[aria-pressed=true]').length"), 1)
            self.assertEqual(page.run("document.querySelectorAll('.cell[tabindex=\"0\"]').length"), 1)
            # Closed by key and by button, and opened again.
            for close, back in ((lambda: page.key("Escape"), "ArrowLeft"),
                                (lambda: page.run("document.querySelector('.evidence > .close').click()"), "ArrowRight")):
                close()
                self.assertNotIn("core.write", page.run(PANEL))
                self.assertEqual(page.run("document.querySelectorAll('.cell[aria-pressed=true]').length"), 0)
                page.key(back)
                self.assertIn("core.write", page.run(PANEL))

    def test_a_pair_shows_its_measurements_paths_and_edges(self):
        with Page(self.browser, self.report("full", 4)) as page:
            page.run("document.querySelector('.cell').click()")
            shown = page.run(PANEL)
            for part in ("read bandwidth", "87.93 .. 90.07", "26.56", "collective.all_reduce_by_default.gpu0_gpu1: other path", "Direct: at most"):
                self.assertIn(part, shown)
            self.assertEqual(page.run("document.querySelectorAll('#evidence .bar .over').length"), 1)
            self.assertGreater(page.run("document.querySelectorAll('#evidence .path svg').length"), 1)

    def test_hostile_names_stay_text(self):
        file = self.report("hostile", 3)
        with Page(self.browser, file) as page:
            page.run("document.querySelectorAll('.cell').forEach((cell) => cell.click())")
            page.run("document.querySelectorAll('.cases tbody tr').forEach((row) => row.click())")
            page.run("document.querySelector('.cell').click()")
            for element in ("img", "b > b", "script:not(#data):not(body > script:last-of-type)"):
                self.assertEqual(page.run(f"document.querySelectorAll('{element}').length"), 0, element)
            self.assertEqual(page.run("[...document.querySelectorAll('b')].filter((b) => b.textContent === 'x').length"), 0)
            self.assertIn("<b>x</b>", page.run("document.querySelector('#about-bench').innerText"))
            self.assertIn("<b>x</b>", page.run(PANEL))
            self.assertGreater(page.run("document.querySelectorAll('tr.detail').length"), 30)
            self.assert_quiet(page, file)

    def test_the_filter_leaves_what_it_names(self):
        visible = "[...document.querySelectorAll('.cases tbody tr:not([hidden])')].map((row) => row.cells[0].textContent)"
        with Page(self.browser, self.report("silent", 3)) as page:
            everything = len(page.run(visible))
            page.run("document.getElementById('filter-text').focus()")
            page.write("READ gpu2_to zeros")
            self.assertEqual(page.run(visible), ["core.read.gpu2_to_gpu0", "core.read.gpu2_to_gpu1"])
            self.assertEqual(page.run("document.getElementById('filter-count').textContent"), f"2 of {everything}")
            choose = "(name, value) => { const field = document.getElementById(name); field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})); }"
            page.run(f"({choose})('filter-text', '')")
            page.run(f"({choose})('filter-family', 'core')")
            page.run(f"({choose})('filter-outcome', 'missing')")
            self.assertEqual(len(page.run(visible)), 6)
            self.assertTrue(all(name.startswith("core.write.") for name in page.run(visible)))
            page.run(f"({choose})('filter-fate', 'held')")
            self.assertEqual(page.run(visible), [])

    def test_a_row_of_the_table_opens_by_keyboard(self):
        with Page(self.browser, self.report("silent", 2)) as page:
            page.run("document.querySelector('.cases tbody tr').focus()")
            page.key("ArrowDown")
            page.key("Enter")
            self.assertIn("control.negative.gpu0: wrong", page.run("document.querySelector('tr.detail').innerText"))
            page.key("Enter")
            self.assertEqual(page.run("document.querySelectorAll('tr.detail').length"), 0)

    def test_nothing_hangs_over_the_edge(self):
        for kind, gpus in (("silent", 3), ("full", 16), ("hostile", 3), ("empty", 2)):
            with Page(self.browser, self.report(kind, gpus)) as page:
                page.run("document.querySelector('.cell')?.click()")
                for width in (420, 700, 1000, 1400):
                    with self.subTest(kind=kind, gpus=gpus, width=width):
                        page.look(width)
                        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)

    def assert_nothing_is_cut(self, page):
        for width in (1400, 420):
            with self.subTest(width=width):
                page.look(width)
                self.assertEqual(page.run(f"({CUT})({'true' if width > 1000 else 'false'})"), [])

    def test_nothing_is_cut(self):
        for kind, gpus in (("open", 2), ("locked", 3), ("silent", 3), ("simulated", 8), ("full", 4), ("hostile", 3), ("empty", 2)):
            with self.subTest(kind=kind, gpus=gpus), Page(self.browser, self.report(kind, gpus)) as page:
                self.assert_nothing_is_cut(page)
                page.run("document.querySelector('.cell')?.click()")
                page.run("[...document.querySelectorAll('.cases tbody tr')].slice(0, 200).forEach((row, i) => i % 7 || row.click())")
                self.assert_nothing_is_cut(page)

    def test_nothing_is_cut_of_many_sessions(self):
        one, other = self.report("locked", 3).parent, self.report("silent", 3).parent
        root = pathlib.Path(self.root.name)
        for arguments, file in ((("compare", "--html", root / "compare.html", one, other), root / "compare.html"),
                                (("merge", "--out", root / "fleet", one, other), root / "fleet" / "fleet.html")):
            subprocess.run([PEERPROOF_REPORT, *arguments], stdout=subprocess.DEVNULL, check=False)
            with self.subTest(page=file.name), Page(self.browser, file) as page:
                self.assertGreater(page.run("document.querySelectorAll('tbody tr').length"), 1)
                self.assert_nothing_is_cut(page)

    def test_a_bench_that_is_not_real_cannot_be_cropped_to_a_real_one(self):
        for kind, word in (("simulated", "SIMULATED"), ("self-check", "SELF-CHECK")):
            with self.subTest(kind=kind), Page(self.browser, self.report(kind, 3)) as page:
                self.assertTrue(page.run("document.title").startswith(word))
                page.run("scrollTo(0, document.body.scrollHeight)")
                self.assertEqual(page.run("document.querySelector('.band').getBoundingClientRect().top"), 0)
                self.assertIn(word, page.run("document.querySelector('.band').innerText"))
                self.assertIn(word, page.run("getComputedStyle(document.querySelector('h2'), '::after').content"))
                over = "(() => { const s = getComputedStyle(document.body, '::after'); return [s.backgroundImage, s.height]; })()"
                image, height = page.run(over)
                self.assertIn(word, image)
                self.assertEqual(round(float(height[:-2])), page.run("document.documentElement.scrollHeight"))
        with Page(self.browser, self.report("open", 2)) as page:
            self.assertEqual(page.run("getComputedStyle(document.body, '::after').content"), "none")

    def test_the_picture_of_the_readme(self):
        script, picture = pathlib.Path(__file__).parent / "picture", pathlib.Path(self.root.name) / "picture.png"
        real = subprocess.run([script, self.report("silent", 3), picture], capture_output=True, text=True, check=False)
        self.assertEqual(real.returncode, 1)
        self.assertIn("is not of a simulated bench", real.stderr)
        self.assertFalse(picture.exists())
        subprocess.run([script, self.report("simulated", 3), picture], stdout=subprocess.DEVNULL, check=True)
        for png in (picture.read_bytes(), (pathlib.Path(__file__).parents[2] / "reports/report.png").read_bytes()):
            self.assertEqual(png[12:24], b"IHDR" + (1280).to_bytes(4, "big") + (1000).to_bytes(4, "big"))
            self.assertLess(len(png), 120_000)

    def test_light_dark_and_paper(self):
        colour = "getComputedStyle(document.documentElement).backgroundColor"
        with Page(self.browser, self.report("silent", 3)) as page:
            self.assertEqual(page.run(colour), "rgb(255, 255, 255)")
            page.look(1400, dark=True)
            self.assertEqual(page.run(colour), "rgb(20, 23, 26)")
            page.look(800, dark=True, media="print")
            self.assertEqual(page.run(colour), "rgb(255, 255, 255)")
            self.assertEqual(page.run("getComputedStyle(document.getElementById('filters')).display"), "none")
            # On paper the table has what did not hold; on the screen it has everything.
            shown = "[...document.querySelectorAll('.cases tbody tr')].filter((row) => row.offsetHeight > 0).length"
            self.assertEqual(page.run(shown), 12)
            self.assertTrue(page.pdf().startswith(b"%PDF-"))

    def test_can_be_read_without_scripts(self):
        with Page(self.browser, self.report("silent", 3), script=False) as page:
            page.send("Emulation.setScriptExecutionDisabled", value=False)
            self.assertEqual(page.run("document.querySelectorAll('.matrix .lost').length"), 12)
            self.assertEqual(page.run("getComputedStyle(document.getElementById('filters')).display"), "none")
            self.assertIn("zeros in all 1 words", page.run("document.querySelector('.cases').innerText"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
