"""kill -9 at random moments of a run, then --resume: it ends as if nothing had happened, and no call that had its answer is
asked again. A race (KernelAgent) may end with other losers: there the answers are equal, and a replay of what was recorded
over all kills is equal to the run in everything.

usage: kill_resume.py [--kills N] [--seed N] [--method geak|kernelagent]
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import server
from run_rows import answers, ledger, memories, prompts, rows, seen, spent, verdicts
from runs import command, kbx, model_file, place


def words_of(method: str, count: int, run: Path, mode: str = "auto") -> list[str]:
    """The run, with a cassette where workers race."""
    tape = ["--cassette", str(run) + "-tape", "--cassette-mode", mode] if method == "kernelagent" else []
    return command(method, count, run, "--quiet", "--resume", *tape)


def killed(where: Path, words: list[str], run: Path, more: int, after: float) -> bool:
    """Starts or resumes the run and kills it some seconds after so many more calls were answered; False: it came to its end."""
    goal = answered(run) + more
    process = subprocess.Popen(words, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and answered(run) < goal:
        time.sleep(0.02)
    try:
        out, err = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return True
    if process.returncode != 0:
        raise RuntimeError(f"exit code {process.returncode}\n{out}\n{err}")
    return False


def answered(run: Path) -> int:
    """Calls that had their answer; none when it was killed before it had a table."""
    try:
        return spent(run)[0]
    except sqlite3.OperationalError:
        return 0


def same(run: Path, whole: Path, things: tuple = (answers, verdicts, memories, prompts, spent)) -> None:
    """What both left; and no call of the first was asked twice."""
    for what in things:
        a, b = what(run), what(whole)
        if a != b:
            raise AssertionError(f"{what.__name__} differ:\n{a}\n{b}")
    twice = rows(run, "SELECT key, count(*) FROM call WHERE replied GROUP BY key HAVING count(*) > 1")
    if twice:
        raise AssertionError(f"asked again after an answer: {twice}")


def same_race(where: Path, method: str, count: int, run: Path, whole: Path) -> None:
    """The same answers, and a replay of its cassette that is equal in everything."""
    same(run, whole, (answers,))
    again = where / f"{run.name}-again"
    (where / f"{again.name}-tape").symlink_to(where / f"{run.name}-tape")
    kbx(where, words_of(method, count, again, "replay"))
    same(again, run, (answers, verdicts, memories, prompts, ledger, seen))


def main() -> None:
    """Runs are killed until there were enough kills; each run is then brought to its end and compared."""
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--kills", type=int, default=3)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--tasks", type=int, default=2)
    p.add_argument("--method", choices=["geak", "kernelagent"], default="geak")
    a = p.parse_args()
    server.need()
    count = a.tasks
    chance = random.Random(a.seed)
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        with server.Server(model_file(where, count), where / "server.log") as s:
            place(where, s.port, count)
            kbx(where, words_of(a.method, count, where / "whole"))
            kills = runs = 0
            while kills < a.kills:
                runs += 1
                run = where / f"run{runs}"
                calls: list[int] = []
                # Some while the workers start, most while calls are answered and candidates judged.
                while kills < a.kills and killed(where, words_of(a.method, count, run), run, chance.choice([0, 1, 2, 4, 8]), chance.uniform(0, 1.5)):
                    kills += 1
                    calls.append(answered(run))
                kbx(where, words_of(a.method, count, run))
                same_race(where, a.method, count, run, where / "whole") if a.method == "kernelagent" else same(run, where / "whole")
                print(f"run {runs}: killed at {calls} answered calls, ended equal", flush=True)
            print(f"{a.method}: {kills} kills in {runs} runs of {spent(where / 'whole')[0]} calls: all equal to the undisturbed run, none asked twice", flush=True)


if __name__ == "__main__":
    main()
