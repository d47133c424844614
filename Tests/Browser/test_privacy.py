"""What a person sees and decides of their account: switches, memory, what happened, taking everything along, leaving."""

import gzip
import json
import re

from playwright.sync_api import expect

from page_case import PageCase


class PrivacyTests(PageCase):
    def opened(self, *scripts, **settings):
        tab = self.tab(self.house(*(scripts or ("paced-3-50",)), **settings)).sign_in()
        self.account(tab)
        return tab

    def account(self, tab):
        tab.page.locator("#open-account").click()
        expect(tab.page.locator("#account-consent")).to_be_visible()

    def switch(self, tab, name):
        return tab.page.locator("#account-consent").get_by_role("switch", name=name)

    def remember(self, tab):
        self.switch(tab, "Facts about you may be remembered").click()
        expect(self.switch(tab, "Facts about you may be remembered")).to_be_checked()

    def test_A73_switches_begin_private_and_say_what_they_mean_and_since_when(self):
        tab = self.opened()
        consent = tab.page.locator("#account-consent")
        expect(self.switch(tab, "Conversations may be used to improve the service")).not_to_be_checked()
        expect(self.switch(tab, "Facts about you may be remembered")).not_to_be_checked()
        expect(consent).to_contain_text("You have not decided this yet.")
        expect(consent).to_contain_text("No fact is proposed, and none is given to a model.")
        self.remember(tab)
        expect(consent).to_contain_text("A model may propose facts from what you write.")
        expect(consent).to_contain_text(re.compile(r"So since .*\(version 2\)\."))
        expect(self.switch(tab, "Facts about you may be remembered")).to_be_focused()
        # It is the account's, not this browser's.
        tab.page.reload()
        self.account(tab)
        expect(self.switch(tab, "Facts about you may be remembered")).to_be_checked()
        expect(tab.page.locator("#account-audit li").first).to_contain_text("Memory was switched on.")

    def test_A74_a_switch_shows_as_set_when_the_server_has_set_it_and_goes_back_with_a_reason(self):
        tab = self.opened()
        held = []
        tab.page.route("**/v1/consent", lambda route: held.append(route) if route.request.method == "PUT" else route.continue_())
        switch = self.switch(tab, "Conversations may be used to improve the service")
        with tab.page.expect_request(lambda request: request.method == "PUT"):
            switch.click()
        expect(switch).to_have_attribute("aria-busy", "true")
        expect(switch).not_to_be_checked()
        held.pop().abort()
        expect(tab.page.locator("#account-note")).to_have_text("That was not done: the server cannot be reached.")
        expect(switch).not_to_be_checked()
        with tab.page.expect_request(lambda request: request.method == "PUT"):
            switch.click()
        tab.page.wait_for_function("document.querySelector('#account-consent [aria-busy]')")
        held.pop().continue_()
        expect(switch).to_be_checked()
        expect(tab.page.locator("#account-note")).to_be_hidden()

    def test_A75_facts_are_written_reworded_and_deleted(self):
        tab = self.opened()
        memory = tab.page.locator("#account-memory")
        expect(memory).to_contain_text("Memory is off: nothing of this is used. Nothing is remembered.")
        expect(memory.locator("form")).to_be_hidden()
        self.remember(tab)
        for fact in ("Likes tea", "Lives in Lyon"):
            memory.get_by_label("Something to remember").fill(fact)
            memory.get_by_role("button", name="Remember", exact=True).click()
            expect(memory.locator("li").first).to_contain_text(fact)
        memory.get_by_role("button", name="Edit: Likes tea").click()
        field = memory.get_by_label("Text of the fact")
        field.fill("Likes coffee")
        field.press("Escape")
        expect(tab.page.locator("#account")).to_be_visible()
        expect(memory.locator("li form")).to_have_count(0)
        expect(memory.locator("li")).to_have_count(2)
        memory.get_by_role("button", name="Edit: Likes tea").click()
        memory.get_by_label("Text of the fact").fill("Likes coffee")
        memory.get_by_label("Text of the fact").press("Enter")
        expect(memory.locator("li").first).to_contain_text("Likes coffee")
        memory.get_by_role("button", name="Edit: Likes coffee").click()
        memory.get_by_label("Text of the fact").fill("lives in LYON")
        memory.get_by_label("Text of the fact").press("Enter")
        expect(tab.page.locator("#account-note")).to_contain_text("there already")
        tab.faults = [fault for fault in tab.faults if "409" not in fault]
        memory.get_by_role("button", name="Forget: Lives in Lyon").click()
        expect(memory.locator("li")).to_have_count(1)
        memory.get_by_role("button", name="Forget everything").click()
        tab.page.locator("#confirm-yes").click()
        expect(memory).to_contain_text("Nothing is remembered.")

    def test_S22_a_proposal_is_accepted_and_then_used_and_the_answer_says_so(self):
        tab = self.opened("paced-3-50", "facts", memory="facts")
        self.remember(tab)
        tab.page.keyboard.press("Escape")
        tab.ask("I live in Lyon")
        tab.state("done")
        expect(tab.page.locator(".memory-used")).to_be_hidden()
        self.account(tab)
        # It comes a moment later, while the dialog is open, by the change feed.
        memory = tab.page.locator("#account-memory")
        expect(memory.locator("li.proposed")).to_contain_text("lives in Lyon")
        self.assertIn("/c/", memory.get_by_role("link", name="Where from").get_attribute("href"))
        memory.get_by_role("button", name="Accept: lives in Lyon").click()
        expect(memory.locator("li.proposed")).to_have_count(0)
        expect(memory.locator("li")).to_contain_text("lives in Lyon")
        tab.page.keyboard.press("Escape")
        tab.ask("Where should I eat?")
        tab.state("done")
        used = tab.page.locator(".memory-used").last
        expect(used).to_contain_text("Memory used: 1 fact")
        used.locator("summary").click()
        expect(used.locator("li")).to_have_text("lives in Lyon")
        tab.page.locator(".more-button").first.click(force=True)
        tab.page.get_by_role("menuitem", name="Leave memory out").click()
        tab.ask("And now?")
        tab.state("done")
        expect(tab.page.locator(".answer").last.locator(".memory-used")).to_be_hidden()

    def test_S24_everything_is_taken_along_deleted_and_brought_back(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.ask("Words to keep")
        tab.state("done")
        self.account(tab)
        tab.page.locator("#start-export").click()
        with tab.page.expect_download() as download:
            tab.page.get_by_role("link", name="Download the archive").click()
        archive = gzip.decompress(download.value.path().read_bytes())
        self.assertIn(b"Words to keep", archive)
        tab.page.get_by_role("button", name="Delete all conversations and memory").click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#account-note")).to_have_text("Everything is deleted.")
        expect(tab.page.locator(".conversation")).to_have_count(0)
        tab.page.locator("#import-file").set_input_files(
            {"name": "mine.jsonl.gz", "mimeType": "application/gzip", "buffer": gzip.compress(archive)})
        expect(tab.page.locator("#import-state")).to_contain_text("1 conversation added, with 1 prompt.")
        expect(tab.page.locator(".conversation bdi")).to_have_text(["Words to keep"])
        broken = json.dumps([{"hello": 1}]).encode()
        tab.page.locator("#import-file").set_input_files({"name": "odd.json", "mimeType": "application/json", "buffer": broken})
        expect(tab.page.locator("#account-import .faults li")).to_have_text(["Part 1: it is of no export that is known"])

    def test_S18_closing_wants_the_name_and_leaves_nothing(self):
        tab = self.opened()
        name = tab.page.get_by_label("The account’s name")
        close = tab.page.locator("#account-closing").get_by_role("button", name="Close the account")
        name.fill("somebody")
        close.click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#account-note")).to_contain_text("Is it spelled right?")
        tab.faults = [fault for fault in tab.faults if "400" not in fault]
        name.fill("owner")
        close.click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#sign-in")).to_be_visible()
        self.assertEqual(tab.page.evaluate("Object.keys(localStorage)"), [])
        tab.faults = [fault for fault in tab.faults if "401" not in fault]

    def test_keyboard_and_eyes_find_every_group(self):
        tab = self.opened()
        jumps = tab.page.locator("#account-jumps button")
        expect(jumps).to_have_text(["General", "Signing in", "Privacy", "Use and data"])
        jumps.nth(2).focus()
        tab.page.keyboard.press("Enter")
        expect(tab.page.get_by_role("heading", name="Privacy", exact=True)).to_be_focused()
        expect(tab.page.locator("#account-consent")).to_be_in_viewport()
        for width in (360, 1280):
            tab.page.set_viewport_size({"width": width, "height": 800})
            self.assertFalse(tab.page.evaluate(
                "document.querySelector('.account-body').scrollWidth > document.querySelector('.account-body').clientWidth"))
