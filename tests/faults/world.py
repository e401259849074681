"""What kbx does when the world fails it: a full disk, a store that is locked or damaged, no descriptors, no python.

Usage: world.py KBX [--only PATTERN]. Needs a python with torch and triton (KBX_PYTHON, else the project's .venv); exit code 77
without one, 1 if a promise is broken. Runs in a mount namespace of its own, so that disks can be full; where the machine
permits none, the cases that need one are skipped and named. The machine's clock, limits and disks are never touched.

Every case ends in one of two ways: kbx recovers and the table is the undisturbed one, or it says what is wrong, ends with
exit code 2 or 3, keeps what was finished, and goes on with --resume when the world is well again.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import kills
import processes
from kills import PYTHON
from setting import NAMES, World, check, faults

HERE = pathlib.Path(__file__).resolve().parent
INSIDE = "KBX_FAULTS_INSIDE"


def disk(world, name, options):
    path = world.folder / name
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], check=True)
    return path


def disk_full(world):
    """A run folder without space: what is finished stays, and the run goes on when there is space."""
    path = disk(world, "small", "size=1m")
    ballast = path / "ballast"
    for free in (600, 340, 200, 120):  # kilobytes: somewhere between the schema and the last result
        space = os.statvfs(path)
        ballast.write_bytes(b"x" * max(0, space.f_bavail * space.f_frsize - free * 1024))
        run = path / "run"
        done = world.eval(run)
        if done.returncode == 0:
            world.whole(run, "disk with %d kB left" % free)
        else:
            world.refused(done, "disk with %d kB left" % free, "[Nn]o space left|disk is full|disk full")
            ballast.unlink()
            subprocess.run(["mount", "-o", "remount,size=20m", str(path)], check=True)
            kept = kills.stored(run)
            if (run / "run.db").exists():
                world.resumed(run, "space after a full disk (%d results were kept)" % kept)
        ballast.unlink(missing_ok=True)
        shutil.rmtree(run, ignore_errors=True)
        subprocess.run(["mount", "-o", "remount,size=1m", str(path)], check=True)
    subprocess.run(["umount", str(path)], check=True)


def read_only(world):
    """A run folder that cannot be written: refused before anything is judged; reading it works."""
    path = disk(world, "readonly", "size=20m")
    shutil.copytree(world.folder / "plain", path / "old")
    subprocess.run(["mount", "-o", "remount,ro", str(path)], check=True)
    world.refused(world.eval(path / "new"), "a read-only place", "Read-only file system")
    world.refused(world.eval(path / "old", resume=True), "a read-only run", "[Rr]ead-?only|writable")
    done = world.kbx_says("report", path / "old", "--format", "csv")
    rows = len(done.stdout.splitlines())
    check(done.returncode == 0 and rows == len(NAMES) + 1, "a report of a read-only run: %d: %s" % (done.returncode, done.stderr[-300:]))
    subprocess.run(["umount", str(path)], check=True)


def no_temporary_folder(world):
    """A read-only /tmp: the next temporary folder is as good. None at all: said, and nothing is judged."""
    if world.folder.is_relative_to("/var/tmp") or pathlib.Path(world.kbx).resolve().is_relative_to("/tmp"):
        print("     skipped: kbx or this test lies in a temporary folder")
        return
    keep = pathlib.Path(tempfile.mkdtemp(prefix="kbx-faults-", dir="/dev/shm"))
    try:
        shutil.copy(world.source, keep)
        for what, places in (("/tmp", "/tmp"), ("every temporary folder", "/tmp /var/tmp")):
            script = 'for p in %s; do mount -t tmpfs -o ro tmpfs $p; done; cd /proc && exec "$@"' % places
            run = keep / ("run%d" % len(places))
            words = [str(keep / world.source.name) if word == str(world.source) else word for word in world.command(run)]
            done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *words], capture_output=True, text=True, timeout=300)
            if what == "/tmp":
                check(done.returncode == 0, "a read-only /tmp: exit code %d: %s" % (done.returncode, done.stderr[-300:]))
                world.whole(run, "a read-only /tmp")
            else:
                world.refused(done, "%s read-only" % what, "temporary folder")
    finally:
        shutil.rmtree(keep)


def clock_jump(world):
    """The wall clock jumps by ten years and back while candidates run: no deadline notices."""
    library, offset = world.folder / "clock_jump.so", world.folder / "offset"
    if subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "clock_jump.c"), "-ldl"]).returncode:
        print("     skipped: no C compiler")
        return
    years = 10 * 365 * 86400
    offset.write_text(str(years))
    over = threading.Event()

    def jump():
        k = 0
        while not over.wait(0.2):
            k += 1
            fresh = offset.with_suffix(".new")
            fresh.write_text(str(years if k % 2 else -years))
            fresh.rename(offset)

    thread = threading.Thread(target=jump)
    run = world.folder / "jumps"
    shifted = dict(os.environ, LD_PRELOAD=str(library), CLOCK_JUMP=str(offset))
    child = subprocess.Popen(world.command(run), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=shifted)
    thread.start()
    _, said = child.communicate(timeout=300)
    over.set()
    thread.join()
    check(child.returncode == 0, "clock jumps: exit code %d: %s" % (child.returncode, said[-400:]))
    world.whole(run, "clock jumps")
    started = json.loads((run / "run.json").read_text())["started"]
    check(abs(int(started[:4]) - time.gmtime().tm_year) >= 9, "the clock of kbx did not jump: it says %s" % started)
    print("     the run says it started in %s; table as ever" % started[:4])


def store_locked(world):
    """Another program holds the database, or another kbx the run."""
    run = world.copy("locked")
    with contextlib.closing(sqlite3.connect(run / "run.db")) as base:
        for side in ("finding", "judgement"):
            base.execute("delete from %s where job in (select key from job where ordinal >= 3)" % side)
        base.execute("delete from job where ordinal >= 3")
        base.commit()
    holder = sqlite3.connect(run / "run.db", isolation_level=None, check_same_thread=False)
    holder.execute("begin immediate")
    timer = threading.Timer(6, lambda: holder.execute("rollback"))
    timer.start()
    world.resumed(run, "a database that is locked for a while")
    timer.join()
    holder.close()
    first = subprocess.Popen(world.command(world.folder / "twice"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (world.folder / "twice" / "run.db").exists():
        time.sleep(0.02)
    world.refused(world.eval(world.folder / "twice", resume=True), "another kbx writes this run", "another kbx is writing", code=2)
    check(first.wait(300) == 0, "the first of two kbx failed")
    world.whole(world.folder / "twice", "the first of two kbx")


def damage(run, how):
    path = run / "run.db"
    data = bytearray(path.read_bytes())
    if how == "empty":
        data = b""
    elif how == "half":
        data = data[: len(data) // 2]
    elif how == "header":
        data[:100] = b"\xa5" * 100
    elif how == "page":
        middle = len(data) // 2 // 4096 * 4096
        data[middle : middle + 4096] = b"\xa5" * 4096
    elif how == "gone":
        path.unlink()
        return
    path.write_bytes(data)


def store_damaged(world):
    """A database that is cut, emptied or overwritten is never taken for a whole one, and never changed."""
    for how in ("empty", "half", "header", "page", "gone"):
        run = world.copy("damaged_" + how)
        damage(run, how)
        before = hashlib.sha256((run / "run.db").read_bytes()).digest() if how != "gone" else None
        world.refused(world.eval(run, resume=True), "run.db: " + how, "restore it from a copy")
        done = world.kbx_says("report", run, "--format", "csv")
        if how != "page":  # a report reads what it needs
            check(done.returncode in (2, 3), "a report of a damaged run (%s): exit code %d" % (how, done.returncode))
        check(done.returncode >= 0, "kbx report crashed on %s" % how)
        if before:
            check(hashlib.sha256((run / "run.db").read_bytes()).digest() == before, "run.db: %s: kbx changed it" % how)


def blob_damaged(world):
    """A stored source that is cut is named when it is read."""
    run = world.copy("blobs")
    for path in (run / "blobs").rglob("*"):
        if path.is_file():
            os.truncate(path, path.stat().st_size // 2)
    done = world.kbx_says("show", run, NAMES[3])
    check(done.returncode == 0 and "damaged" in done.stderr, "a cut source is not named: %d: %s" % (done.returncode, (done.stdout + done.stderr)[-300:]))


def caches_poisoned(world):
    """Garbage in the user's cache folder is not used; what a candidate writes reaches no other one (tests/exploits/process)."""
    cache = world.folder / "cache"
    for name in ("kbx/cuda_utils", "kbx/calibration-GPU-0.json", "kbx/clock", ".triton/cache"):
        (cache / name).mkdir(parents=True) if "." not in pathlib.Path(name).name else None
    (cache / "kbx" / "calibration-GPU-0.json").write_bytes(b"\xff garbage")
    (cache / "kbx" / "cuda_utils" / "garbage.so").write_bytes(b"garbage")
    run = world.folder / "poisoned"
    places = ("XDG_CACHE_HOME", "HOME", "TRITON_CACHE_DIR", "PYTHONPATH")
    done = world.eval(run, env=dict(os.environ, **{name: str(cache) for name in places}))
    check(done.returncode == 0, "poisoned caches: exit code %d: %s" % (done.returncode, done.stderr[-400:]))
    world.whole(run, "poisoned caches")


