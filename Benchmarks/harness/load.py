"""The load client, as the suites use it."""

import json
import os
import subprocess
import threading


class LoadFailure(Exception):
    """The load client could not do its work."""


class Load:
    """A run of the load client that is under way."""

    def __init__(self, tools, options):
        self.process = subprocess.Popen(
            [os.path.join(tools, "bench-load"), *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True)

    def next(self, seconds=300):
        """The next line that it prints."""
        watchdog = threading.Timer(seconds, self.process.kill)
        watchdog.start()
        try:
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        if not line:
            raise LoadFailure(f"the load client ended with {self.process.wait()}")
        message = json.loads(line)
        if message["event"] == "failed":
            raise LoadFailure(message["why"])
        return message

    def opened(self, seconds=120):
        """Waits until every stream is open; a run that ends before that has failed."""
        message = self.next(seconds)
        if message["event"] != "open":
            raise LoadFailure(f"not every stream opened: {message.get('failure')} ({message.get('failed')} failed)")
        return message

    def result(self, seconds=600):
        """Waits for the findings."""
        while True:
            message = self.next(seconds)
            if message["event"] == "result":
                self.process.wait()
                return message

    def end_input(self):
        """Lets a holding client leave, and a draining one begin nothing new."""
        self.process.stdin.close()

    def kill(self):
        """Ends it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def run(tools, options, seconds=600):
    """Runs a plan to its end and returns the findings."""
    load = Load(tools, options)
    try:
        return load.result(seconds)
    finally:
        load.kill()


def faults(findings, complete=True):
    """What is wrong with a run, in words; empty for a clean one."""
    words = []
    for name in ("failed", "lost", "repeated", "foreign", "event_gaps", "event_repeats"):
        if findings[name]:
            words.append(f"{findings[name]} {name.replace('_', ' ')}")
    if complete and findings["completed"] != findings["asked"]:
        words.append(f"{findings['asked'] - findings['completed']} not completed")
    if findings["failure"]:
        words.append(findings["failure"][:160])
    return ", ".join(words)
