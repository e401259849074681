"""What kills.py compares: chance by nature is left out, and nothing else.

Usage: kill_table.py. Needs neither kbx nor a card."""

import json
import pathlib
import sqlite3
import sys
import tempfile
import unittest

import kills

SEAL = "3 calls played again on the card, on inputs that no worker had seen: right; the first tape's seal is %s"
HERE = "27 calls played again on inputs that no worker had seen: right; the first tape's seal is %s"
(RACE,) = kills.RACING


def record(explanation="", message="", flags=()):
    finding = {"layer": "run", "rule": "replayed", "severity": "note", "message": message}
    return {"verdict": "correct", "paper": "correct", "explanation": explanation, "findings": [finding], "flags": list(flags)}


class Table(unittest.TestCase):
    def table(self, device, **records):
        with tempfile.TemporaryDirectory() as folder:
            base = sqlite3.connect(pathlib.Path(folder, "run.db"))
            base.execute("create table result (ordinal, candidate, record)")
            rows = [(i, name, json.dumps(made)) for i, (name, made) in enumerate(records.items())]
            base.executemany("insert into result values (?, ?, ?)", rows)
            base.commit()
            base.close()
            return kills.table(pathlib.Path(folder), device)

    def same(self, device, one, other, name="a"):
        return self.table(device, **{name: one}) == self.table(device, **{name: other})

    def test_the_seal_of_a_device_tape_is_chance(self):
        self.assertTrue(self.same("cuda:0", record(message=SEAL % "5d96"), record(message=SEAL % "4ecf")))

    def test_the_seal_of_a_tape_without_a_card_is_not(self):
        self.assertFalse(self.same("cuda:0", record(message=HERE % "5d96"), record(message=HERE % "4ecf")))

    def test_the_rest_of_the_words_counts(self):
        self.assertFalse(self.same("cuda:0", record(message=SEAL % "5d96"), record(message=(SEAL % "5d96").replace("right", "wrong"))))
        self.assertFalse(self.same("cuda:0", record(message=SEAL % "5d96"), record(message=(SEAL % "5d96").replace("3", "2"))))

    def test_of_a_race_the_verdict_counts_on_a_card(self):
        one, other = record("got 0.01212", "x"), record("got 0.02491", "y", ["replayed"])
        self.assertTrue(self.same("cuda:0", one, other, RACE))
        self.assertFalse(self.same("cuda:0", one, dict(one, verdict="wrong_value"), RACE))
        self.assertFalse(self.same("cpu", one, other, RACE))

    def test_of_others_everything_counts(self):
        self.assertFalse(self.same("cuda:0", record("got 0.01212"), record("got 0.02491")))
        self.assertFalse(self.same("cuda:0", record(), record(flags=["replayed"])))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
