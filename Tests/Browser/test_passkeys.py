"""Passkeys, with the browser's own authenticator: added in the account, used on the sign-in card, renamed, removed."""

import re

from playwright.sync_api import expect

from page_case import PageCase
from test_access import AXE, TAGS


class Authenticator:
    """The one that is built into the browser for tests."""

    def __init__(self, tab, **options):
        self.devtools = tab.page.context.new_cdp_session(tab.page)
        self.devtools.send("WebAuthn.enable")
        self.id = self.devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True, **options}})["authenticatorId"]

    @property
    def credentials(self):
        return self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def verifies(self, yes):
        self.devtools.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": yes})


class PasskeyTests(PageCase):
    def signed_in(self, **options):
        house = self.house("paced-3-50")
        house.host = "localhost"
        tab = self.tab(house, self.context(**options)).sign_in()
        return tab, Authenticator(tab)

    def opened(self, tab):
        tab.page.locator("#open-account").click()
        section = tab.page.locator("#account-passkeys")
        expect(section).to_be_visible()
        return section

    def add(self, tab):
        section = self.opened(tab)
        section.get_by_role("button", name="Add a passkey").click()
        expect(section.locator("#passkey-state")).to_contain_text("The passkey is added")
        return section

    def sign_out(self, tab):
        tab.page.keyboard.press("Escape")
        tab.page.locator("#sign-out").click()
        tab.page.locator("#confirm-yes").click()
        expect(tab.page.locator("#sign-in")).to_be_visible()

    def forgive(self, tab, *codes):
        """A refusal that a test is about is noted by the browser too."""
        tab.faults = [fault for fault in tab.faults if not any(code in fault for code in codes)]

    def check(self, tab, what):
        tab.page.evaluate(AXE)
        found = tab.page.evaluate(
            "tags => axe.run(document, { runOnly: { type: 'tag', values: tags } })"
            ".then(result => result.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html).join(' ')}`))", TAGS)
        self.assertEqual(found, [], what)

    def test_adds_a_passkey_and_signs_in_with_it(self):
        tab, authenticator = self.signed_in()
        section = self.add(tab)
        self.assertEqual(len(authenticator.credentials), 1)
        self.assertTrue(authenticator.credentials[0]["isResidentCredential"])
        self.assertEqual(authenticator.credentials[0]["rpId"], "localhost")
        name = section.get_by_role("textbox", name="Name of the passkey")
        expect(name).to_have_value(re.compile("Chrom|Headless|Linux"))
        self.check(tab, "account")
        # The device that has one is not asked for another.
        section.get_by_role("button", name="Add a passkey").click()
        expect(section.locator("#passkey-state")).to_contain_text("has a passkey for the account already")
        expect(section.get_by_role("listitem")).to_have_count(1)

        self.sign_out(tab)
        self.check(tab, "sign-in")
        for _ in range(2):
            tab.page.get_by_role("button", name="Sign in with a passkey").click()
            expect(tab.page.locator("#app")).to_be_visible()
            tab.ask("Still me")
            tab.state("done")
            section = self.opened(tab)
            expect(section).to_contain_text("last used")
            self.sign_out(tab)
        self.assertGreater(authenticator.credentials[0]["signCount"], 2)
        self.forgive(tab, "401")

    def test_renames_and_removes_one_which_then_signs_nobody_in(self):
        tab, authenticator = self.signed_in()
        section = self.add(tab)
        name = section.get_by_role("textbox", name="Name of the passkey")
        name.fill("Kitchen tablet")
        name.press("Enter")
        expect(section.get_by_role("button", name="Remove Kitchen tablet")).to_be_visible()
        tab.page.reload()
        section = self.opened(tab)
        expect(section.get_by_role("textbox", name="Name of the passkey")).to_have_value("Kitchen tablet")
        section.get_by_role("button", name="Remove Kitchen tablet").click()
        tab.page.locator("#confirm").get_by_role("button", name="Remove").click()
        expect(section.get_by_role("listitem")).to_have_count(0)
        expect(section.get_by_role("button", name="Add a passkey")).to_be_focused()
        self.assertEqual(len(authenticator.credentials), 1)

        self.sign_out(tab)
        tab.page.get_by_role("button", name="Sign in with a passkey").click()
        expect(tab.page.locator("#sign-in-error")).to_contain_text("does not accept this passkey")
        expect(tab.page.locator("#app")).to_be_hidden()
        self.forgive(tab, "401")

    def test_lets_nobody_in_whom_the_authenticator_does_not_know(self):
        tab, authenticator = self.signed_in()
        self.add(tab)
        self.sign_out(tab)
        authenticator.verifies(False)
        tab.page.get_by_role("button", name="Sign in with a passkey").click()
        # The browser gives up by itself, and the page offers it again.
        expect(tab.page.get_by_role("button", name="Sign in with a passkey")).to_be_enabled()
        expect(tab.page.locator("#sign-in-error")).to_have_text("")
        expect(tab.page.locator("#app")).to_be_hidden()
        self.forgive(tab, "401")

    def test_says_where_passkeys_work_when_the_address_is_a_number(self):
        house = self.house("paced-3-50")
        tab = self.tab(house).sign_in()
        section = self.opened(tab)
        there = house.address.replace("127.0.0.1", "localhost")
        expect(section.get_by_role("link")).to_have_attribute("href", there)
        expect(section.get_by_role("button", name="Add a passkey")).to_be_hidden()
        self.sign_out(tab)
        expect(tab.page.locator("#other-ways").get_by_role("link")).to_have_attribute("href", there)
        expect(tab.page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)
        self.forgive(tab, "401")

    def test_looks_right_in_both_themes_and_directions(self):
        for scheme, language, width in (("light", "en-GB", 1100), ("dark", "ar-EG", 390)):
            tab, _ = self.signed_in(color_scheme=scheme, locale=language, viewport={"width": width, "height": 844})
            if width < 700:
                tab.page.locator("#open-sidebar").click()
            section = self.opened(tab)
            tab.page.locator("#add-passkey").click()
            expect(section.get_by_role("listitem")).to_have_count(1)
            self.check(tab, f"{scheme}: account")
            section.scroll_into_view_if_needed()
            overflow = tab.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(overflow, 0)
            self.forgive(tab, "401")
