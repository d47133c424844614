"""People on the page: passwords, invitations, devices, roles, and letting a terminal in."""

import json
import os
import pty
import re
import subprocess
import urllib.error
import urllib.request

from oauthlib.oauth2 import DeviceClient, OAuth2Error
from playwright.sync_api import expect

from house import House
from page_case import PageCase, Tab
from test_access import AXE, TAGS

PASSWORD = "correct horse battery"


class SignInTests(PageCase):
    def house(self, **settings):
        house = House(self.upstream, {"paced-3-50": "paced-3-50"}, **settings)
        self.addCleanup(house.close)
        return house

    def visitor(self, house, path="/", context=None):
        """A tab of somebody who is not signed in."""
        tab = Tab(context or self.context(), house)
        # A page that nobody is signed in to asks once and is told so.
        self.addCleanup(lambda: self.assertEqual([fault for fault in tab.faults if "401" not in fault], []))
        tab.page.goto(house.address + path)
        return tab

    def account(self, tab):
        tab.page.locator("#open-account").click()
        expect(tab.page.locator("#account-devices")).to_be_visible()
        return tab.page

    def sign_in(self, tab, name, password):
        tab.page.locator("#sign-in-name").fill(name)
        tab.page.locator("#sign-in-password").fill(password)
        tab.page.locator("#sign-in-form button").click()

    def set_password(self, page, new, current=None):
        if current is not None:
            page.locator("#password-current").fill(current)
        page.locator("#password-new").fill(new)
        page.locator("#password-again").fill(new)
        page.locator("#password-form button").click()

    def test_a_password_signs_in_elsewhere_and_changing_it_signs_others_out(self):
        house = self.house()
        owner = self.tab(house).sign_in()
        page = self.account(owner)
        expect(page.locator("#password-current")).to_be_hidden()
        page.locator("#password-new").fill(PASSWORD)
        page.locator("#password-again").fill("another one")
        page.locator("#password-form button").click()
        expect(page.locator("#password-state")).to_contain_text("differ")
        self.set_password(page, PASSWORD)
        expect(page.locator("#password-state")).to_contain_text("The password is set")

        other = self.visitor(house)
        self.sign_in(other, "owner", "a wrong one")
        expect(other.page.locator("#sign-in-error")).to_contain_text("do not belong together")
        self.sign_in(other, "OWNER", PASSWORD)
        expect(other.page.locator("#app")).to_be_visible()

        self.set_password(page, "battery staple", current=PASSWORD)
        expect(page.locator("#password-state")).to_contain_text("The password is set")
        # Its feed ends at once, and the page asks to sign in.
        expect(other.page.locator("#sign-in")).to_be_visible()

    def test_a_password_that_is_typed_at_a_terminal_is_not_shown(self):
        house = self.house()
        child, terminal = pty.fork()
        if child == 0:
            os.execv(os.environ["REJOIN_BINARY"], ["rejoin", "account", "password", "owner", "--data", str(house.folder / "data")])
        shown = b""
        for prompt in (b"New password of owner: ", b"Once more: "):
            while prompt not in shown:
                shown += os.read(terminal, 4096)
            os.write(terminal, PASSWORD.encode() + b"\n")
        try:
            while piece := os.read(terminal, 4096):
                shown += piece
        except OSError:
            pass  # The terminal is gone with the command.
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0, shown)
        self.assertNotIn(PASSWORD.encode(), shown)
        tab = self.visitor(house)
        self.sign_in(tab, "owner", PASSWORD)
        expect(tab.page.locator("#app")).to_be_visible()

    def test_devices_are_renamed_and_signed_out_one_by_one_and_together(self):
        house = self.house()
        tabs = [self.tab(house).sign_in()]
        page = self.account(tabs[0])
        self.set_password(page, PASSWORD)
        expect(page.locator("#password-state")).to_contain_text("is set")
        for _ in range(3):
            tab = self.visitor(house)
            self.sign_in(tab, "owner", PASSWORD)
            expect(tab.page.locator("#app")).to_be_visible()
            tabs.append(tab)
        page.locator("#close-account").click()
        page = self.account(tabs[0])
        rows = page.locator("#account-devices li")
        # The terminal of this machine, this browser and three others.
        expect(rows).to_have_count(5)
        last = rows.last
        last.get_by_role("button", name="Rename").click()
        last.locator("input").fill("Old phone")
        last.locator("input").press("Enter")
        expect(rows.last).to_contain_text("Old phone")
        rows.last.get_by_role("button", name="Rename").click()
        rows.last.locator("input").fill("not this")
        rows.last.locator("input").press("Escape")
        expect(page.locator("#account")).to_be_visible()
        expect(rows.last).to_contain_text("Old phone")
        page.get_by_role("button", name="Sign out: Old phone").click()
        expect(rows).to_have_count(4)
        expect(tabs[3].page.locator("#sign-in")).to_be_visible()
        page.get_by_role("button", name="Sign out all other devices").click()
        page.locator("#confirm-yes").click()
        expect(rows).to_have_count(1)
        for tab in tabs[1:3]:
            expect(tab.page.locator("#sign-in")).to_be_visible()
        expect(page.locator("#account")).to_contain_text("this browser")

    def test_an_invitation_makes_an_account_once_and_says_when_it_no_longer_does(self):
        house = self.house(registration="invite")
        owner = self.tab(house).sign_in()
        page = self.account(owner)
        page.locator("#invite-form button").click()
        expect(page.locator("#invite-made")).to_be_visible()
        link = page.locator("#invite-link").input_value()
        self.assertRegex(link, rf"^{re.escape(house.address)}/#invite=rj_[\w-]+$")
        path = link.removeprefix(house.address)

        guest = self.visitor(house, path)
        expect(guest.page.locator("#join-note")).to_contain_text("You are invited")
        guest.page.locator("#join-name").fill("owner")
        guest.page.locator("#join-password").fill(PASSWORD)
        guest.page.locator("#join-again").fill(PASSWORD)
        guest.page.locator("#join-form button").click()
        expect(guest.page.locator("#join-error")).to_contain_text("taken")
        guest.page.locator("#join-name").fill("Zoë")
        guest.page.locator("#join-form button").click()
        expect(guest.page.locator("#app")).to_be_visible()
        expect(guest.page).to_have_url(house.address + "/")
        guest.faults = [fault for fault in guest.faults if "409" not in fault]
        # A member is shown nothing that is the owner's.
        theirs = self.account(guest)
        expect(theirs.locator("#account-password")).to_be_visible()
        expect(theirs.locator("#account-people")).to_be_hidden()
        expect(theirs.locator("#account-invites")).to_be_hidden()

        late = self.visitor(house, path)
        expect(late.page.locator("#join-note")).to_contain_text("used already")
        expect(late.page.locator("#join-form")).to_be_hidden()
        late.page.locator("#to-sign-in").click()
        expect(late.page.locator("#sign-in-form")).to_be_visible()

        page.locator("#close-account").click()
        page = self.account(owner)
        expect(page.locator("#account-invites li")).to_contain_text("Used up")
        people = page.locator("#account-people li")
        expect(people).to_have_count(2)
        expect(people.first).to_contain_text("owner (you)")
        page.get_by_role("button", name="Make an owner: Zoë").click()
        expect(people.last.locator("small")).to_contain_text("owner")
        page.get_by_role("button", name="Make a member: Zoë").click()
        page.get_by_role("button", name="Delete: Zoë").click()
        page.locator("#confirm-yes").click()
        expect(people).to_have_count(1)
        expect(guest.page.locator("#sign-in")).to_be_visible()

    def test_an_account_is_offered_to_anybody_only_where_the_server_says_so(self):
        house = self.house(registration="open")
        closed = self.context()
        closed.route("**/v1/sign-in", lambda route: route.fulfill(json={"registration": "closed"}))
        tab = self.visitor(house, context=closed)
        expect(tab.page.locator("#sign-in-form")).to_be_visible()
        expect(tab.page.locator("#to-join")).to_be_hidden()
        opened = self.context()
        opened.route("**/v1/sign-in", lambda route: route.fulfill(json={"registration": "open"}))
        tab = self.visitor(house, context=opened)
        tab.page.locator("#to-join").click()
        tab.page.locator("#join-name").fill("ann")
        tab.page.locator("#join-password").fill(PASSWORD)
        tab.page.locator("#join-again").fill(PASSWORD)
        tab.page.locator("#join-form button").click()
        expect(tab.page.locator("#app")).to_be_visible()

    def test_a_link_into_another_account_takes_nothing_along_that_waits_here(self):
        house = self.house(registration="open")
        context = self.context()
        tab = self.visitor(house, context=context)
        tab.page.locator("#to-join").click()
        for field in ("join-password", "join-again"):
            tab.page.locator(f"#{field}").fill(PASSWORD)
        tab.page.locator("#join-name").fill("ann")
        tab.page.locator("#join-form button").click()
        tab.ready()
        context.route("**/turns/*", lambda route: route.abort())
        tab.ask("Ann's own words")
        tab.state("waiting")
        asked = []
        tab.page.on("request", lambda request: asked.append(request.url) if "/turns/" in request.url else None)
        tab.page.goto(house.sign_in_link)
        tab.ready()
        expect(tab.page.locator("#no-conversations")).to_be_visible()
        expect(tab.page).to_have_url(house.address + "/")
        self.assertEqual(tab.page.evaluate("Object.keys(localStorage).filter(key => /outbox|draft/.test(key))"), [])
        # The page before may have tried until it was left; this one has nothing to try.
        asked.clear()
        context.unroute("**/turns/*")
        tab.page.reload()
        tab.ready()
        expect(tab.page.locator("#no-conversations")).to_be_visible()
        self.assertEqual(asked, [])

    def login(self, house, home):
        """`rejoin login` under way, with the code that it shows."""
        variables = {key: value for key, value in os.environ.items() if not key.startswith(("REJOIN_", "XDG_"))}
        child = subprocess.Popen(
            [os.environ["REJOIN_BINARY"], "login", house.address, "--name", "Laptop"], env={**variables, "HOME": home},
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        self.assertIn(f"{house.address}/#device", child.stdout.readline())
        return child, child.stdout.readline().split()[-1]

    def check(self, page, what):
        """What a checker finds, and whether anything is wider than the window; a picture where pictures are wanted."""
        if folder := os.environ.get("REJOIN_TEST_PICTURES"):
            page.screenshot(path=f"{folder}/{what.replace(' ', '-')}.png")
        page.evaluate(AXE)
        found = page.evaluate(
            "tags => axe.run(document, { runOnly: { type: 'tag', values: tags } })"
            ".then(result => result.violations.map(one => `${one.id}: ${one.nodes.map(node => node.html).join(' ')}`))", TAGS)
        self.assertEqual(found, [], what)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, what)

    def test_every_part_is_for_everybody_narrow_and_wide_light_and_dark(self):
        house = self.house(registration="invite")
        state = None
        for scheme, language, width in (("light", "en", 1100), ("dark", "ar", 360)):
            look = {"color_scheme": scheme, "locale": language, "viewport": {"width": width, "height": 720}}
            context = self.context(storage_state=state, **look)
            tab = self.tab(house, context)
            if state is None:
                tab.page.goto(house.sign_in_link)
                state = context.storage_state()
            tab.open()
            page = tab.page
            if width < 900:
                page.locator("#open-sidebar").click()
            self.account(tab)
            page.locator("#invite-form button").click()
            expect(page.locator("#invite-made")).to_be_visible()
            expect(page.locator("#account-people li")).to_have_count(1)
            self.check(page, f"{scheme} account above")
            page.locator("#account-invites").scroll_into_view_if_needed()
            self.check(page, f"{scheme} account below")
            path = page.locator("#invite-link").input_value().removeprefix(house.address)
            page.locator("#close-account").click()
            child, code = self.login(house, str(house.folder))
            page.goto(f"{house.address}/#device={code}")
            self.check(page, f"{scheme} code")
            page.keyboard.press("Enter")
            expect(page.locator("#let-in-no")).to_be_focused()
            self.check(page, f"{scheme} let in")
            page.keyboard.press("Enter")
            expect(page.locator("#let-in")).to_be_hidden()
            child.wait(timeout=30)
            guest = self.visitor(house, path, self.context(**look))
            expect(guest.page.locator("#join-name")).to_be_focused()
            self.check(guest.page, f"{scheme} join")

    def test_an_oauth_library_that_is_not_ours_is_let_in(self):
        house = self.house()
        client = DeviceClient("some-tool")

        def post(path, body):
            request = urllib.request.Request(
                house.address + path, data=body.encode(), headers={"Content-Type": "application/x-www-form-urlencoded"})
            try:
                with urllib.request.urlopen(request, timeout=5) as reply:
                    return reply.read().decode()
            except urllib.error.HTTPError as refusal:
                self.assertEqual(refusal.code, 400)
                return refusal.read().decode()

        def poll():
            body = client.prepare_request_body(device_code=offer["device_code"], include_client_id=True)
            return client.parse_request_body_response(post("/oauth/token", body))

        offer = json.loads(post("/oauth/device_authorization", "client_id=some-tool"))
        for error in ("authorization_pending", "slow_down"):
            with self.assertRaises(OAuth2Error) as raised:
                poll()
            self.assertEqual(raised.exception.error, error)
        owner = self.tab(house).sign_in()
        owner.page.goto(offer["verification_uri_complete"])
        owner.page.locator("#let-in-form .primary").click()
        expect(owner.page.locator("#let-in-device")).to_have_text("some-tool")
        owner.page.locator("#let-in-yes").click()
        expect(owner.page.locator("#let-in")).to_be_hidden()
        token = poll()
        self.assertTrue(token["access_token"].startswith("rj_"))
        with self.assertRaises(OAuth2Error) as raised:
            poll()
        self.assertEqual(raised.exception.error, "invalid_grant")

    def test_a_terminal_is_let_in_and_another_is_declined(self):
        house = self.house()
        owner = self.tab(house).sign_in()
        page = owner.page
        home = str(house.folder)
        child, code = self.login(house, home)
        page.goto(f"{house.address}/#device")
        page.locator("#let-in-code").fill("BBBB-BBBB")
        page.locator("#let-in-form .primary").click()
        expect(page.locator("#let-in-error")).to_contain_text("No terminal waits")
        owner.faults = [fault for fault in owner.faults if "404" not in fault]
        page.locator("#let-in-code").fill(code.lower())
        page.locator("#let-in-form .primary").click()
        expect(page.locator("#let-in-device")).to_have_text("Laptop")
        expect(page.locator("#let-in-about")).to_contain_text("127.0.0.1")
        page.locator("#let-in-yes").click()
        expect(page.locator("#let-in")).to_be_hidden()
        self.assertEqual(child.wait(timeout=30), 0)
        self.assertIn("Laptop", self.account(owner).locator("#account-devices").inner_text())
        servers = house.folder / ".local/share/rejoin/servers.json"
        self.assertEqual(servers.stat().st_mode & 0o777, 0o600)
        token = json.loads(servers.read_text())["servers"][0]["token"]
        request = urllib.request.Request(
            house.address + "/v1/account", headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=5) as reply:
            self.assertEqual(json.load(reply)["name"], "owner")

        child, code = self.login(house, home)
        page.goto(f"{house.address}/#device={code}")
        page.reload()
        expect(page.locator("#let-in-code")).to_have_value(code)
        page.locator("#let-in-form .primary").click()
        page.locator("#let-in-no").click()
        self.assertEqual(child.wait(timeout=30), 77)
