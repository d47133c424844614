"""What every browser test needs: a browser, a scripted model, servers of its own, and tabs that note every fault."""

import os
import re
import unittest

from playwright.sync_api import expect, sync_playwright

from house import House, Upstream

expect.set_options(timeout=10_000)


def tokens(count):
    """The text of a paced script, as it is shown: a paragraph does not end with a blank."""
    return " ".join(f"tok{number}" for number in range(count))


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
        # The page asks for what a server may not offer, and shows it only where it does.
        optional = r"/v1/(limits|consent|memory|tasks|search|sign-in|account/audit)\b"
        if "404" in message.text and re.search(optional, message.location["url"]):
            return
        self.faults.append(f"{message.type}: {message.text}")

    def _request(self, request):
        if not request.url.startswith(self.house.address + "/"):
            self.faults.append(f"request to {request.url}")

    def open(self, path="/"):
        self.page.goto(self.house.address + path)
        return self.ready()

    def ready(self):
        """The page with all of its parts, not only the prompt box."""
        expect(self.page.locator("#app")).to_be_visible()
        expect(self.page.locator("#app")).not_to_have_attribute("aria-busy", "true")
        return self

    def sign_in(self):
        self.page.goto(self.house.sign_in_link)
        self.ready()
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


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(
            executable_path=os.environ["REJOIN_CHROMIUM"], args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)
        cls.upstream = Upstream()
        cls.addClassCleanup(cls.upstream.kill)

    def house(self, *scripts, **settings):
        house = House(self.upstream, {script: script for script in scripts}, **settings)
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
