"""The checker of the kill loop finds each kind of damage."""

import contextlib
import json
import os
import sqlite3
import tempfile
import unittest

from harness.kill import History, check, check_databases

ANSWER, TURN, CONVERSATION = "a1", "t1", "c1"
LOG = [(1, "status", {"phase": "starting"}), (2, "text", {"text": "AAAAABBBBB"}), (3, "end", {"state": "done"})]


class Stored:
    """A server that says what it is told to say."""

    def __init__(self, log=None, turns=None, state="done", text="AAAAABBBBB"):
        self.log = LOG if log is None else log
        self.turns = [{"id": TURN, "parent": None, "answers": [{"id": ANSWER}]}] if turns is None else turns
        self.snapshot = {"state": state, "content": [{"type": "text", "text": text}]}

    def conversations(self):
        """The one conversation."""
        return [CONVERSATION]

    def events(self, _):
        """The log."""
        return self.log

    def value(self, path):
        """The tree or the snapshot."""
        return {"turns": self.turns} if path.startswith("/v1/conversations/") else self.snapshot


def history(extra=()):
    """What a reader of the whole log wrote down, and more."""
    lines = [{"kind": "accepted", "conversation": CONVERSATION, "turn": TURN, "answer": ANSWER, "parent": None}]
    lines += [{"kind": "event", "answer": ANSWER, "number": n, "name": name, "data": data} for n, name, data in LOG]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "history")
        with open(path, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in [*lines, *extra])
        return History(path)


def faults(server, runs=1, extra=()):
    """What the checker says."""
    stats = {TURN: [{"sent": 2, "state": "finished"}] * runs}
    return " ".join(check(history(extra), server, stats)[0])


class CheckerTests(unittest.TestCase):
    """One test for each promise."""

    def test_passes_what_is_whole(self):
        self.assertEqual(faults(Stored()), "")

    def test_finds_a_lost_turn(self):
        self.assertIn("is lost", faults(Stored(turns=[])))

    def test_finds_a_turn_that_nobody_acknowledged(self):
        more = [{"id": name, "parent": None, "answers": [{"id": ANSWER}]} for name in (TURN, "t2")]
        self.assertIn("never acknowledged", faults(Stored(turns=more)))

    def test_finds_a_doubled_answer(self):
        double = [{"id": TURN, "parent": None, "answers": [{"id": ANSWER}, {"id": "a2"}]}]
        self.assertIn("not its own alone", faults(Stored(turns=double)))

    def test_finds_a_turn_that_ran_twice(self):
        self.assertIn("made 2 times", faults(Stored(), runs=2))

    def test_finds_a_lost_log(self):
        self.assertIn("log of a1 is lost", faults(Stored(log=[])))

    def test_finds_a_gap(self):
        self.assertIn("without gaps", faults(Stored(log=[LOG[0], LOG[2]])))

    def test_finds_an_event_that_was_seen_and_is_gone(self):
        seen = {"kind": "event", "answer": ANSWER, "number": 4, "name": "text", "data": {"text": "C"}}
        self.assertIn("is gone", faults(Stored(), extra=[seen]))

    def test_finds_an_event_that_changed(self):
        changed = [LOG[0], (2, "text", {"text": "AAAAACCCCC"}), LOG[2]]
        self.assertIn("not what a reader saw", faults(Stored(log=changed, text="AAAAACCCCC")))

    def test_finds_two_readers_who_saw_different_things(self):
        other = {"kind": "event", "answer": ANSWER, "number": 2, "name": "text", "data": {"text": "x"}}
        self.assertIn("two ways", faults(Stored(), extra=[other]))

    def test_finds_an_answer_without_an_end(self):
        self.assertIn("does not end once", faults(Stored(log=LOG[:2])))

    def test_finds_a_snapshot_that_says_something_else(self):
        self.assertIn("holds 5 characters", faults(Stored(text="AAAAA")))
        self.assertIn("is streaming", faults(Stored(state="streaming")))

    def test_finds_a_done_answer_with_half_its_text(self):
        half = [LOG[0], (2, "text", {"text": "AAAAA"}), LOG[2]]
        self.assertIn("is done with 5 characters", faults(Stored(log=half, text="AAAAA")))

    def test_finds_a_damaged_database(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "store")
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
                database.execute("CREATE INDEX i ON t (b)")
                database.executemany("INSERT INTO t (b) VALUES (?)", [(f"{n:0200}",) for n in range(2000)])
                database.commit()
            self.assertEqual(check_databases(folder), [])
            with open(path, "r+b") as file:
                file.seek(40 * 4096 + 100)
                file.write(b"\0" * 3000)
            self.assertNotEqual(check_databases(folder), [])


if __name__ == "__main__":
    unittest.main()
