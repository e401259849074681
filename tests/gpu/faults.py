"""On a machine with a GPU: what breaks a card or a process must cost the candidate that did it, and nobody else.

    python tests/gpu/faults.py KBX [--jobs N]

Each faulty candidate is followed by a right one. Prints one JSON line a fault: the verdict, whether it is the expected
one, and how much longer the right candidate behind it held the card than the same one undisturbed (recovery).
Exit code 1 when a verdict is not as expected or a neighbour was harmed, 77 where there is no GPU.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HEAD = """import ctypes, os
import torch
import triton
import triton.language as tl


@triton.jit
def _gelu(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n, other=0.0).to(tl.float64 if x.dtype.element_ty == tl.float64 else tl.float32)
    tl.store(y + at, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=at < n)


@triton.jit
def _gelu_tanh(x, y, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n, other=0.0).to(tl.float64 if x.dtype.element_ty == tl.float64 else tl.float32)
    u = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    tl.store(y + at, v / (1 + tl.exp(-2 * u)), mask=at < n)


@triton.jit
def _forever(x, B: tl.constexpr):
    going = 1
    while going > 0:
        going = tl.load(x, volatile=True) + 1


@triton.jit
def _far(y, B: tl.constexpr):
    at = tl.arange(0, B).to(tl.int64)
    tl.store(y + at + (1 << 44), tl.full((B,), 1.0, tl.float32))


on_card = torch.cuda.is_available() and os.path.exists("/dev/nvidiactl") and torch.cuda.is_initialized()
calls = 0


def right(input, approximate="none"):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        (_gelu if approximate == "none" else _gelu_tanh)[(triton.cdiv(n, 1024),)](x, y, n, B=1024)
    return y.view(input.shape)
"""

RIGHT = HEAD + "\n\ndef gelu(input, approximate='none'):\n    return right(input, approximate)\n"


def breaks(body):
    """A candidate that is right without a card, and on one does `body` first."""
    lines = "".join("        %s\n" % line for line in body.splitlines())
    return (
        HEAD
        + "\n\ndef gelu(input, approximate='none'):\n    global calls\n    calls += 1\n    if on_card:\n"
        + lines
        + "    return right(input, approximate)\n"
    )


def at_import(body):
    return HEAD + "\n\nif on_card:\n    %s\n\n\ndef gelu(input, approximate='none'):\n    return right(input, approximate)\n" % body


KILL = "ctypes.string_at(0)"  # the first process of a namespace cannot kill itself by a signal
FAULTS = [
    ("endless kernel", breaks("_forever[(1,)](torch.zeros(1, dtype=torch.int32, device=input.device), B=16)"), {"timeout"}),
    ("illegal access", breaks("_far[(1,)](torch.empty(16, device=input.device), B=16)\ntorch.cuda.synchronize()"), {"illegal_memory_access"}),
    ("out of device memory", breaks("kept = [torch.empty(1 << 33, device=input.device) for _ in range(64)]"), {"out_of_memory"}),
    ("100 GB", breaks("torch.empty(100 << 30, dtype=torch.uint8, device=input.device)"), {"correct"}),
    ("killed at import", at_import(KILL), {"crashed"}),
    ("killed in the first call", breaks(KILL), {"crashed"}),
    ("killed in the fourth call", breaks("if calls == 4: " + KILL), {"crashed"}),
    ("killed at a size", breaks("if input.numel() > 1 << 22: " + KILL), {"crashed"}),
    ("exits in a call", breaks("os._exit(0)"), {"crashed", "sandbox_violation"}),
]


def judge(kbx, folder, run, files, jobs):
    command = [kbx, "eval", *map(str, files), "--task", "gelu", "--device", "cuda:0", "--run", str(run), "--jobs", str(jobs)]
    command += ["--lint", "off", "--quiet", "--json", "--call-seconds", "5", "--seed", "1"]
    got = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if got.returncode:
        print(got.stderr, file=sys.stderr)
    report = subprocess.run([kbx, "report", str(run), "--format", "json"], capture_output=True, text=True, cwd=folder)
    return {os.path.basename(r["candidate"]): r for r in json.loads(report.stdout)["records"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kbx")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if not os.path.exists("/dev/nvidiactl"):
        print("no GPU on this machine")
        return 77
    kbx = os.path.abspath(options.kbx)
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = []
        for k in range(3):
            files.append(folder / ("%02d_undisturbed.py" % k))
            files[-1].write_text(RIGHT)
        for k, (_, source, _) in enumerate(FAULTS):
            for kind, text in (("fault", source), ("neighbour", RIGHT)):
                files.append(folder / ("%02d_%s.py" % (10 + 2 * k + (kind == "neighbour"), kind)))
                files[-1].write_text(text)
        records = judge(kbx, folder, folder / "run", files, options.jobs)
        lease = lambda record: record["stage_seconds"].get("gpu lease", 0.0)
        undisturbed = statistics.median(lease(records["%02d_undisturbed.py" % k]) for k in (1, 2))
        for k, (fault, _, expected) in enumerate(FAULTS):
            record = records["%02d_fault.py" % (10 + 2 * k)]
            behind = records["%02d_neighbour.py" % (11 + 2 * k)]
            fine = record["verdict"] in expected and behind["verdict"] == "correct"
            good &= fine
            print(
                json.dumps(
                    {
                        "fault": fault,
                        "verdict": record["verdict"],
                        "expected": sorted(expected),
                        "explanation": record["explanation"][:160],
                        "neighbour": behind["verdict"],
                        "lease_s": round(lease(record), 3),
                        "recovery_s": round(lease(behind) - undisturbed, 3),
                        "fine": fine,
                    }
                ),
                flush=True,
            )
        print(json.dumps({"faults": len(FAULTS), "undisturbed_lease_s": round(undisturbed, 3), "fine": good}))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
