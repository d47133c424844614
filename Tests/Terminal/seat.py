"""A person at a terminal: the chat in a pseudo-terminal, and the screen that it draws there."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import pyte

KEYS = {
    "enter": "\r", "esc": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "f1": "\x1bOP", "ctrl-end": "\x1b[1;5F", "ctrl-home": "\x1b[1;5H",
    "alt-enter": "\x1b\r", "backspace": "\x7f",
} | {f"ctrl-{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"}


class Screen(pyte.Screen):
    """Refuses what a screen program must never send: it is a fault of the program."""

    def __init__(self, columns, rows):
        super().__init__(columns, rows)
        self.strange = []

    def debug(self, *arguments, **more):
        self.strange.append((arguments, more))


class Seat:
    """The chat as a child of a pseudo-terminal."""

    def __init__(self, arguments, environment, columns=80, rows=24):
        self.screen = Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.output = b""
        self.code = None
        child, self._terminal = pty.fork()
        if child == 0:
            os.environ.clear()
            os.environ.update(environment)
            os.execv(arguments[0], arguments)
        self.process = child
        self._set_size(columns, rows)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def press(self, *keys):
        for key in keys:
            os.write(self._terminal, KEYS[key].encode())

    def type(self, text):
        os.write(self._terminal, text.encode())

    def paste(self, text):
        os.write(self._terminal, b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def read(self, seconds):
        """Takes in what comes within a time; false when nothing did, or when the child has ended."""
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self._terminal, 65536)
        except OSError:
            piece = b""
        if not piece:
            if self.code is None:
                self.code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
            return False
        self.output += piece
        self._stream.feed(piece)
        return True

    def wait_until(self, holds, what, seconds=20):
        deadline = time.monotonic() + seconds
        while not holds():
            left = deadline - time.monotonic()
            if left <= 0 or self.code is not None:
                raise AssertionError(f"not {what} within {seconds} s (code {self.code}):\n{self.text}")
            self.read(min(left, 0.5))
        return self

    def wait_for(self, pattern, seconds=20):
        """Waits for text on the screen."""
        return self.wait_until(lambda: re.search(pattern, self.text), f"showing {pattern!r}", seconds)

    def wait_gone(self, pattern, seconds=20):
        return self.wait_until(lambda: not re.search(pattern, self.text), f"rid of {pattern!r}", seconds)

    def settle(self, quiet=0.25):
        """Waits until nothing is drawn for a moment: whatever was under way is on the screen."""
        while self.read(quiet):
            pass
        return self

    def wait_end(self, seconds=20):
        self.wait_until(lambda: self.code is not None or not self.read(0.5) and self.code is not None, "ended", seconds)
        return self.code

    @property
    def whole_frames(self):
        """How often the screen was drawn from nothing."""
        return self.output.count(b"\x1b[2J")

    def wait_redrawn(self, before):
        """Waits until the screen was drawn from nothing once more than before, and for what comes with that."""
        self.wait_until(lambda: self.whole_frames > before, "drawn anew")
        return self.settle()

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    def kill(self, number=signal.SIGKILL):
        os.kill(self.process, number)

    def close(self):
        if self.code is None:
            try:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
            self.code = -signal.SIGKILL
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None
