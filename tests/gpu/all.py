"""On a machine with a GPU: every test of this folder, in order; what `make test-gpu` and ctest's label gpu run.

    python tests/gpu/all.py ROOT [--python PYTHON] [--only STEP,...]      ROOT: build, or an unpacked release

PYTHON has torch and triton (else KBX_PYTHON, else this one). Steps: witnesses faults probe clock cheats sanitize cards; clock
plays what probe has recorded, so it runs that first; cards needs two of them. Not part of a run without --only: exploits, honest,
kills (the corpora and the random kills of tests/faults, on the card), methods (kbx run with what the card measures). Prints a
line a step behind the step's own output. Exit code 1 when a step failed, 77 where there is no GPU (every step was skipped).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STEPS = ("witnesses", "faults", "probe", "clock", "cheats", "sanitize", "cards")
LONG = ("exploits", "honest", "kills", "methods")
SKIPPED = 77
DATA = 1 << 20  # bytes of saved inputs and outputs, at most, of one program


class Files:
    """What a build or a release holds, by its layout."""

    def __init__(self, root):
        self.kbx = root / "bin" / "kbx"
        self.probe = root / "lib" / "libkbxprobe.so"
        self.clock = root / "libexec" / "kbx-clock"
        self.worker = root / "share" / "kbx" / "worker"

    def missing(self):
        return [str(path) for path in vars(self).values() if not path.exists()]


def run(python, script, *words):
    return subprocess.run([python, "-B", str((HERE / script).resolve()), *map(str, words)]).returncode


def nvrtc(python, worker):
    """Where that python's packages keep NVRTC; "" when there is none."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import nvidia_libs; print((nvidia_libs.find()['nvrtc'] + [''])[0])"
    done = subprocess.run([python, "-B", "-c", code, str(worker)], stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def playable(folder):
    """Programs whose tapes are promised to be right on fresh inputs."""
    names = []
    for path in sorted(folder.glob("*.json")):
        row = json.loads(path.read_text())
        trouble = row.get("tape", "trouble=?").partition(" trouble=")[2]
        if row["right"] and row["replays"] and not trouble and (folder / (path.stem + ".tape")).exists():
            names.append(path.stem)
    return names


class Bench:
    def __init__(self, files, python, folder):
        self.files, self.python, self.folder = files, python, folder
        self.recorded = None

    def witnesses(self):
        return run(self.python, "witnesses.py", self.files.kbx)

    def faults(self):
        return run(self.python, "faults.py", self.files.kbx)

    def probe(self):
        if self.recorded is None:
            self.recorded = run(self.python, "probe.py", self.files.probe, self.folder, "--worker", self.files.worker, "--data", DATA)
        return self.recorded

    def clock(self):
        if self.probe() == SKIPPED:
            return SKIPPED
        names = playable(self.folder)
        if not names:
            print("FAIL no program was recorded that can be played")
            return 1
        path = nvrtc(self.python, self.files.worker)
        words = ["check", self.folder, "--only", ",".join(names), "--cache", self.folder / "cache"]
        return run(self.python, "clock.py", self.files.clock, *words, *(["--nvrtc", path] if path else []))

    def cheats(self):
        path = nvrtc(self.python, self.files.worker)
        words = ["--worker", self.files.worker, "--cache", self.folder / "cache", *(["--nvrtc", path] if path else [])]
        return run(self.python, "cheats.py", self.files.clock, self.files.probe, self.folder / "cheats", *words)

    def sanitize(self):
        return run(self.python, "sanitize.py", self.files.kbx)

    def cards(self):
        return run(self.python, "cards.py", self.files.kbx)

    def exploits(self):
        return max(run(self.python, "../exploits/run.py", self.files.kbx, "--device", "cuda:0", "--lint", lint) for lint in ("on", "off"))

    def honest(self):
        return run(self.python, "../honest/run.py", self.files.kbx, "--device", "cuda:0")

    def kills(self):
        return run(self.python, "../faults/kills.py", self.files.kbx, "--device", "cuda:0", "--kills", 50, "--minutes", 8)

    def methods(self):
        return run(self.python, "methods.py", self.files.kbx)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--python", default=os.environ.get("KBX_PYTHON") or sys.executable)
    parser.add_argument("--only", default=",".join(STEPS))
    options = parser.parse_args()
    steps = options.only.split(",")
    if unknown := [step for step in steps if step not in STEPS + LONG]:
        parser.error("no such step: " + ", ".join(unknown))
    files = Files(options.root.resolve())
    if missing := files.missing():
        parser.error("%s holds no kbx: %s missing" % (options.root, ", ".join(missing)))
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: no GPU")
        return SKIPPED
    python = os.path.abspath(options.python) if "/" in options.python else options.python
    os.environ["KBX_PYTHON"] = python
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(files, python, pathlib.Path(folder))
        for step in steps:
            results[step] = getattr(bench, step)()
            word = {0: "passed", SKIPPED: "skipped"}.get(results[step], "FAILED (exit code %d)" % results[step])
            print("== %s: %s" % (step, word), flush=True)
    if all(code == SKIPPED for code in results.values()):
        return SKIPPED
    return 1 if any(code not in (0, SKIPPED) for code in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
