"""Answers are drawn as what their Markdown means, on a whole screen and line by line; elsewhere they stay text."""

import base64
import os
import re
import subprocess
import unittest

from seat import Seat
from terminal_case import TerminalCase


class MarkdownTest(TerminalCase):
    models = {"rich": "rich", "hostile": "hostile"}

    def ask_command(self, model, *options):
        return [
            os.path.abspath(os.environ["REJOIN_BINARY"]), "ask", "--data", str(self.house.folder / "data"), "--model",
            model, *options, "tell me"]

    def test_a_chat_draws_an_answer(self):
        seat = self.sit("--model", "rich", columns=90, rows=60)
        seat.type("tell me")
        seat.press("enter")
        seat.wait_for("How an answer travels")
        seat.wait_gone("Esc stops")
        self.assertNotIn("# How an answer", seat.text)
        self.assertNotIn("**log**", seat.text)
        self.assertRegex(seat.text, r"1\. The server writes")
        self.assertRegex(seat.text, r"• the page you look at")
        self.assertRegex(seat.text, r"☑ The text stays")
        self.assertNotIn("```", seat.text)

    def test_copying_gives_the_source(self):
        seat = self.sit("--model", "rich", columns=90, rows=60)
        seat.type("tell me")
        seat.press("enter")
        seat.wait_for("How an answer travels")
        seat.wait_gone("Esc stops")
        seat.press("ctrl-x")
        seat.wait_for("copied")
        copied = base64.b64decode(re.search(rb"\x1b\]52;c;([^\x07]+)\x07", seat.output)[1]).decode()
        self.assertIn("# How an answer travels", copied)
        self.assertIn("**log**", copied)

    def test_a_chat_on_a_smaller_screen_draws_it_anew(self):
        seat = self.sit("--model", "rich", columns=90, rows=60)
        seat.type("tell me")
        seat.press("enter")
        seat.wait_gone("Esc stops")
        seat.wait_for("How an answer travels")
        seat.resize(50, 30)
        seat.press("ctrl-home")
        seat.wait_for("How an answer travels")
        self.assertTrue(all(len(line) <= 50 for line in seat.text.split("\n")))

    def test_ask_draws_settled_lines_once(self):
        seat = Seat(self.ask_command("rich"), self.environment, 80, 200)
        self.addCleanup(seat.close)
        seat.wait_end()
        self.assertEqual(seat.text.count("How an answer travels"), 1)
        self.assertNotIn("**log**", seat.text)
        self.assertRegex(seat.text, r"• the page you look at")

    def test_ask_into_a_pipe_writes_the_text(self):
        done = subprocess.run(
            self.ask_command("rich"), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        self.assertIn(b"# How an answer travels", done.stdout)
        self.assertIn(b"**log**", done.stdout)
        self.assertNotIn(b"\x1b", done.stdout)

    def test_ask_on_a_dumb_terminal_writes_the_text(self):
        seat = Seat(self.ask_command("rich"), self.environment | {"TERM": "dumb"}, 80, 200)
        self.addCleanup(seat.close)
        seat.wait_end()
        self.assertIn("**log**", seat.text)


if __name__ == "__main__":
    unittest.main()