def zombies(world):
    """Children of candidates, waited for by nobody, are gone with their candidate while the run goes on."""
    code = """import os, subprocess, time
for k in range(20):
    if os.fork() == 0:
        os._exit(0)
for k in range(5):
    if os.fork() == 0:
        os.setsid()
        os.execv('/bin/sleep', ['sleep-%s', '1000'])
raise ValueError('leaves children')
""" % os.getpid()
    source = world.folder / "zombies.jsonl"
    rows = [{"task": "exp_sqrt", "code": code, "id": "leaves%d" % k} for k in range(3)]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = [str(source) if word == str(world.source) else word for word in world.command(world.folder / "zombies", "--lint", "off")]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    most = 0
    while child.poll() is None:
        states = [state for name, state, _ in processes.tree(child.pid).values() if not name.startswith("kbx-")]
        most = max(most, states.count("Z"))
        time.sleep(0.1)
    check(child.returncode == 0, "leaves zombies: exit code %d: %s" % (child.returncode, child.stderr.read()[-300:]))
    verdicts = [row[1] for row in kills.table(world.folder / "zombies")]
    check(verdicts == ["import_error"] * 3, "leaves zombies: %s" % verdicts)
    check(not processes.left_behind("sleep-%d" % os.getpid()), "children of a candidate outlive it")
    print("     at most %d zombies at a time, none at the end" % most)


