"""Work on a text: what is proposed is looked at change by change, and nothing is used before it is accepted."""

import json
import os

from playwright.sync_api import expect

from page_case import PageCase

RECEIPT = {"merchant": "Café Sol", "date": "2026-03-01", "total": "12.50 EUR", "tax": None, "category": "restaurant"}


class ReviewTests(PageCase):
    def opened(self, outputs=None, context=None):
        """A tab with the dialog open; ``outputs`` gives what the model says to each operation, or a route's doing."""
        context = context or self.context()
        tab = self.tab(self.house("paced-3-50"), context).sign_in()
        self.asked = []

        def answer(route):
            if route.request.method != "PUT":
                return route.continue_()
            name = route.request.url.split("/")[-2]
            self.asked.append((name, route.request.post_data_json))
            reply = (outputs or {})[name]
            if callable(reply):
                return reply(route)
            return route.fulfill(json={"output": reply})

        context.route("**/v1/assist/**", answer)
        tab.page.locator("#open-review").click()
        expect(tab.page.locator("#review")).to_be_visible()
        return tab

    def choose(self, tab, name):
        tab.page.locator(f'#review input[value="{name}"]').check(force=True)

    def shot(self, tab, name):
        folder = os.path.join(os.path.dirname(__file__), "shots")
        os.makedirs(folder, exist_ok=True)
        tab.page.screenshot(path=os.path.join(folder, f"review-{name}.png"))

    def test_a_rewrite_is_shown_word_by_word_and_used_in_a_prompt(self):
        tab = self.opened({"rewrite": '{"text": "We meet at nine on Monday."}'})
        page = tab.page
        expect(page.locator("#review-boundary")).to_contain_text(tab.house.address.split("//")[1])
        page.locator("#review-text").fill("We will be meeting at nine on Monday.")
        page.locator("#review-tone").select_option("plain")
        page.locator("#review-propose").click()
        change = page.locator("#review-changes li")
        expect(change.locator("del")).to_contain_text("will be meeting")
        expect(change.locator("ins")).to_contain_text("meet")
        self.assertEqual(self.asked[0][1], {"text": "We will be meeting at nine on Monday.", "tone": "plain"})
        self.shot(tab, "rewrite")
        self.assertEqual(page.locator("#prompt").input_value(), "")
        page.get_by_role("button", name="Use in a prompt").click()
        expect(page.locator("#review")).to_be_hidden()
        expect(page.locator("#prompt")).to_have_value("We meet at nine on Monday.")

    def test_the_items_of_a_plan_are_chosen_one_by_one(self):
        tab = self.opened({"classify": '{"1":"fruit","2":"bread","3":"fruit"}'})
        page = tab.page
        self.choose(tab, "classify")
        page.locator("#review-items").fill("apple\nbagel\npear, ripe")
        page.locator("#review-groups").fill("fruit: banana; plum\nbread")
        page.locator("#review-propose").click()
        expect(page.locator("#review-changes li")).to_have_count(3)
        boxes = page.locator("#review-changes input[type=checkbox]")
        for number in range(3):
            expect(boxes.nth(number)).to_be_checked()
        boxes.nth(1).uncheck()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        text = open(download.value.path(), encoding="utf-8").read()
        self.assertEqual(text, 'title,group\napple,fruit\nbagel,\n"pear, ripe",fruit\n')

    def test_the_values_of_a_receipt_are_chosen_and_written_anew(self):
        """R49 what has consequences can be pressed only when something valid is chosen"""
        tab = self.opened({"extract.expense": json.dumps(RECEIPT)})
        page = tab.page
        self.choose(tab, "extract")
        page.locator("#review-text").fill("Café Sol 2026-03-01 total 12.50 EUR")
        page.locator("#review-propose").click()
        use = page.get_by_role("button", name="Use in a prompt")
        expect(use).to_be_disabled()
        for box in page.locator("#review-changes input[type=checkbox]").all():
            expect(box).not_to_be_checked()
        date = page.locator('#review-changes li[data-change="date"]')
        date.get_by_role("button", name="Edit").click()
        date.get_by_role("textbox").fill("2026-02-30")
        date.get_by_role("textbox").press("Enter")
        expect(date.get_by_role("alert")).to_contain_text("a day that exists")
        expect(use).to_be_disabled()
        date.get_by_role("textbox").fill("2026-02-28")
        date.get_by_role("textbox").press("Enter")
        expect(date.get_by_role("alert")).to_have_count(0)
        expect(date).to_contain_text("2026-02-28")
        self.shot(tab, "receipt")
        expect(use).to_be_enabled()
        use.click()
        self.assertEqual(json.loads(page.locator("#prompt").input_value()), {"date": "2026-02-28"})

    def test_a_failure_drops_the_preview_and_says_why(self):
        """R49 a failed proposal leaves nothing to press"""
        tab = self.opened({"group": "no JSON at all", "rewrite": lambda route: route.fulfill(json={
            "output": "half a", "truncated": True})})
        page = tab.page
        self.choose(tab, "group")
        page.locator("#review-items").fill("a\nb")
        page.locator("#review-propose").click()
        expect(page.locator("#review-state")).to_contain_text("could not be read")
        expect(page.locator("#review-changes")).to_be_hidden()
        self.choose(tab, "rewrite")
        page.locator("#review-text").fill("some text")
        page.locator("#review-propose").click()
        expect(page.locator("#review-state")).to_contain_text("cut off")
        expect(page.locator("#review-propose")).to_be_enabled()

    def test_escape_takes_back_what_is_under_way_and_then_closes(self):
        held = []
        tab = self.opened({"rewrite": held.append})
        page = tab.page
        page.route("**/v1/answers/*/stop", lambda route: route.fulfill(json={}))
        page.locator("#review-text").fill("some text")
        page.locator("#review-propose").click()
        expect(page.locator("#review-propose")).to_be_disabled()
        page.locator("#review-text").press("Escape")
        expect(page.locator("#review-state")).to_contain_text("Dropped")
        expect(page.locator("#review")).to_be_visible()
        held[0].fulfill(json={"output": "late"})
        page.locator("#review-text").press("Escape")
        expect(page.locator("#review")).to_be_hidden()

    def test_everything_can_be_reached_and_read(self):
        """the checker finds nothing, in both languages, light and dark"""
        for language, scheme in (("en-GB", "light"), ("ar", "dark")):
            context = self.context(locale=language, color_scheme=scheme, viewport={"width": 420, "height": 860})
            tab = self.tab(self.house("paced-3-50"), context).sign_in()
            page = tab.page
            context.route("**/v1/assist/**", lambda route: route.continue_() if route.request.method != "PUT" else (
                route.fulfill(json={"output": json.dumps(RECEIPT)})))
            page.locator("#open-sidebar").click()
            page.locator("#open-review").click()
            expect(page.locator("#review")).to_be_visible()
            self.choose(tab, "extract")
            page.locator("#review-text").fill("Café Sol 12.50 EUR")
            page.locator("#review-propose").focus()
            page.keyboard.press("Enter")
            expect(page.locator("#review-changes li").first).to_be_visible()
            page.locator("#review-changes li button").first.press("Enter")
            self.shot(tab, language)
            self.check(page)

    def check(self, page):
        from test_access import AXE
        page.evaluate(AXE)
        found = page.evaluate("axe.run('#review')")["violations"]
        self.assertEqual([(each["id"], [node["html"] for node in each["nodes"]]) for each in found], [])
