"""Signing in with a provider, which is another site to the browser: linked in the account, then used on the sign-in card."""

import os
import pathlib
import sys
import threading

from playwright.sync_api import expect

from page_case import PageCase

sys.path.append(str(pathlib.Path(__file__).parent.parent / "EndToEnd"))
import openid  # noqa: E402


class Provider(openid.Provider):
    """The provider of the tests without a browser, at an address that is not the server's site."""

    @classmethod
    def address(cls):
        return f"http://127.0.0.1:{cls.port}"


class ProviderTests(PageCase):
    def setUp(self):
        service = openid.Service(("127.0.0.1", 0), Provider)
        Provider.port = service.server_address[1]
        Provider.published = [Provider.new_key("one", "RS256")]
        Provider.fault = None
        threading.Thread(target=service.serve_forever, daemon=True).start()
        self.addCleanup(service.server_close)
        self.addCleanup(service.shutdown)
        os.environ["HOUSE_SECRET"] = openid.SECRET

    def signed_in(self, **options):
        house = self.house("paced-3-50", oidc={
            "issuer": Provider.address(), "client_id": openid.CLIENT, "client_secret_env": "HOUSE_SECRET", "name": "House Login"})
        house.host = "localhost"
        tab = self.tab(house, self.context(**options)).sign_in()
        # The provider is elsewhere, and who is signed out hears so.
        self.addCleanup(lambda: self.forgive(tab))
        return tab

    def forgive(self, tab):
        tab.faults = [fault for fault in tab.faults if Provider.address() not in fault and "401" not in fault]

    def opened(self, tab):
        tab.page.locator("#open-account").click()
        section = tab.page.locator("#account-identities")
        expect(section).to_be_visible()
        return section

    def sign_out(self, tab):
        tab.page.keyboard.press("Escape")
        tab.page.locator("#sign-out").click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#sign-in")).to_be_visible()

    def test_links_a_provider_and_signs_in_with_it(self):
        tab = self.signed_in()
        self.opened(tab).get_by_role("button", name="Link House Login").click()
        expect(tab.page.locator("#notice")).to_contain_text("From now on it signs you in")
        expect(tab.page).to_have_url(tab.house.address + "/")
        section = self.opened(tab)
        expect(section.get_by_role("listitem")).to_contain_text("House Login · annika")

        self.sign_out(tab)
        tab.page.get_by_role("link", name="Continue with House Login").click()
        expect(tab.page.locator("#app")).to_be_visible()
        expect(tab.page).to_have_url(tab.house.address + "/")
        tab.ask("Still me")
        tab.state("done")
        section = self.opened(tab)
        expect(section).to_contain_text("last used")
        section.get_by_role("button", name="Unlink").click()
        expect(section.get_by_role("listitem")).to_have_count(0)

        self.sign_out(tab)
        tab.page.get_by_role("link", name="Continue with House Login").click()
        expect(tab.page.locator("#sign-in-error")).to_contain_text("Nobody here uses this sign-in yet")

    def test_says_what_came_of_it_when_it_did_not_go_through(self):
        tab = self.signed_in()
        self.sign_out(tab)
        for fault, words in (("denied", "was given up"), ("wrong nonce", "did not go through")):
            Provider.fault = fault
            tab.page.get_by_role("link", name="Continue with House Login").click()
            expect(tab.page.locator("#sign-in-error")).to_contain_text(words)
            expect(tab.page.locator("#app")).to_be_hidden()
            tab.page.reload()
            expect(tab.page.locator("#sign-in")).to_be_visible()
            expect(tab.page.locator("#sign-in-error")).to_have_text("")
