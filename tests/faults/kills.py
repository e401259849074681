"""Runs of `kbx eval` whose processes are killed with SIGKILL at random moments end with the table of an undisturbed one.

Usage: kills.py KBX [--kills 200] [--seed N] [--jobs 2] [--mean SECONDS] [--minutes M] [--device cpu]. Needs a python with torch and triton (KBX_PYTHON,
else the project's .venv); exit code 77 without one, 1 if a promise is broken.

Killed are: the supervisor (kbx itself; it is started again with --resume), the fork server, a worker of any kind (either
the process that runs the candidate or the one above it), and the worker that plays tapes again, which is trusted. With
`--device cuda:0` also kbx-clock and the children on the card. Only what lived when the signal was sent is counted. The seed
fixes the order of victims and the pauses between them; what each of them was doing at that moment is the machine's.
"""

import argparse
import collections
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import processes

REPO = pathlib.Path(__file__).resolve().parents[2]
PYTHON = os.environ.get("KBX_PYTHON", str(REPO / ".venv" / "bin" / "python"))
SAMPLES = REPO / "samples"
CANDIDATES = [
    *("files/index_fill_/%s.py" % name for name in ("syntax_error", "import_error", "works_on_a_copy", "in_place")),
    *("files/%s.py" % name for name in ("cross_entropy/wrong_name", "conv2d/only_torch", "gelu/store_without_mask", "gelu/exact_and_tanh")),
    *("files/argmax/%s.py" % name for name in ("table_by_address", "last_index_wins")),
    *("code_model.jsonl:%d" % line for line in (1, 2, 4, 5, 6, 7, 8)),
    *("replies/gelu_bf16__%s.md" % name for name in ("returns_float32", "helper_functions")),
    *("replies/fused_add_mean__%s.md" % name for name in ("racing_accumulation", "gathered_rows")),
    "replies/matmul_fp16__decoy_kernel.md", "replies/fused_mv_sigmoid_sub__row_per_program.md", "replies/linear_w4a16__quantization_api.md",
]  # fmt: skip
# On a card it adds up in whatever order its programs come, so its wrong values and what is said of them are never twice the same.
RACING = {"replies/fused_add_mean__racing_accumulation.md"}
# A device tape holds addresses of the process that made it, and so its seal is another one each time.
SEAL = re.compile(r"(played again on the card, .*the first tape's seal is )[0-9a-f]+")
# victim -> share of the kills
VICTIMS = {"worker": 0.62, "replay": 0.26, "zygote": 0.06, "supervisor": 0.06}
faults = []


def check(good, words):
    if not good:
        faults.append(words)
        print("FAIL", words, flush=True)


def candidate(name):
    """One line of the input file."""
    file, _, line = name.partition(":")
    text = (SAMPLES / file).read_text()
    if line:
        return dict(json.loads(text.splitlines()[int(line) - 1]), id=name)
    if file.endswith(".md"):
        return {"task": pathlib.Path(file).name.split("__")[0], "predict": text, "id": name}
    return {"task": pathlib.Path(file).parent.name, "code": text, "id": name}


def command(options, source, run, resume):
    more = ["--resume"] if resume else ["--seed", "7"]
    words = ["--jobs", str(options.jobs), "--device", options.device, "--python", PYTHON]
    return [options.kbx, "eval", str(source), "--run", str(run), "--quiet", *words, *more]


def rows(run, query):
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % (run / "run.db"), uri=True)) as base:
        return base.execute(query).fetchall()


def stored(run):
    try:
        return rows(run, "select count(*) from result where verdict != 'harness_error'")[0][0]
    except sqlite3.Error:
        return 0


def given_up(finding):
    """A second look whose process was killed three times in a row: it decides nothing, and the record says that it is missing."""
    return finding["rule"] == "second_look" and finding["message"].startswith("something else than kbx killed")


def table(run, device="cpu"):
    """What must not depend on how the run went: verdicts, words, findings, flags; of a race on a card its verdict."""
    found = []
    for name, record in rows(run, "select candidate, record from result order by ordinal"):
        record = json.loads(record)
        if device != "cpu" and name in RACING:
            found.append((name, record["verdict"]))
            continue
        findings = sorted((f["layer"], f["rule"], f["severity"], f.get("line", 0), SEAL.sub(r"\1*", f["message"])) for f in record["findings"] if not given_up(f))
        flags = sorted(flag for flag in record["flags"] if not flag.endswith("(budget)"))  # how much was compiled in time
        found.append((name, record["verdict"], record["paper"], record["explanation"], findings, flags))
    return found


