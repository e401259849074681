"""What the cases of world.py share: one kbx, its candidates, the table of an undisturbed run, and what is to be right."""

import json
import re
import shutil
import subprocess

import kills
from kills import PYTHON

NAMES = [
    "files/index_fill_/syntax_error.py",
    "files/index_fill_/import_error.py",
    "files/cross_entropy/wrong_name.py",
    "code_model.jsonl:4",
    "code_model.jsonl:6",
    "files/gelu/store_without_mask.py",
]
faults = []


def check(good, words):
    if not good:
        faults.append(words)
        print("FAIL", words, flush=True)


class World:
    """One kbx, its candidates, the undisturbed table, and a scratch folder."""

    def __init__(self, kbx, folder):
        self.kbx, self.folder = kbx, folder
        self.source = folder / "candidates.jsonl"
        self.source.write_text("".join(json.dumps(kills.candidate(name)) + "\n" for name in NAMES))
        done = self.eval(folder / "plain")
        check(done.returncode == 0, "the undisturbed run: exit code %d: %s" % (done.returncode, done.stderr))
        self.want = kills.table(folder / "plain")

    def command(self, run, *more, resume=False, python=PYTHON):
        words = [self.kbx, "eval", str(self.source), "--run", str(run), "--quiet", "--jobs", "1", "--device", "cpu", "--python", python]
        return words + (["--resume"] if resume else ["--seed", "7"]) + list(more)

    def eval(self, run, *more, resume=False, python=PYTHON, **how):
        return subprocess.run(self.command(run, *more, resume=resume, python=python), capture_output=True, text=True, timeout=300, **how)

    def kbx_says(self, *words):
        return subprocess.run([self.kbx, *map(str, words)], capture_output=True, text=True, timeout=120)

    def copy(self, name):
        """A run folder that is whole, to be damaged."""
        run = self.folder / name
        shutil.copytree(self.folder / "plain", run)
        return run

    def refused(self, done, what, *words, code=3):
        """A clear end: the exit code, a message with the words, no crash."""
        check(done.returncode == code, "%s: exit code %d instead of %d: %s" % (what, done.returncode, code, done.stderr[-600:]))
        for word in words:
            check(re.search(word, done.stderr), "%s: the message lacks %r: %s" % (what, word, done.stderr[-600:]))
        print("     %s: %s" % (what, done.stderr.strip().splitlines()[0][:150] if done.stderr.strip() else "(silent)"), flush=True)

    def whole(self, run, what):
        got = kills.table(run)
        odd = [kills.difference(row, good) for row, good in zip(got, self.want) if row != good]
        check(len(got) == len(self.want) and not odd, "%s: not the undisturbed table: %d rows, %s" % (what, len(got), odd))
        check(kills.rows(run, "pragma integrity_check") == [("ok",)], "%s: the store is damaged" % what)

    def resumed(self, run, what):
        done = self.eval(run, resume=True)
        check(done.returncode == 0, "%s: --resume ended with %d: %s" % (what, done.returncode, done.stderr[-600:]))
        self.whole(run, what)
