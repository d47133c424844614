"""The account: its parts are there where the server offers them, and only there."""

from playwright.sync_api import expect

from page_case import PageCase


class AccountTests(PageCase):
    def opened(self, **offers):
        context = self.context()
        tab = self.tab(self.house("paced-3-50"), context).sign_in()
        for path, reply in offers.items():
            context.route(f"**/v1/{path}", self.answering(reply))
        tab.page.locator("#open-account").click()
        return tab

    def answering(self, reply):
        """What a route answers with: a value, a function's doing, or that there is nothing."""
        def answer(route):
            if callable(reply):
                reply(route)
            elif reply is None:
                route.fulfill(status=404, json={"type": "/problems/not-found"})
            else:
                route.fulfill(json=reply)
        return answer

    def test_hides_what_the_server_does_not_offer(self):
        tab = self.opened(limits=[], consent=None, memory=None, tasks=None)
        expect(tab.page.locator("#account-devices")).to_be_visible()
        expect(tab.page.locator("#account-devices")).to_contain_text("this browser")
        for part in ("limits", "consent", "memory", "export", "import"):
            expect(tab.page.locator(f"#account-{part}")).to_be_hidden()

    def test_shows_limits_with_what_is_left_and_until_when(self):
        tab = self.opened(limits=[{
            "capability": "chat", "plan": "free", "limit": 50, "remaining": 12, "resets_at": "2030-01-02T03:04:05.000Z",
            "as_of": "2026-01-01T00:00:00.000Z"}], consent=None, memory=None, tasks=None)
        limits = tab.page.locator("#account-limits")
        expect(limits).to_contain_text("chat (free)")
        expect(limits).to_contain_text("12 of 50 left")
        expect(limits).to_contain_text("Jan 2, 2030")

    def test_gives_and_takes_consent(self):
        sent = []

        def consent(route):
            if route.request.method == "PUT":
                sent.append((route.request.headers["if-match"], route.request.post_data_json))
            route.fulfill(json={"version": 3 + len(sent), "improvement": {"on": bool(sent), "version": 3, "at": None},
                                "retention_days": {"days": 30, "version": 1, "at": None}})

        tab = self.opened(limits=[], consent=consent, memory=None, tasks=None)
        switch = tab.page.get_by_role("switch", name="Conversations may be used to improve the service")
        expect(switch).not_to_be_checked()
        # It shows as set only when the server has set it.
        switch.click()
        expect(switch).to_be_checked()
        days = tab.page.get_by_role("spinbutton", name="Delete conversations after so many days")
        expect(days).to_have_value("30")
        days.fill("7")
        days.press("Tab")
        tab.page.wait_for_timeout(200)
        self.assertEqual(sent, [('"3"', {"improvement": True}), ('"4"', {"retention_days": 7})])

    def test_signs_another_device_out(self):
        house = self.house("paced-3-50")
        one = self.tab(house).sign_in()
        sessions = [{"id": "01900000-0000-7000-8000-000000000001", "device": "Old phone", "created_at": "2026-01-01T00:00:00.000Z",
                     "current": False}]
        gone = []
        one.page.route("**/v1/sessions", lambda route: route.fulfill(json={"items": [] if gone else sessions}))
        one.page.route("**/v1/sessions/*", lambda route: (gone.append(route.request.url), route.fulfill(status=204))[1])
        one.page.locator("#open-account").click()
        expect(one.page.locator("#account-devices")).to_contain_text("Old phone")
        one.page.locator("#account-devices").get_by_role("button", name="Sign out").click()
        expect(one.page.locator("#account-devices")).to_be_hidden()
        self.assertTrue(gone[0].endswith("000000000001"))

    def test_makes_an_export_where_it_is_offered(self):
        task = {"id": "01900000-0000-7000-8000-000000000009", "state": "done"}
        context = self.context()
        tab = self.tab(self.house("paced-3-50"), context).sign_in()
        context.route("**/v1/tasks", self.answering({"items": []}))
        context.route("**/v1/exports", lambda route: route.fulfill(status=202, json=task))
        tab.page.locator("#open-account").click()
        tab.page.locator("#start-export").click()
        expect(tab.page.get_by_role("link", name="Download the archive")).to_have_attribute(
            "href", f"/v1/tasks/{task['id']}/result")
