"""What every terminal test needs: a scripted model, a server, a home of its own, and seats that are cleared away."""

import os
import re
import shutil
import tempfile
import unittest

from house import House, Upstream
from seat import Seat


class TerminalCase(unittest.TestCase):
    """Each test has a server and a home folder; chats are started by ``sit``."""

    models = {"main": "paced-5-200"}

    @classmethod
    def setUpClass(cls):
        cls.upstream = Upstream()
        cls.addClassCleanup(cls.upstream.kill)

    def setUp(self):
        self.house = House(self.upstream, self.models)
        self.addCleanup(self.house.close)
        self.home = tempfile.mkdtemp(prefix="rejoin-terminal-")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    @property
    def environment(self):
        return {
            "TERM": "xterm-256color", "PATH": os.environ["PATH"], "HOME": self.home, "XDG_DATA_HOME": self.home,
            "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        }

    @property
    def command(self):
        return [os.path.abspath(os.environ["REJOIN_BINARY"]), "chat", "--data", str(self.house.folder / "data")]

    def second_home(self):
        """A folder for another device of the same person."""
        path = os.path.join(self.home, "second")
        os.makedirs(path, exist_ok=True)
        return path

    def sit(self, *options, columns=80, rows=24, wait=True, **environment):
        seat = Seat(self.command + list(options), self.environment | environment, columns, rows)
        self.addCleanup(seat.close)
        if wait:
            seat.wait_for("F1 help|Ask something")
        return seat

    def ask(self, seat, text, answer="tok4"):
        """Asks, and waits for the answer's end."""
        seat.type(text)
        seat.wait_for("› .*" + re.escape(text[-10:]))
        seat.press("enter")
        # The prompt as a message, and below it the answer.
        shown = re.compile(r"\n[ ▌]*" + re.escape(text[:10]) + ".*" + answer, re.DOTALL)
        seat.wait_until(
            lambda: shown.search(seat.text) and "Esc stops" not in seat.text, f"answering {text!r} with {answer}")
        return seat