def difference(row, good):
    """In words, what is not the same in two rows of one candidate."""
    words = []
    for a, b in zip(row, good):
        if a != b:
            words.append("%s instead of %s" % (([x for x in a if x not in b], [x for x in b if x not in a]) if isinstance(a, list) else (a, b)))
    return "%s: %s" % (good[0], "; ".join(words)[:600])


class Killer:
    """Disturbs one run after the other until enough has been killed."""

    def __init__(self, source, options):
        self.source, self.options = source, options
        self.chance = random.Random(options.seed)
        self.hits = collections.Counter()
        self.end = time.monotonic() + 60 * options.minutes
        self.starts = self.starts_refused = self.harness_errors = 0

    def enough(self):
        return sum(self.hits.values()) >= self.options.kills or time.monotonic() > self.end

    def kill(self, pid, role):
        """Counts it only where it was alive."""
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            return False
        try:
            found = processes.stat_of(pid)
            if not found or found[1] == "Z":
                return False
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        except ProcessLookupError:
            return False
        finally:
            os.close(handle)
        self.hits[role] += 1
        if sum(self.hits.values()) % 20 == 0:
            print("     %d kills: %s" % (sum(self.hits.values()), dict(self.hits)), flush=True)
        return True

    def victims(self, child, victim):
        if victim == "supervisor":
            return {"supervisor": [child.pid]}
        found = processes.roles(child.pid)
        if victim == "worker":
            return {role: pids for role, pids in found.items() if role not in ("zygote", "kbx-replay")}
        return {role: found[role] for role in ("kbx-replay" if victim == "replay" else "zygote",) if role in found}

    def strike(self, child):
        """One kill. True when what was killed has to be started again before anything else can happen."""
        victim = self.chance.choices(list(VICTIMS), VICTIMS.values())[0]
        time.sleep(self.chance.expovariate(1 / self.options.mean))
        limit = time.monotonic() + 6
        while child.poll() is None and time.monotonic() < limit:
            if victim == "replay" and time.monotonic() > limit - 6 + min(2, 2 * self.options.mean):
                victim = "worker"  # nothing is played again at the moment
            found = self.victims(child, victim)
            if found:
                role = self.chance.choice(sorted(found))
                if self.kill(self.chance.choice(sorted(found[role])), role):
                    return victim in ("supervisor", "zygote")
            time.sleep(0.004)
        return False

    def start(self, run):
        self.starts += 1
        known = (run / "run.db").exists()
        words = command(self.options, self.source, run, known and stored(run) > 0)
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def let_work(self, run, child):
        """Mostly a started process is left alone until there is work again: else nothing but starts would be killed."""
        if self.chance.random() < 0.2:
            return
        before, limit = stored(run), time.monotonic() + 60
        while child.poll() is None and time.monotonic() < limit and stored(run) == before:
            if any(role.startswith("kbx-") for role in processes.roles(child.pid)):
                return
            time.sleep(0.05)

    def disturb(self, run):
        """From the start of a run to its end, however often it has to be started."""
        while True:
            child = self.start(run)
            self.let_work(run, child)
            while child.poll() is None and not self.enough():
                below = processes.tree(child.pid)
                if self.strike(child):
                    if child.poll() is None:
                        time.sleep(0.01)
                    if child.poll() is not None:
                        self.no_orphans(below)
                        break
                    self.let_work(run, child)
            _, said = child.communicate(timeout=300)
            if child.returncode == -signal.SIGKILL:
                continue
            if child.returncode == 3 and "ended while starting (signal 9)" in said:  # twice in a row: said, nothing is lost
                self.starts_refused += 1
                continue
            broken = (run / "run.db").exists() and stored(run) < len(table(run))
            check(child.returncode == (3 if broken else 0), "kbx ended with %d: %s" % (child.returncode, said[-400:]))
            return

    @staticmethod
    def no_orphans(below):
        limit = time.monotonic() + 20
        alive = set(below)
        while alive and time.monotonic() < limit:
            alive = {pid for pid in alive if processes.stat_of(pid) and processes.stat_of(pid)[1] != "Z" and processes.stat_of(pid)[0] == below[pid][0]}
            time.sleep(0.05)
        check(not alive, "kbx was killed and left processes: %s" % {pid: below[pid] for pid in alive})

    def finish(self, run):
        """What ended as harness_error is tried again, undisturbed; how many those were."""
        broken = rows(run, "select count(*) from result where verdict = 'harness_error'")[0][0]
        if broken:
            done = subprocess.run(command(self.options, self.source, run, True), capture_output=True, text=True)
            check(done.returncode == 0, "the last --resume ended with %d: %s" % (done.returncode, done.stderr[-400:]))
        self.harness_errors += broken
        return broken


