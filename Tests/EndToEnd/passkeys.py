"""Signs in to a running server with authenticators made of software: passkeys.py SERVER TOKEN [OTHER_TOKEN].

Every credential, good or bad, is also shown to an independent verifier, which has to be of the same mind as the server."""
import base64
import dataclasses
import hashlib
import http.client
import json
import os
import sys
import urllib.parse
import uuid

import cbor2
import webauthn
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

server, token, other_token = sys.argv[1:4]
port = urllib.parse.urlsplit(server).port
RP = "localhost"
ORIGIN = f"http://localhost:{port}"
UP, UV, BE, BS, AT, ED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80


def call(method, path, body=None, bearer=token, **fields):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Content-Type": "application/json", **fields}
    if bearer:
        headers["Authorization"] = f"Bearer {bearer}"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    reply = connection.getresponse()
    text = reply.read()
    connection.close()
    return reply.status, json.loads(text) if text else None, reply.headers


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(words):
    return base64.urlsafe_b64decode(words + "=" * (-len(words) % 4))


def number(value):
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


class ES256:
    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())

    def cose(self):
        point = self.key.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}

    def sign(self, message):
        return self.key.sign(message, ec.ECDSA(hashes.SHA256()))


class RS256:
    def __init__(self, bits=2048):
        self.key = rsa.generate_private_key(65537, bits)

    def cose(self):
        numbers = self.key.public_key().public_numbers()
        return {1: 3, 3: -257, -1: number(numbers.n), -2: number(numbers.e)}

    def sign(self, message):
        return self.key.sign(message, padding.PKCS1v15(), hashes.SHA256())


class EdDSA:
    def __init__(self):
        self.key = ed25519.Ed25519PrivateKey.generate()

    def cose(self):
        raw = self.key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return {1: 1, 3: -8, -1: 6, -2: raw}

    def sign(self, message):
        return self.key.sign(message)


