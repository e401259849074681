"""What the extraction modes make of public replies: parse rate, kernels, and where `upstream` and `kbx` differ.

extraction_modes.py EXTRACT_REPLIES [FILE.jsonl...]   Without files: the public predictions of $KBX_SHARED (or ../shared
beside the project); exit code 77 where there are none. Code is whole when it is Python, has a kernel and defines the
entry: nothing else can be right. Fails if `upstream` finds whole code where `kbx` does not.
"""

import ast
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MODES = ("upstream", "kbx", "repair")


def quality(code: str, entry: str) -> tuple[bool, bool, bool]:
    """Is it Python, has it a kernel, does it define the entry."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return (False, "@triton.jit" in code, False)
    names = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return (bool(code.strip()), "@triton.jit" in code, not entry or entry in names)


def main() -> int:
    """Print the table and the differing replies."""
    extract, *files = sys.argv[1:]
    if not files:
        shared = Path(os.environ.get("KBX_SHARED") or SOURCE.parent / "shared")
        files = sorted(str(path) for path in (shared / "data" / "predictions").glob("*.jsonl"))
    if not files:
        print("SKIPPED: no public predictions (set KBX_SHARED to the folder that has data/predictions)")
        return 77
    rows = [json.loads(line) for line in subprocess.run([extract, *files], check=True, capture_output=True, text=True).stdout.splitlines()]
    found = {mode: [quality(row[mode]["code"], row["entry"]) for row in rows] for mode in MODES}
    print(f"{len(rows)} replies of {len(files)} files\n")
    print(f"{'mode':10} {'Python':>14} {'with a kernel':>14} {'defines entry':>14} {'whole':>14} {'cut':>5} {'mended':>7}")
    for mode in MODES:
        parts = [sum(q[0] for q in found[mode]), sum(q[0] and q[1] for q in found[mode]), sum(q[0] and q[2] for q in found[mode])]
        parts.append(sum(all(q) for q in found[mode]))
        shares = " ".join(f"{n:5} ({n / len(rows):6.1%})" for n in parts)
        print(f"{mode:10} {shares} {sum(r[mode]['truncated'] for r in rows):5} {sum(r[mode]['repaired'] for r in rows):7}")
    print("\nreplies where upstream and kbx differ in more than space at the ends")
    tally = {"kbx": 0, "upstream": 0, "neither whole": 0, "both whole": 0}
    for row, up, ours in zip(rows, found["upstream"], found["kbx"]):
        if row["upstream"]["code"].strip() == row["kbx"]["code"].strip():
            continue
        better = "both whole" if all(up) and all(ours) else "kbx" if all(ours) else "upstream" if all(up) else "neither whole"
        tally[better] += 1
        words = "/".join("yes" if value else "no" for value in (*up, *ours))
        print(f"  {row['id']:44} {row['kbx']['how']:13} right: {better:13} Python/kernel/entry of upstream and kbx: {words}")
    print(f"\n{sum(tally.values())} differ; right: " + ", ".join(f"{name} {count}" for name, count in tally.items()))
    return 1 if tally["upstream"] else 0


if __name__ == "__main__":
    sys.exit(main())
