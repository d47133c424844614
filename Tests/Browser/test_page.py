"""What a person sees of the page, in a real browser, whatever happens to the line and the server."""

import os
import pathlib
import re
import time
import unittest

from playwright.sync_api import expect, sync_playwright

from house import House, Upstream

SHOTS = pathlib.Path(".build/shots")
expect.set_options(timeout=10_000)


def tokens(count):
    """The text of a paced script."""
    return "".join(f"tok{number} " for number in range(count))


class Tab:
    """A tab, with everything noted that must not happen in it."""

    def __init__(self, context, house):
        self.page = context.new_page()
        self.house = house
        self.faults = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._request)

    def _console(self, message):
        # The browser itself notes every failed request; some tests break the line on purpose.
        if message.text.startswith("Failed to load resource:") and "net::ERR_" in message.text:
            return
        self.faults.append(f"{message.type}: {message.text}")

    def _request(self, request):
        if not request.url.startswith(self.house.address + "/"):
            self.faults.append(f"request to {request.url}")

    def open(self, path="/"):
        self.page.goto(self.house.address + path)
        expect(self.page.locator("#app")).to_be_visible()
        return self

    def sign_in(self):
        self.page.goto(self.house.sign_in_link)
        expect(self.page.locator("#app")).to_be_visible()
        expect(self.page).to_have_url(self.house.address + "/")
        return self

    def ask(self, text):
        self.page.locator("#prompt").fill(text)
        self.page.locator("#prompt").press("Enter")

    @property
    def answer(self):
        return self.page.locator(".answer").last

    def state(self, *names):
        expect(self.answer).to_have_attribute("data-state", re.compile(f"^({'|'.join(names)})$"), timeout=20_000)

    def text(self):
        """The answer's text without the page's own words."""
        return self.answer.locator(".answer-text").text_content()

    def wait_for_pieces(self, count):
        self.page.wait_for_function(
            "count => document.querySelector('.answer:last-child .answer-text')?.textContent.includes(`tok${count} `)",
            arg=count, timeout=20_000)
        return self.text()


class PageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(
            executable_path=os.environ["REJOIN_CHROMIUM"], args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)
        cls.upstream = Upstream()
        cls.addClassCleanup(cls.upstream.kill)

    def house(self, *scripts):
        house = House(self.upstream, {script: script for script in scripts})
        self.addCleanup(house.close)
        return house

    def context(self, **options):
        context = self.browser.new_context(**options)
        self.addCleanup(context.close)
        return context

    def tab(self, house, context=None):
        tab = Tab(context or self.context(), house)
        self.addCleanup(lambda: self.assertEqual(tab.faults, []))
        return tab

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
        expect(tab.page.locator("#composer-note")).to_contain_text("loading (42 %)")
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
            "Not sent. Too many answers are waiting already. Try again in 2 min.")
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
        expect(tab.answer.get_by_role("button", name="Copy")).to_be_visible()
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

    # Coming back

    def test_goes_on_after_a_reload_from_the_text_that_was_shown(self):
        tab = self.tab(self.house("paced-80-20")).sign_in()
        tab.ask("A long one")
        shown = tab.wait_for_pieces(15)
        tab.page.reload()
        tab.page.wait_for_function("() => document.querySelector('.answer-text')?.textContent")
        first = tab.text()
        self.assertGreaterEqual(len(first), len(shown))
        self.assertTrue(tokens(80).startswith(first))
        tab.state("done")
        self.assertEqual(tab.text(), tokens(80))

    def test_goes_on_after_the_network_was_away(self):
        context = self.context()
        tab = self.tab(self.house("paced-100-20"), context).sign_in()
        tab.ask("A long one")
        shown = tab.wait_for_pieces(10)
        context.set_offline(True)
        tab.state("offline")
        expect(tab.page.locator("#link")).to_have_text("Offline")
        self.assertTrue(tab.text().startswith(shown))
        context.set_offline(False)
        tab.state("streaming")
        tab.state("done")
        self.assertEqual(tab.text(), tokens(100))
        expect(tab.page.locator("#link")).to_be_hidden()

    def test_finds_an_answer_that_was_finished_while_away(self):
        context = self.context()
        tab = self.tab(self.house("paced-60-20"), context).sign_in()
        tab.ask("A long one")
        tab.wait_for_pieces(5)
        address = tab.page.url
        tab.page.goto("about:blank")
        tab.faults.clear()
        time.sleep(3.2)  # The tab is gone for as long as the answer takes: that is the case.
        tab.open(address.removeprefix(tab.house.address))
        tab.state("done")
        self.assertEqual(tab.text(), tokens(60))

    def test_keeps_the_text_when_the_server_is_killed_and_offers_another_try(self):
        house = self.house("paced-60-20")
        tab = self.tab(house).sign_in()
        tab.ask("A long one")
        shown = tab.wait_for_pieces(15)
        house.kill()
        tab.state("reconnecting")
        self.assertTrue(tab.text().startswith(shown))
        expect(tab.page.locator("#link")).to_have_text("Reconnecting…")
        house.start()
        tab.state("interrupted")
        self.assertTrue(tab.text().startswith(shown))
        expect(tab.answer.locator(".status")).to_have_text("Interrupted. The server went down in between.")
        tab.answer.get_by_role("button", name="Try again").click()
        tab.state("done")
        self.assertEqual(tab.text(), tokens(60))
        expect(tab.answer.locator(".versions")).to_contain_text("2/2")
        tab.answer.get_by_role("button", name="Previous version").click()
        tab.state("interrupted")
        self.assertTrue(tab.text().startswith(shown))
        tab.page.reload()
        tab.state("interrupted")

    def test_sends_what_was_asked_while_the_server_was_away_once_it_is_back(self):
        house = self.house("paced-5-50")
        tab = self.tab(house).sign_in()
        house.kill()
        tab.ask("Are you there?")
        tab.state("waiting")
        expect(tab.page.locator(".prompt-text")).to_have_text("Are you there?")
        house.start()
        tab.state("done")
        self.assertEqual(tab.text(), tokens(5))
        self.assertEqual(tab.page.locator(".answer").count(), 1)
        expect(tab.page.locator(".conversation")).to_have_count(1)

    def test_sends_what_was_asked_before_a_reload(self):
        context = self.context()
        tab = self.tab(self.house("paced-5-50"), context).sign_in()
        # Every try to send fails until the page has been loaded anew.
        context.route("**/turns/*", lambda route: route.abort())
        tab.ask("Do not lose this")
        tab.state("waiting")
        tab.page.reload()
        tab.state("waiting")
        context.unroute("**/turns/*")
        tab.state("done")
        expect(tab.page.locator(".prompt-text")).to_have_text("Do not lose this")

    def test_asks_once_when_the_reply_to_sending_is_lost(self):
        context = self.context()
        tab = self.tab(self.house("paced-5-50"), context).sign_in()
        sent = []

        def lose(route):
            sent.append(route.request.url)
            route.fetch() if len(sent) == 1 else None
            route.abort() if len(sent) == 1 else route.continue_()

        context.route("**/turns/*", lose)
        tab.ask("Once only")
        tab.state("done")
        self.assertGreaterEqual(len(sent), 2)
        self.assertEqual(len(set(sent)), 1)
        self.assertEqual(tab.page.locator(".answer").count(), 1)
        expect(tab.page.locator(".versions:visible")).to_have_count(0)

    def test_takes_back_a_prompt_that_waits(self):
        context = self.context()
        tab = self.tab(self.house("paced-5-50"), context).sign_in()
        context.set_offline(True)
        tab.ask("Not yet")
        tab.state("waiting")
        tab.answer.get_by_role("button", name="Take back").click()
        expect(tab.page.locator("#prompt")).to_have_value("Not yet")
        expect(tab.page.locator(".prompt")).to_have_count(0)
        context.set_offline(False)
        expect(tab.page.locator("#link")).to_be_hidden()
        self.assertEqual(tab.page.evaluate("fetch('/v1/conversations').then(r => r.json()).then(l => l.items.length)"), 0)

    def test_gives_its_lines_back_while_nobody_looks(self):
        tab = self.tab(self.house("paced-600-20")).sign_in()
        tab.page.clock.install()
        tab.page.reload()
        expect(tab.page.locator("#app")).to_be_visible()
        tab.ask("A long one")
        tab.page.clock.resume()
        tab.wait_for_pieces(5)
        show = """(state) => {
            Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }"""
        tab.page.evaluate(show, "hidden")
        tab.page.clock.fast_forward(16_000)
        tab.page.wait_for_timeout(300)
        held = tab.text()
        tab.page.wait_for_timeout(700)
        self.assertEqual(tab.text(), held, "an answer was followed although nobody looked")
        asked = []
        tab.page.on("request", lambda request: asked.append(request.url))
        tab.page.evaluate(show, "visible")
        tab.page.wait_for_function("n => document.querySelector('.answer-text').textContent.length > n", arg=len(held))
        self.assertTrue(tab.text().startswith(held))
        self.assertTrue(any("/v1/changes?after=" in url for url in asked), asked)
        self.assertFalse(any("/events?after=0" in url for url in asked), asked)

    # The log

    def test_folds_a_log_like_the_server(self):
        tab = self.tab(self.house("paced-3-50")).sign_in()
        outcome = tab.page.evaluate("""async () => {
            const { makeAnswer, apply } = await import('/answer.js');
            const run = (events) => {
                const answer = makeAnswer('a', 't');
                const outcomes = events.map(([seq, type, data]) => apply(answer, seq, type, data));
                return [outcomes.join(' '), answer.seq, answer.state, answer.text];
            };
            const begin = [[1, 'status', { phase: 'starting' }], [2, 'text', { text: 'one ' }]];
            return {
                repeats: run([...begin, begin[1], begin[0], [3, 'text', { text: 'two' }]]),
                gap: run([...begin, [4, 'text', { text: 'three' }], [3, 'text', { text: 'two' }]]),
                unknown: run([...begin, [3, 'later-invention', {}], [4, 'text', { text: 'two' }]]),
                snapshot: run([...begin, [9, 'snapshot', { seq: 9, content: [{ type: 'text', text: 'all of it' }] }]]),
                withdrawn: run([...begin, [3, 'withdrawn', { reason: 'safety' }], [4, 'end', { state: 'refused' }]]),
                late: run([...begin, [3, 'end', { state: 'done' }], [4, 'text', { text: 'late' }]]),
            };
        }""")
        self.assertEqual(outcome, {
            "repeats": ["applied applied duplicate duplicate applied", 3, "streaming", "one two"],
            "gap": ["applied applied gap applied", 3, "streaming", "one two"],
            "unknown": ["applied applied applied applied", 4, "streaming", "one two"],
            "snapshot": ["applied applied applied", 9, "streaming", "all of it"],
            "withdrawn": ["applied applied applied applied", 4, "refused", ""],
            "late": ["applied applied applied afterEnd", 3, "done", "one "],
        })

    def test_survives_holes_repeats_and_types_of_a_later_server(self):
        context = self.context()
        tab = self.tab(self.house("paced-400-20"), context).sign_in()
        # The third number is of a type that the page does not listen for; the first connection also loses the fourth.
        log = ["event:text\ndata:{\"text\":\"one \"}", "event:text\ndata:{\"text\":\"two \"}", "event:later\ndata:{}",
               "event:text\ndata:{\"text\":\"three \"}", "event:text\ndata:{\"text\":\"four\"}",
               "event:end\ndata:{\"state\":\"done\",\"reason\":\"complete\"}"]
        asked = []

        def play(route):
            asked.append(int(re.search(r"after=(\d+)", route.request.url)[1]))
            # Every connection repeats what is held already, and the first one has a hole.
            events = [f"id:{number}\n{event}\n\n" for number, event in enumerate(log, 1)]
            body = "".join(events[:3] + events[4:5] if len(asked) == 1 else events)
            route.fulfill(content_type="text/event-stream", body=body)

        context.route("**/events?after=*", play)
        tab.ask("Anything")
        tab.state("done")
        self.assertEqual(tab.text(), "one two three four")
        self.assertEqual(asked[:2], [0, 2])
        self.assertLess(len(asked), 6)

    # Other tabs and devices

    def test_lists_elsewhere_what_is_asked_here_without_a_gesture(self):
        house = self.house("paced-40-20")
        context = self.context()
        one = self.tab(house, context).sign_in()
        other = self.tab(house, context).open()
        one.ask("Seen everywhere")
        expect(one.page.locator(".answer")).to_have_count(1)
        expect(other.page.locator(".conversation")).to_have_text(["Seen everywhere"], timeout=2_000)
        other.page.locator(".conversation").click()
        other.wait_for_pieces(10)
        one.state("done")
        other.state("done")
        self.assertEqual(other.text(), one.text())

    def test_deletes_everywhere_after_asking(self):
        house = self.house("paced-400-20")
        context = self.context()
        one = self.tab(house, context).sign_in()
        one.ask("Delete me")
        one.wait_for_pieces(3)
        other = self.tab(house, context).open(one.page.url.removeprefix(house.address))
        other.wait_for_pieces(3)
        one.page.locator("#delete-conversation").click()
        one.page.get_by_role("button", name="Keep").click()
        expect(one.page.locator(".conversation")).to_have_count(1)
        one.page.locator("#delete-conversation").click()
        one.page.get_by_role("button", name="Delete", exact=True).click()
        for tab in (one, other):
            expect(tab.page.locator(".conversation")).to_have_count(0)
            expect(tab.page.locator(".answer")).to_have_count(0)
            expect(tab.page.locator("#notice")).to_contain_text("was deleted")
            tab.faults = [fault for fault in tab.faults if not re.search(r"\b(404|410)\b", fault)]

    def test_never_writes_an_answer_into_another_conversation(self):
        tab = self.tab(self.house("paced-60-20")).sign_in()
        tab.ask("The first one")
        tab.wait_for_pieces(5)
        first = tab.page.url
        tab.page.locator("#new-conversation").click()
        expect(tab.page.locator(".answer")).to_have_count(0)
        tab.ask("The second one")
        tab.wait_for_pieces(5)
        self.assertEqual(tab.page.locator(".answer").count(), 1)
        tab.page.go_back()
        tab.page.go_back()
        expect(tab.page).to_have_url(first)
        expect(tab.page.locator(".prompt-text")).to_have_text("The first one")
        tab.state("done")
        self.assertEqual(tab.text(), tokens(60))

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

    # Reading

    def test_follows_at_the_bottom_and_stays_where_somebody_reads(self):
        tab = self.tab(self.house("paced-700-200"), self.context(viewport={"width": 600, "height": 500})).sign_in()
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
        for _ in range(14):
            tab.page.keyboard.press("Tab")
            reached.add(tab.page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
        self.assertLessEqual({"new-conversation", "prompt", "delete-conversation", "sign-out", "Copy"}, reached)

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
            .filter(node => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest('svg, .visually-hidden'))
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


if __name__ == "__main__":
    unittest.main()
