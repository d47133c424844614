"""Processes of a run: started in their own folder, measured from /proc, always ended."""

import http.client
import os
import re
import signal
import socket
import subprocess
import time


class NotReady(Exception):
    """A process did not come up."""


def free_port():
    """A loopback port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def family(pid):
    """The process and all that descend from it."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(name))
            except OSError:
                continue
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting += parents.get(current, [])
    return found


def processor_seconds(pid):
    """User and system time of the process and its children, all threads, to the nanosecond.

    The kernel's clock of another process counts what /proc/PID/stat counts, without its steps of 10 ms.
    """
    total = 0.0
    for member in family(pid):
        try:
            total += time.clock_gettime((~member << 3) | 2)
        except OSError:
            continue
    return total


def resident_kilobytes(pid):
    """Memory in RAM of the process and its children."""
    total = 0
    for member in family(pid):
        try:
            with open(f"/proc/{member}/status") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        except OSError:
            continue
    return total


class Component:
    """Something that stands in a run; `name` is what the report calls it."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.process = None
        self.port = None
        self.log = os.path.join(folder, f"{name}.log")

    def launch(self, command, environment=None):
        """Starts the command with its output in the log."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={**os.environ, **(environment or {})})

    def processor(self):
        """Processor seconds used so far."""
        return processor_seconds(self.process.pid)

    def resident(self):
        """Kilobytes in RAM."""
        return resident_kilobytes(self.process.pid)

    def wait_for_address(self, seconds=30):
        """Reads the port out of the address that the program prints."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            with open(self.log, "rb") as log:
                found = re.findall(rb"http://127\.0\.0\.1:(\d+)", log.read())
            if found:
                self.port = int(found[-1])
                return
            self.check_running()
            time.sleep(0.01)
        raise NotReady(f"{self.name} printed no address: {self.tail()}")

    def wait_for_reply(self, path, seconds=60, headers=None, pause=0.01):
        """Asks until the answer is 200."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if get(self.port, path, headers) == 200:
                return
            self.check_running()
            time.sleep(pause)
        raise NotReady(f"{self.name} did not answer {path}: {self.tail()}")

    def check_running(self):
        """Raises if the process has ended by itself."""
        if self.process.poll() is not None:
            raise NotReady(f"{self.name} ended with {self.process.returncode}: {self.tail()}")

    def tail(self):
        """The last words of the log."""
        try:
            with open(self.log, errors="replace") as log:
                return log.read()[-1500:]
        except OSError:
            return ""

    def kill(self):
        """Ends it as a crash would."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self):
        """Ends it politely, then not."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            for member in reversed(family(self.process.pid)):
                os.kill(member, signal.SIGKILL)
            self.process.wait()


def get(port, path, headers=None):
    """The status of one GET, or None where nothing answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers=headers or {})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
