"""The kill loop: the server is killed again and again while it works, and held to everything that it acknowledged.

A turn counts as acknowledged when its PUT was answered; an event counts as seen when a reader had it. After the last
restart the checker asks the server for all of it, as a client would, and asks the scripted model how often each turn
was answered.
"""

import contextlib
import http.client
import json
import os
import sqlite3
import time

from . import load
from .suites import options, statistics_of

ENDS = {"done", "stopped", "interrupted", "refused", "failed"}


class History:
    """What the readers wrote down."""

    def __init__(self, path):
        self.turns = {}
        self.seen = {}
        self.faults = []
        with open(path) as file:
            for line in file:
                entry = json.loads(line)
                if entry["kind"] == "accepted":
                    self.turns[entry["turn"]] = entry
                else:
                    self.remember(entry)

    def remember(self, entry):
        """Adds an event that a reader saw; two readers must have seen the same."""
        events = self.seen.setdefault(entry["answer"], {})
        told = (entry["name"], entry["data"])
        if events.setdefault(entry["number"], told) != told:
            self.faults.append(f"event {entry['number']} of {entry['answer']} was told in two ways")


class Server:
    """The server's own word, over one connection."""

    def __init__(self, rejoin):
        self.connection = http.client.HTTPConnection("127.0.0.1", rejoin.port, timeout=60)
        self.headers = rejoin.headers()

    def read(self, path, accept="application/json"):
        """A body; None where there is nothing under that path."""
        self.connection.request("GET", path, headers={**self.headers, "Accept": accept})
        reply = self.connection.getresponse()
        body = reply.read()
        if reply.status == 404:
            return None
        if reply.status != 200:
            raise load.LoadFailure(f"GET {path} answered {reply.status}: {body[:200]!r}")
        return body

    def value(self, path):
        """A body of JSON."""
        body = self.read(path)
        return None if body is None else json.loads(body)

    def events(self, answer):
        """The whole log of an answer: number, name and data in the order of the stream."""
        body = self.read(f"/v1/answers/{answer}/events?after=0", "text/event-stream")
        if body is None:
            return None
        found = []
        for block in body.decode().replace("\r\n", "\n").split("\n\n"):
            fields = {}
            for line in block.split("\n"):
                name, _, value = line.partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
            if "data" in fields:
                found.append((int(fields.get("id", 0)), fields.get("event", ""), json.loads(fields["data"])))
        return found

    def conversations(self):
        """The ids of every conversation of the account."""
        found, before = [], None
        while True:
            page = self.value(f"/v1/conversations?limit=100{f'&before={before}' if before else ''}")
            found += [item["id"] for item in page["items"]]
            before = page.get("next")
            if not before or not page["items"]:
                return found


def text_of(events):
    """The text that a log comes to."""
    text = ""
    for _, name, data in events:
        if name == "text":
            text += data["text"]
        elif name == "snapshot":
            text = "".join(part.get("text", "") for part in data.get("content", []))
    return text


def check(history, server, stats):
    """Everything that the server broke of what it had acknowledged, in words, and what was looked at."""
    faults = list(history.faults)
    counts = {"turns": len(history.turns), "events": 0, "done": 0, "interrupted": 0, "snapshots": 0}
    by_conversation = {}
    for turn in history.turns.values():
        by_conversation.setdefault(turn["conversation"], []).append(turn)
    listed = server.conversations()
    if len(set(listed)) != len(listed):
        faults.append("a conversation is listed twice")
    for missing in set(by_conversation) - set(listed):
        faults.append(f"conversation {missing} is lost")
    for extra in set(listed) - set(by_conversation):
        faults.append(f"conversation {extra} was never acknowledged")
    for conversation, turns in by_conversation.items():
        faults += check_conversation(server.value(f"/v1/conversations/{conversation}"), conversation, turns)
    for turn in history.turns.values():
        seen = history.seen.get(turn["answer"], {})
        faults += check_answer(server, turn, seen, stats.get(turn["turn"], []), counts)
    return faults, counts


def check_conversation(tree, conversation, turns):
    """Each acknowledged turn is there exactly once, with exactly its answer, and nothing else is."""
    if tree is None:
        return [f"conversation {conversation} is not found"]
    faults = []
    found = {}
    for turn in tree["turns"]:
        if turn["id"] in found:
            faults.append(f"turn {turn['id']} is there twice")
        found[turn["id"]] = turn
    for turn in turns:
        here = found.pop(turn["turn"], None)
        if here is None:
            faults.append(f"turn {turn['turn']} is lost")
            continue
        answers = [answer["id"] for answer in here["answers"]]
        if answers != [turn["answer"]]:
            faults.append(f"turn {turn['turn']} has the answers {answers} and not its own alone")
        if here.get("parent") != turn["parent"]:
            faults.append(f"turn {turn['turn']} hangs on another answer than it was sent to")
    faults += [f"turn {turn} was never acknowledged" for turn in found]
    return faults