def limits(world):
    """Few descriptors, little memory, few processes for kbx itself."""
    few = [("descriptors", "NOFILE", count) for count in (12, 40, 128)]
    few += [("address space", "AS", 1 << 30), ("file size", "FSIZE", 8192)]
    for what, name, value in few:
        run = world.folder / ("limit_%s_%d" % (name, value))
        number = getattr(resource, "RLIMIT_" + name)
        done = world.eval(run, preexec_fn=lambda number=number, value=value: resource.setrlimit(number, (value, value)))
        what = "%s limited to %d" % (what, value)
        check(done.returncode in (0, 2, 3), "%s: exit code %d: %s" % (what, done.returncode, done.stderr[-400:]))
        try:
            table = kills.table(run)
        except sqlite3.Error:  # it was cut before there was a table
            table = []
        broken = sum(row[1] == "harness_error" for row in table)
        check((done.returncode == 0) == (broken == 0 and len(table) == len(NAMES)), "%s: exit code %d with %d harness errors" % (what, done.returncode, broken))
        said = done.stderr.strip().splitlines()
        words = (said or [table[0][3] if table else ""])[0].split("\n")[0][:110]
        print("     %s: exit code %d, %d results, %d harness errors: %s" % (what, done.returncode, len(table), broken, words), flush=True)
        check(done.returncode == 0 or said or broken, "%s: not a word" % what)
        if table:  # else not even the seed was kept: it is a new run
            world.resumed(run, what + ", lifted")


