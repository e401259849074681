"""What the runners of tests/exploits and tests/honest share: many candidates of different tasks in one `kbx eval`."""

import json
import pathlib
import subprocess
import tempfile


def evaluate(kbx, rows, options):
    """What `kbx eval --json` says of these rows (dicts with `id`, a task and code): a line for each, by id."""
    if not rows:
        return {}
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "candidates.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        command = [kbx, "eval", str(file), "--run", scratch + "/run", "--json", "--quiet", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 3) or not lines or "summary" not in lines[-1]:
        print("kbx eval failed with exit code", done.returncode)
        return {}
    return {line["candidate"]: line for line in lines[:-1]}
