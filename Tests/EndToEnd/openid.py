"""A provider of OpenID Connect that can be wrong in every way, or a ready-made one, and a browser that signs in with it.

    openid.py faults    a provider of this program's own; prints its address, then reads a line `SERVER TOKEN OTHER_TOKEN`
    openid.py mock      the same with the provider `oidc-provider-mock`, which is nobody's here
"""
import base64
import hashlib
import hmac
import http.client
import http.server
import json
import secrets
import sys
import threading
import time
import traceback
import urllib.parse

from joserfc import jwk, jws
from joserfc.registry import HeaderParameter

CLIENT, SECRET = "rejoinder: a client", "s3cret/with+signs"


class Provider(http.server.BaseHTTPRequestHandler):
    """Signs everybody in as `subject` and does as it should, but for the one thing that `fault` names."""
    fault = None
    subject = "ann-1"
    claims = {"preferred_username": "annika"}
    algorithm = "RS256"
    keys = {}
    published = []
    codes = {}
    counts = {}

    def log_message(self, *_):
        pass

    @classmethod
    def address(cls):
        return f"http://localhost:{cls.port}"

    @classmethod
    def new_key(cls, identifier, kind, *options):
        key = {"RS256": lambda: jwk.RSAKey.generate_key(2048, {"kid": identifier, "use": "sig"}),
               "ES256": lambda: jwk.ECKey.generate_key("P-256", {"kid": identifier, "use": "sig"}),
               "EdDSA": lambda: jwk.OKPKey.generate_key("Ed25519", {"kid": identifier, "use": "sig"})}[kind]()
        cls.keys[kind] = key
        return key

    def reply(self, status, value, **fields):
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, field in {"Content-Type": "application/json", "Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, field)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        self.counts[url.path] = self.counts.get(url.path, 0) + 1
        if url.path == "/.well-known/openid-configuration":
            self.reply(200, {
                "issuer": self.address(), "authorization_endpoint": self.address() + "/authorize?tenant=1",
                "token_endpoint": self.address() + "/token", "jwks_uri": self.address() + "/jwks",
                "token_endpoint_auth_methods_supported": ["client_secret_basic"]})
        elif url.path == "/jwks":
            self.reply(200, {"keys": [key.as_dict(private=False) for key in self.published] + [
                {"kty": "RSA", "use": "enc", "kid": "other", "n": "AQAB", "e": "AQAB"}, {"kty": "oct", "k": "AAAA"}]})
        elif url.path == "/authorize":
            asked = dict(urllib.parse.parse_qsl(url.query))
            assert asked["response_type"] == "code" and asked["client_id"] == CLIENT and asked["tenant"] == "1"
            assert asked["code_challenge_method"] == "S256" and "openid" in asked["scope"].split()
            assert len(asked["state"]) >= 40 and len(asked["nonce"]) >= 40 and asked["state"] != asked["nonce"]
            if self.fault == "denied":
                back = {"error": "access_denied", "state": asked["state"]}
            elif self.fault == "error":
                back = {"error": "server_error", "state": asked["state"]}
            else:
                code = secrets.token_urlsafe(16)
                self.codes[code] = asked
                back = {"code": code, "state": asked["state"]}
            if self.fault == "wrong iss":
                back["iss"] = "https://evil.example"
            if self.fault == "wrong state":
                back["state"] = back["state"][:-1] + ("A" if back["state"][-1] != "A" else "B")
            self.send_response(302)
            self.send_header("Location", asked["redirect_uri"] + "?" + urllib.parse.urlencode(back))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.reply(404, {})

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if self.fault == "slow":
            time.sleep(60)
        if self.fault == "huge":
            return self.reply(200, {"id_token": "x" * (1 << 20)})
        pair = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode().split(":")
        assert [urllib.parse.unquote(part) for part in pair] == [CLIENT, SECRET], pair
        asked = self.codes.pop(form["code"], None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if not asked or form["redirect_uri"] != asked["redirect_uri"] or proof != asked["code_challenge"]:
            return self.reply(400, {"error": "invalid_grant"})
        if self.fault == "refuses":
            return self.reply(400, {"error": "invalid_grant"})
        self.reply(200, {"access_token": "x", "token_type": "Bearer", "id_token": self.token(asked["nonce"])})

    def token(self, nonce):
        now = int(time.time())
        claims = {"iss": self.address(), "sub": self.subject, "aud": CLIENT, "exp": now + 300, "iat": now, "nonce": nonce,
                  **self.claims}
        key, algorithm = self.keys[self.algorithm], self.algorithm
        header = {"alg": algorithm, "kid": key.kid}
        claims.update({
            "wrong nonce": {"nonce": nonce[:-1] + ("A" if nonce[-1] != "A" else "B")}, "no nonce": {"nonce": None},
            "wrong aud": {"aud": "another"}, "wrong azp": {"azp": "another"}, "many auds": {"aud": [CLIENT, "another"]},
            "expired": {"exp": now - 120}, "no exp": {"exp": None}, "old": {"iat": now - 3600}, "from the future": {"iat": now + 300},
            "not yet": {"nbf": now + 300}, "other issuer": {"iss": "https://evil.example"}, "no subject": {"sub": ""},
            "long subject": {"sub": "x" * 256}, "subject is a number": {"sub": 7},
            "auds with azp": {"aud": [CLIENT, "another"], "azp": CLIENT}, "clock a little ahead": {"iat": now + 30},
            "clock a little behind": {"exp": now - 30},
        }.get(self.fault, {}))
        claims = {name: value for name, value in claims.items() if value is not None}
        body = json.dumps(claims).encode()
        if self.fault == "swapped key":
            key = jwk.RSAKey.generate_key(2048)
        if self.fault in ("none", "HS256", "RS512"):
            plain = [base64.urlsafe_b64encode(json.dumps({**header, "alg": self.fault}).encode()), base64.urlsafe_b64encode(body)]
            signed = b".".join(part.rstrip(b"=") for part in plain)
            if self.fault == "none":
                return signed.decode() + "."
            if self.fault == "HS256":
                # The oldest trick: the public key as the secret.
                end = base64.urlsafe_b64encode(hmac.digest(key.as_pem(private=False), signed, "sha256")).rstrip(b"=")
                return (signed + b"." + end).decode()
            return jws.serialize_compact({**header, "alg": "RS512"}, body, key, algorithms=["RS512"])
        if self.fault == "critical":
            # An extension that a reader must understand, or refuse.
            registry = jws.JWSRegistry(
                {"house": HeaderParameter("An extension", "str")}, algorithms=[algorithm], strict_check_header=False)
            return jws.serialize_compact({**header, "crit": ["house"], "house": "x"}, body, key, registry=registry)
        token = jws.serialize_compact(header, body, key, algorithms=[algorithm])
        if self.fault == "broken signature":
            head, middle, end = token.split(".")
            return ".".join([head, middle, ("A" if end[0] != "A" else "B") + end[1:]])
        if self.fault == "changed claims":
            head, _, end = token.split(".")
            claims["sub"] = "root"
            return ".".join([head, base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode(), end])
        if self.fault == "two parts":
            return token.rsplit(".", 1)[0]
        return token


class Service(http.server.ThreadingHTTPServer):
    broken = []

    def handle_error(self, request, client_address):
        # A provider that fell over would look like one that was refused.
        self.broken.append(traceback.format_exc())


class Browser:
    """Cookies, and going where it is sent: no more of a browser is needed."""

    def __init__(self):
        self.cookies = {}

    def get(self, url, method="GET", body=None, **headers):
        parts = urllib.parse.urlsplit(url)
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
        connection = http.client.HTTPConnection(host, parts.port, timeout=30)
        own = parts.port == server_port
        sent = [f"{name}={value}" for name, (value, path) in self.cookies.items() if own and parts.path.startswith(path)]
        if sent:
            headers["Cookie"] = "; ".join(sent)
        connection.request(
            method, parts.path + ("?" + parts.query if parts.query else ""), body, {"Host": parts.netloc, **headers})
        reply = connection.getresponse()
        text = reply.read()
        for cookie in reply.headers.get_all("Set-Cookie") or []:
            first, *rest = cookie.split("; ")
            name, value = first.split("=", 1)
            path = next(part for part in rest if part.startswith("Path=")).removeprefix("Path=")
            assert "HttpOnly" in rest, cookie
            if "Max-Age=0" in rest:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = (value, path)
        return reply.status, reply.headers.get("Location"), text

    def follow(self, url, answer=None):
        """Goes on until it is back on the page; gives the page's address."""
        for _ in range(10):
            status, location, text = self.get(url)
            if status == 200 and answer:
                status, location, text = self.get(url, "POST", answer, **{"Content-Type": "application/x-www-form-urlencoded"})
            assert status in (302, 303), (url, status, text)
            assert "rejoin_session" not in (location or "")
            url = urllib.parse.urljoin(url, location)
            if urllib.parse.urlsplit(url).path == "/":
                return url.removeprefix(server)
        raise AssertionError("round and round")

    def sign_in(self, answer=None):
        return self.follow(server + "/sign-in/oidc", answer)

    def link(self, token, answer=None):
        status, _, text = self.get(server + "/v1/identities", "POST", "{}", **{
            "Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        assert status == 200, text
        return self.follow(json.loads(text)["location"], answer)

    def json(self, path, **headers):
        status, _, text = self.get(server + path, **headers)
        return status, json.loads(text) if text else None

    def is_in(self):
        return self.json("/v1/conversations")[0] == 200


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def start(address):
    global server, server_port
    print(address, flush=True)
    words = sys.stdin.readline().split()
    server, server_port = words[0], urllib.parse.urlsplit(words[0]).port
    return words[1:]


def faults():
    service = Service(("127.0.0.1", 0), Provider)
    Provider.port = service.server_address[1]
    threading.Thread(target=service.serve_forever, daemon=True).start()
    Provider.published = [Provider.new_key("one", "RS256"), Provider.new_key("two", "ES256"), Provider.new_key("three", "EdDSA")]
    token, other, = start(Provider.address())

    assert Browser().json("/v1/sign-in")[1]["oidc"] == {"name": "House Login", "url": server + "/sign-in/oidc"}
    # Nobody here has this identity yet, and none is made.
    browser = Browser()
    assert browser.sign_in() == "/#identity-unknown" and not browser.is_in() and browser.cookies == {}
    # Linked by who is signed in, it signs in; for every algorithm.
    assert browser.link(token) == "/#identity-linked"
    for algorithm in ("RS256", "ES256", "EdDSA"):
        Provider.algorithm = algorithm
        browser = Browser()
        assert browser.sign_in() == "/#signed-in" and browser.is_in(), algorithm
        mine = browser.json("/v1/sign-in")[1]["account"]
    Provider.algorithm = "RS256"
    listed = browser.json("/v1/identities")[1]["items"]
    assert [(one["provider"], one["name"]) for one in listed] == [("House Login", "annika")], listed
    assert Browser().link(token) == "/#identity-linked"
    assert Browser().link(other) == "/#identity-taken"
    assert Browser().json("/v1/identities", **bearer(other))[1]["items"] == []

    # What is right, if only just.
    for odd in ("auds with azp", "clock a little ahead", "clock a little behind"):
        Provider.fault = odd
        browser = Browser()
        assert browser.sign_in() == "/#signed-in" and browser.is_in(), odd
    # What is wrong, each thing alone.
    wrong = ["wrong state", "wrong iss", "error", "refuses", "wrong nonce", "no nonce", "wrong aud", "wrong azp", "many auds",
             "expired", "no exp", "old", "from the future", "not yet", "other issuer", "no subject", "long subject",
             "subject is a number", "swapped key", "critical", "none", "HS256", "RS512", "broken signature",
             "changed claims", "two parts", "huge"]
    for fault in wrong:
        Provider.fault = fault
        browser = Browser()
        assert browser.sign_in() == "/#identity-failed", fault
        assert not browser.is_in() and browser.cookies == {}, fault
        assert Browser().link(other) == "/#identity-failed", fault
    Provider.fault = "denied"
    assert Browser().sign_in() == "/#identity-denied"
    Provider.fault = None

    # The flow belongs to the browser that began it, once.
    victim, thief = Browser(), Browser()
    status, location, _ = thief.get(server + "/sign-in/oidc")
    flow = dict(thief.cookies)
    assert set(flow) == {"rejoin_oidc"}
    status, back, _ = thief.get(location)
    status, where, _ = victim.get(back)
    assert where == "/#identity-failed" and not victim.is_in()
    # What the victim brought was not the flow's, so the code was never used; its own browser goes on.
    status, where, _ = thief.get(back)
    assert where == "/#signed-in" and thief.is_in()
    thief.cookies = dict(flow)
    status, where, _ = thief.get(back)
    assert where == "/#identity-failed"
    for made_up in ("", "AAAA", flow["rejoin_oidc"][0][:-4] + "AAAA"):
        browser = Browser()
        status, location, _ = browser.get(server + "/sign-in/oidc")
        browser.cookies["rejoin_oidc"] = (made_up, "/sign-in/oidc")
        assert browser.follow(location) == "/#identity-failed"

    # Keys change: an unknown one is looked for once, and not again and again.
    before = Provider.counts["/jwks"]
    Provider.published = [Provider.new_key("four", "RS256")] + Provider.published[1:]
    assert Browser().sign_in() == "/#signed-in"
    assert Provider.counts["/jwks"] == before + 1
    Provider.new_key("hidden", "RS256")
    for _ in range(3):
        assert Browser().sign_in() == "/#identity-failed"
    assert Provider.counts["/jwks"] == before + 1
    assert Provider.counts["/.well-known/openid-configuration"] == 1
    Provider.keys["RS256"] = Provider.published[0]

    # Unlinked by its own account alone, and then it signs nobody in.
    path = "/v1/identities/" + listed[0]["id"]
    assert Browser().get(server + path, "DELETE", **bearer(other))[0] == 404
    assert Browser().get(server + path, "DELETE", **bearer(token))[0] == 204
    assert Browser().sign_in() == "/#identity-unknown"
    assert Service.broken == [], Service.broken
    print(f"{len(wrong)} faults refused; signed in as {mine}")


def mock():
    import oidc_provider_mock
    with oidc_provider_mock.run_server_in_thread() as service:
        start(f"http://localhost:{service.server_port}")
        # Whom it lets in has an account from then on; the same person has the same one.
        accounts = []
        for subject in ("carol", "dave", "carol"):
            browser = Browser()
            assert browser.sign_in(f"sub={subject}") == "/#signed-in"
            assert browser.is_in()
            accounts.append(browser.json("/v1/sign-in")[1]["account"])
        assert accounts[0] == accounts[2] != accounts[1], accounts
        assert not Browser().is_in()
    print("signed in with a provider of another house")


if __name__ == "__main__":
    {"faults": faults, "mock": mock}[sys.argv[1]]()
