"""A key is nowhere: a run with a marked key, and with a candidate that looks for it, leaves no trace of it in any file,
on stdout or on stderr. A refused key stops the run with one sentence, and --resume with the right one goes on."""

from __future__ import annotations

import base64
import os
import subprocess
import tempfile
from pathlib import Path

import server
from recitation import Route, write_model
from routes import SUITE, fenced
from run_rows import rows
from runs import place

CANARY = "sk-canary-7f3e9d1c5b8a"
LOOKS = """
import os
import sys
for where in ("/proc/self/environ", "/proc/1/environ"):
    try:
        print(where, open(where, "rb").read())
    except OSError as e:
        print(where, e)
print("ENV", dict(os.environ), file=sys.stderr)
print("ARGS", sys.argv)
"""


def traces(folder: Path, texts: list[str]) -> list[str]:
    """Every file (and text) that holds the key, plain, in hex or in base64."""
    forms = [CANARY.encode(), CANARY.encode().hex().encode(), base64.b64encode(CANARY.encode()).rstrip(b"=")[:-1]]
    found = [str(p) for p in folder.rglob("*") if p.is_file() and any(f in p.read_bytes() for f in forms)]
    return found + [t[:200] for t in texts if any(f.decode() in t for f in forms)]


def run(where: Path, key: str, *more: str) -> subprocess.CompletedProcess[str]:
    """One single pass over one task, with the key in the environment."""
    words = [os.environ["KBX"], "run", "claude", "--model", "recitation", "--tasks", "relu", "--run", "run", "--device", "cpu", "--jobs", "1", "--cassette", "tape", *more]
    return subprocess.run(words, check=False, cwd=where, capture_output=True, text=True, env=os.environ | {"CANARY_KEY": key})


def main() -> None:
    """A wrong key, then the right one."""
    server.need()
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch)
        where = top / "work"
        witness = (SUITE / "activation" / "relu" / "witness.py").read_text()
        write_model(top / "m.gguf", [Route([], fenced(witness + LOOKS))])
        key = top / "key"
        key.write_text(CANARY)
        with server.Server(top / "m.gguf", top / "server.log", extra=["--api-key-file", str(key)]) as s:
            place(where, s.port, 1)
            toml = where / "kbx.toml"
            toml.write_text(toml.read_text().replace("concurrency = 4\n", 'concurrency = 4\nkey_env = "CANARY_KEY"\n'))
            wrong = run(where, "sk-canary-not-this-one")
            assert wrong.returncode == 3, wrong
            assert "not-this-one" not in wrong.stdout + wrong.stderr, wrong.stderr
            assert "CANARY_KEY" in wrong.stderr, f"the sentence names the variable:\n{wrong.stderr}"
            right = run(where, CANARY, "--resume")
            assert right.returncode == 0, right.stderr
        verdict = rows(where / "run", "SELECT verdict FROM result")
        assert verdict and verdict[0][0] != "harness_error", verdict
        found = traces(where, [wrong.stdout, wrong.stderr, right.stdout, right.stderr])
        assert not found, f"the key is in {found}"
        printed = rows(where / "run", "SELECT record FROM result")[0][0]
        assert "ENV" in printed or "ARGS" in printed or "/proc" in printed, "what the candidate printed was not kept: the test would see nothing"
    print("no trace of the key in the run, the cassette or on the terminal")


if __name__ == "__main__":
    main()
