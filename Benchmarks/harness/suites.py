"""The suites: each asks for load, and holds what it finds to a bar."""

import http.client
import json
import os
import random
import subprocess
import sys
import time

from . import load
from .bench import SHAPES, each, ratios
from .peers import Nginx
from .processes import get
from .report import span


def options(shape, **more):
    """Options of the load client for one of the run's shapes."""
    listed = ["--model", SHAPES[shape]]
    for name, value in more.items():
        listed += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return listed


def complaints(found):
    """What went wrong in any repeat of any lane, for the note of a row."""
    words = [f"{name}: {text}" for name, runs in found.items() for text in map(load.faults, runs) if text]
    return "; ".join(words[:3])


def cpu(bench):
    """Processor seconds for a million pieces: 50 streams at 20 pieces a second, n = 128."""
    rounds = 1 if bench.quick else 3
    found = bench.compare("cpu", options("stream", streams=50, ramp=1500, rounds=rounds, timeout=300))
    cost = lambda findings: findings["middle"] / max(findings["pieces"], 1) * 1e6
    note = complaints(found)
    for name in found:
        if name != "direct":
            bench.report.add("cpu", f"{name}, CPU-s per 1 M pieces", span(each(found, name, cost), 1), note=note)
            note = ""
    for ours in ("rejoin", "rejoin compatible"):
        against = ratios(found, ours, "nginx", cost)
        if against:
            bench.report.add("cpu", f"{ours} : nginx", span(against), "≤ 3", max(against) <= 3)
        against = ratios(found, ours, "litellm", cost)
        if against:
            bench.report.add("cpu", f"{ours} : litellm", span(against, 3), "≤ 0.1", max(against) <= 0.1)


def many_streams(bench):
    """200 streams at 20 pieces a second through every lane; two suites read it."""
    return bench.compare(
        "200 streams", options("stream", streams=200, ramp=2000, timeout=300), litellm=not bench.quick)


def first(bench):
    """The time to the first piece: one stream, then 200."""
    rounds = 10 if bench.quick else 30
    found = bench.compare("one stream", options("short", rounds=rounds))
    middle = lambda findings: findings["first_piece"]["p50"]
    added = {
        name: [a - b for a, b in zip(each(found, name, middle), each(found, "direct", middle))] for name in found
    }
    for name, values in added.items():
        if name != "direct":
            bench.report.add("first", f"{name}, first piece later than direct (1 stream, median), ms", span(values))
    for ours in ("rejoin", "rejoin compatible"):
        if ours in added and "nginx" in added:
            over = [a - b for a, b in zip(added[ours], added["nginx"])]
            bench.report.add("first", f"{ours} over nginx, ms", span(over), "≤ 2", max(over) <= 2)
        if ours in added and "litellm" in added:
            share = [max(a, 0) / b for a, b in zip(added[ours], added["litellm"]) if b > 0]
            bench.report.add("first", f"{ours} : litellm, added time", span(share), "≤ 0.1", max(share, default=0) <= 0.1)
    found = many_streams(bench)
    late = lambda findings: findings["first_piece"]["p99"]
    note = complaints(found)
    for name in found:
        if name == "direct":
            continue
        against = ratios(found, name, "direct", late)
        is_ours = name.startswith("rejoin")
        bench.report.add(
            "first", f"{name} : direct, p99 of 200 streams", span(against), "≤ 1.1" if is_ours else "",
            max(against) <= 1.1 if is_ours else None, note)
        note = ""


def lag(bench):
    """How old a piece is when it arrives: 200 streams at 20 pieces a second."""
    found = many_streams(bench)
    for name in found:
        values = each(found, name, lambda findings: findings["age"]["p99"])
        middle = each(found, name, lambda findings: findings["age"]["p50"])
        is_ours = name.startswith("rejoin")
        bench.report.add(
            "lag", f"{name}, p99 age of a piece, ms", span(values), "≤ 10" if is_ours else "",
            max(values) <= 10 if is_ours else None, f"p50 {span(middle)}")


