"""What it costs until a candidate runs on a card: fork, prepare, load, first output, exit; and the end of one that
hangs.

    python tests/gpu/start.py FOLDER [--python PYTHON] [--runs 5] [--card 0]      FOLDER: an unpacked release, or build
Prints JSON, a line an experiment: milliseconds as [median, least, most]. Exit code 77 where there is no GPU.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

HEAD = "import torch\nimport triton\nimport triton.language as tl\n\n\n"
GELU = HEAD + '''@triton.jit
def gelu_kernel(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o, mask=o < n)
    tl.store(y + o, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=o < n)


def run(x):
    y = torch.empty_like(x)
    gelu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), B=1024)
    return y
'''
SOFTMAX = HEAD + '''@triton.autotune([triton.Config({}, num_warps=w) for w in (2, 4, 8)], key=["n"])
@triton.jit
def softmax_kernel(x, y, n, B: tl.constexpr):
    o = tl.arange(0, B)
    v = tl.load(x + tl.program_id(0) * n + o, mask=o < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + tl.program_id(0) * n + o, e / tl.sum(e, 0), mask=o < n)


def run(x):
    x = x.view(-1, 256)
    y = torch.empty_like(x)
    softmax_kernel[(x.shape[0],)](x, y, 256, B=256)
    return y
'''
MATMUL = HEAD + '''@triton.jit
def matmul_kernel(a, b, c, K, B: tl.constexpr):
    m, n, k = tl.program_id(0) * B + tl.arange(0, B), tl.program_id(1) * B + tl.arange(0, B), tl.arange(0, B)
    total = tl.zeros((B, B), dtype=tl.float32)
    for start in range(0, K, B):
        left = tl.load(a + m[:, None] * K + start + k[None, :])
        total += tl.dot(left, tl.load(b + (start + k)[:, None] * K + n[None, :]))
    tl.store(c + m[:, None] * K + n[None, :], total)


def run(x):
    x = x.view(128, 128)
    c = torch.empty_like(x)
    matmul_kernel[(4, 4)](x, x, c, 128, B=32)
    return c
'''
SPIN = HEAD + '''@triton.jit
def spin_kernel(x):
    v = tl.load(x, volatile=True)
    while v < 2.0:
        v = tl.load(x, volatile=True)


def run(x):
    spin_kernel[(256,)](x * 0)
    return x
'''
PROGRAMS = {"gelu": GELU, "softmax": SOFTMAX, "matmul": MATMUL}
LIMITS = {"memory_bytes": 1 << 40, "cpu_seconds": 300, "wall_seconds": 300, "processes": 64, "file_bytes": 1 << 30}
VALUES = struct.pack("<16384f", *((k % 61) / 64 - 0.5 for k in range(16384)))


class Stopwatch:
    def __init__(self):
        self.start, self.at = time.monotonic(), {}

    def mark(self, name):
        self.at[name] = (time.monotonic() - self.start) * 1e3


def say(experiment, rows=None, **fields):
    """rows: one {name: milliseconds} a run."""
    spread = {}
    for name in rows[0] if rows else ():
        column = [row[name] for row in rows if name in row]
        spread[name] = [round(value, 1) for value in (statistics.median(column), min(column), max(column))]
    times = {"runs": len(rows), "ms": spread} if rows else {}
    print(json.dumps({"experiment": experiment, **fields, **times}), flush=True)


class Bench:
    def __init__(self, harness, zygote, card, cc, probe):
        self.harness, self.zygote, self.card, self.cc, self.probe = harness, zygote, card, cc, probe

    def fields(self, recorded):
        more = {"gpu": self.card, "device_tape": False}
        if recorded:
            cupti = self.zygote.hello["libraries"]["cupti"]
            more.update(device_tape=True, probe=self.probe, cupti=cupti, arena_base=0x500000000000)
        return more

    def argument(self, child):
        return child.tensor("x", "f32", [16384], VALUES)

    def compile(self, source):
        """(memory of kernels, milliseconds) of a compile child."""
        memory, watch = self.harness.kernel_memory(), Stopwatch()
        child = self.zygote.fork("compile", limits=LIMITS, kernels=memory)
        loaded = child.load(source, arch=self.cc, archs=[self.cc], kernels="fill")
        assert loaded["ok"], loaded
        reply = child.call(self.argument(child))
        assert reply["ok"], reply
        child.finish()
        watch.mark("compiled")
        child.wait()
        return memory, watch.at["compiled"]

    def gpu(self, source, memory=None, prepare=True, recorded=False):
        """Milliseconds since the order to fork, and what the parts of `prepare` took."""
        watch, more = Stopwatch(), self.fields(recorded)
        child = self.zygote.fork("gpu", limits=LIMITS, kernels=memory)
        parts = {}
        if prepare:
            ready = child.prepare(**more)
            watch.mark("prepared")
            assert ready["ok"], ready
            parts = {"prepare: " + name: seconds * 1e3 for name, seconds in ready["parts"].items()}
        loaded = child.load(source, arch=self.cc, kernels="use" if memory is not None else None, **more)
        watch.mark("loaded")
        assert loaded["ok"], loaded
        reply = child.call(self.argument(child))
        watch.mark("first output")
        assert reply["ok"], reply
        output = child.read(reply["result"])
        second = Stopwatch()
        assert child.call(self.argument(child))["ok"]
        second.mark("second call")
        child.finish()
        leave = Stopwatch()
        child.wait()
        leave.mark("exit")
        row = {**watch.at, **parts, **second.at, **leave.at}
        if prepare:
            row["on the card"] = watch.at["first output"] - watch.at["prepared"]
        return row, output

    @contextlib.contextmanager
    def holder(self):
        """A process with a context on the card, as the clock's is: the driver stays loaded."""
        child = self.zygote.fork("gpu", limits=LIMITS)
        ready = child.prepare(**self.fields(False))
        assert ready["ok"], ready
        yield
        child.kill()
        child.wait()

    def together(self, count):
        """Milliseconds until each of `count` children forked at once was prepared."""
        watch, ready = Stopwatch(), []
        children = [self.zygote.fork("gpu", limits=LIMITS) for _ in range(count)]
        for child in children:
            child.send(self.harness.wire.PREPARE, {"role": "gpu", **self.fields(False)})
        for child in children:
            assert child.receive()[1]["ok"]
            watch.mark("prepared")
            ready.append(watch.at["prepared"])
        for child in children:
            child.finish()
            child.wait()
        return {"first": ready[0], "last": ready[-1]}

    def hang(self, memory):
        """A kernel without end: from the order to kill to the report of the end, then the next child."""
        child = self.zygote.fork("gpu", limits=LIMITS, kernels=memory)
        assert child.prepare(**self.fields(False))["ok"]
        assert child.load(SPIN, arch=self.cc, gpu=self.card, kernels="use")["ok"]
        call = {"id": 1, "entry": "run", "mode": "eager", "args": [self.argument(child)], "kwargs": {}}
        child.send(self.harness.wire.CALL, call)
        time.sleep(2.0)
        watch = Stopwatch()
        child.kill()
        child.wait()
        watch.mark("killed")
        row, _ = self.gpu(GELU)
        return {**watch.at, "next: prepared": row["prepared"], "next: first output": row["first output"]}


