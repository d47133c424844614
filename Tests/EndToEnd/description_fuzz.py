"""Holds a running server to its own description: the document is valid, and generated requests find it true.

    python description_fuzz.py ADDRESS SECONDS SEED TOKEN OTHER_TOKEN SPARE_TOKEN...

SECONDS bounds how long requests are generated; with 0 their number is bounded instead, so that a slow machine tries as
much as a fast one. TOKEN's account is asked; OTHER_TOKEN's is one that may lose everything, and each spare one may be signed out.
The same file is loaded by schemathesis for its hooks, which then find what was made beforehand in the environment.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import uuid

import requests

CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "positive_data_acceptance",
    "missing_required_header",
    "unsupported_method",
    "use_after_free",
    "ensure_resource_availability",
    "ignored_auth",
]

CONFIGURATION = """
workers = 1
continue-on-failure = true
request-timeout = 20.0
max-redirects = 0

[checks]
positive_data_acceptance.expected-statuses = ["2xx", 303, 401, 403, 404, 409, 410, 429]
missing_required_header.expected-statuses = [400, 401, 403, 406, 422]

# No invitation can be made where nobody is taken in, whatever the body is.
[[operations]]
include-name = "POST /v1/invites"
checks.negative_data_rejection.expected-statuses = [400, 401, 403, 404, 406, 409, 415, 422, 428]

# In a form all is text, so that nothing is of a wrong type; and few devices may wait at once.
[[operations]]
include-name = "POST /oauth/device_authorization"
checks.negative_data_rejection.enabled = false

[[operations]]
include-name = "POST /oauth/token"
checks.negative_data_rejection.enabled = false

# It says 503 until every model is loaded, which is its way of saying no.
[[operations]]
include-name = "GET /ready"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
"""


def new_id():
    return str(uuid.uuid4())


class Server:
    def __init__(self, address, token):
        self.address = address
        self.session = requests.Session()
        self.session.headers["Authorization"] = "Bearer " + token

    def __call__(self, method, path, **arguments):
        reply = self.session.request(method, self.address + path, timeout=20, **arguments)
        assert reply.status_code < 400, (method, path, reply.status_code, reply.text)
        return reply

    def talk(self):
        """A conversation of one turn whose answer has ended."""
        ids = {"conversation": new_id(), "turn": new_id(), "answer": new_id()}
        body = {"answer": ids["answer"], "content": [{"type": "text", "text": "Hello"}]}
        path = f"/v1/conversations/{ids['conversation']}/turns/{ids['turn']}"
        self("PUT", path, json=body, headers={"Accept": "text/event-stream"})
        return ids

    def export(self):
        task = self("POST", "/v1/exports", json={}).json()["id"]
        self("GET", f"/v1/tasks/{task}/events")
        # At once: whatever is deleted later takes the archive along.
        self("GET", f"/v1/tasks/{task}/result")
        return task

    def finish(self):
        """What a device answered by itself, which chance would hardly make."""
        finished = {
            "state": "done", "seq": 2, "content": [{"type": "text", "text": "Hi"}], "model": "pocket",
            "started_at": "2026-01-01T00:00:00Z",
        }
        body = {"answer": new_id(), "content": [{"type": "text", "text": "Hello"}], "finished": finished}
        self("PUT", f"/v1/conversations/{new_id()}/turns/{new_id()}/finished", json=body)


def let_in(server):
    """A device goes all the way to its token, which chance would never do."""
    asked = server("POST", "/oauth/device_authorization", data={"client_id": "fuzz"}).json()
    server("POST", "/v1/device-requests", json={"code": asked["user_code"]})
    server("PUT", "/v1/device-requests", json={"code": asked["user_code"], "approve": True})
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    form = {"grant_type": grant, "client_id": "fuzz", "device_code": asked["device_code"]}
    return server("POST", "/oauth/token", data=form).json()["device"]


def close_another(server, token):
    """What an owner does to somebody else's account: to those that requests come from, none may."""
    account = Server(server.address, token)("GET", "/v1/account").json()["id"]
    server("PATCH", f"/v1/accounts/{account}", json={"role": "member"})
    server("DELETE", f"/v1/accounts/{account}")