def check_run(run, want, device):
    got = table(run, device)
    names = [row[0] for row in got]
    lost, twice = {row[0] for row in want} - set(names), [name for name in set(names) if names.count(name) > 1]
    check(names == [row[0] for row in want], "%s: lost %s, twice %s" % (run.name, lost, twice))
    for row, good in zip(got, want):
        if row != good:
            check(False, "%s: %s" % (run.name, difference(row, good)))
    twice = rows(run, "select key, count(*) from job where verdict != 'harness_error' group by key having count(*) > 1")
    check(not twice, "%s: judged twice: %s" % (run.name, twice))
    check(rows(run, "pragma integrity_check") == [("ok",)], "%s: the store is damaged" % run.name)
    torn = [path for path in run.rglob("*") if ".tmp" in path.name]
    check(not torn, "%s: half-written files are left: %s" % (run.name, torn))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mean", type=float, default=0, help="seconds between kills, on average [a 20th of an undisturbed run, a 40th on a card]")
    parser.add_argument("--minutes", type=float, default=600, help="then nothing more is killed, and what runs is let to its end")
    parser.add_argument("--device", default="cpu", help="as of kbx eval")
    options = parser.parse_args()
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    options.seed = random.SystemRandom().randrange(1 << 31) if options.seed is None else options.seed
    print("seed %d, %d candidates, --jobs %d" % (options.seed, len(CANDIDATES), options.jobs), flush=True)
    begun = time.monotonic()
    shared, loose = processes.shared_memory(), processes.loose_folders()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        folder = pathlib.Path(folder)
        source = folder / "candidates.jsonl"
        source.write_text("".join(json.dumps(candidate(name)) + "\n" for name in CANDIDATES))
        plain = subprocess.run(command(options, source, folder / "plain", False), capture_output=True, text=True)
        # A candidate takes longer on a card, and more processes: it is met as often by a kill as without one.
        options.mean = options.mean or (time.monotonic() - begun) / (20 if options.device == "cpu" else 40)
        print("undisturbed: %.0f s, a kill every %.1f s" % (time.monotonic() - begun, options.mean), flush=True)
        check(plain.returncode == 0, "the undisturbed run ended with %d: %s" % (plain.returncode, plain.stderr[-400:]))
        want = table(folder / "plain", options.device)
        check([row[0] for row in want] == CANDIDATES, "the undisturbed run lacks candidates")
        killer, count = Killer(source, options), 0
        while not killer.enough() and not faults:
            count += 1
            run = folder / ("run%d" % count)
            killer.disturb(run)
            broken = killer.finish(run)
            check_run(run, want, options.device)
            so_far = (count, sum(killer.hits.values()), broken, time.monotonic() - begun)
            print("run %d: %d kills so far, %d harness errors repaired by --resume, %.0f s" % so_far, flush=True)
        subprocess.run(command(options, source, folder / "plain", True), capture_output=True)  # its start sweeps
        check(not processes.left_behind(str(folder)), "processes are left")
    check(not processes.loose_folders() - loose, "temporary folders are left: %s" % (processes.loose_folders() - loose))
    check(not {name for name in processes.shared_memory() - shared if name.startswith("kbx")}, "shared memory is left")
    for role, hits in sorted(killer.hits.items()):
        print("%4d kills of %s" % (hits, role))
    print("%d kills, %d runs, %d starts of kbx (%d ended in a clear error), %d harness errors repaired by --resume, %d faults, %.0f s"
          % (sum(killer.hits.values()), count, killer.starts, killer.starts_refused, killer.harness_errors, len(faults), time.monotonic() - begun))  # fmt: skip
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
