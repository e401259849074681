"""Ctrl-C while no server answers: `kbx run` leaves at once, although every call still waits to be tried again.

Usage: interrupt_test.py KBX.
"""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

MODEL = """[providers.gone]
dialect = "vllm"
base_url = "http://127.0.0.1:%d/v1"
[models.gone]
provider = "gone"
id = "m"
max_output = 1000
"""


def closed_port():
    """A port of this machine at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    kbx = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kbx.toml").write_text(MODEL % closed_port())
        words = [kbx, "run", "geak", "--model", "gone", "--tasks", "softmax", "--run", folder + "/run", "--device", "cpu"]
        words += ["--python", os.environ.get("KBX_PYTHON", "python3")]
        child = subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        said = ""
        while "could not connect" not in said.lower() and "try" not in said:  # the first tries have failed
            line = child.stderr.readline()
            if not line:
                break
            said += line
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        try:
            code = child.wait(timeout=60)  # another try would be minutes away at the end, and there are twelve calls
        except subprocess.TimeoutExpired:
            child.kill()
            code = "still there a minute after Ctrl-C"
        said += child.stderr.read()
    ok = code == 3
    print(said[-1500:] if not ok else "", "exit code", code)
    print("%d passed, %d failed" % (ok, not ok))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
