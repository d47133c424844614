"""Without a line: what can still be read, what is said, and what is left behind."""

from playwright.sync_api import expect

from page_case import PageCase, tokens


class OfflineTests(PageCase):
    def settled(self, tab):
        """Until the worker is in place and holds the whole page."""
        tab.page.wait_for_function("navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)")
        tab.page.wait_for_function("""() => caches.keys().then((names) => {
            const name = names.find((one) => one.startsWith('rejoinder-page-'));
            return name && caches.open(name).then((cache) => cache.match('/version')).then(Boolean);
        })""", timeout=20_000)

    def test_opens_and_reads_without_a_server(self):
        house = self.house("paced-20-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.ask("Keep this")
        tab.state("done")
        address = tab.page.url.removeprefix(house.address)
        self.settled(tab)
        house.kill()
        tab.page.goto(house.address + address)
        expect(tab.page.locator("#app")).to_be_visible()
        expect(tab.page.locator(".prompt-text")).to_have_text("Keep this")
        self.assertEqual(tab.text(), tokens(20))
        expect(tab.page.locator("#notice")).to_contain_text("as it was when you last opened it")
        expect(tab.page.locator("#link")).to_have_text("Reconnecting…")
        expect(tab.page.locator(".conversation")).to_have_text(["Keep this"])
        tab.ask("And what about this?")
        tab.state("waiting")
        house.start()
        tab.state("done")
        expect(tab.page.locator("#link")).to_be_hidden()
        expect(tab.page.locator("#notice")).to_be_hidden()
        expect(tab.page.locator(".answer")).to_have_count(2)

    def test_says_that_a_conversation_was_never_opened_here(self):
        house = self.house("paced-5-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        tab.ask("Known")
        tab.state("done")
        self.settled(tab)
        house.kill()
        tab.page.goto(house.address + "/c/01900000-0000-7000-8000-00000000abcd")
        expect(tab.page.locator("#notice")).to_contain_text("never opened in this browser")

    def test_can_be_installed(self):
        tab = self.tab(self.house("paced-5-50")).sign_in()
        manifest = tab.page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then(reply => reply.json())")
        self.assertEqual(manifest["display"], "standalone")
        for icon in manifest["icons"]:
            reply = tab.page.request.get(tab.house.address + icon["src"])
            self.assertEqual((reply.status, reply.headers["content-type"]), (200, icon["type"]))
        session = tab.page.context.new_cdp_session(tab.page)
        self.assertEqual(session.send("Page.getAppManifest")["errors"], [])

    def test_leaves_nothing_of_the_account_after_signing_out(self):
        house = self.house("paced-5-50")
        tab = self.tab(house).sign_in()
        tab.ask("A secret")
        tab.state("done")
        tab.page.wait_for_function("caches.has('rejoinder-conversations')")
        tab.page.locator("#sign-out").click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#sign-in")).to_be_visible()
        self.assertFalse(tab.page.evaluate("caches.has('rejoinder-conversations')"))
        self.assertEqual(tab.page.evaluate("Object.keys(localStorage)"), [])
        self.settled(tab)
        held = tab.page.evaluate("""() => caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)
            .then((cache) => cache.keys()))))
            .then((lists) => lists.flat().map((request) => new URL(request.url).pathname))""")
        self.assertEqual([path for path in held if path.startswith("/v1/")], [])
        house.kill()
        tab.page.goto(house.address)
        self.assertNotIn("A secret", tab.page.locator("body").inner_text())
        tab.faults = [fault for fault in tab.faults if "401" not in fault]

    def test_takes_a_new_version_of_the_page_with_the_next_load(self):
        house = self.house("paced-5-50")
        context = self.context()
        tab = self.tab(house, context).sign_in()
        self.settled(tab)
        # With a line every file is the server's own: what the worker holds is for without.
        context.route("**/words-en.js", lambda route: route.fulfill(
            content_type="text/javascript", body=route.fetch().text().replace("Ask anything", "Ask something new")))
        tab.page.reload()
        expect(tab.page.locator("#prompt")).to_have_attribute("placeholder", "Ask something new")
