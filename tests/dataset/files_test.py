"""kbx dataset without any library: counts, splits, secrets, diffs that `patch` applies, the published form, bad input.

Usage: files_test.py KBX MAKE_ROUNDS.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

KBX, MAKE = sys.argv[1:3]
SECRETS = ("sk-test-0123456789", "anna")


def kbx(*arguments):
    """Runs kbx dataset; returns the finished process."""
    return subprocess.run([KBX, "dataset", *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


def rows(folder, table):
    """All rows of a table, by part."""
    return {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in sorted((folder / "jsonl" / table).glob("*.jsonl"))}


class FilesTest(unittest.TestCase):
    """One made-up run, written once."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_folder = cls.folder / "run"
        subprocess.run([MAKE, cls.run_folder], check=True)
        done = kbx(cls.run_folder, "-o", cls.folder / "all", "--json", "--split", "60,20,20")
        assert done.returncode == 0, done.stderr
        cls.said = json.loads(done.stdout)
        cls.data = cls.folder / "all"

    def test_every_change_is_a_transition_of_its_kind(self):
        kinds = {kind: sum(parts.values()) for kind, parts in self.said["kinds"].items()}
        self.assertEqual(kinds, {"error_to_fix": 30, "error_to_call": 0, "slow_to_fast": 30, "regression": 30, "call_to_error": 0, "fast_to_slow": 0})
        self.assertEqual((self.said["pairs"], self.said["same_program"], self.said["repeated"]), (120, 30, 0))
        self.assertEqual((self.said["candidates"], self.said["distinct"]), (180, 150))
        for table, parts in self.said["rows"].items():
            self.assertEqual({part: len(lines) for part, lines in rows(self.data, table).items()}, {part: n for part, n in parts.items() if n})

    def test_no_task_is_in_two_parts(self):
        seen = {}
        for table in ("transitions", "sft", "preference", "candidates"):
            for part, lines in rows(self.data, table).items():
                for row in lines:
                    self.assertEqual(seen.setdefault(row["task"], part), part)
        self.assertEqual(len(seen), 30)
        self.assertEqual(set(seen.values()), {"train", "validation", "test"})

    def test_a_row_holds_what_the_run_knew(self):
        row = next(row for lines in rows(self.data, "transitions").values() for row in lines if row["kind"] == "slow_to_fast")
        self.assertEqual((row["relation"], row["before_round"], row["after_round"], row["after_slot"], row["after_method"]), ("rounds", 1, 2, 0, "geak"))
        self.assertEqual((row["after_model"], row["after_tokens_in"], row["after_tokens_out"], row["after_usd"]), ("some-model-2030", 102, 50, 0.25))
        self.assertEqual((row["before_strategy"], row["after_judge_score"], row["after_speedup"], row["after_gpu"]), ("strategy 1", 7.0, 3.0, "Made-up card"))
        self.assertEqual(row["prompt_source"], "call")
        self.assertIn("You write Triton kernels.", row["prompt"])
        self.assertIn("round 2", row["prompt"])
        self.assertTrue(row["reply"].startswith("Here:\n```python"))
        self.assertEqual(json.loads(row["after_resources"])[0]["registers"], 32)

    def test_patch_turns_before_into_after(self):
        for row in rows(self.data, "transitions")["train"]:
            target = self.folder / "patched.py"
            target.write_text(row["before_code"])
            subprocess.run(["patch", "-s", target], input=row["diff"], text=True, check=True)
            self.assertEqual(target.read_text(), row["after_code"])

    def test_no_secret_and_no_name_is_left_anywhere(self):
        for path in self.data.rglob("*"):
            text = path.read_bytes() if path.is_file() else b""
            for secret in SECRETS:
                self.assertNotIn(secret.encode(), text, path)
        self.assertGreater(self.said["scrubbed"]["api key"], 100)

    def test_the_same_run_gives_the_same_bytes(self):
        again = self.folder / "again"
        self.assertEqual(kbx(self.run_folder, "-o", again, "--split", "60,20,20").returncode, 0)
        files = [path.relative_to(again) for path in again.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 10)
        for name in files:
            self.assertEqual((again / name).read_bytes(), (self.data / name).read_bytes(), name)

    def test_the_published_form(self):
        out = self.folder / "corpus"
        self.assertEqual(kbx(self.run_folder, "-o", out, "--format", "upstream").returncode, 0)
        counts = {path.name: len(path.read_text().splitlines()) for path in out.iterdir()}
        self.assertEqual(counts, {"all_records.jsonl": 90, "correctness_transitions.jsonl": 30, "performance_events.jsonl": 30, "regressions.jsonl": 30})
        record = json.loads((out / "performance_events.jsonl").read_text().splitlines()[0])
        self.assertEqual((record["transition"], record["kind"], record["before"]["speedup"], record["after"]["speedup"]), ("round_1_to_round_2", "speedup_increase", 2.0, 3.0))
        self.assertEqual(record["after"]["gbs"], 30.0)
        memory = record["llm_fields"]["memory_after_next_round_from"]
        self.assertEqual((memory["perf_strategy"], memory["temp_strategy"], memory["pass_perf"], memory["memory_source_round"]), ("strategy 2", None, True, "round_2"))
        self.assertTrue(re.match(r"^reflection 2 with \[REMOVED api key\]$", memory["reflection"]))

    def test_bad_input_is_told_and_loses_nothing(self):
        for arguments, words in (
            ((self.run_folder, "-o", self.data), "already holds something"),
            ((self.run_folder, "-o", self.folder / "x", "--format", "csv"), "--format takes"),
            ((self.run_folder, "-o", self.folder / "x", "--split", "1,2"), "--split takes"),
            ((self.folder, "-o", self.folder / "x"), "is not a kbx run"),
            ((self.run_folder, "-o", self.run_folder / "run.json" / "x"), "cannot make a folder"),
        ):
            done = kbx(*arguments)
            self.assertIn(done.returncode, (2, 3), done.stderr)
            self.assertIn(words, done.stderr)
        self.assertTrue((self.data / "README.md").exists())
        self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
