"""What a person does in a chat on a whole screen."""

import base64
import re
import unittest

from terminal_case import TerminalCase


class ChatTest(TerminalCase):
    models = {"main": "paced-5-200", "slow": "paced-40-20", "hold": "hold-3", "echo": "echo-path"}

    def test_an_answer_streams_and_ends(self):
        """A70 what is going on is said until the words have come"""
        seat = self.sit("--model", "slow")
        seat.type("what is new?")
        seat.wait_for("› what is new")
        seat.press("enter")
        seat.wait_for("You\n +what is new")
        seat.wait_for("tok3 ")
        self.assertNotIn("tok39", seat.text)
        seat.wait_for(r"slow: writing  ·  \d+ s  ·  Esc stops")
        seat.wait_for("tok39")
        seat.wait_gone("Esc stops")
        seat.wait_for("› Ask")

    def test_escape_stops_an_answer_and_keeps_its_text(self):
        """A12 the words of a stopped answer stay on the screen"""
        seat = self.sit("--model", "hold")
        seat.type("begin")
        seat.press("enter")
        seat.wait_for("tok2")
        seat.press("esc")
        seat.wait_for(r"\[stopped; the text so far is kept\]")
        self.assertIn("tok2", seat.text)
        self.assertNotIn("released", seat.text)

    def test_another_answer_is_a_version_to_go_back_from(self):
        """A46 the first answer stays reachable beside another one"""
        seat = self.sit()
        self.ask(seat, "first prompt")
        seat.press("ctrl-r")
        seat.wait_for("main  ‹ 2/2 ›")
        seat.wait_for("tok4")
        seat.wait_gone("Esc stops")
        seat.press("tab", "left")
        seat.wait_for("main  ‹ 1/2 ›")
        seat.press("right")
        seat.wait_for("main  ‹ 2/2 ›")

    def test_an_earlier_prompt_is_written_anew_as_a_branch(self):
        """A47 the old branch stays reachable after a prompt was edited"""
        seat = self.sit()
        self.ask(seat, "the first thing")
        self.ask(seat, "the second thing")
        seat.press("ctrl-home", "tab", "up", "up", "up")
        seat.wait_for("▌ You\n▌ the first thing")
        seat.type("e")
        seat.wait_for("✎ the first thing")
        seat.type(" at all")
        seat.press("enter")
        seat.wait_for("You  ‹ 2/2 ›\n +the first thing at all")
        seat.wait_for("tok4")
        self.assertNotIn("the second thing", seat.text)
        seat.wait_gone("Esc stops")
        seat.press("tab", "up", "left")
        seat.wait_for("‹ 1/2 ›")
        seat.wait_for("the second thing")

    def test_search_finds_what_was_said_in_another_conversation(self):
        seat = self.sit()
        self.ask(seat, "about marmalade and toast")
        seat.press("ctrl-n")
        seat.wait_for("New conversation")
        self.ask(seat, "something else")
        seat.press("ctrl-f")
        seat.wait_for("Search:")
        seat.type("marmal")
        # The title, and the prompt.
        seat.wait_until(lambda: seat.text.count("about marmalade") >= 3, "finding both")
        seat.press("down", "enter")
        seat.wait_for("You\n▌ about marmalade and toast")
        self.assertNotIn("something else", seat.text)

    def test_a_conversation_is_renamed_and_deleted_after_a_question(self):
        seat = self.sit()
        self.ask(seat, "to be renamed")
        seat.press("ctrl-o")
        seat.wait_for("r rename")
        seat.type("r")
        seat.wait_for("Title: to be renamed")
        seat.press("ctrl-u")
        seat.type("Another name")
        seat.press("enter")
        seat.wait_for("• Another name")
        seat.type("d")
        seat.wait_for("Delete “Another name”")
        seat.type("n")
        seat.wait_for("nothing was deleted")
        seat.type("d")
        seat.wait_for("Delete “Another name”")
        seat.type("y")
        seat.wait_for("none yet")

    def test_many_lines_are_pasted_and_sent_as_one_prompt(self):
        seat = self.sit("--model", "echo")
        seat.paste("one\r\ntwo\nthree \x1b[31m")
        seat.wait_for("› one\n  two\n  three")
        seat.press("alt-enter")
        seat.type("four")
        seat.press("enter")
        seat.wait_for(r"one\\ntwo\\nthree \[31m\\nfour")

    def test_copying_hands_the_answer_to_the_terminal(self):
        seat = self.sit()
        self.ask(seat, "copy this")
        seat.press("ctrl-x")
        seat.wait_for("copied")
        found = re.search(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", seat.output)
        self.assertEqual(base64.b64decode(found[1]).decode(), "tok0 tok1 tok2 tok3 tok4 ")

    def test_earlier_prompts_come_back_with_the_arrow(self):
        seat = self.sit()
        self.ask(seat, "the first prompt")
        self.ask(seat, "the second prompt")
        seat.type("unfinished")
        seat.press("up")
        seat.wait_for("› the second prompt")
        seat.press("up")
        seat.wait_for("› the first prompt")
        seat.press("down", "down")
        seat.wait_for("› unfinished")

    def test_what_one_device_begins_is_listed_on_another(self):
        """A34 a conversation made on one device is listed on the other with no gesture"""
        other = self.sit(columns=120, XDG_DATA_HOME=self.second_home())
        other.wait_for("none yet")
        seat = self.sit()
        self.ask(seat, "made on the first")
        other.wait_for("made on the first", seconds=2)
        other.press("ctrl-o", "enter")
        other.wait_for("You\n.*│ +made on the first")
        other.wait_for("tok4")

    def test_a_narrow_screen_shows_one_thing_at_a_time(self):
        seat = self.sit(columns=40, rows=12)
        self.ask(seat, "on a narrow screen")
        self.assertNotIn("Conversations", seat.text)
        seat.press("ctrl-o")
        seat.wait_for("^ Conversations\n. on a narrow screen")
        self.assertNotIn("tok4", seat.text)
        seat.press("esc")
        seat.wait_for("tok4")

    def test_the_keys_are_explained(self):
        seat = self.sit()
        seat.press("f1")
        seat.wait_for("Ctrl-F, F3 +search")
        seat.press("esc")
        seat.wait_gone("Ctrl-F, F3")

    def test_control_c_stops_then_clears_then_leaves(self):
        seat = self.sit("--model", "hold")
        seat.type("begin")
        seat.press("enter")
        seat.wait_for("tok2")
        seat.press("ctrl-c")
        seat.wait_for(r"\[stopped")
        seat.type("words")
        seat.wait_for("› words")
        seat.press("ctrl-c")
        seat.wait_for("› Ask")
        seat.press("ctrl-c")
        seat.wait_for("Ctrl-C again leaves")
        seat.press("ctrl-c")
        self.assertEqual(seat.wait_end(), 0)

    def test_a_temporary_conversation_is_gone_afterwards(self):
        """A42 a temporary conversation leaves no row in the list"""
        seat = self.sit()
        seat.press("ctrl-t")
        seat.wait_for("leave nothing behind")
        self.ask(seat, "between us")
        seat.press("ctrl-n")
        seat.wait_for("New conversation")
        seat.press("ctrl-o")
        seat.wait_for("none yet")

    def test_scrolling_up_stays_while_text_comes_and_the_end_follows_again(self):
        """A68 a reader who scrolled up stays and jumps to the latest"""
        seat = self.sit("--model", "slow", rows=12)
        self.ask(seat, "a long answer", answer="tok39")
        seat.type("another")
        seat.press("enter")
        seat.wait_for("Esc stops")
        seat.press("ctrl-home")
        seat.wait_for("You\n +a long answer")
        seat.wait_for("↓ Ctrl-End: latest|Esc stops")
        seat.wait_gone("Esc stops")
        seat.wait_for("You\n +a long answer")
        seat.wait_for("↓ Ctrl-End: latest")
        seat.press("ctrl-end")
        seat.wait_gone("a long answer$")
        seat.wait_for("tok39")


if __name__ == "__main__":
    unittest.main()
