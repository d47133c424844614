"""What the screen looks like, and what is sent to draw it."""

import re
import unittest

from terminal_case import TerminalCase

ENTER = b"\x1b[?1049h\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[?2027h\x1b[?7l\x1b[8l"


class ScreenTest(TerminalCase):
    models = {"main": "paced-40-200", "echo": "echo-path", "slow": "paced-30-20"}

    def drawn_again(self, seat):
        """The screen as it is after it was drawn anew, which must be as it was."""
        before = seat.settle().lines
        drawn = seat.whole_frames
        seat.press("ctrl-l")
        seat.wait_redrawn(drawn)
        self.assertEqual(seat.lines, before)
        return before

    def test_another_size_leaves_no_damage(self):
        seat = self.sit()
        self.ask(seat, "words that are long enough to be broken into lines on a narrow screen", answer="tok39")
        wide = self.drawn_again(seat)
        for columns, rows in [(40, 24), (200, 50), (120, 10), (12, 4), (2, 1), (80, 24)]:
            with self.subTest(columns=columns, rows=rows):
                drawn = seat.whole_frames
                seat.resize(columns, rows)
                seat.wait_redrawn(drawn)
                self.drawn_again(seat)
                if columns == 40:
                    self.assertIn("  words that are long enough to be", seat.lines)
                    self.assertIn("tok39", seat.text)
                if columns == 200:
                    self.assertRegex(seat.lines[0], r"^ Conversations +│ words that")
        self.assertEqual(seat.lines, wide)

    def test_a_size_that_changes_while_an_answer_streams_leaves_no_damage(self):
        seat = self.sit("--model", "slow")
        seat.type("stream")
        seat.press("enter")
        for columns in [40, 200, 61, 99, 100, 33, 80]:
            seat.read(0.1)
            seat.resize(columns, 24)
        seat.wait_for("tok29")
        seat.wait_gone("Esc stops")
        self.drawn_again(seat)

    def test_every_frame_is_one_synchronised_update(self):
        seat = self.sit("--model", "slow")
        self.ask(seat, "stream", answer="tok29")
        seat.settle()
        output = seat.output
        self.assertTrue(output.startswith(ENTER), output[:80])
        outside = re.sub(rb"\x1b\[\?2026h.*?\x1b\[\?2026l", b"", output[len(ENTER):], flags=re.DOTALL)
        self.assertEqual(outside, b"")
        # One a thirtieth of a second at most: 30 pieces at 20 a second last 1.5 s, and typing came before.
        self.assertLess(output.count(b"\x1b[?2026h"), 110)
        self.assertEqual(seat.screen.strange, [])

    def test_nothing_is_drawn_while_nothing_happens(self):
        seat = self.sit()
        self.ask(seat, "hello", answer="tok39")
        seat.settle(0.5)
        held = len(seat.output)
        seat.settle(1.5)
        self.assertEqual(len(seat.output), held)

    def test_without_colour_there_is_none(self):
        seat = self.sit(NO_COLOR="1")
        self.ask(seat, "hello", answer="tok39")
        seat.press("tab")
        seat.wait_for("▌")
        for codes in re.findall(rb"\x1b\[([\d;]*)m", seat.output):
            numbers = {int(code) for code in codes.split(b";") if code}
            self.assertLessEqual(numbers, {0, 1, 2, 3, 4, 7}, codes)
        coloured = self.sit()
        coloured.wait_for("hello")
        self.assertRegex(coloured.output, rb"\x1b\[0;1;36m")

    def test_wide_combining_and_right_to_left_text_stand_where_they_belong(self):
        seat = self.sit("--model", "echo")
        seat.type("漢字 e\u0301 שלום (עולם)")
        seat.wait_for("› 漢字 é \\(םלוע\\) םולש|› 漢字")
        seat.settle()
        self.assertEqual(seat.screen.cursor.y, 23)
        row = seat.screen.buffer[23]
        self.assertEqual((row[2].data, row[3].data, row[4].data), ("漢", "", "字"))
        self.assertEqual(row[7].data, "é")
        self.assertIn("(םלוע) םולש", seat.lines[23])
        for _ in range(12):
            seat.press("backspace")
        seat.wait_for("› 漢字 é$")
        self.assertEqual(seat.screen.cursor.x, 8)
        seat.press("enter")
        seat.wait_for("You\n +漢字 é\n")
        self.drawn_again(seat)


if __name__ == "__main__":
    unittest.main()
