"""Peak memory of the supervisor with 10,000 queued candidates (flat: it holds a bounded queue, not all of them).

Usage: memory_bench.py (KBX names the program). The candidates are real-sized replies without code in them plus one
kernel, so that the queue is what is measured and not the workers.
"""

import json
import os
import subprocess
import sys
import tempfile


def run(kbx, count):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/replies.jsonl"
        with open(path, "w") as file:
            for k in range(count):
                reply = "There is no code in this reply. " * 120  # about 4 KB, as real replies
                file.write(json.dumps({"file": "softmax", "predict": "%d %s" % (k, reply)}) + "\n")
        command = [kbx, "eval", path, "--run", folder + "/run", "--quiet", "--seed", "1"]
        done = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        peak = 0
        while done.poll() is None:
            try:
                with open("/proc/%d/status" % done.pid) as status:
                    for line in status:
                        if line.startswith("VmHWM"):
                            peak = max(peak, int(line.split()[1]))
            except OSError:
                pass
            try:
                done.wait(0.02)
            except subprocess.TimeoutExpired:
                pass
        return peak / 1024


def main():
    kbx = os.environ.get("KBX", "build/bin/kbx")
    small, large = run(kbx, 100), run(kbx, 10000)
    print("supervisor's peak memory: %.0f MiB with 100 candidates, %.0f MiB with 10,000" % (small, large))
    return 0


if __name__ == "__main__":
    sys.exit(main())
