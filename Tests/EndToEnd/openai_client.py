"""Drives the official OpenAI client against a running server: openai_client.py SERVER TOKEN UPSTREAM."""
import json
import sys
import time
import urllib.request

import openai

server, token, upstream = sys.argv[1:4]
client = openai.OpenAI(base_url=server + "/openai/v1", api_key=token, max_retries=0)
ask = [{"role": "user", "content": "Hello"}]
text = "".join(f"tok{i} " for i in range(20))


def upstream_stats():
    with urllib.request.urlopen(upstream + "/stats?brief") as reply:
        return json.load(reply)


# The models are listed.
assert "paced-20-500" in [model.id for model in client.models.list()]

# A stream: the pieces come as they are made, the first one long before the last.
started, first, pieces, reasons = time.monotonic(), None, [], []
for chunk in client.chat.completions.create(model="paced-20-500", messages=ask, stream=True):
    assert len(chunk.choices) == 1
    if chunk.choices[0].delta.content:
        first = first or time.monotonic()
        pieces.append(chunk.choices[0].delta.content)
    if chunk.choices[0].finish_reason:
        reasons.append(chunk.choices[0].finish_reason)
assert "".join(pieces) == text, pieces
assert reasons == ["stop"], reasons
assert len({chunk.id}) == 1 and chunk.object == "chat.completion.chunk"

# Usage comes in a chunk of its own, and only when asked for.
last = list(
    client.chat.completions.create(
        model="paced-20-500", messages=ask, stream=True, stream_options={"include_usage": True}))[-1]
assert last.choices == [] and last.usage.total_tokens == last.usage.prompt_tokens + last.usage.completion_tokens

# A whole answer.
whole = client.chat.completions.create(model="paced-20-500", messages=ask)
assert whole.choices[0].message.content == text and whole.choices[0].finish_reason == "stop"
assert whole.usage.completion_tokens > 0
assert client.chat.completions.create(model="length-4", messages=ask).choices[0].finish_reason == "length"

# The model is given exactly the messages that were sent, roles and order.
sent = [
    {"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"},
    {"role": "assistant", "content": "Two."}, {"role": "user", "content": "Three\n\"four\" 👋?"},
]
echoed = json.loads(client.chat.completions.create(model="echo-path", messages=sent).choices[0].message.content)
assert echoed == sent, echoed

# Errors have the statuses and the shape that the client turns into its own exceptions.
for call, error in [
    (lambda: client.chat.completions.create(model="nope", messages=ask), openai.BadRequestError),
    (lambda: client.chat.completions.create(model="paced-20-500", messages=[]), openai.BadRequestError),
    (lambda: client.chat.completions.create(model="paced-20-500", messages=ask, n=2), openai.BadRequestError),
    (lambda: client.chat.completions.create(model="error-500", messages=ask), openai.InternalServerError),
    (lambda: client.with_options(api_key="rj_no").models.list(), openai.AuthenticationError),
]:
    try:
        call()
    except error as caught:
        assert caught.body and "message" in caught.body, caught.body
        assert "canary" not in str(caught)
    else:
        raise AssertionError(f"no {error.__name__}")

# A stream that breaks off is an error to the client, and never a short answer.
got = []
try:
    for chunk in client.chat.completions.create(model="close-3", messages=ask, stream=True):
        got.append(chunk.choices[0].delta.content or "")
except openai.APIError:
    pass
else:
    raise AssertionError("a broken stream looked whole")
assert "".join(got) == "tok0 tok1 tok2 ", got

# Closing the stream stops the model.
before = upstream_stats()["aborted"]
stream = client.chat.completions.create(model="hold-3", messages=ask, stream=True)
for chunk in stream:
    if (chunk.choices[0].delta.content or "").endswith("tok2 "):
        break
stream.close()
deadline = time.monotonic() + 5
while upstream_stats()["aborted"] == before:
    assert time.monotonic() < deadline, "the model was not stopped"
    time.sleep(0.01)