def fixtures(server):
    """What the generated requests can name: some of it to be looked at, some to be deleted."""
    kept = [server.talk() for _ in range(3)]
    server.finish()
    gone = [server.talk() for _ in range(40)]
    # What chance alone would rarely get right: the version that was seen, and a last message of the person's.
    seen = server("GET", "/v1/consent").headers["ETag"]
    server("PUT", "/v1/consent", json={"memory": True}, headers={"If-Match": seen})
    server("POST", "/openai/v1/chat/completions", json={"messages": [{"role": "user", "content": "Hello"}]})
    facts = [server("POST", "/v1/memory", json={"text": f"fact {number}"}).json()["id"] for number in range(8)]
    return {
        "keep": {kind: [talk[kind] for talk in kept] for kind in kept[0]} | {
            "task": [server.export()], "fact": facts[:4], "session": [let_in(server)]},
        "drop": {
            "conversation": [talk["conversation"] for talk in gone], "task": [server.export() for _ in range(4)],
            "fact": facts[4:]},
        "models": [model["name"] for model in server("GET", "/v1/models").json()["items"]],
    }


# MARK: The description as the generated requests use it


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def close(schema):
    """Lets objects have the members that are described and no other."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema and "openapi" not in schema["properties"]:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


def name_events(content):
    """Says the types of events in the words that came with OpenAPI 3.2."""
    stream = content.get("text/event-stream")
    if not stream:
        return
    kinds = []
    for kind, schema in stream.pop("x-events").items():
        data = {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}
        if kind == "message":
            # The compatible endpoints end with a word that is no JSON.
            data = {"type": "string"}
        kinds.append({
            "type": "object",
            "properties": {"event": {"const": kind}, "data": data, "id": {"type": "string", "pattern": "^[0-9]+$"}},
            "required": ["event", "data"],
        })
    del stream["schema"]
    stream["itemSchema"] = {"oneOf": kinds}


def prepare(document, made):
    """Makes the description one of this very server: closed replies, the models and ids that there are."""
    for name, schema in document["components"]["schemas"].items():
        if name != "Options":
            close(schema)
    for path, method, operation in operations(document):
        for reply in operation["responses"].values():
            name_events(reply.get("content", {}))
            close(reply)
        drops = method == "delete"
        for parameter in operation.get("parameters", []):
            known = made["drop" if drops else "keep"].get(parameter["name"])
            if parameter["in"] == "path" and known:
                if drops:
                    parameter["schema"] = {"type": "string", "enum": known + [new_id()]}
                else:
                    parameter["schema"] = {"anyOf": [{"type": "string", "enum": known}, parameter["schema"]]}
        for content in operation.get("requestBody", {}).get("content", {}).values():
            if path.startswith("/v1/assist/"):
                # Each operation has a body of its own, which a schema of the path cannot say: one is enough here.
                [content["schema"]] = [shape for shape in content["schema"]["anyOf"] if shape["title"] == "rewrite"]
                operation["parameters"][0]["schema"] = {"type": "string", "enum": ["rewrite"]}
            properties = content.get("schema", {}).get("properties", {})
            if "model" in properties:
                properties["model"] = {"enum": [None, "auto"] + made["models"]}
            if "parent" in properties:
                properties["parent"] = {"enum": [None] + made["keep"]["answer"]}
            if "selected" in properties:
                properties["selected"] = {"enum": [None] + made["keep"]["answer"]}


# What no schema can say: that a name is the account's own, that the last of several messages is the person's, what is
# left of a text once it is one line, that a time is not before another, which fields fit together, how many bytes a
# text has, which password there is, what a device was given, and what an authenticator signed.
UNSAYABLE = {
    "PUT /v1/account/password", "POST /oauth/device_authorization", "POST /oauth/token",
    "POST /v1/sessions/passkey", "PUT /v1/passkeys/{passkey}",
    "DELETE /v1/accounts/current", "POST /openai/v1/chat/completions", "POST /v1/memory", "PATCH /v1/memory/{fact}",
    "PUT /v1/conversations/{conversation}/turns/{turn}/finished", "POST /v1/assist/{operation}/review",
}


def install_hooks():
    import schemathesis

    made = json.loads(os.environ["DESCRIPTION_FIXTURES"])
    spare = os.environ["DESCRIPTION_SPARE"].split(" ")
    token, other = os.environ["DESCRIPTION_TOKEN"], os.environ["DESCRIPTION_OTHER"]
    chance = random.Random(int(os.environ["DESCRIPTION_SEED"]))

    @schemathesis.hook
    def before_load_schema(context, raw_schema):
        prepare(raw_schema, made)

    @schemathesis.auth(refresh_interval=None)
    class Tokens:
        """Signs in as the account that is asked; what cannot be undone is done to somebody else."""

        def get(self, case, context):
            label = case.operation.label
            if label == "DELETE /v1/sessions/{session}":
                return chance.choice(spare)
            theirs = (
                "DELETE /v1/conversations", "DELETE /v1/memory", "DELETE /v1/accounts/current", "DELETE /v1/sessions",
                "PUT /v1/account/password", "PATCH /v1/accounts/{account}", "DELETE /v1/accounts/{account}",
            )
            return other if label in theirs else token

        def set(self, case, data, context):
            case.headers["Authorization"] = "Bearer " + data

    @schemathesis.hook
    def filter_failure(context, failure, case, response):
        is_refusal = type(failure).__name__ == "RejectedPositiveData" and response.status_code == 400
        return not (is_refusal and case.operation.label in UNSAYABLE)

    @schemathesis.hook
    def before_call(context, case, kwargs):
        types = case.operation.definition.raw["responses"].get("200", {}).get("content", {})
        if "text/event-stream" in types and case.operation.label != "GET /v1/changes" and chance.random() < 0.5:
            case.headers["Accept"] = "text/event-stream"


# MARK: What schemathesis cannot end by itself


def check_changes(server, document):
    """The change feed goes on for ever: its first events are read, and each is as described."""
    import jsonschema

    operation = document["paths"]["/v1/changes"]["get"]["responses"]["200"]
    schema = dict(operation["content"]["text/event-stream"]["x-events"]["message"])
    schema["components"] = document["components"]
    headers = {"Accept": "text/event-stream"}
    with server("GET", "/v1/changes?after=0", headers=headers, stream=True) as reply:
        assert reply.headers["Content-Type"].startswith("text/event-stream")
        seen = 0
        for line in reply.iter_lines():
            if line.startswith(b"data:"):
                jsonschema.validate(json.loads(line[5:]), schema)
                seen += 1
            if seen == 20:
                return


def check_reached(address):
    """Each route must have succeeded at least once: of a route that only refuses, little was tried."""
    never = {
        "POST /v1/accounts", "DELETE /v1/accounts/current", "POST /v1/sessions",
        # Nobody is taken in, no authenticator is there, and no provider is configured.
        "POST /v1/invites", "DELETE /v1/invites/{invite}", "POST /v1/sessions/passkey", "PUT /v1/passkeys/{passkey}",
        "PATCH /v1/passkeys/{passkey}", "DELETE /v1/passkeys/{passkey}", "POST /v1/identities",
        "DELETE /v1/identities/{identity}", "GET /sign-in/oidc", "GET /sign-in/oidc/callback",
    }
    text = requests.get(address + "/metrics", timeout=20).text
    seen = dict.fromkeys(re.findall(r'http_requests_total{route="([^"]+)",status="[23]\d\d"}', text))
    document = requests.get(address + "/openapi.json", timeout=20).json()
    routes = {f"{method.upper()} {path}" for path, method, _ in operations(document)}
    missed = sorted(routes - set(seen) - never)
    assert not missed, f"never succeeded: {missed}"


def main():
    from openapi_spec_validator import OpenAPIV31SpecValidator

    address, seconds, seed, token, other, *spare = sys.argv[1:]
    server = Server(address, token)
    document = requests.get(address + "/openapi.json", timeout=20).json()
    OpenAPIV31SpecValidator(document).validate()
    made = fixtures(server)
    check_changes(server, document)
    Server(address, spare.pop())("DELETE", "/v1/sessions/current")
    close_another(server, spare.pop())
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        configuration = os.path.join(folder, "schemathesis.toml")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION)
        environment = os.environ | {
            "PYTHONPATH": here, "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "description_fuzz",
            "DESCRIPTION_FIXTURES": json.dumps(made), "DESCRIPTION_SPARE": " ".join(spare),
            "DESCRIPTION_TOKEN": token, "DESCRIPTION_OTHER": other, "DESCRIPTION_SEED": seed,
        }
        bound = ["--max-time", seconds] if int(seconds) > 0 else ["--max-examples", "12"]
        command = os.path.join(os.path.dirname(sys.executable), "schemathesis")
        status = subprocess.run([
            command, "--config-file", configuration, "run", address + "/openapi.json", "--checks", ",".join(CHECKS), *bound,
            "--seed", seed,
            "--no-shrink", "--suppress-health-check", "all", "--report-dir", folder,
        ], cwd=folder, env=environment, check=False).returncode
    if status == 0:
        check_reached(address)
    sys.exit(status)


if __name__ == "__main__":
    main()
elif "DESCRIPTION_FIXTURES" in os.environ:
    install_hooks()
