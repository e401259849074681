"""What tests of kbx over stored runs share: kbx itself, the program that makes runs of made-up records, and the count of faults."""

import pathlib
import subprocess
import sys

KBX = sys.argv[1]
MAKE = pathlib.Path(KBX).resolve().parents[1] / "tests" / "report_make_run"
faults = []


def check(good, words):
    """Takes down a fault."""
    if not good:
        faults.append(words)
        print("FAIL", words)


def kbx(*arguments):
    """Runs kbx; its exit code, stdout, stderr."""
    done = subprocess.run([KBX, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stdout, done.stderr


def make_run(folder, *words):
    """A run of one of the program's kinds; the folder."""
    subprocess.run([MAKE, folder, *words], check=True)
    return folder