def starts(program, become):
    """Whether this python can be run, and has torch, after `become`."""
    try:
        return subprocess.run([program, "-c", "import torch"], preexec_fn=become, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def few_processes(world):
    """A user who may start no more processes. Only for a user that is not root: root is not counted."""
    if os.environ.get(INSIDE) != "root":
        print("     skipped: not root, whose processes could be given another user")
        return
    nobody = 61234
    run = world.folder / "few"
    os.chmod(world.folder, 0o777)
    for value in (1, 3, 200):
        shutil.rmtree(run, ignore_errors=True)

        def become(value=value):
            resource.setrlimit(resource.RLIMIT_NPROC, (value, value))
            os.setgroups([])
            os.setresgid(nobody, nobody, nobody)
            os.setresuid(nobody, nobody, nobody)

        if value == 200 and not starts(PYTHON, become):
            print("     200 processes: not looked at: python lies where only root may read")
            continue
        try:
            done = world.eval(run, preexec_fn=become)
        except (PermissionError, subprocess.SubprocessError) as error:
            print("     skipped: this user may not read kbx (%s)" % error)
            return
        if value == 200:
            check(done.returncode == 0, "200 processes are enough: exit code %d" % done.returncode)
        said = done.stderr.strip().splitlines()
        check(done.returncode in (0, 2, 3), "%d processes: exit code %d: %s" % (value, done.returncode, done.stderr[-300:]))
        print("     %d processes: exit code %d: %s" % (value, done.returncode, said[0][:110] if said else ""), flush=True)


def python_fails(world):
    """A python that is not there, lacks torch, dies at its start, or dies the second time only."""
    world.refused(world.eval(world.folder / "py0", python="/no/such/python"), "no python", "cannot be run", code=2)
    killed = world.folder / "killed_python"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    world.refused(world.eval(world.folder / "py1", python=str(killed)), "a python that is killed at its start", "ended while starting \\(signal 9\\)")
    bare = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if bare and subprocess.run([bare, "-I", "-c", "import torch"], capture_output=True).returncode:
        world.refused(world.eval(world.folder / "py2", python=bare), "a python without torch", "torch")
    mark, once = world.folder / "started", world.folder / "once_python"
    once.write_text("#!/bin/sh\nif [ -e %s ]; then kill -9 $$; fi\ntouch %s\nexec %s \"$@\"\n" % (mark, mark, PYTHON))
    once.chmod(0o755)
    run = world.folder / "py3"
    child = subprocess.Popen(world.command(run, python=str(once)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 120
    while kills.stored(run) < 1 and child.poll() is None and time.monotonic() < limit:
        time.sleep(0.02)
    for pid in processes.roles(child.pid).get("zygote", []):
        os.kill(pid, signal.SIGKILL)
    _, said = child.communicate(timeout=300)
    broken = [row for row in kills.table(run) if row[1] == "harness_error"]
    check(broken, "a python that does not start again: no harness error: %d %s" % (child.returncode, said[-300:]))
    for row in broken[:1]:
        check("signal 9" in row[3], "a python that does not start again: %s" % row[3])
    said = broken[0][3][:100] if broken else ""
    print("     a python that does not start again: exit code %d, %d harness errors: %s" % (child.returncode, len(broken), said))
    world.resumed(run, "a python that starts again")


NEED_MOUNTS = [disk_full, read_only, no_temporary_folder]
CASES = [*NEED_MOUNTS, clock_jump, store_locked, store_damaged, blob_damaged, caches_poisoned, zombies, limits, few_processes, python_fails]


def enter_namespace():
    """Again in a mount namespace of our own, if there is one to be had."""
    for words, who in ((["unshare", "-m"], "root"), (["unshare", "-rm"], "user")):
        if (who != "root" or os.geteuid() == 0) and subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode == 0:
            os.execvpe("unshare", [*words, sys.executable, "-B", *sys.argv], dict(os.environ, **{INSIDE: who}))
    os.environ[INSIDE] = "none"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not pathlib.Path(PYTHON).exists():
        print("skipped: no python with torch and triton at", PYTHON)
        return 77
    if INSIDE not in os.environ:
        enter_namespace()
    skipped = 0
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        world = World(os.path.abspath(options.kbx), pathlib.Path(folder))
        for case in CASES:
            if not re.search(options.only, case.__name__):
                continue
            if case in NEED_MOUNTS and os.environ[INSIDE] == "none":
                print("skip %s: this machine lets nobody mount" % case.__name__)
                skipped += 1
                continue
            before, begun = len(faults), time.monotonic()
            try:
                case(world)
            except Exception as error:  # the next case stands on its own
                check(False, "%s: %s: %s" % (case.__name__, type(error).__name__, error))
            print("%s %s, %.0f s" % ("ok  " if len(faults) == before else "FAIL", case.__name__, time.monotonic() - begun), flush=True)
    print("%d faults%s" % (len(faults), ", %d cases skipped" % skipped if skipped else ""))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
