"""A row passes only with a good figure from clean runs."""

import contextlib
import io
import unittest

from harness.report import Report, span
from harness.suites import judge

CLEAN = dict.fromkeys(("failed", "lost", "repeated", "foreign", "event_gaps", "event_repeats", "failure"), 0)
CLEAN |= {"asked": 1, "completed": 1}


class Run:
    """Stands for a bench that has only its report."""

    def __init__(self):
        self.report = Report({})


class JudgeTests(unittest.TestCase):
    """The verdicts."""

    def verdict(self, runs, values, bar):
        """What a row with these figures says."""
        run = Run()
        with contextlib.redirect_stdout(io.StringIO()):
            judge(run, "cpu", "x", runs, values, bar)
        return run.report.rows[0].passed

    def test_the_worst_repeat_counts(self):
        self.assertTrue(self.verdict([CLEAN], [1.0, 3.0], 3))
        self.assertFalse(self.verdict([CLEAN], [1.0, 3.1], 3))

    def test_a_faulty_run_is_under_every_bar(self):
        self.assertFalse(self.verdict([CLEAN, {**CLEAN, "lost": 1}], [0.1], 3))
        self.assertFalse(self.verdict([{**CLEAN, "completed": 0}], [0.1], 3))

    def test_no_figure_is_no_pass(self):
        self.assertFalse(self.verdict([CLEAN], [], 3))

    def test_without_a_bar_there_is_no_verdict(self):
        self.assertIsNone(self.verdict([CLEAN], [1.0], None))

    def test_a_span_shows_the_extremes(self):
        self.assertEqual(span([2, 1, 3], 1), "1.0 … 3.0")
        self.assertEqual(span([2, 2], 0), "2")
        self.assertEqual(span([]), "–")


if __name__ == "__main__":
    unittest.main()