def fanout(bench):
    """5,000 streams at 10 pieces a second, as 5,000 answers and as 500 with ten readers each."""
    size = 1000 if bench.quick else 5000
    variants = [
        ("direct", bench.upstream.load_options(), None, size, 0),
        ("rejoin", bench.rejoin.load_options(), bench.rejoin, size, 0),
        ("rejoin followers", bench.rejoin.load_options(), bench.rejoin, size // 10, 9),
    ]
    found = {}
    for _ in range(1 if bench.quick else bench.repeats):
        for name, target, component, streams, followers in variants:
            plan = options("fan", streams=streams, followers=followers, ramp=4000, timeout=120)
            found.setdefault(name, []).append(bench.measure((name, target, component), plan))
    wanted = size * 10
    for name, runs in found.items():
        rate = [run["steady_age"]["count"] / max(run["steady_seconds"], 0.001) for run in runs]
        late = [run["steady_age"]["p99"] for run in runs]
        cost = [run["middle"] / max(run["pieces"], 1) * 1e6 for run in runs]
        is_ours = name != "direct"
        text = f"{size} streams × 10/s, {name}"
        note = f"CPU-s per 1 M: {span(cost, 1)}; client {span([run['processor'] for run in runs], 1)} s; "
        note += complaints({name: runs})
        bench.report.add(
            "fanout", f"{text}: pieces a second", span(rate, 0), f"≥ {wanted * 0.98:.0f}" if is_ours else "",
            min(rate) >= wanted * 0.98 if is_ours else None, note)
        bench.report.add(
            "fanout", f"{text}: p99 age, ms", span(late, 1), "< 250" if is_ours else "",
            max(late) < 250 if is_ours else None)
    silent(bench)


def silent(bench):
    """Memory of a stream in which nothing happens."""
    count = 200 if bench.quick else 1000
    lanes = [("rejoin, one more reader of a silent answer", bench.rejoin, bench.rejoin.load_options(), 1, count, 20)]
    lanes.append(("rejoin, one more silent answer", bench.rejoin, bench.rejoin.load_options(), count, 0, None))
    if Nginx.is_installed():
        lanes.append(("nginx, one more silent answer", bench.nginx, bench.nginx.load_options(), count, 0, None))
    for name, component, target, streams, followers, bar in lanes:
        found = []
        for _ in range(bench.repeats):
            before = component.resident()
            plan = options("silent", streams=streams, followers=followers, ramp=1000, hold=True, list=True, timeout=90)
            client = load.Load(bench.tools, target + plan)
            try:
                message = client.opened()
                time.sleep(0.5)
                found.append((component.resident() - before) / count)
                client.end_input()
                client.result()
            finally:
                client.kill()
            if component is bench.rejoin:
                stop_all(bench.rejoin, [answer for _, answer in message["answers"]])
            time.sleep(0.5)
        # A server that kept its memory shows a rise in the first repeat only.
        bench.report.add(
            "fanout", f"{name}, kB", span(found, 1), f"≤ {bar}" if bar else "", max(found) <= bar if bar else None)


def size_on_the_wire(bench):
    """Bytes for each piece of five, at 100 pieces a second."""
    found = bench.compare("bytes", options("dense", streams=10, ramp=200), litellm=not bench.quick, repeats=1)
    direct = each(found, "direct", lambda findings: findings["body_bytes"] / max(findings["pieces"], 1))[0]
    for name, runs in found.items():
        values = [run["body_bytes"] / max(run["pieces"], 1) for run in runs]
        events = [run["pieces"] / max(run["text_events"], 1) for run in runs]
        bar = {"rejoin": 30, "rejoin compatible": direct}.get(name)
        bench.report.add(
            "bytes", f"{name}, bytes for a 5-byte piece", span(values, 1), f"≤ {bar:.0f}" if bar else "",
            max(values) <= bar + 0.5 if bar else None,
            f"{span(events)} pieces an event, p99 age {span([run['age']['p99'] for run in runs])} ms")


def stop_all(rejoin, answers):
    """Stops answers one by one; when each stop was sent, in nanoseconds of the machine's clock, by answer."""
    connection = http.client.HTTPConnection("127.0.0.1", rejoin.port, timeout=30)
    sent = {}
    for answer in answers:
        sent[answer] = time.monotonic_ns()
        connection.request("POST", f"/v1/answers/{answer}/stop", body="{}", headers=rejoin.headers())
        reply = connection.getresponse()
        body = reply.read()
        if reply.status != 200:
            raise load.LoadFailure(f"stop answered {reply.status}: {body[:200]!r}")
    connection.close()
    return sent


def statistics_of(upstream):
    """What the scripted model knows, its answers by the turn that asked for them."""
    connection = http.client.HTTPConnection("127.0.0.1", upstream.port, timeout=30)
    connection.request("GET", "/stats")
    stats = json.loads(connection.getresponse().read())
    connection.close()
    by_turn = {}
    for answer in stats["answers"]:
        by_turn.setdefault(answer["tag"], []).append(answer)
    return by_turn


def stop(bench):
    """From the stop of a person to the model's connection closing, with 200 answers under way."""
    count = 50 if bench.quick else 200
    worst, middle, notes = [], [], []
    for _ in range(bench.repeats):
        plan = options("long", streams=count, ramp=1000, list=True, timeout=60)
        client = load.Load(bench.tools, bench.rejoin.load_options() + plan)
        try:
            answers = client.opened()["answers"]
            time.sleep(1)
            sent = stop_all(bench.rejoin, [answer for _, answer in answers])
            findings = client.result(90)
        finally:
            client.kill()
        time.sleep(0.2)
        stats = statistics_of(bench.upstream)
        delays = []
        for turn, answer in answers:
            for record in stats.get(turn, []):
                if record["state"] == "aborted":
                    delays.append((record["ended"] - sent[answer]) / 1e6)
        delays.sort()
        if len(delays) < count:
            notes.append(f"{count - len(delays)} never reached the model")
        if findings["ends"] != {"stopped": count}:
            notes.append(f"ends {findings['ends']}")
        worst.append(delays[int(len(delays) * 0.99)] if delays else float("inf"))
        middle.append(delays[len(delays) // 2] if delays else float("inf"))
    bench.report.add(
        "stop", f"stop to abort at the model, p99 of {count}, ms", span(worst), "≤ 50",
        max(worst) <= 50 and not notes, f"p50 {span(middle)}; " + "; ".join(notes[:2]))


def resume(bench):
    """Rejoining: far behind and all at once, after random cuts, after a crash."""
    behind(bench)
    cuts(bench)
    restart(bench)


def behind(bench):
    """200 readers rejoin 2,000 pieces behind: what that costs beside the first delivery."""
    count = 40 if bench.quick else 200
    relations, waits, notes = [], [], []
    rejoin = bench.rejoin
    for _ in range(1 if bench.quick else bench.repeats):
        before = rejoin.processor()
        plan = options("behind", streams=count, ramp=1000, list=True, until=2000, timeout=120)
        client = load.Load(bench.tools, rejoin.load_options() + plan)
        try:
            answers = [answer for _, answer in client.opened()["answers"]]
            delivery = client.result()
        finally:
            client.kill()
        time.sleep(0.5)
        delivered = rejoin.processor()
        plan = options("behind", attach=",".join(answers), until=2000, timeout=60)
        replay = load.run(bench.tools, rejoin.load_options() + plan)
        time.sleep(0.3)
        replayed = rejoin.processor()
        stop_all(rejoin, answers)
        relations.append((replayed - delivered) / (delivered - before))
        waits.append(replay["elapsed"] * 1000)
        notes += [text for text in (load.faults(delivery), load.faults(replay)) if text]
    bench.report.add(
        "resume", f"{count} readers 2,000 pieces behind : first delivery, CPU", span(relations, 3), "≤ 0.1",
        max(relations) <= 0.1 and not notes, f"all there after {span(waits, 0)} ms " + "; ".join(notes[:2]))


def cuts(bench):
    """Streams cut at random bytes and taken up again by their cursor."""
    streams = 20 if bench.quick else 100
    plan = options("cut", streams=streams, ramp=500, cuts=10, resume=True, timeout=120)
    findings = load.run(bench.tools, bench.rejoin.load_options() + plan)
    wrong = load.faults(findings)
    bench.report.add(
        "resume", "random cuts survived without a gap or a repeat", f"{findings['cuts']}", "0 faults",
        not wrong and findings["cuts"] >= streams * 5, wrong or f"{findings['pieces']} pieces read")


def restart(bench):
    """A crash under readers, who all rejoin."""
    count = 200 if bench.quick else 1000
    rejoin = bench.component("restart", lambda: bench.new_rejoin("restart").start())
    plan = options("restart", streams=count, ramp=1500, resume=True, timeout=120)
    client = load.Load(bench.tools, rejoin.load_options() + plan)
    try:
        client.opened()
        time.sleep(2)
        rejoin.kill()
        down = time.monotonic()
        rejoin.start()
        up = time.monotonic()
        findings = client.result()
        done = time.monotonic()
    finally:
        client.kill()
    wrong = load.faults(findings)
    if findings["ends"] != {"interrupted": count}:
        wrong = f"ends {findings['ends']} {wrong}"
    bench.report.add(
        "resume", f"{count} readers over a kill -9", f"{findings['completed']} complete", f"{count}",
        not wrong and findings["completed"] == count,
        f"{wrong} server back after {(up - down) * 1000:.0f} ms, all done {(done - up) * 1000:.0f} ms later".strip())


def start(bench):
    """From exec to the first request taken, with 10,000 conversations in the store."""
    count = 1000 if bench.quick else 10000
    rejoin = bench.component("start", lambda: bench.new_rejoin("start").start())
    plan = options("seed", streams=50, rounds=count // 50, timeout=300)
    findings = load.run(bench.tools, rejoin.load_options() + plan)
    wrong = load.faults(findings)
    times = []
    for _ in range(max(bench.repeats, 3)):
        rejoin.stop()
        began = time.monotonic()
        rejoin.begin()
        while get(rejoin.port, "/v1/conversations?limit=1", rejoin.headers()) != 200:
            rejoin.check_running()
            if time.monotonic() - began > 60:
                raise load.LoadFailure("the server did not come back")
            time.sleep(0.001)
        times.append((time.monotonic() - began) * 1000)
    size = sum(
        os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(rejoin.data) for name in names)
    bench.report.add(
        "start", f"exec to first request, {count} conversations, ms", span(times, 0), "< 150",
        max(times) < 150 and not wrong, f"store {size / 1e6:.0f} MB, {rejoin.resident() / 1024:.0f} MB in RAM {wrong}".strip())


def local(bench):
    """The local model's own comparison, where the repository has one."""
    program = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "LocalModel", "run")
    if not os.path.exists(program):
        bench.report.add("local", "local model", "not here", note="Benchmarks/LocalModel/run is missing")
        return
    done = subprocess.run([program], capture_output=True, text=True, timeout=1800)
    sys.stdout.write(done.stdout)
    lines = [line for line in done.stdout.strip().splitlines() if line.strip()]
    bench.report.add(
        "local", "local model against llama.cpp's own bench", lines[-1][:120] if lines else "no output", "its own",
        done.returncode == 0)


def kill(bench):
    """kill -9 in a loop under load; the checker holds the server to everything it acknowledged."""
    from .kill import kill_loop

    kill_loop(bench, bench.kills, random.Random(bench.seed))


SUITES = {
    "cpu": cpu, "first": first, "lag": lag, "fanout": fanout, "bytes": size_on_the_wire, "stop": stop,
    "resume": resume, "start": start, "local": local, "kill": kill,
}
