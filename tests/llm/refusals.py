"""What kbx run leaves when it cannot begin: a refused key or an empty account stops it with one sentence and leaves no folder
behind; a folder that was there before stays, and goes on; a batch file that is not there is named.

usage: refusals.py FAULT_SERVER
"""

from __future__ import annotations

import re
import socket
import sys
import tempfile
from pathlib import Path

from faults import FaultServer, check, draws, kbx, place
from run_rows import rows


def main() -> None:
    """Refused at the first call, refused later, and --batch."""
    with tempfile.TemporaryDirectory() as scratch, FaultServer(sys.argv[1]) as server:
        top = Path(scratch)
        for scenario, status in (("bad-key", "401"), ("no-money", "402"), ("forbidden", "403")):
            where = place(top / scenario, server, scenario)
            done = draws(where)
            check(f"{scenario}: exit code 3 and the status", done.returncode == 3 and status in done.stderr, done)
            check(f"{scenario}: it says that the folder is gone", "run was removed again" in done.stderr, done)
            check(f"{scenario}: and it is", not (where / "run").exists(), done)
        # What somebody else put there stays.
        where = place(top / "kept", server, "bad-key")
        (where / "run").mkdir()
        (where / "run" / "notes.txt").write_text("mine")
        done = draws(where)
        check("a folder that was there stays", done.returncode == 3 and (where / "run" / "notes.txt").exists() and "--resume" in done.stderr, done)
        place(where, server, "ok")
        again = draws(where, "--resume")
        check("and goes on", again.returncode == 0 and rows(where / "run", "SELECT count(*) FROM call")[0][0] == 48, again)
        # Nobody listens: the run is there to go on with, but nothing was measured.
        where = place(top / "absent", server, "ok", more="retries = 0")
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))  # taken and not listened on: a connection is refused
            lines = (where / "kbx.toml").read_text()
            (where / "kbx.toml").write_text(re.sub('base_url = ".*"', f'base_url = "http://127.0.0.1:{unused.getsockname()[1]}/v1"', lines))
            # One call: after eight failures in succession the provider would rest between trials.
            done = kbx(where, "run", "claude", "--model", "m", "--tasks", "relu", "--run", "run", "--device", "cpu", "-q")
        check("no reply at all: exit code 3 and how to go on", done.returncode == 3 and "no call had a reply" in done.stderr and "--resume --run" in done.stderr, done)
        # A run that has answers is kept, whatever comes after.
        where = place(top / "later", server, "ok")
        first = draws(where, "--budget", "calls=5")
        place(where, server, "bad-key")
        later = draws(where, "--resume")
        check("answers are kept", first.returncode == 0 and later.returncode == 3 and rows(where / "run", "SELECT count(*) FROM call")[0][0] == 5, later)
        nofile = kbx(where, "run", "claude", "--model", "m", "--batch", "import", "nosuchfile", "--run", "no")
        check("the file that is not there is named", nofile.returncode == 2 and "nosuchfile" in nofile.stderr and "index.json" not in nofile.stderr, nofile)
        check("no folder for it", not (where / "no").exists())
        models = kbx(where, "models")
        page = Path(__file__).resolve().parents[2] / "docs" / "transport.md"
        check("kbx models names the page of its tables", "docs/transport.md" in models.stdout and "key of `[models.NAME]`" in page.read_text(), models)
    print("refused runs leave nothing but a sentence; what was there stays")


if __name__ == "__main__":
    main()