def check_answer(server, turn, seen, runs, counts):
    """The log holds what every reader saw; it ends once; the snapshot says the same; the model ran at most once."""
    answer = turn["answer"]
    log = server.events(answer)
    if not log:
        return [f"the log of {answer} is lost"]
    faults = []
    numbers = [number for number, _, _ in log]
    if log[0][1] == "snapshot":
        counts["snapshots"] += 1
        numbers = numbers[1:]
        first = log[0][0] + 1
    else:
        first = 1
    if numbers != list(range(first, first + len(numbers))):
        faults.append(f"the log of {answer} is not numbered without gaps")
    if [name for _, name, _ in log].count("end") != 1 or log[-1][1] != "end":
        faults.append(f"the log of {answer} does not end once")
        return faults
    kept = {number: (name, data) for number, name, data in log}
    for number, told in seen.items():
        if number in kept:
            counts["events"] += 1
            if kept[number] != told:
                faults.append(f"event {number} of {answer} is not what a reader saw")
        elif number >= first:
            faults.append(f"event {number} of {answer}, which a reader saw, is gone")
    faults += check_end(server, answer, log, runs, counts)
    return faults


def check_end(server, answer, log, runs, counts):
    """The end state, in the log, in the snapshot and in the model's own count."""
    faults = []
    state = log[-1][2]["state"]
    snapshot = server.value(f"/v1/answers/{answer}") or {}
    text = text_of(log)
    stored = "".join(part.get("text", "") for part in snapshot.get("content", []) if part.get("type") == "text")
    if snapshot.get("state") != state:
        faults.append(f"answer {answer} is {snapshot.get('state')} and its log says {state}")
    if stored != text:
        faults.append(f"answer {answer} holds {len(stored)} characters and its log {len(text)}")
    if len(runs) > 1:
        faults.append(f"answer {answer} was made {len(runs)} times")
    if state == "done":
        counts["done"] += 1
        if len(runs) != 1 or len(text) != 5 * runs[0]["sent"]:
            faults.append(f"answer {answer} is done with {len(text)} characters after {len(runs)} runs")
    elif state == "interrupted":
        counts["interrupted"] += 1
        if runs and len(text) > 5 * runs[0]["sent"]:
            faults.append(f"answer {answer} holds more than the model said")
    else:
        faults.append(f"answer {answer} ended {state}")
    return faults


def check_databases(folder):
    """SQLite's own check of every database in the data folder."""
    faults = []
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                if file.read(16) != b"SQLite format 3\0":
                    continue
            with contextlib.closing(sqlite3.connect(path)) as database:
                told = [row[0] for row in database.execute("PRAGMA integrity_check")]
                told += [f"foreign key of {row[0]}" for row in database.execute("PRAGMA foreign_key_check")]
            faults += [f"{name}: {words}" for words in told if words != "ok"]
    return faults


def kill_loop(bench, kills, random):
    """Runs the loop and reports it."""
    rejoin = bench.component("kill", lambda: bench.new_rejoin("kill").start())
    path = os.path.join(bench.folder, "kill-history.jsonl")
    plan = options(
        "kill", streams=30, followers=1, ramp=500, turns=5, resume=True, seconds=86400, drain=True, history=path,
        timeout=60 + kills * 15)
    client = load.Load(bench.tools, rejoin.load_options() + plan)
    slowest = 0.0
    try:
        client.opened(60)
        for number in range(kills):
            time.sleep(random.uniform(0.05, 1.2))
            rejoin.kill()
            if random.random() < 0.15:
                # A second crash while the server is still putting the first one right.
                rejoin.begin()
                time.sleep(random.uniform(0.005, 0.08))
                rejoin.kill()
            began = time.monotonic()
            rejoin.start(pause=0.005)
            slowest = max(slowest, time.monotonic() - began)
            if (number + 1) % 20 == 0:
                print(f"    {number + 1} kills", flush=True)
        client.end_input()
        findings = client.result(120)
    finally:
        client.kill()
    faults, counts = check(History(path), Server(rejoin), statistics_of(bench.upstream))
    rejoin.stop()
    faults += check_databases(rejoin.data)
    wrong = load.faults(findings)
    if wrong:
        faults.insert(0, wrong)
    if counts["interrupted"] == 0:
        faults.append("no answer was interrupted: the kills came at the wrong time")
    for fault in faults[:20]:
        print(f"    {fault}", flush=True)
    bench.report.add(
        "kill", f"lost or doubled after {kills} kill -9 under load", f"{len(faults)}", "0", not faults,
        f"{counts['turns']} turns ({counts['done']} done, {counts['interrupted']} interrupted), "
        f"{counts['events']} seen events checked, {counts['snapshots']} by snapshot, {findings['resumes']} rejoins, "
        f"slowest restart {slowest * 1000:.0f} ms" + (f"; first: {faults[0]}" if faults else ""))
