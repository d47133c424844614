"""What the page looks and sounds like."""

import pathlib

from playwright.sync_api import expect

from page_case import PageCase

SHOTS = pathlib.Path(".build/shots")


class LooksTests(PageCase):
    # Reading

    def test_follows_at_the_bottom_and_stays_where_somebody_reads(self):
        tab = self.tab(self.house("paced-1500-200"), self.context(viewport={"width": 600, "height": 500})).sign_in()
        tab.ask("A long one")
        tab.wait_for_pieces(250)
        distance = "(() => { const s = document.querySelector('#scroller'); return s.scrollHeight - s.scrollTop - s.clientHeight })()"
        self.assertLess(tab.page.evaluate(distance), 60)
        tab.page.locator("#transcript").hover()
        tab.page.mouse.wheel(0, -400)
        expect(tab.page.locator("#jump")).to_be_visible()
        top = tab.page.evaluate("document.querySelector('#scroller').scrollTop")
        before = len(tab.text())
        tab.page.wait_for_function("n => document.querySelector('.answer-text').textContent.length > n", arg=before + 500)
        self.assertAlmostEqual(tab.page.evaluate("document.querySelector('#scroller').scrollTop"), top, delta=2)
        tab.page.locator("#jump").click()
        expect(tab.page.locator("#jump")).to_be_hidden()
        tab.state("done")
        self.assertLess(tab.page.evaluate(distance), 60)

    def test_announces_states_in_sentences(self):
        tab = self.tab(self.house("paced-30-20")).sign_in()
        tab.page.evaluate("""() => {
            globalThis.said = [];
            new MutationObserver(() => said.push(document.querySelector('#announcer').textContent))
                .observe(document.querySelector('#announcer'), { childList: true, characterData: true, subtree: true });
        }""")
        tab.ask("Speak")
        tab.state("done")
        tab.page.wait_for_function("() => said.join(' ').includes('The answer is complete.')")
        said = tab.page.evaluate("said")
        self.assertIn("The answer is being written.", " ".join(said))
        self.assertLess(len(said), 12, "a screen reader would hear every piece")

    def test_names_every_control_and_can_be_used_by_keyboard(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.ask("Hello")
        tab.state("done")
        nameless = tab.page.evaluate("""() => [...document.querySelectorAll('button, a, input, textarea, select')]
            .filter(node => node.checkVisibility())
            .filter(node => !(node.ariaLabel || node.textContent.trim() || node.labels?.length))
            .map(node => node.outerHTML)""")
        self.assertEqual(nameless, [])
        tab.page.evaluate("document.activeElement.blur()")
        reached = set()
        for _ in range(20):
            tab.page.keyboard.press("Tab")
            reached.add(tab.page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        self.assertLessEqual({"new-conversation", "search", "prompt", "delete-conversation", "open-account", "sign-out", "Copy"}, reached)

    # Looks

    def test_fits_narrow_and_wide_screens_in_light_and_dark(self):
        SHOTS.mkdir(parents=True, exist_ok=True)
        house = self.house("paced-120-60")
        link = house.sign_in_link
        state = None
        for scheme in ("light", "dark"):
            for name, width, height in (("wide", 1280, 820), ("narrow", 375, 720), ("smallest", 320, 568)):
                context = self.context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, storage_state=state)
                tab = self.tab(house, context)
                if state is None:
                    tab.page.goto(link)
                    state = context.storage_state()
                tab.open()
                self.shoot(tab, f"{name}-{scheme}-welcome")
                tab.ask("What does it mean that an answer is a log? Please explain it at some length.")
                tab.wait_for_pieces(40)
                self.shoot(tab, f"{name}-{scheme}-streaming")
                tab.state("done")
                self.shoot(tab, f"{name}-{scheme}-done")
                if name != "wide":
                    tab.page.locator("#open-sidebar").click()
                    expect(tab.page.locator("#sign-out")).to_be_in_viewport()
                    tab.page.wait_for_timeout(250)
                    self.shoot(tab, f"{name}-{scheme}-drawer")
                    tab.page.keyboard.press("Escape")
                    expect(tab.page.locator("#sign-out")).to_be_hidden()

    def shoot(self, tab, name):
        tab.page.screenshot(path=SHOTS / f"{name}.png")
        wide = tab.page.evaluate("""() => [...document.querySelectorAll('body *')].filter(node => node.checkVisibility())
            .filter(node => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('svg, .visually-hidden, .conversation, .answer-text pre, .table'))
            .map(node => node.id || node.className)""")
        self.assertEqual(wide, [], f"{name} is wider than its screen")
        unreadable = tab.page.evaluate(CONTRAST)
        self.assertEqual(unreadable, [], f"{name} has text that is hard to read")


# The texts whose colours are closer together than WCAG AA allows, on the background that is painted below them.
CONTRAST = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const paint = (colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (rgb) => rgb
        .map((part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const found = [];
    for (const node of document.querySelectorAll('body *')) {
        const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
        if (!own || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (node.closest('.visually-hidden, .skip, option, [inert], :disabled') ) continue;
        const style = getComputedStyle(node);
        const below = [];
        for (let at = node; at; at = at.parentElement) below.unshift(getComputedStyle(at).backgroundColor);
        const [text, ground] = [paint([...below, style.color]), paint(below)].map(luminance);
        const ratio = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
        const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
        if (ratio < (isLarge ? 3 : 4.5)) found.push(`${node.className || node.tagName} ${ratio.toFixed(2)}`);
    }
    return found;
}"""
