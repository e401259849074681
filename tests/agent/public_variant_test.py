"""Public variants are tasks that can be solved: the witness is right on every case of some of them.

public_variant_test.py KBX WRITE_PUBLIC_SUITE [TASK...]
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TASKS = [
    "softmax", "cross_entropy", "conv2d", "fused_conv2d_add", "fused_hstack_div", "matmul_fp16", "addmm", "layernorm_w8a8",
    "index_select", "batch_norm", "avg_pool1d", "AdamW", "scatter", "argmax", "lu",
]


def main() -> int:
    """Write the variants, judge each task's witness on its own variant, and say which are not right."""
    kbx, writer, *names = sys.argv[1:]
    names = names or TASKS
    suite = Path(os.environ["KBX_SOURCE"]) / "suite"
    with tempfile.TemporaryDirectory(prefix="kbx-public-") as scratch:
        out = Path(scratch) / "suite"
        counts = subprocess.run([writer, suite, out, *names], check=True, capture_output=True, text=True).stdout
        folders = {path.parent.name: path.parent for path in out.glob("*/*/task.toml")}
        missing = sorted(set(names) - set(folders))
        rows = [{"file": name, "id": name, "predict": (folder / "witness.py").read_text()} for name, folder in sorted(folders.items())]
        candidates = Path(scratch) / "witnesses.jsonl"
        candidates.write_text("".join(json.dumps(row) + "\n" for row in rows))
        command = [kbx, "eval", candidates, "--suite", out, "--run", Path(scratch) / "run", "--json", "--device", "cpu"]
        run = subprocess.run(command, check=False, capture_output=True, text=True)
        print(counts, end="")
        wrong = list(missing)
        judged = 0
        for line in run.stdout.splitlines():
            row = json.loads(line)
            if "summary" in row:
                continue
            judged += 1
            if row["verdict"] != "correct":
                wrong.append(row["task"])
                print(row["task"], row["verdict"], row.get("explanation", ""))
    print(f"{judged} witnesses judged on public variants, {len(wrong)} not right")
    if run.returncode or judged != len(folders):
        print(run.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
