"""On a machine with a GPU: every witness of the suite must be right on the card too, and a wrong kernel wrong.

    python tests/gpu/witnesses.py KBX [--part K/N] [--only TASK,...] [kbx eval options]     KBX: build/bin/kbx, or bin/kbx of an unpacked release
`--part 2/3`: the second of three parts. Prints a line a task and "N passed, M failed". Exit code 77 where there is no GPU.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

WRONG = """import torch, triton, triton.language as tl


@triton.jit
def kernel(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    m = o < n
    tl.store(y + o, tl.exp(tl.load(x + o, mask=m).to(tl.float32) * 0.5001).to(y.dtype.element_ty), mask=m)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    if x.numel():
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), B=256)
    return y if out is None else out.copy_(y)
"""


def main():
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx", type=pathlib.Path)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--only", default="")
    args, options = parser.parse_known_args()
    kbx, (part, parts) = args.kbx.resolve(), map(int, args.part.split("/"))
    suite = kbx.parent.parent / "share" / "kbx" / "suite"
    paths = [path for path in sorted(suite.glob("*/*/witness.py")) if not args.only or path.parent.name in args.only.split(",")]
    rows = [(path.parent.name, path.read_text()) for path in paths[part - 1 :: parts]]
    expected = ["correct"] * len(rows) + ["wrong_value"]
    rows.append(("exp_sqrt", WRONG))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "witnesses.jsonl"
        file.write_text("".join(json.dumps({"file": task, "predict": "```python\n%s\n```" % text}) + "\n" for task, text in rows))
        command = [kbx, "eval", file, "--run", folder + "/run", "--json", "--quiet", "--device", "cuda", "--second-look", "off", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    failed = 0 if done.returncode == 0 and len(lines) == len(rows) + 1 else 1
    for line, want in zip(lines, expected):
        ok = line["verdict"] == want and line["device"].startswith("cuda")
        failed += not ok
        print("%s %-40s %-20s %6.1f s  %s" % ("ok  " if ok else "FAIL", line["task"], line["verdict"], line["seconds"], line["explanation"][:100]))
    print("%d passed, %d failed" % (len(rows) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
