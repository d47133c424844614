"""Asking, reading and stopping, as one person in one tab."""

import re

from playwright.sync_api import expect

from page_case import PageCase, Tab, tokens


class AskingTests(PageCase):
    # Signing in and out

    def test_signs_in_by_the_printed_link_and_out_again(self):
        house = self.house("paced-5-50")
        context = self.context()
        stranger = Tab(context, house)
        stranger.page.goto(house.address)
        expect(stranger.page.get_by_role("heading", name="Rejoinder")).to_be_visible()
        expect(stranger.page.locator("#sign-in")).to_contain_text("link that the server printed")
        expect(stranger.page.locator("#app")).to_be_hidden()
        # Being told that nobody is signed in is the one thing that such a page may note.
        self.assertTrue(all("401" in fault for fault in stranger.faults), stranger.faults)

        tab = self.tab(house, context).sign_in()
        cookie, = [cookie for cookie in context.cookies() if cookie["name"] == "rejoin_session"]
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        tab.ask("Hello")
        tab.state("done")
        tab.page.locator("#prompt").fill("half a thought")

        tab.page.locator("#sign-out").click()
        tab.page.get_by_role("button", name="Sign out", exact=True).last.click()
        expect(tab.page.locator("#sign-in")).to_be_visible()
        self.assertEqual(tab.page.evaluate("Object.keys(localStorage).length"), 0)
        self.assertEqual(tab.page.locator(".answer").count(), 0)
        self.assertEqual(tab.page.evaluate("fetch('/v1/conversations').then(reply => reply.status)"), 401)
        tab.faults = [fault for fault in tab.faults if "401" not in fault]

    # Asking

    def test_shows_the_prompt_at_once_and_the_answer_as_it_grows(self):
        tab = self.tab(self.house("paced-40-20")).sign_in()
        tab.ask("Count for me")
        expect(tab.page.locator(".prompt-text")).to_have_text("Count for me")
        expect(tab.page).to_have_url(re.compile(r"/c/[0-9a-f-]{36}$"))
        lengths = []
        while len(lengths) < 4 and len(tab.text()) < len(tokens(40)):
            length = len(tab.text())
            if not lengths or length > lengths[-1]:
                lengths.append(length)
        self.assertLess(lengths[-1], len(tokens(40)))
        expect(tab.page.locator("#stop")).to_be_visible()
        tab.state("done")
        self.assertEqual(tab.text(), tokens(40))
        expect(tab.page.locator("#send")).to_be_visible()
        expect(tab.page.locator(".conversation")).to_have_text(["Count for me"])

    def test_goes_on_in_the_same_conversation(self):
        tab = self.tab(self.house("echo-path")).sign_in()
        tab.ask("first words")
        tab.state("done")
        tab.ask("second words")
        expect(tab.page.locator(".answer")).to_have_count(2)
        tab.state("done")
        self.assertIn("first words", tab.text())
        self.assertIn("second words", tab.text())
        self.assertEqual(tab.page.locator(".conversation").count(), 1)

    def test_shows_markup_as_text(self):
        tab = self.tab(self.house("echo-path")).sign_in()
        tab.ask("<img src=x onerror=alert(1)><b>bold</b>")
        tab.state("done")
        self.assertIn("<b>bold</b>", tab.text())
        self.assertEqual(tab.page.locator("#transcript img, #transcript b").count(), 0)
        self.assertIn("<b>bold</b>", tab.page.locator(".conversation").text_content())

    def test_breaks_the_line_with_shift_and_enter(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.page.locator("#prompt").press_sequentially("one")
        tab.page.locator("#prompt").press("Shift+Enter")
        tab.page.locator("#prompt").press_sequentially("two")
        tab.page.locator("#prompt").press("Enter")
        expect(tab.page.locator(".prompt-text")).to_have_text("one\ntwo", use_inner_text=True)
        tab.state("done")

    def test_keeps_a_draft_for_each_conversation(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.ask("A conversation")
        tab.state("done")
        tab.page.locator("#prompt").fill("a draft here")
        tab.page.locator("#new-conversation").click()
        expect(tab.page.locator("#prompt")).to_have_value("")
        tab.page.locator("#prompt").fill("a draft there")
        tab.page.reload()
        expect(tab.page.locator("#prompt")).to_have_value("a draft there")
        tab.page.locator(".conversation").first.click()
        expect(tab.page.locator("#prompt")).to_have_value("a draft here")

    def test_says_why_an_answer_failed_and_keeps_its_text(self):
        tab = self.tab(self.house("cut-6", "error-500")).sign_in()
        tab.ask("Break off")
        tab.state("interrupted")
        self.assertEqual(tab.text(), tokens(6))
        expect(tab.answer.locator(".status")).to_contain_text("Interrupted.")
        tab.page.locator("#model").select_option("error-500")
        tab.ask("Fail")
        expect(tab.page.locator(".answer")).to_have_count(2)
        tab.state("failed", "interrupted")
        self.assertNotIn("canary", tab.page.locator("body").inner_text())

    def test_says_that_the_model_is_loading_and_takes_prompts_meanwhile(self):
        context = self.context()
        tab = self.tab(self.house("paced-3-50"), context)
        models = {"items": [{"name": "m", "placement": "server", "state": "loading", "progress": 0.42}], "default": "m"}
        context.route("**/v1/models", lambda route: route.fulfill(json=models))
        tab.sign_in()
        expect(tab.page.locator("#composer-note")).to_contain_text("loading (42%)")
        tab.ask("Already")
        tab.state("done")
        models["items"][0]["state"] = "ready"
        expect(tab.page.locator("#composer-note")).to_be_empty()

    def test_says_why_a_prompt_was_refused_and_keeps_it(self):
        context = self.context()
        tab = self.tab(self.house("paced-3-50"), context).sign_in()
        problem = {"type": "/problems/queue-full", "title": "x", "status": 429, "detail": "d", "retry_after": 120}
        context.route("**/turns/*", lambda route: route.fulfill(
            status=429, json=problem, headers={"Content-Type": "application/problem+json"}))
        tab.ask("Please")
        tab.state("unsent")
        expect(tab.answer.locator(".status")).to_have_text(
            "Not sent. Too many answers are waiting already. Try again in 2 minutes.")
        context.unroute("**/turns/*")
        tab.page.reload()
        tab.state("unsent")
        tab.answer.get_by_role("button", name="Send again").click()
        tab.state("done")
        tab.faults = [fault for fault in tab.faults if "429" not in fault]

    # Stopping

    def test_stops_and_keeps_the_text(self):
        tab = self.tab(self.house("paced-400-20")).sign_in()
        tab.ask("A long one")
        shown = tab.wait_for_pieces(10)
        tab.page.locator("#stop").click()
        tab.state("stopped")
        kept = tab.text()
        self.assertTrue(kept.startswith(shown))
        self.assertTrue(tokens(400).startswith(kept))
        self.assertLess(len(kept), len(tokens(100)))
        expect(tab.answer.get_by_role("button", name="Try again")).to_be_visible()
        expect(tab.answer.get_by_role("button", name="Copy", exact=True)).to_be_visible()
        tab.page.reload()
        tab.state("stopped")
        self.assertTrue(tab.text().startswith(shown))

    def test_stops_with_escape(self):
        tab = self.tab(self.house("paced-400-20")).sign_in()
        tab.ask("A long one")
        tab.wait_for_pieces(3)
        tab.page.keyboard.press("Escape")
        tab.state("stopped")

    def test_delivers_a_stop_given_while_offline(self):
        house = self.house("paced-400-20")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.ask("A long one")
        tab.wait_for_pieces(5)
        context.set_offline(True)
        tab.state("offline")
        tab.page.locator("#stop").click()
        expect(tab.answer.locator(".status")).to_have_text("Stopped.")
        context.set_offline(False)
        tab.state("stopped")
        self.assertLess(len(tab.text()), len(tokens(390)))

    # Versions

    def test_edits_a_prompt_into_a_branch(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.ask("First wording")
        tab.state("done")
        tab.page.locator(".prompt").hover()
        tab.page.get_by_role("button", name="Edit").click()
        expect(tab.page.locator("#prompt")).to_have_value("First wording")
        tab.ask("Second wording")
        expect(tab.page.locator(".prompt-text")).to_have_text("Second wording")
        tab.state("done")
        tab.page.get_by_role("button", name="Previous version of this prompt").click()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
        tab.page.reload()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
        tab.state("done")

    def test_keeps_a_chosen_version_that_the_server_has_not_heard_of(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        tab.ask("First wording")
        tab.state("done")
        tab.page.locator(".prompt").hover()
        tab.page.get_by_role("button", name="Edit").click()
        tab.ask("Second wording")
        expect(tab.page.locator(".prompt-text")).to_have_text("Second wording")
        tab.state("done")
        conversations = "**/v1/conversations/*"
        tab.page.route(
            conversations, lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
        tab.page.get_by_role("button", name="Previous version of this prompt").click()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
        tab.page.reload()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
        tab.page.unroute(conversations)
        with tab.page.expect_response(lambda reply: reply.request.method == "PATCH" and reply.ok):
            tab.page.reload()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
        # Now it is the server's: a browser that has nothing of its own begins there.
        tab.page.evaluate("localStorage.clear()")
        tab.page.reload()
        expect(tab.page.locator(".prompt-text")).to_have_text("First wording")
