"""The processes that a browser test needs: a scripted model server, and the real server in front of it."""

import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time
import urllib.request

from texts import SCRIPTS


class Process:
    """A child whose standard output is read line by line and that never outlives its test."""

    def __init__(self, *arguments, log=None):
        self._log = open(log, "ab") if log else subprocess.DEVNULL
        self._child = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self._log)
        self._output = b""

    def wait_for(self, pattern, seconds=20):
        """The match of a pattern in the output so far; fails when the child ends or the time is up."""
        deadline = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self._output.decode())
            if match:
                return match
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._child.stdout], [], [], left)[0]:
                raise AssertionError(f"no {pattern!r} within {seconds} s in {self._output!r}")
            piece = os.read(self._child.stdout.fileno(), 65536)
            if not piece:
                raise AssertionError(f"{self._child.args[0]} ended with {self._child.wait()}: {self._output!r}")
            self._output += piece

    def kill(self):
        """Ends it as a crash would: at once, with nothing tidied."""
        self._child.kill()
        self._child.wait()
        self._child.stdout.close()
        if self._log is not subprocess.DEVNULL:
            self._log.close()


class Upstream(Process):
    def __init__(self):
        self._scripts = tempfile.NamedTemporaryFile("w", suffix=".json", prefix="rejoin-scripts-")
        json.dump(SCRIPTS, self._scripts)
        self._scripts.flush()
        super().__init__(os.environ["REJOIN_UPSTREAM"], "--port", "0", "--scripts", self._scripts.name)
        self.port = int(self.wait_for(r"listening on 127\.0\.0\.1:(\d+)\n")[1])

    def release(self):
        """Lets the scripts that hold go on."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/release?name=hold", method="POST")
        urllib.request.urlopen(request, timeout=5).close()


class House:
    """A server with a data folder of its own, which can be killed and started again on the same port."""

    def __init__(self, upstream, models, **settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rejoin-browser-"))
        self._config = self.folder / "rejoin.json5"
        self._config.write_text(json.dumps({
            "titles": "off",
            "models": [
                {
                    "name": name, "kind": "openai", "base_url": f"http://127.0.0.1:{upstream.port}/v1",
                    "model": script, "concurrent": 4,
                }
                for name, script in models.items()
            ],
            **settings,
        }))
        self._port = 0
        self._server = None
        self.start()

    # What the browser calls this machine; passkeys need a name.
    host = "127.0.0.1"

    @property
    def address(self):
        return f"http://{self.host}:{self._port}"

    def start(self):
        self._server = Process(
            os.environ["REJOIN_BINARY"], "serve", "--config", str(self._config), "--data", str(self.folder / "data"),
            "--listen", f"127.0.0.1:{self._port}", log=self.folder / "server.log")
        self._port = int(self._server.wait_for(r"Rejoinder is at http://127\.0\.0\.1:(\d+)")[1])
        self._server.wait_for(r"In a terminal:")

    @property
    def sign_in_link(self):
        return self._server.wait_for(r"Sign in once: +(\S+)")[1].replace("127.0.0.1", self.host)

    def kill(self):
        if self._server:
            self._server.kill()
            self._server = None

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
