"""The list of conversations: finding, naming, pinning, putting away."""

import re

from playwright.sync_api import expect

from page_case import PageCase


class ListTests(PageCase):
    def titles(self, tab):
        return tab.page.locator(".conversation bdi")

    def begin(self, tab, *prompts):
        for prompt in prompts:
            tab.page.locator("#new-conversation").click()
            tab.ask(prompt)
            tab.state("done")

    def choose(self, tab, title, action):
        row = tab.page.locator(".row", has_text=title)
        row.hover()
        row.get_by_role("button", name=f"Actions for {title}").click()
        tab.page.get_by_role("menuitem", name=action, exact=True).click()

    def test_finds_by_title_and_marks_what_was_found(self):
        tab = self.tab(self.house("paced-2-50")).sign_in()
        self.begin(tab, "Über Bäume reden", "Something else")
        tab.page.keyboard.press("Control+k")
        expect(tab.page.locator("#search")).to_be_focused()
        tab.page.keyboard.type("baume")
        expect(self.titles(tab)).to_have_text(["Über Bäume reden"])
        expect(tab.page.locator("mark")).to_have_text(["Bäume"])
        tab.page.keyboard.press("ArrowDown")
        tab.page.keyboard.press("Enter")
        expect(tab.page.locator("#title")).to_have_text("Über Bäume reden")
        tab.page.locator("#search").fill("nothing like it")
        expect(tab.page.locator("#conversations")).to_have_text("Nothing found.")
        tab.page.locator("#search").press("Escape")
        expect(self.titles(tab)).to_have_count(2)

    def test_shows_what_the_server_finds_with_its_snippets(self):
        context = self.context()
        tab = self.tab(self.house("paced-2-50"), context).sign_in()
        self.begin(tab, "Trees")
        found = tab.page.url.rsplit("/", 1)[1]
        context.route("**/v1/search?*", lambda route: route.fulfill(json={"items": [
            {"kind": "answer", "conversation": found, "title": "Trees", "at": "2026-01-01T00:00:00.000Z",
             "excerpt": {"text": "für an oak stands", "matches": [[8, 11]]}}]}))
        tab.page.locator("#search").fill("oak")
        expect(tab.page.locator(".conversation small")).to_have_text("für an oak stands")
        expect(tab.page.locator("mark")).to_have_text(["oak"])

    def test_renames_by_menu_and_keyboard_everywhere(self):
        house = self.house("paced-2-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        self.begin(tab, "First name")
        other = self.tab(house, context).open()
        self.choose(tab, "First name", "Rename")
        tab.page.keyboard.type("Second name")
        tab.page.keyboard.press("Enter")
        for one in (tab, other):
            expect(self.titles(one)).to_have_text(["Second name"])
        expect(tab.page.locator("#title")).to_have_text("Second name")
        tab.page.locator(".conversation").focus()
        tab.page.keyboard.press("F2")
        tab.page.keyboard.type("Not kept")
        tab.page.keyboard.press("Escape")
        expect(self.titles(tab)).to_have_text(["Second name"])
        tab.page.reload()
        expect(self.titles(tab)).to_have_text(["Second name"])

    def test_pins_and_archives(self):
        tab = self.tab(self.house("paced-2-50")).sign_in()
        self.begin(tab, "One", "Two")
        expect(self.titles(tab)).to_have_text(["Two", "One"])
        self.choose(tab, "One", "Pin")
        expect(self.titles(tab)).to_have_text(["One", "Two"])
        expect(tab.page.locator("#conversations h2")).to_have_text(["Pinned", "Today"])
        expect(tab.page.locator("#show-archive")).to_be_hidden()
        self.choose(tab, "Two", "Archive")
        expect(self.titles(tab)).to_have_text(["One"])
        tab.page.locator("#show-archive").click()
        expect(self.titles(tab)).to_have_text(["Two"])
        self.choose(tab, "Two", "Take out of the archive")
        expect(self.titles(tab)).to_have_text(["One", "Two"])
        tab.page.reload()
        expect(self.titles(tab)).to_have_text(["One", "Two"])

    def test_takes_a_change_back_that_the_server_did_not_take(self):
        context = self.context()
        tab = self.tab(self.house("paced-2-50"), context).sign_in()
        self.begin(tab, "Stays")
        context.route("**/v1/conversations/*", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
        self.choose(tab, "Stays", "Archive")
        expect(tab.page.locator("#notice")).to_contain_text("not stored")
        expect(self.titles(tab)).to_have_text(["Stays"])

    def test_sends_a_deletion_that_a_reload_interrupts(self):
        house = self.house("paced-2-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        self.begin(tab, "Going", "Staying")
        tab.page.locator(".conversation", has_text="Going").focus()
        tab.page.keyboard.press("Delete")
        expect(self.titles(tab)).to_have_text(["Staying"])
        tab.page.reload()
        expect(self.titles(tab)).to_have_text(["Staying"])
        tab.page.wait_for_function(
            "fetch('/v1/conversations').then(reply => reply.json()).then(list => list.items.length === 1)")
        tab.page.wait_for_function("!Object.keys(localStorage).some(key => key.startsWith('rejoin.delete.'))")

    def test_begins_a_temporary_conversation_that_looks_like_one(self):
        house = self.house("paced-2-50")
        tab = self.tab(house).sign_in()
        tab.page.locator("#temporary").check()
        expect(tab.page.locator("#composer")).to_have_class(re.compile("temporary"))
        tab.ask("For now only")
        tab.state("done")
        expect(tab.page.locator("#temporary-mark")).to_be_visible()
        stored = tab.page.evaluate("fetch(location.pathname.replace('/c/', '/v1/conversations/')).then(reply => reply.json())")
        self.assertTrue(stored["temporary"])
        tab.page.reload()
        expect(tab.page.locator("#temporary-mark")).to_be_visible()
        tab.page.locator("#new-conversation").click()
        expect(tab.page.locator("#temporary")).not_to_be_checked()
        kept = tab.page.evaluate("""caches.open('rejoinder-conversations').then(shelf => shelf.keys())
            .then(keys => keys.map(request => new URL(request.url).pathname))""")
        self.assertEqual(kept, ["/v1/conversations"], "a temporary conversation was kept for reading offline")
