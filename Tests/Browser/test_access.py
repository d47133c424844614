"""For everybody: what a checker finds, what the keyboard reaches, and every language there is."""

import pathlib
import re

import axe_playwright_python
from playwright.sync_api import expect

from page_case import PageCase

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class AccessTests(PageCase):
    def check(self, tab, what):
        # The checker is put in as the browser's own tools do: the page's policy lets no script in from elsewhere.
        tab.page.evaluate(AXE)
        found = tab.page.evaluate(
            "tags => axe.run(document, { runOnly: { type: 'tag', values: tags } })"
            ".then(result => result.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html).join(' ')}`))", TAGS)
        self.assertEqual(found, [], what)

    def test_a_checker_finds_nothing(self):
        house = self.house("rich", "hostile", "paced-400-20")
        state = None
        for scheme, language in (("light", "en"), ("dark", "ar")):
            context = self.context(color_scheme=scheme, locale=language, storage_state=state)
            tab = self.tab(house, context)
            if state is None:
                tab.page.goto(house.sign_in_link)
                state = context.storage_state()
            tab.open()
            self.check(tab, f"{scheme}: welcome")
            for script in ("rich", "hostile"):
                tab.page.locator("#new-conversation").click()
                tab.page.locator("#model").select_option(script)
                tab.ask("Say it")
                tab.state("done")
                self.check(tab, f"{scheme}: {script}")
            tab.page.locator("#model").select_option("paced-400-20")
            tab.ask("On and on")
            tab.wait_for_pieces(3)
            self.check(tab, f"{scheme}: streaming")
            tab.page.keyboard.press("Escape")
            tab.state("stopped")
            tab.page.locator(".more-button").first.focus()
            tab.page.keyboard.press("Enter")
            self.check(tab, f"{scheme}: menu")
            tab.page.keyboard.press("Escape")
            tab.page.locator("#open-account").click()
            expect(tab.page.locator("#account")).to_be_visible()
            self.check(tab, f"{scheme}: account")
            tab.page.keyboard.press("Escape")
            tab.page.locator("#delete-conversation").click()
            self.check(tab, f"{scheme}: toast")
        stranger = self.tab(house)
        stranger.page.goto(house.address)
        expect(stranger.page.locator("#sign-in")).to_be_visible()
        self.check(stranger, "sign-in")
        stranger.faults = [fault for fault in stranger.faults if "401" not in fault]

    def test_does_everything_by_keyboard(self):
        tab = self.tab(self.house("paced-3-50"), self.context(permissions=["clipboard-read", "clipboard-write"])).sign_in()
        keys = tab.page.keyboard
        expect(tab.page.locator("#prompt")).to_be_focused()
        keys.type("Asked by hand")
        keys.press("Enter")
        tab.state("done")
        keys.press("ArrowUp")
        expect(tab.page.locator("#prompt")).to_have_value("Asked by hand")
        keys.press("Control+a")
        keys.type("Asked otherwise")
        keys.press("Enter")
        expect(tab.page.locator(".prompt-text")).to_have_text("Asked otherwise")
        tab.state("done")
        self.reach(tab, "Previous version of this prompt")
        keys.press("Enter")
        expect(tab.page.locator(".prompt-text")).to_have_text("Asked by hand")
        self.reach(tab, "Copy")
        keys.press("Enter")
        expect(tab.answer.get_by_role("button", name="Copied")).to_be_visible()
        self.reach(tab, "Try again")
        keys.press("Enter")
        expect(tab.answer.locator(".versions")).to_contain_text("2/2")
        tab.state("done")
        self.reach(tab, re.compile("^Actions for"))
        keys.press("Enter")
        expect(tab.page.get_by_role("menuitem", name="Rename")).to_be_focused()
        keys.press("ArrowDown")
        keys.press("Enter")
        expect(tab.page.locator("#conversations h2")).to_have_text("Pinned")
        keys.press("Alt+n")
        expect(tab.page.locator("#welcome")).to_be_visible()
        expect(tab.page.locator("#prompt")).to_be_focused()
        self.reach(tab, "Account and settings")
        keys.press("Enter")
        expect(tab.page.locator("#account")).to_be_visible()
        keys.press("Escape")
        expect(tab.page.locator("#open-account")).to_be_focused()
        keys.press("/")
        expect(tab.page.locator("#prompt")).to_be_focused()

    def reach(self, tab, name):
        for _ in range(60):
            tab.page.keyboard.press("Tab")
            label = tab.page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent.trim()")
            if label == name if isinstance(name, str) else name.search(label):
                return
        self.fail(f"the keyboard does not reach {name}")

    def test_speaks_every_language_in_full(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        shapes = tab.page.evaluate("""async () => {
            const shape = (value) => value && typeof value === 'object'
                ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)])) : typeof value;
            return Promise.all(['en', 'ar'].map((code) => import(`/words-${code}.js`).then((one) => shape(one.default))));
        }""")
        self.assertEqual(shapes[0], shapes[1])
        used = tab.page.evaluate("""() => [...document.querySelectorAll('[data-text], [data-label], [data-placeholder]')]
            .flatMap((node) => Object.values({ ...node.dataset })).filter((word) => word !== '')""")
        self.assertLessEqual(set(used) - {"sending"}, set(shapes[0]["labels"]) | {None})

    def test_turns_round_in_arabic_and_back(self):
        context = self.context(locale="ar-EG")
        tab = self.tab(self.house("arabic"), context).sign_in()
        expect(tab.page.locator("html")).to_have_attribute("dir", "rtl")
        expect(tab.page.locator("html")).to_have_attribute("lang", "ar")
        sidebar = tab.page.locator("#sidebar").bounding_box()
        self.assertGreater(sidebar["x"], 600)
        tab.ask("سؤال")
        tab.state("done")
        expect(tab.answer.get_by_role("button", name="حاول مجددًا")).to_be_visible()
        tab.page.locator("#open-account").click()
        tab.page.locator("#pick-language").select_option("en")
        expect(tab.page.locator("html")).to_have_attribute("dir", "ltr")
        expect(tab.answer.get_by_role("button", name="Try again")).to_be_visible()
        tab.page.reload()
        expect(tab.page.locator("html")).to_have_attribute("lang", "en")

    def test_picks_an_appearance_that_outlives_signing_out(self):
        tab = self.tab(self.house("paced-3-50"), self.context(color_scheme="light")).sign_in()
        paper = "getComputedStyle(document.body).backgroundColor"
        light = tab.page.evaluate(paper)
        tab.page.locator("#open-account").click()
        tab.page.locator("#pick-theme").select_option("dark")
        self.assertNotEqual(tab.page.evaluate(paper), light)
        tab.page.reload()
        self.assertNotEqual(tab.page.evaluate(paper), light)

    def test_moves_nothing_where_motion_is_not_wanted(self):
        tab = self.tab(self.house("paced-400-20"), self.context(reduced_motion="reduce")).sign_in()
        tab.ask("Stand still")
        tab.wait_for_pieces(5)
        moving = tab.page.evaluate("document.getAnimations().filter(one => one.playState === 'running').length")
        self.assertEqual(moving, 0)

    def test_prints_the_whole_conversation_and_no_buttons(self):
        tab = self.tab(self.house("rich")).sign_in()
        tab.ask("For paper")
        tab.state("done")
        tab.page.emulate_media(media="print")
        expect(tab.page.locator("#sidebar")).to_be_hidden()
        expect(tab.page.locator("#composer")).to_be_hidden()
        expect(tab.answer.locator(".foot")).to_be_hidden()
        expect(tab.answer.locator("table")).to_be_visible()
        self.assertGreater(len(tab.page.pdf()), 1_000)
