"""Sends right, wrong and mutated requests to a running server and reads the same bytes with h11 and httptools.

The server must answer every request that it accepts with 200 and three lines: method, target, body in hexadecimal
digits. It may refuse more than the others do. It must never accept what h11 refuses, and never read method, target or
body differently from either: each such difference is a way to smuggle a request past a proxy.

    http_parser_test.py --port 8080 [--host 127.0.0.1] [--mutations 4000] [--seed 1]

Exits with 1 if a difference was found, and with 2 if too few requests were compared to mean anything.
"""

import argparse
import asyncio
import random
import sys

import h11
import httptools

CHUNKED = b"POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

RIGHT = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /a/b?c=d&e=%20f HTTP/1.1\r\nHost: example.org:8080\r\nAccept: */*\r\nUser-Agent: test/1.0 (a; b)\r\n\r\n",
    b"HEAD /h HTTP/1.1\r\nHost: x\r\n\r\n",
    b"DELETE /d HTTP/1.1\r\nHost: [::1]:80\r\nX-Empty:\r\nX-Blank: \t a b \t \r\n\r\n",
    b"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{\"a\":1}",
    b"PUT /p HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 0012\r\n\r\nhello, world",
    CHUNKED + b"7\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"5\r\nhello\r\n0a\r\n0123456789\r\n00\r\n\r\n",
    CHUNKED + b"3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n",
    b"GET /1 HTTP/1.0\r\n\r\n",
    b"POST /1 HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc",
    b"GET /k HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://x/abs HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
    b"GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /c HTTP/1.1\r\nHost: x\r\n\r\n",
    CHUNKED + b"3\r\nabc\r\n0\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /o HTTP/1.1\r\nHost: x\r\nX-Opaque: \xe4\xf6\xfc\r\n\r\n",
]

BODY = b"7\r\n{\"a\":1}\r\n0\r\n\r\n"


def post(fields, body=b"{\"a\":1}"):
    return b"POST /w HTTP/1.1\r\nHost: x\r\n" + fields + b"\r\n\r\n" + body


WRONG = [
    post(b"Content-Length: 7\r\nTransfer-Encoding: chunked", BODY),
    post(b"Transfer-Encoding: chunked\r\nContent-Length: 7", BODY),
    post(b"Content-Length: 7\r\nContent-Length: 3"),
    post(b"Content-Length: 7\r\nContent-Length: 7"),
    post(b"Content-Length: +7"),
    post(b"Content-Length: 7, 9"),
    post(b"Content-Length: 7, 7"),
    post(b"Content-Length: -1"),
    post(b"Content-Length: 7 7"),
    post(b"Content-Length: 0x7"),
    post(b"Content-Length: 18446744073709551623"),
    post(b"Content-Length : 7"),
    post(b"Content-Length\t: 7"),
    post(b"Transfer-Encoding: xchunked", BODY),
    post(b"Transfer-Encoding: gzip, chunked", BODY),
    post(b"Transfer-Encoding: chunked, chunked", BODY),
    post(b"Transfer-Encoding: identity"),
    post(b"Transfer-Encoding:\x0bchunked", BODY),
    post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", BODY),
    b"GET / HTTP/1.1\nHost: x\n\n",
    b"GET / HTTP/1.1\r\nHost: x\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\rTransfer-Encoding: chunked\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
    b"GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
    b"GET / http/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/2.0\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.10\r\nHost: x\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / a HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"G(T / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    CHUNKED + b"0x7\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"7;a\nb\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"7;a=b\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"7\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"7\r\n{\"a\":1}XX0\r\n\r\n",
    CHUNKED + b"7\r\n{\"a\":1}\n0\r\n\r\n",
    CHUNKED + b" 7\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"FFFFFFFFFFFFFFFF7\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"\r\n{\"a\":1}\r\n0\r\n\r\n",
    CHUNKED + b"1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n",
    CHUNKED + b"1\r\na\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
]

LINES = [
    b"Content-Length: 5\r\n",
    b"Content-Length: 0\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: identity\r\n",
    b"Transfer_Encoding: chunked\r\n",
    b"Host: y\r\n",
    b"Connection: close\r\n",
    b"X-A: b\r\n c\r\n",
    b"Expect: 100-continue\r\n",
    b": x\r\n",
]

SPECIAL = [b"\r", b"\n", b"\r\n", b" ", b"\t", b":", b";", b",", b"\0", b"\x0b", b"\x7f", b"\xff", b"0", b"+", b"-", b"_", b"x"]


def mutated(generator):
    data = bytearray(generator.choice(RIGHT))
    if generator.random() < 0.2:
        data += generator.choice(RIGHT)
    for _ in range(generator.randint(1, 3)):
        place = generator.randrange(len(data) + 1)
        kind = generator.randrange(8)
        if kind == 0 and place < len(data):
            data[place] = generator.randrange(256)
        elif kind == 1 and place < len(data):
            del data[place]
        elif kind == 2:
            data[place:place] = generator.choice(SPECIAL)
        elif kind == 3:
            length = generator.randint(1, 12)
            data[place:place] = data[place : place + length]
        elif kind == 4:
            start = data.find(b"\r\n")
            if start >= 0:
                data[start + 2 : start + 2] = generator.choice(LINES)
        elif kind == 5:
            found = data.find(b"\r\n", place)
            if found >= 0:
                data[found : found + 2] = generator.choice([b"\n", b"\r", b"\r\n\r\n", b"\n\r\n", b""])
        elif kind == 6 and place < len(data):
            data[place : place + 1] = bytes(data[place : place + 1]).swapcase()
        else:
            digits = [index for index, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                data[generator.choice(digits)] = generator.choice(b"0123456789aAfF")
    return bytes(data)


def read_with_h11(data):
    """The whole requests that h11 sees before it wants more bytes, refuses, or the connection is over."""
    connection = h11.Connection(h11.SERVER)
    requests, head, body, is_old = [], None, b"", False
    try:
        connection.receive_data(data)
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA or event is h11.PAUSED:
                break
            if isinstance(event, h11.Request):
                head, body = event, b""
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                requests.append((bytes(head.method), bytes(head.target), body))
                if head.http_version == b"1.0":
                    is_old = True
                    break
                if head.method == b"CONNECT":
                    break
                connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                connection.send(h11.EndOfMessage())
                if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                    break
                connection.start_next_cycle()
            else:
                break
    except h11.RemoteProtocolError:
        pass
    return requests, is_old


class Httptools:
    """The whole requests that httptools sees before it refuses or stops."""

    def __init__(self, data):
        self.requests, self.target, self.body = [], b"", b""
        self.parser = httptools.HttpRequestParser(self)
        try:
            self.parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            pass

    def on_message_begin(self):
        self.target, self.body = b"", b""

    def on_url(self, url):
        self.target += url

    def on_body(self, body):
        self.body += body

    def on_message_complete(self):
        self.requests.append((self.parser.get_method(), self.target, self.body))


def split_replies(data, sent):
    """The (status, body) of each whole reply; the answers to HEAD have no body."""
    replies = []
    while True:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return replies
        head, rest = data[:end], data[end + 4 :]
        status = int(head[9:12])
        if 100 <= status < 200:
            data = rest
            continue
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        number = len(replies)
        if number < len(sent) and sent[number][0] == b"HEAD":
            length = 0
        if len(rest) < length:
            return replies
        replies.append((status, rest[:length]))
        data = rest[length:]


async def read_with_server(host, port, data, expected):
    """The requests that the server accepted; HEAD is taken as h11 read it, for its answer has no body to tell."""
    reader, writer = await asyncio.open_connection(host, port)
    received = b""
    replies = []
    try:
        writer.write(data)
        while True:
            # All that h11 saw is answered: what comes in this short while would be one request too many. What h11
            # saw and the server does not answer is refused, with an answer too, so that the long wait is rare.
            wait = 5 if len(replies) < len(expected) else 0.1 if replies else 0.4
            piece = await asyncio.wait_for(reader.read(65536), wait)
            if not piece:
                break
            received += piece
            replies = split_replies(received, expected)
    except (asyncio.TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    accepted = []
    for number, (status, body) in enumerate(replies):
        if status != 200:
            break
        if not body and number < len(expected) and expected[number][0] == b"HEAD":
            accepted.append(expected[number])
            continue
        lines = body.split(b"\n")
        accepted.append((lines[0], lines[1], bytes.fromhex(lines[2].decode())))
    return accepted


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--mutations", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    generator = random.Random(options.seed)
    cases = RIGHT + WRONG + [mutated(generator) for _ in range(options.mutations)]
    differences = []
    counts = {"agreed": 0, "stricter": 0, "httptools agreed": 0, "right": 0}
    gate = asyncio.Semaphore(100)

    async def check(number, data):
        async with gate:
            expected, is_old = read_with_h11(data)
            accepted = await read_with_server(options.host, options.port, data, expected)
        if is_old:
            # h11 ends an old connection after one request; the server may go on, as the client asked.
            accepted = accepted[: len(expected)]
        if accepted != expected[: len(accepted)]:
            differences.append(("h11", data, accepted, expected))
        counts["agreed"] += len(accepted)
        counts["stricter"] += len(expected) - len(accepted) if len(expected) > len(accepted) else 0
        others = Httptools(data).requests
        both = min(len(accepted), len(others))
        if accepted[:both] != others[:both]:
            differences.append(("httptools", data, accepted, others))
        counts["httptools agreed"] += both
        if number < len(RIGHT):
            counts["right"] += 1 if accepted and accepted == expected else 0

    await asyncio.gather(*(check(number, data) for number, data in enumerate(cases)))

    for name, data, accepted, other in differences[:20]:
        print(f"difference from {name} on {data!r}\n  the server read {accepted!r}\n  {name} read {other!r}")
    print(
        f"{len(cases)} inputs (seed {options.seed}): {counts['agreed']} requests agreed with h11, "
        f"{counts['httptools agreed']} with httptools, {counts['stricter']} refused by the server alone, "
        f"{len(differences)} differences; {counts['right']} of {len(RIGHT)} right ones accepted"
    )
    if differences:
        return 1
    return 0 if counts["right"] == len(RIGHT) and counts["agreed"] >= options.mutations // 10 else 2


sys.exit(asyncio.run(main()))
