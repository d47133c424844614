"""The text of an answer: Markdown while it grows, what can be done with it, and what it must never do."""

from playwright.sync_api import expect

from page_case import PageCase
from texts import RICH


class ReadingTests(PageCase):
    def ask(self, script, **options):
        context = self.context(**options)
        tab = self.tab(self.house(script), context).sign_in()
        tab.ask("Tell me")
        return tab

    def test_shows_every_kind_of_block(self):
        tab = self.ask("rich")
        tab.state("done")
        text = tab.answer.locator(".answer-text")
        expect(text.locator("h2")).to_have_text("How an answer travels")
        expect(text.locator("h3")).to_have_text("What happens")
        expect(text.locator("strong").first).to_have_text("log")
        expect(text.locator("ol > li")).to_have_count(3)
        expect(text.locator("ol ul > li")).to_have_count(3)
        expect(text.locator("input[type=checkbox]")).to_have_count(2)
        expect(text.locator("input[type=checkbox]").first).to_be_checked()
        expect(text.locator("blockquote")).to_contain_text("has lost nothing")
        expect(text.locator(".alert .alert-title")).to_have_text("Warning")
        expect(text.locator("figure.code code")).to_contain_text("mutating func take")
        expect(text.locator("table thead th")).to_have_text(["Reader", "Holds", "Asks for"])
        expect(text.locator("table tbody tr")).to_have_count(3)
        expect(text.locator(".math")).to_have_text("$O(n)$")
        expect(text.locator(".footnote")).to_contain_text("each of which is looked at once")
        expect(text.locator("hr")).to_have_count(1)
        link = text.get_by_role("link", name="the format")
        self.assertEqual(link.get_attribute("target"), "_blank")
        self.assertLessEqual({"noopener", "noreferrer"}, set(link.get_attribute("rel").split()))

    def test_F44_shows_a_sensible_picture_while_it_grows(self):
        """Whatever has come: no marker of a fence or a table is ever text, and it ends as the whole text does."""
        tab = self.ask("rich")
        seen = tab.page.evaluate("""() => new Promise((resolve) => {
            const faults = [];
            let frames = 0;
            const look = () => {
                const text = document.querySelector('.answer-text');
                const read = text?.textContent ?? '';
                frames += 1;
                if (/```|^\\s*\\|?[-:| ]{4,}\\|/mu.test(read)) faults.push(read.slice(-80));
                if (/\\*\\*|~~|\\]\\(/u.test(read)) faults.push(read.slice(-80));
                if (document.querySelector('.answer')?.dataset.state === 'done') resolve({ faults, frames });
                else requestAnimationFrame(look);
            };
            look();
        })""")
        self.assertEqual(seen["faults"], [])
        self.assertGreater(seen["frames"], 3)
        grown = tab.answer.locator(".answer-text").evaluate("node => node.innerHTML.replace(/note-[0-9]+-/g, 'note-')")
        tab.page.reload()
        tab.state("done")
        whole = tab.answer.locator(".answer-text").evaluate("node => node.innerHTML.replace(/note-[0-9]+-/g, 'note-')")
        self.assertEqual(grown, whole)

    def test_keeps_a_selection_in_text_that_grows(self):
        tab = self.ask("paced-200-40")
        tab.wait_for_pieces(20)
        tab.page.evaluate("""() => {
            const text = document.querySelector('.answer-text p').firstChild;
            getSelection().setBaseAndExtent(text, 0, text, 9);
        }""")
        tab.wait_for_pieces(60)
        self.assertEqual(tab.page.evaluate("getSelection().toString()"), "tok0 tok1")

    def test_copies_an_answer_its_markdown_and_a_block(self):
        tab = self.ask("rich", permissions=["clipboard-read", "clipboard-write"])
        tab.state("done")
        clipboard = "navigator.clipboard.readText()"
        tab.answer.get_by_role("button", name="Copy as Markdown").click()
        expect(tab.answer.get_by_role("button", name="Copied")).to_be_visible()
        self.assertEqual(tab.page.evaluate(clipboard), RICH)
        tab.answer.locator(".foot").get_by_role("button", name="Copy", exact=True).click()
        expect(tab.answer.locator(".foot").get_by_role("button", name="Copied")).to_have_count(2)
        text = tab.page.evaluate(clipboard)
        self.assertTrue(text.startswith("How an answer travels\n"), text)
        self.assertNotIn("**", text)
        self.assertNotIn("Copy", text)
        tab.answer.locator("figure.code").get_by_role("button", name="Copy").click()
        expect(tab.answer.locator("figure.code").get_by_role("button", name="Copied")).to_be_visible()
        code = RICH.split("```swift\n")[1].split("```")[0]
        self.assertEqual(tab.page.evaluate(clipboard), code)

    def test_scrolls_wide_tables_and_code_in_themselves(self):
        tab = self.ask("wide", viewport={"width": 340, "height": 600})
        tab.state("done")
        widths = tab.page.evaluate("""() => ['.table', '.code pre'].map((name) => {
            const node = document.querySelector(name);
            return [node.scrollWidth > node.clientWidth, node.getBoundingClientRect().right <= innerWidth];
        })""")
        self.assertEqual(widths, [[True, True], [True, True]])
        self.assertLessEqual(tab.page.evaluate("document.querySelector('#scroller').scrollWidth"), 340)

    def test_stands_every_paragraph_the_way_of_its_letters(self):
        tab = self.ask("arabic")
        tab.state("done")
        text = tab.answer.locator(".answer-text")
        directions = text.evaluate("""node => Object.fromEntries(
            ['h3', 'ol', 'p:nth-of-type(1)', 'p:nth-of-type(2)', 'table', 'pre', 'code'].map((name) =>
                [name, getComputedStyle(node.querySelector(`:scope > ${name}, ${name}`)).direction]))""")
        self.assertEqual(directions, {
            "h3": "rtl", "ol": "rtl", "p:nth-of-type(1)": "rtl", "p:nth-of-type(2)": "ltr", "table": "rtl", "pre": "ltr",
            "code": "ltr"})

    def test_S35_nothing_of_an_answer_runs_or_is_fetched(self):
        """S35 scripts, handlers, schemes, images, SVG and CSS in an answer stay text, whole and piece by piece."""
        for script in ("hostile", "hostile-at-once"):
            with self.subTest(script):
                tab = self.ask(script)
                tab.state("done")
                expect(tab.answer).to_contain_text("End of harm.")
                # What the tab asks of others is noted by the case and fails it.
                self.assertEqual(tab.page.evaluate("window.harm"), None)
                self.assertEqual(tab.page.locator(
                    ".answer-text :is(img, script, iframe, style, object, embed, form, link, meta, base, video, audio)").count(), 0)
                found = tab.answer.locator(".answer-text").evaluate("""node => ({
                    hrefs: [...node.querySelectorAll('[href]')].map(one => one.getAttribute('href')),
                    attributes: [...new Set([...node.querySelectorAll('*')].flatMap(one => one.getAttributeNames()))],
                })""")
                for href in found["hrefs"]:
                    self.assertRegex(href, r"^(https?://|mailto:|#)")
                allowed = {
                    "aria-hidden", "aria-label", "class", "data-code", "dir", "href", "id", "rel", "role", "scope", "tabindex",
                    "target", "title", "type"}
                self.assertLessEqual(set(found["attributes"]), allowed)

    def test_S35_says_where_a_disguised_link_leads(self):
        """S35 a link whose words name another host, or whose letters are not what they seem, shows the real one."""
        tab = self.ask("hostile")
        tab.state("done")
        hosts = tab.answer.locator(".answer-text a .host").all_text_contents()
        self.assertIn(" (xn--bnk-6cd.example)", hosts)
        self.assertIn(" (evil.example)", hosts)

    def test_S35_shows_and_tames_characters_that_turn_text(self):
        """S35 an override cannot reorder what stands around it, in prose or in code."""
        tab = self.ask("hostile")
        tab.state("done")
        self.assertEqual(tab.answer.locator("p > .control").first.get_attribute("data-code"), "U+202E")
        self.assertEqual(tab.answer.locator("pre .control").count(), 4)
        # The text itself is whole: it can be copied as it was written.
        self.assertIn("\u202e", tab.answer.locator(".answer-text").text_content())

    def test_says_that_it_needs_webassembly_where_there_is_none(self):
        context = self.context()
        context.add_init_script("delete globalThis.WebAssembly")
        tab = self.tab(self.house("paced-2-50"), context)
        tab.page.goto(tab.house.address)
        expect(tab.page.locator("#no-core")).to_contain_text("needs WebAssembly")
        expect(tab.page.locator("#app")).to_be_hidden()
        tab.faults = [fault for fault in tab.faults if "preload" not in fault]

    def test_opens_only_the_end_of_a_long_conversation_and_more_as_the_reader_goes_up(self):
        house = self.house("paced-1-50")
        context = self.context(viewport={"width": 900, "height": 600})
        tab = self.tab(house, context).sign_in()
        conversation = "01900000-0000-7000-8000-00000000abcd"
        turns = long_conversation(conversation, 1000)
        context.route(f"**/v1/conversations/{conversation}", lambda route: route.fulfill(json=turns))
        tab.open(f"/c/{conversation}")
        expect(tab.answer).to_contain_text("Answer 999")
        self.assertLess(tab.page.locator(".answer").count(), 40)
        scroller = tab.page.locator("#scroller")
        for _ in range(8):
            scroller.evaluate("node => { node.scrollTop = 200; }")
            tab.page.wait_for_timeout(60)
        count = tab.page.locator(".answer").count()
        self.assertGreater(count, 40)
        # What is read does not move when more comes above it.
        tab.page.evaluate("""() => {
            const scroller = document.querySelector('#scroller');
            scroller.scrollTop = 1000;
            globalThis.place = () => {
                const top = scroller.getBoundingClientRect().top;
                const seen = [...document.querySelectorAll('.prompt')].find((node) => node.getBoundingClientRect().top > top);
                return [seen.textContent, Math.round(seen.getBoundingClientRect().top)];
            };
        }""")
        tab.page.wait_for_timeout(200)
        place = tab.page.evaluate("place()")
        tab.page.locator(".more").evaluate("node => node.click()")
        self.assertEqual(tab.page.evaluate("place()"), place)
        tab.page.locator("#jump").click()
        expect(tab.answer).to_be_in_viewport()


