"""Servers that go away, terminals that are none, and programs that are stopped or killed."""

import os
import re
import signal
import unittest

from seat import Seat
from terminal_case import TerminalCase

LEAVE = b"\x1b[?25h\x1b[?1049l"


class TroubleTest(TerminalCase):
    models = {"main": "paced-5-200", "hold": "hold-3", "slow": "paced-60-20"}

    def test_without_the_server_a_banner_says_so_and_a_prompt_waits(self):
        """A29 a prompt waits visibly for the server and is sent once it is back"""
        seat = self.sit()
        self.ask(seat, "before")
        self.house.kill()
        seat.wait_for(r"Offline for \d+ s", seconds=60)
        self.assertIn("tok4", seat.text)
        seat.type("while away")
        seat.press("enter")
        seat.wait_for(r"\[waits for the server; x takes it back\]")
        self.house.start()
        seat.wait_gone("Offline for|Connecting", seconds=60)
        seat.wait_until(lambda: seat.text.count("tok4") == 2, "answering both", seconds=60)

    def test_a_waiting_prompt_is_taken_back(self):
        seat = self.sit()
        self.ask(seat, "before")
        self.house.kill()
        seat.wait_for(r"Offline for \d+ s", seconds=60)
        seat.type("on second thought")
        seat.press("enter")
        seat.wait_for(r"\[waits for the server")
        seat.press("tab")
        seat.wait_for("▌")
        seat.type("x")
        seat.wait_gone(r"\[waits for the server")
        seat.wait_for("› on second thought")

    def test_a_server_that_dies_in_the_middle_is_rejoined(self):
        """A05 an answer whose server died keeps its words"""
        seat = self.sit("--model", "slow")
        seat.type("go on")
        seat.press("enter")
        seat.wait_for("tok5")
        self.house.kill()
        seat.wait_for("Offline for|Connecting", seconds=60)
        self.assertIn("tok5", seat.text)
        self.house.start()
        seat.wait_gone("Offline for|Connecting", seconds=60)
        seat.wait_for(r"\[interrupted|tok59", seconds=60)

    def test_killed_and_started_again_it_shows_the_same_screen(self):
        seat = self.sit()
        self.ask(seat, "the first prompt")
        self.ask(seat, "the second prompt")
        seat.type("not sent yet")
        seat.wait_for("› not sent yet")
        seat.settle(0.8)
        before = seat.text
        seat.kill()
        seat.close()
        again = self.sit()
        again.wait_until(lambda: again.text == before, f"as before:\n{before}\n---")

    def test_killed_while_an_answer_streams_it_goes_on_where_it_was(self):
        """A25 the restored answer starts from the shown text"""
        seat = self.sit("--model", "slow")
        seat.type("a long one")
        seat.press("enter")
        seat.wait_for("tok9 ")
        seat.kill()
        seat.close()
        again = self.sit(wait=False)
        again.wait_for("tok9 ")
        again.wait_for("tok59")
        again.wait_gone("Esc stops")
        self.assertEqual(again.text.count("tok9 "), 1)

    def test_what_is_held_can_be_read_without_the_server(self):
        """A32 an opened conversation is read without the server"""
        seat = self.sit()
        self.ask(seat, "remember this")
        seat.press("ctrl-d")
        self.assertEqual(seat.wait_end(), 0)
        self.house.kill()
        again = self.sit(wait=False)
        again.wait_for("remember this")
        again.wait_for("tok4")

    def test_a_dumb_terminal_gets_lines(self):
        seat = self.sit(wait=False, TERM="dumb")
        seat.wait_for("/help lists the commands")
        seat.type("hello\n")
        seat.wait_for("tok4")
        self.assertNotIn(b"\x1b[?1049h", seat.output)
        seat.type("\x04")
        self.assertEqual(seat.wait_end(), 0)

    def test_a_person_comes_back_from_the_shell(self):
        seat = Seat(["/bin/bash", "--norc", "--noprofile", "-i"], self.environment | {"PS1": "shell> "})
        self.addCleanup(seat.close)
        seat.wait_for("shell>")
        seat.type(" ".join(self.command) + "\n")
        seat.wait_for("F1 help")
        seat.type("half a prompt")
        seat.wait_for("› half a prompt")
        seat.press("ctrl-z")
        seat.wait_for("Stopped")
        held = len(seat.output)
        seat.type("echo $((6*7))\n")
        seat.wait_for(r"\n42")
        self.assertNotIn(b"\x1b[?2026h", seat.output[held:])
        seat.type("fg\n")
        seat.wait_for("› half a prompt")
        seat.type(" more")
        seat.wait_for("› half a prompt more")
        seat.press("ctrl-c", "ctrl-c", "ctrl-c")
        seat.wait_for(r"shell>$")

    def test_the_terminal_is_given_back_however_it_ends(self):
        for number in [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT, signal.SIGILL]:
            with self.subTest(signal=number):
                seat = self.sit()
                seat.settle()
                seat.kill(number)
                seat.wait_end()
                self.assertIn(LEAVE, seat.output)
                tail = seat.output[seat.output.rindex(LEAVE):]
                self.assertNotIn(b"\x1b[?2026h", tail)

    def test_a_token_that_is_not_known_is_told(self):
        seat = self.sit("--server", self.house.address, "--token-file", self.token_file("nonsense"), wait=False)
        seat.wait_for("Signed out")

    def token_file(self, token):
        path = os.path.join(self.home, "token")
        with open(path, "w") as file:
            file.write(token)
        return path


if __name__ == "__main__":
    unittest.main()