def experiments(bench, runs):
    with bench.holder():
        for name, source in PROGRAMS.items():
            cold = [bench.gpu(source) for _ in range(runs)]
            say("nothing compiled before", [row for row, _ in cold], program=name)
            packs = [bench.compile(source) for _ in range(runs)]
            say("compile child", [{"compiled": ms} for _, ms in packs], program=name)
            warm = [bench.gpu(source, memory=memory) for memory, _ in packs]
            same = all(output == cold[0][1] for _, output in cold + warm)
            say("after a compile child", [row for row, _ in warm], program=name, same_bytes=same)
            if bench.probe:
                taped = [bench.gpu(source, memory=memory, recorded=True) for memory, _ in packs]
                say("after a compile child, recorder there", [row for row, _ in taped], program=name)
            for memory, _ in packs:
                os.close(memory)
        say("without prepare", [bench.gpu(GELU, prepare=False)[0] for _ in range(runs)], program="gelu")
        for count in (1, 2, 4):
            say("prepared at once", [bench.together(count) for _ in range(3)], children=count)
        memory, _ = bench.compile(SPIN)
        say("endless kernel", [bench.hang(memory) for _ in range(runs)])
    say("no other context", [bench.gpu(GELU)[0] for _ in range(runs)], program="gelu")


def compute_capability(card):
    words = ["nvidia-smi", "--query-gpu=compute_cap,name,driver_version", "--format=csv,noheader", "-i", str(card)]
    said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout
    capability, name, driver = said.strip().split(", ")
    return int(capability.replace(".", "")), name, driver


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--card", type=int, default=0)
    options = parser.parse_args()
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    folder = options.folder.resolve()
    os.environ["KBX_WORKER_LIB"] = str(folder / "lib" / "libkbxworker.so")
    os.environ["KBX_WORKER_FOLDER"] = str(folder / "share" / "kbx" / "worker")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "worker"))
    import harness

    cc, name, driver = compute_capability(options.card)
    probe = folder / "lib" / "libkbxprobe.so"
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
    with tempfile.TemporaryDirectory() as cache:
        for state in ("empty", "filled"):
            zygote = harness.Zygote(python=options.python, env=env, cache=cache)
            if zygote.hello is None:
                print(json.dumps({"fatal": zygote.fatal}))
                return 1
            facts = {key: zygote.hello[key] for key in ("python", "torch", "triton", "seconds", "notes")}
            say("zygote", cache=state, card=name, driver=driver, cc=cc, **facts)
            if state == "empty":
                zygote.close()
        try:
            experiments(Bench(harness, zygote, options.card, cc, str(probe) if probe.exists() else None), options.runs)
        finally:
            zygote.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