def long_conversation(conversation, count, text="Answer {n} with **some** words.\n\n- one\n- two\n\nAnd `code`."):
    """A conversation as the server gives it, of so many prompts in a row."""
    answer_of = lambda n: f"01900000-0000-7000-8000-{2 * n + 1:012x}"
    turn_of = lambda n: f"01900000-0000-7000-9000-{2 * n + 1:012x}"
    turns = [{
        "id": turn_of(n), "parent": answer_of(n - 1) if n else None, "content": [{"type": "text", "text": f"Prompt {n}"}],
        "created_at": "2026-01-01T00:00:00.000Z", "answers": [{
            "id": answer_of(n), "turn": turn_of(n), "conversation": conversation, "state": "done", "reason": "complete",
            "seq": 5, "content": [{"type": "text", "text": text.format(n=n)}], "started_at": "2026-01-01T00:00:00.000Z",
            "ended_at": "2026-01-01T00:00:01.000Z"}],
    } for n in range(count)]
    return {
        "id": conversation, "title": "Long", "created_at": "2026-01-01T00:00:00.000Z", "updated_at": "2026-01-01T00:00:00.000Z",
        "pinned": False, "archived": False, "temporary": False, "selected": answer_of(count - 1),
        "path": [{"turn": turn_of(n), "answer": answer_of(n)} for n in range(count)], "turns": turns}
