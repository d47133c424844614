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


OURS = ("rejoin", "rejoin compatible")


def wrong(runs):
    """What went wrong in the runs of a lane, for the note of a row; a lane with faults is under every bar."""
    return "; ".join([text for text in map(load.faults, runs) if text][:2])


def judge(bench, suite, what, runs, values, bar=None, text="", digits=2, note=""):
    """Adds a row for a lane: the worst value against the bar, if there is one, and nothing may have gone wrong."""
    fault = wrong(runs)
    passed = None if bar is None else bool(values) and max(values) <= bar and not fault
    note = "; ".join(part for part in (note, fault) if part)
    bench.report.add(suite, what, span(values, digits), text or (f"≤ {bar:g}" if bar is not None else ""), passed, note)


def cpu(bench):
    """Processor seconds for a million pieces: 50 streams at 20 pieces a second, n = 128."""
    rounds = 1 if bench.quick else 3
    found = bench.compare("cpu", options("stream", streams=50, ramp=1500, rounds=rounds, timeout=300))
    cost = lambda findings: findings["middle"] / max(findings["pieces"], 1) * 1e6
    for name, runs in found.items():
        if name != "direct":
            judge(bench, "cpu", f"{name}, CPU-s per 1 M pieces", runs, each(found, name, cost), digits=1)
    for ours in OURS:
        for peer, bar in (("nginx", 3), ("litellm", 0.1)):
            if ours in found and peer in found:
                against = ratios(found, ours, peer, cost)
                judge(bench, "cpu", f"{ours} : {peer}", found[ours], against, bar, digits=3)


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
            judge(bench, "first", f"{name}, first piece later than direct (1 stream, median), ms", found[name], values)
    for ours in OURS:
        if ours in added and "nginx" in added:
            over = [a - b for a, b in zip(added[ours], added["nginx"])]
            judge(bench, "first", f"{ours} over nginx, ms", found[ours], over, 2)
        if ours in added and "litellm" in added:
            share = [max(a, 0) / b for a, b in zip(added[ours], added["litellm"]) if b > 0]
            judge(bench, "first", f"{ours} : litellm, added time", found[ours], share, 0.1)
    found = many_streams(bench)
    late = lambda findings: findings["first_piece"]["p99"]
    for name in found:
        if name != "direct":
            bar = 1.1 if name in OURS else None
            judge(
                bench, "first", f"{name} : direct, p99 of 200 streams", found[name],
                ratios(found, name, "direct", late), bar)


def lag(bench):
    """How old a piece is when it arrives: 200 streams at 20 pieces a second."""
    found = many_streams(bench)
    for name in found:
        values = each(found, name, lambda findings: findings["age"]["p99"])
        middle = each(found, name, lambda findings: findings["age"]["p50"])
        judge(
            bench, "lag", f"{name}, p99 age of a piece, ms", found[name], values, 10 if name in OURS else None,
            note=f"p50 {span(middle)}")