@dataclasses.dataclass
class Ceremony:
    """All that an authenticator and a browser say, with every word open to be wrong."""
    challenge: bytes
    kind: str
    origin: str = ORIGIN
    rp: str = RP
    flags: int = UP | UV | BE
    count: int = 0
    client: dict = dataclasses.field(default_factory=dict)
    extensions: bytes = b""
    statement: tuple = ("none", {})

    def client_data(self):
        return json.dumps({
            "type": f"webauthn.{self.kind}", "challenge": text(self.challenge), "origin": self.origin,
            "crossOrigin": False, **self.client,
        }).encode()

    def head(self, flags):
        return hashlib.sha256(self.rp.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")


class Authenticator:
    def __init__(self, algorithm):
        self.algorithm = algorithm
        self.id = os.urandom(32)
        self.resource = str(uuid.uuid4())
        self.user = b""
        self.count = 0

    def create(self, ceremony, cose=None):
        key = cbor2.dumps(self.algorithm.cose()) if cose is None else cose
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + key
        flags = ceremony.flags | AT | (ED if ceremony.extensions else 0)
        form, statement = ceremony.statement
        attestation = cbor2.dumps({
            "fmt": form, "attStmt": statement, "authData": ceremony.head(flags) + attested + ceremony.extensions})
        return self.credential(clientDataJSON=ceremony.client_data(), attestationObject=attestation)

    def get(self, ceremony, break_signature=False):
        client = ceremony.client_data()
        head = ceremony.head(ceremony.flags | (ED if ceremony.extensions else 0)) + ceremony.extensions
        signature = self.algorithm.sign(head + hashlib.sha256(client).digest())
        if break_signature:
            signature = signature[:-1] + bytes([signature[-1] ^ 1])
        return self.credential(
            clientDataJSON=client, authenticatorData=head, signature=signature, userHandle=self.user)

    def credential(self, **response):
        return {
            "id": text(self.id), "rawId": text(self.id), "type": "public-key",
            "response": {name: text(value) for name, value in response.items()}, "clientExtensionResults": {},
        }


def challenge(purpose, bearer=token):
    status, reply, _ = call("POST", "/v1/passkeys/challenge", {"for": purpose}, bearer if purpose == "registration" else None)
    assert status == 200, (status, reply)
    return reply["options"]


def register(device, credential, name="Key", bearer=token):
    return call("PUT", f"/v1/passkeys/{device.resource}", {"name": name, "credential": credential}, bearer)


def sign_in(credential):
    return call("POST", "/v1/sessions/passkey", {"credential": credential, "device": "Software"}, None)


def second_opinion_on_registration(credential, wanted):
    try:
        return webauthn.verify_registration_response(
            credential=credential, expected_challenge=wanted, expected_rp_id=RP, expected_origin=ORIGIN,
            require_user_verification=True)
    except Exception:
        return None


def second_opinion_on_sign_in(credential, wanted, device):
    try:
        return webauthn.verify_authentication_response(
            credential=credential, expected_challenge=wanted, expected_rp_id=RP, expected_origin=ORIGIN,
            credential_public_key=cbor2.dumps(device.algorithm.cose()), credential_current_sign_count=device.count,
            require_user_verification=True)
    except Exception:
        return None


def added(algorithm, **changes):
    """An authenticator whose passkey the server took."""
    device = Authenticator(algorithm)
    options = challenge("registration")
    device.user = data(options["user"]["id"])
    ceremony = Ceremony(data(options["challenge"]), "create", **changes)
    device.count = ceremony.count
    credential = device.create(ceremony)
    assert second_opinion_on_registration(credential, ceremony.challenge)
    status, reply, _ = register(device, credential)
    assert status == 201, (status, reply)
    # Who did not hear back sends the same again.
    assert register(device, credential)[0] == 200
    return device


def entered(device, **changes):
    ceremony = Ceremony(data(challenge("sign-in")["challenge"]), "get", **changes)
    credential = device.get(ceremony)
    assert second_opinion_on_sign_in(credential, ceremony.challenge, device)
    status, reply, _ = sign_in(credential)
    assert status == 201, (status, reply)
    device.count = ceremony.count
    return credential, reply


checked = 0


def refused(status, reply, words, wanted_status):
    global checked
    checked += 1
    assert status == wanted_status and words in reply["detail"], (status, reply, words)


# What is asked for.
options = challenge("registration")
assert options["rp"]["id"] == RP and options["attestation"] == "none"
assert options["authenticatorSelection"]["residentKey"] == "required"
assert options["authenticatorSelection"]["userVerification"] == "required"
assert [one["alg"] for one in options["pubKeyCredParams"]] == [-8, -7, -257]
assert len(data(options["user"]["id"])) == 16 and options["user"]["name"] == "ann"
assert len({challenge("sign-in")["challenge"] for _ in range(20)}) == 20
assert challenge("sign-in")["rpId"] == RP and challenge("sign-in")["allowCredentials"] == []
assert call("POST", "/v1/passkeys/challenge", {"for": "registration"}, None)[0] == 401
assert call("POST", "/v1/passkeys/challenge", {"for": "anything"}, None)[0] == 400

# Every algorithm, with and without a counter, with attestations that nobody asked for, and with extensions.
devices = []
for make in (ES256, RS256, EdDSA):
    for changes in ({}, {"count": 7}, {"extensions": cbor2.dumps({"credProtect": 2})},
                    {"statement": ("packed", {"alg": -7, "sig": os.urandom(64)}), "flags": UP | UV | BE | BS}):
        if changes.get("statement"):
            # The other verifier checks attestations, which this one was never asked to give.
            device = Authenticator(make())
            options = challenge("registration")
            device.user = data(options["user"]["id"])
            credential = device.create(Ceremony(data(options["challenge"]), "create", **changes))
            assert register(device, credential)[0] == 201
        else:
            device = added(make(), **changes)
        devices.append(device)
        for step in range(1, 4):
            count = device.count + step if device.count else 0
            credential, reply = entered(device, count=count, flags=UP | UV | BE | (BS if step == 2 else 0))
            assert call("GET", "/v1/conversations", bearer=reply["token"])[0] == 200
            # The same once more: its challenge was used.
            refused(*sign_in(credential)[:2], "challenge", 401)
listed = call("GET", "/v1/passkeys")[1]["items"]
assert {one["id"] for one in listed} == {one.resource for one in devices}
assert all(one["last_used_at"] for one in listed) and not any(one["synced"] for one in listed)
assert len(challenge("registration")["excludeCredentials"]) == len(devices)

# Registrations that are wrong.
for words, changes in (
    ("another kind of request", {"kind": "get"}),
    ("another address", {"origin": f"http://localhost:{port + 1}"}),
    ("another address", {"origin": f"https://localhost:{port}"}),
    ("another address", {"origin": f"http://127.0.0.1:{port}"}),
    ("page of another site", {"client": {"crossOrigin": True}}),
    ("page of another site", {"client": {"topOrigin": "https://evil.example"}}),
    ("not what a browser returns", {"client": {"crossOrigin": "no"}}),
    ("not what a browser returns", {"client": {"challenge": 7}}),
    ("for another server", {"rp": "evil.example"}),
    ("nobody touched", {"flags": UV}),
    ("did not check who", {"flags": UP}),
    ("backup flags", {"flags": UP | UV | BS}),
):
    device = Authenticator(ES256())
    wanted = data(challenge("registration")["challenge"])
    credential = device.create(Ceremony(**{"challenge": wanted, "kind": "create", **changes}))
    # The other verifier does not look into frames, and takes these.
    if "crossOrigin" not in changes.get("client", {}) and "topOrigin" not in changes.get("client", {}):
        assert not second_opinion_on_registration(credential, wanted), changes
    refused(*register(device, credential)[:2], words, 400)

device = Authenticator(ES256())
stranger = data(challenge("registration", other_token)["challenge"])
made_up = os.urandom(56)
for wrong in (stranger, made_up, data(challenge("sign-in")["challenge"]), stranger[:-1], b"x"):
    credential = device.create(Ceremony(wrong, "create"))
    refused(*register(device, credential)[:2], "challenge", 400)

good = {**ES256().cose()}
for key in ({**good, 3: -37}, {**good, 1: 3}, {**good, -1: 2}, {**good, -2: bytes(32)}, {**good, -2: good[-2][:31]},
            {**good, -3: None}, {}, {**RS256(1024).cose()}, {**RS256().cose(), -2: b"\x01"}, {1: 1, 3: -8, -1: 6, -2: bytes(31)}):
    wanted = data(challenge("registration")["challenge"])
    credential = device.create(Ceremony(wanted, "create"), cose=cbor2.dumps(key))
    refused(*register(device, credential)[:2], "of a kind that is not taken", 400)

wanted = data(challenge("registration")["challenge"])
credential = device.create(Ceremony(wanted, "create"))
whole = data(credential["response"]["attestationObject"])
for cut in [whole[:length] for length in range(len(whole))] + [whole + b"\0", b"\xff" + whole]:
    credential["response"]["attestationObject"] = text(cut)
    refused(*register(device, credential)[:2], "not what a browser returns", 400)
credential["response"]["attestationObject"] = text(whole)
for change in ({"type": "password"}, {"id": text(b"other"), "rawId": text(b"other")}, {"rawId": text(b"other")}, {"id": 7},
               {"response": []}, {"id": "***"}):
    refused(*register(device, {**credential, **change})[:2], "not what a browser returns", 400)
for body in ({}, {"credential": None}, {"credential": "x"}, {"credential": {}}):
    status, reply, _ = call("PUT", f"/v1/passkeys/{device.resource}", body)
    refused(status, reply, "not what a browser returns", 400)
# None of that used the challenge up, and none of it was kept.
assert register(device, credential)[0] == 201
# The same credential under another id, or for another account.
device.resource = str(uuid.uuid4())
wanted = data(challenge("registration")["challenge"])
assert register(device, device.create(Ceremony(wanted, "create")))[0] == 409
wanted = data(challenge("registration", other_token)["challenge"])
assert register(device, device.create(Ceremony(wanted, "create")), bearer=other_token)[0] == 409

# Sign-ins that are wrong.
device = added(EdDSA(), count=100)
for words, changes in (
    ("another kind of request", {"kind": "create"}),
    ("another address", {"origin": f"http://localhost:{port + 1}"}),
    ("another address", {"origin": "http://evil.example"}),
    ("page of another site", {"client": {"crossOrigin": True}}),
    ("for another server", {"rp": "evil.example"}),
    ("nobody touched", {"flags": UV | BE}),
    ("did not check who", {"flags": UP | BE}),
    ("backup flags", {"flags": UP | UV}),
    ("backup flags", {"flags": UP | UV | BS}),
    ("counter went back", {"count": 99}),
    ("counter went back", {"count": 100}),
    ("counter went back", {"count": 0}),
):
    wanted = data(challenge("sign-in")["challenge"])
    credential = device.get(Ceremony(**{"challenge": wanted, "kind": "get", "count": 101, **changes}))
    if words not in ("page of another site", "backup flags"):
        assert not second_opinion_on_sign_in(credential, wanted, device), changes
    refused(*sign_in(credential)[:2], words, 401)
for device in devices:
    device.count = device.count + 50 if device.count else 0
    wanted = data(challenge("sign-in")["challenge"])
    credential = device.get(Ceremony(wanted, "get", count=device.count), break_signature=True)
    assert not second_opinion_on_sign_in(credential, wanted, device)
    refused(*sign_in(credential)[:2], "signature", 401)
    # A signature of another key, however right.
    thief = Authenticator(type(device.algorithm)())
    thief.id, thief.user = device.id, device.user
    refused(*sign_in(thief.get(Ceremony(wanted, "get", count=device.count)))[:2], "signature", 401)
device = devices[0]
for wrong in (data(challenge("registration")["challenge"]), os.urandom(56), b""):
    refused(*sign_in(device.get(Ceremony(wrong, "get")))[:2], "", 401 if wrong else 401)
wanted = data(challenge("sign-in")["challenge"])
credential = device.get(Ceremony(wanted, "get"))
whole = data(credential["response"]["authenticatorData"])
for cut in [whole[:length] for length in range(1, len(whole))] + [whole + b"\0"]:
    credential["response"]["authenticatorData"] = text(cut)
    refused(*sign_in(credential)[:2], "not what a browser returns", 400)
credential["response"]["authenticatorData"] = text(whole)
stranger = {**credential, "response": {**credential["response"], "userHandle": text(os.urandom(16))}}
refused(*sign_in(stranger)[:2], "does not know it", 401)
unknown = {**credential, "id": text(b"unknown"), "rawId": text(b"unknown")}
refused(*sign_in(unknown)[:2], "does not know it", 401)
status, reply, _ = call("POST", "/v1/sessions/passkey", {"credential": credential, "cookie": True}, None)
assert status == 403
# None of that used the challenge up; the page gets its cookie and never a token.
status, reply, headers = call(
    "POST", "/v1/sessions/passkey", {"credential": credential, "cookie": True}, None, **{"X-Rejoin-Client": "web/1"})
assert status == 201 and "token" not in reply, (status, reply)
assert "HttpOnly; SameSite=Strict" in headers["Set-Cookie"]

# Another account sees nothing and changes nothing.
path = f"/v1/passkeys/{device.resource}"
assert call("GET", "/v1/passkeys", bearer=other_token)[1]["items"] == []
assert call("PATCH", path, {"name": "Mine"}, other_token)[0] == 404
assert call("DELETE", path, bearer=other_token)[0] == 404
assert call("PUT", path, {"credential": credential}, other_token)[0] == 404
# Renamed, removed, and then it signs nobody in.
assert call("PATCH", path, {"name": "  My phone "})[1]["name"] == "My phone"
assert call("PATCH", path, {"name": " "})[0] == 400
assert call("DELETE", path)[0] == 204
assert call("DELETE", path)[0] == 404
wanted = data(challenge("sign-in")["challenge"])
refused(*sign_in(device.get(Ceremony(wanted, "get")))[:2], "does not know it", 401)
print(f"{len(devices)} authenticators, {checked} refusals")
