"""What happens to an answer when the line, the tab or the server goes away."""

import re
import time

from playwright.sync_api import expect

from page_case import PageCase, tokens


class LineTests(PageCase):
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

    def test_takes_a_prompt_before_the_rest_of_the_page_is_there(self):
        house = self.house("paced-5-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.ask("First")
        tab.state("done")
        for address, prompts in ((tab.page.url, ["First", "At once"]), (house.address + "/", ["At once"])):
            held = []
            context.route("**/app.js", lambda route: held.append(route))
            tab.page.goto(address)
            prompt = tab.page.locator("#prompt")
            expect(prompt).to_be_focused()
            # Nothing is offered yet that would not work.
            self.assertEqual(tab.page.evaluate("[...document.querySelectorAll('#app button, #app a')]"
                                               ".filter(one => one.checkVisibility() && !one.closest('[inert], .composer, .skip')).length"), 0)
            prompt.press_sequentially("At once")
            prompt.press("Enter")
            expect(prompt).to_have_value("At once")
            self.assertEqual(len(held), 1)
            held[0].continue_()
            context.unroute("**/app.js")
            expect(tab.page.locator(".prompt-text")).to_have_text(prompts)
            expect(prompt).to_have_value("")
            tab.state("done")
            expect(tab.page.locator(".versions:visible")).to_have_count(0)
            self.assertEqual(tab.page.locator(".answer").count(), len(prompts))

    def test_shows_nobody_what_was_begun_before_the_server_knows_them(self):
        house = self.house("paced-5-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.page.locator("#prompt").fill("Between us")
        # Signed out from another device.
        context.clear_cookies()
        held = []
        context.route("**/v1/conversations?*", lambda route: held.append(route))
        with tab.page.expect_request("**/v1/conversations?*"):
            tab.page.reload()
        expect(tab.page.locator("#app")).to_be_hidden()
        self.assertNotIn("Between us", [tab.page.locator("#prompt").input_value()])
        held[0].continue_()
        context.unroute("**/v1/conversations?*")
        expect(tab.page.locator("#sign-in")).to_be_visible()
        tab.faults = [fault for fault in tab.faults if "401" not in fault]

    def test_sends_on_only_once_it_knows_what_a_prompt_goes_on_from(self):
        house = self.house("paced-5-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.ask("First")
        tab.state("done")
        held = []
        context.route("**/v1/conversations/*", lambda route: held.append(route))
        tab.page.goto(tab.page.url)
        tab.ready().ask("Second")
        expect(tab.page.locator("#prompt")).to_have_value("Second")
        expect(tab.page.locator(".prompt-text")).to_have_count(0)
        for route in held:
            route.continue_()
        context.unroute("**/v1/conversations/*")
        expect(tab.page.locator(".prompt-text")).to_have_text(["First", "Second"])
        tab.state("done")
        expect(tab.page.locator(".versions:visible")).to_have_count(0)

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
            const { Answer } = await import('/answer.js');
            const id = '01900000-0000-7000-8000-000000000001';
            const encode = (text) => new TextEncoder().encode(text);
            const run = (events) => {
                const answer = new Answer(id, id);
                const outcomes = events.map(([seq, type, data]) =>
                    answer.feed(encode(`id:${seq}\nevent:${type}\ndata:${JSON.stringify(data)}\n\n`)));
                return [outcomes.join(' '), answer.seq, answer.state, answer.text];
            };
            const begin = [[1, 'status', { phase: 'starting' }], [2, 'text', { text: 'one ' }]];
            const end = { state: 'done', reason: 'complete' };
            return {
                repeats: run([...begin, begin[1], begin[0], [3, 'text', { text: 'two' }]]),
                gap: run([...begin, [4, 'text', { text: 'three' }], [3, 'text', { text: 'two' }]]),
                unknown: run([...begin, [3, 'later-invention', {}], [4, 'text', { text: 'two' }]]),
                snapshot: run([...begin, [9, 'snapshot', { seq: 9, content: [{ type: 'text', text: 'all of it' }] }]]),
                withdrawn: run([...begin, [3, 'withdrawn', { reason: 'safety' }], [4, 'end', { state: 'refused' }]]),
                late: run([...begin, [3, 'end', end], [4, 'text', { text: 'late' }]]),
                broken: run([...begin, [3, 'text', { words: 'none' }]]),
            };
        }""")
        # 0 goes on, 1 has ended, 2 asks again from the last number held.
        self.assertEqual(outcome, {
            "repeats": ["0 0 0 0 0", 3, "streaming", "one two"],
            "gap": ["0 0 2 2", 2, "streaming", "one "],
            "unknown": ["0 0 0 0", 4, "streaming", "one two"],
            "snapshot": ["0 0 0", 9, "streaming", "all of it"],
            "withdrawn": ["0 0 0 1", 4, "refused", ""],
            "late": ["0 0 1 1", 3, "done", "one "],
            "broken": ["0 0 2", 2, "streaming", "one "],
        })

    def test_survives_holes_repeats_and_types_of_a_later_server(self):
        context = self.context()
        tab = self.tab(self.house("paced-400-20"), context).sign_in()
        # The third number is of a type that the page does not know; the first connection also loses the fourth.
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
        self.assertEqual(asked[:2], [0, 3])
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

    def test_deletes_everywhere_and_takes_it_back_until_it_is_sent(self):
        house = self.house("paced-400-20")
        context = self.context()
        one = self.tab(house, context).sign_in()
        one.ask("Delete me")
        one.wait_for_pieces(3)
        other = self.tab(house, context).open(one.page.url.removeprefix(house.address))
        other.wait_for_pieces(3)
        one.page.locator("#delete-conversation").click()
        expect(one.page.locator(".conversation")).to_have_count(0)
        one.page.get_by_role("button", name="Undo").click()
        expect(one.page.locator(".conversation")).to_have_count(1)
        one.wait_for_pieces(8)
        one.page.locator("#delete-conversation").click()
        expect(one.page.locator("#toast")).to_contain_text("“Delete me” is deleted.")
        expect(other.page.locator(".answer")).to_have_count(0, timeout=15_000)
        for tab in (one, other):
            expect(tab.page.locator(".conversation")).to_have_count(0)
            expect(tab.page.locator(".answer")).to_have_count(0)
            tab.faults = [fault for fault in tab.faults if not re.search(r"\b(404|410)\b", fault)]
        expect(other.page.locator("#notice")).to_contain_text("was deleted")
        expect(one.page.locator("#toast")).to_be_hidden()

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