def fanout(bench):
    """5,000 streams at 10 pieces a second, as 5,000 answers and as 500 with ten readers each."""
    size = 1000 if bench.quick else 5000
    variants = [("direct", bench.upstream.load_options(), None, size, 0)]
    if Nginx.is_installed():
        variants.append(("nginx", bench.nginx.load_options(), bench.nginx, size, 0))
    if bench.program:
        variants.append(("rejoin", bench.rejoin.load_options(), bench.rejoin, size, 0))
        variants.append(("rejoin followers", bench.rejoin.load_options(), bench.rejoin, size // 10, 9))
    found = {}
    for _ in range(1 if bench.quick else bench.repeats):
        for name, target, component, streams, followers in variants:
            plan = options("fan", streams=streams, followers=followers, ramp=4000, timeout=120)
            found.setdefault(name, []).append(bench.measure((name, target, component), plan))
    speed = lambda run: run["steady_age"]["count"] / max(run["steady_seconds"], 0.001)
    # Where the first stream had ended before the last began, there is no steady time: all of the run counts.
    late = lambda run: run["steady_age" if run["steady_age"]["count"] else "age"]["p99"]
    # What the machine could not even bring directly, no component can pass on.
    wanted = [min(value, size * 10) for value in each(found, "direct", speed)]
    for name, runs in found.items():
        rate = [speed(run) for run in runs]
        cost = [run["middle"] / max(run["pieces"], 1) * 1e6 for run in runs]
        text = f"{size} streams × 10/s, {name}"
        note = f"CPU-s per 1 M: {span(cost, 1)}; client {span([run['processor'] for run in runs], 1)} s"
        is_ours = name.startswith("rejoin")
        # What is short of the full rate has to stay under its bar, like every other figure.
        short = [max(0, 1 - value / full) * 100 for value, full in zip(rate, wanted)]
        judge(
            bench, "fanout", f"{text}: short of the direct rate, %", runs, short, 2 if is_ours else None,
            note=f"{span(rate, 0)} a second; {note}")
        judge(
            bench, "fanout", f"{text}: p99 age, ms", runs, [late(run) for run in runs],
            250 if is_ours else None, digits=1)
    silent(bench)


def silent(bench):
    """Memory of a stream in which nothing happens, in a component that has done little before."""
    count = 200 if bench.quick else 1000
    lanes = []
    if bench.program:
        lanes.append(("rejoin, one more reader of a silent answer", 1, count, 20))
        lanes.append(("rejoin, one more silent answer", count, 0, None))
    if Nginx.is_installed():
        lanes.append(("nginx, one more silent answer", count, 0, None))
    for name, streams, followers, bar in lanes:
        found, runs = [], []
        for repeat in range(bench.repeats):
            folder = os.path.join(bench.folder, f"silent-{len(bench.report.rows)}-{repeat}")
            os.makedirs(folder)
            is_ours = name.startswith("rejoin")
            component = bench.new_rejoin("silent", folder).start() if is_ours else Nginx(folder, bench.upstream)
            try:
                load.run(bench.tools, component.load_options() + options("short", streams=20))
                before = component.resident()
                runs.append(hold(bench, component, streams, followers))
                found.append((component.held - before) / count)
            finally:
                component.stop()
        judge(bench, "fanout", f"{name}, kB", [], found, bar, digits=1, note="; ".join(filter(None, runs)))


def hold(bench, component, streams, followers):
    """Opens silent streams and notes the component's memory while they are open; what went wrong, in words."""
    plan = options("silent", streams=streams, followers=followers, ramp=1000, hold=True, timeout=90)
    client = load.Load(bench.tools, component.load_options() + plan)
    try:
        client.opened()
        time.sleep(0.5)
        component.held = component.resident()
        client.end_input()
        return load.faults(client.result(), complete=False)
    finally:
        client.kill()


def size_on_the_wire(bench):
    """Bytes for each piece of five, at 100 pieces a second."""
    found = bench.compare("bytes", options("dense", streams=10, ramp=200), litellm=not bench.quick, repeats=1)
    direct = each(found, "direct", lambda findings: findings["body_bytes"] / max(findings["pieces"], 1))[0]
    for name, runs in found.items():
        values = [run["body_bytes"] / max(run["pieces"], 1) for run in runs]
        events = [run["pieces"] / max(run["text_events"], 1) for run in runs]
        # A chunk's own frame varies by a byte; the provider's size is no finer bar than that.
        bar = {"rejoin": 30, "rejoin compatible": round(direct) + 1}.get(name)
        judge(
            bench, "bytes", f"{name}, bytes for a 5-byte piece", runs, values, bar, digits=1,
            note=f"{span(events)} pieces an event, p99 age {span([run['age']['p99'] for run in runs])} ms")


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
    fault = load.faults(findings)
    bench.report.add(
        "resume", "random cuts survived without a gap or a repeat", f"{findings['cuts']}", "0 faults",
        not fault and findings["cuts"] >= streams * 5, fault or f"{findings['pieces']} pieces read")


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
    fault = load.faults(findings)
    if findings["ends"] != {"interrupted": count}:
        fault = f"ends {findings['ends']} {fault}"
    bench.report.add(
        "resume", f"{count} readers over a kill -9", f"{findings['completed']} complete", f"{count}",
        not fault and findings["completed"] == count,
        f"{fault} server back after {(up - down) * 1000:.0f} ms, all done {(done - up) * 1000:.0f} ms later".strip())


def start(bench):
    """From exec to the first request taken, with 10,000 conversations in the store."""
    count = 1000 if bench.quick else 10000
    rejoin = bench.component("start", lambda: bench.new_rejoin("start").start())
    plan = options("seed", streams=50, rounds=count // 50, timeout=300)
    findings = load.run(bench.tools, rejoin.load_options() + plan)
    fault = load.faults(findings)
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
        max(times) < 150 and not fault, f"store {size / 1e6:.0f} MB, {rejoin.resident() / 1024:.0f} MB in RAM {fault}".strip())


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

# These say something about the peers too.
WITH_PEERS = ("cpu", "first", "lag", "fanout", "bytes")
