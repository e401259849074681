"""Portability from the compiler alone: kernels that run on one generation and not on another, both ways, with their lines.

Usage: archs_test.py KBX. Exit code 1 and one line a fault if something fails.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

KBX = sys.argv[1]
HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n"
# The first architecture (sm_80) has no such type: it decides and refuses, newer ones take it.
NEW = HEAD + """@triton.jit
def eight(x, N: tl.constexpr):
    at = tl.arange(0, N)
    small = tl.load(x + at).to(tl.float8e4nv)
    tl.store(x + at, small.to(tl.float32))

def gelu(input, approximate="none"):
    eight[(1,)](torch.zeros(64, device=input.device), N=64)
    return torch.empty_like(input)
"""
# 128 KB of shared memory a block: the data centre's cards have it, the others have 99 KB.
WIDE = HEAD + """@triton.jit
def wide(a, b, c, N: tl.constexpr):
    at = tl.arange(0, N)
    acc = tl.zeros((N, N), tl.float32)
    for start in range(0, 1024, N):
        x = tl.load(a + at[:, None] * 1024 + start + at[None, :])
        y = tl.load(b + (start + at[:, None]) * N + at[None, :])
        acc += tl.dot(x, y)
    tl.store(c + at[:, None] * N + at[None, :], acc.to(tl.float16))

def gelu(input, approximate="none"):
    a, b, c = (torch.zeros(shape, device=input.device, dtype=torch.float16) for shape in ((128, 1024), (1024, 128), (128, 128)))
    wide[(1,)](a, b, c, N=128, num_warps=8, num_stages=3)
    return torch.empty_like(input)
"""
EXPECTED = {
    "eight": ("sm_89, sm_90, sm_100, sm_120", "sm_80, sm_86", 8, "fp8e4nv"),
    "wide": ("sm_80, sm_90, sm_100", "sm_86, sm_89, sm_120", 5, "shared memory"),
}


def main():
    faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        rows = [{"task": "gelu", "id": name, "code": code} for name, code in (("new", NEW), ("wide", WIDE))]
        (folder / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        subprocess.run([KBX, "eval", folder / "c.jsonl", "--arch", "all", "--run", folder / "run", "--seed", "1", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([KBX, "analyze", folder / "run", "--table", "unportable", "--format", "json"], check=True, capture_output=True, text=True)
    table = json.loads(done.stdout)["tables"][0]
    found = {row["kernel"]: row for row in table["rows"]}
    if set(found) != set(EXPECTED):
        print("FAIL kernels:", table)
        return 1
    for kernel, (runs, fails, line, why) in EXPECTED.items():
        row = found[kernel]
        if (row["runs"], row["fails"], row["line"]) != (runs, fails, line) or why not in row["why"]:
            faults += 1
            print("FAIL", kernel, row)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
