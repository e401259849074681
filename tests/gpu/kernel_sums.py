"""On a machine with a GPU: the time that CUPTI (through torch's profiler) sums over a call's kernels, beside kbx's clock.

    python tests/gpu/kernel_sums.py TIMES [--only NAME,...] [--calls N]

TIMES is what `clock.py CLOCK time TAPES ...` printed for the programs of tests/gpu/programs. Each program runs in a
process of its own; before every call 256 MB are overwritten, so that its memory comes cold as in the clock. One JSON line
a program: launches, kernel_us (median of the calls' sums), clock_us, difference_us, near (within 3 us or 2 %). The sums
leave out what lies between dependent launches, which the clock counts: programs of one launch stand apart in the last
line. Exit code 1 when one of those is not near, 77 where there is no GPU.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
FLUSH = "erfinv"  # an operator that no program uses: its kernels part the calls


def clock_times(path):
    """Program -> microseconds, of those that were timed."""
    found = {}
    for line in path.read_text().splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        us = row.get("candidate_us", row.get("mean_us"))
        if us and not row.get("problem"):
            found[row["name"]] = us
    return found


def sums(program, calls):
    """The kernels' and copies' time of each call, microseconds, and how many there are in one."""
    tensors = program.inputs(torch.Generator(device="cuda").manual_seed(1))
    flush = torch.zeros(64 << 20, device="cuda")
    for _ in range(3):
        program.run(*tensors)
    torch.cuda.synchronize()
    activities = [torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(calls):
            flush.erfinv_()
            torch.cuda.synchronize()
            program.run(*tensors)
            torch.cuda.synchronize()
    events = [e for e in profile.events() if "CUDA" in str(e.device_type)]
    found, count = [], 0
    for event in sorted(events, key=lambda e: e.time_range.start):
        if FLUSH in event.name:
            found.append(0.0)
        elif found:
            found[-1] += event.time_range.elapsed_us()
            count += 1
    return [us for us in found if us > 0], round(count / max(len(found), 1), 1)


def one(name, program, calls):
    """Forks, so that a program that breaks CUDA breaks it for itself."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            times, launches = sums(program, calls)
            answer = {"sums": times, "launches": launches}
        except BaseException as error:
            answer = {"error": "%s: %s" % (type(error).__name__, str(error)[:300])}
        os.write(write, json.dumps(answer).encode())
        os._exit(0)
    os.close(write)
    parts = []
    while part := os.read(read, 65536):
        parts.append(part)
    os.close(read)
    os.waitpid(pid, 0)
    try:
        return json.loads(b"".join(parts))
    except ValueError:
        return {"error": "the process ended without a word"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("times", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--calls", type=int, default=25)
    options = parser.parse_args()
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    sys.path.insert(0, str(HERE / "programs"))
    import extras
    import flawed
    import honest
    import operators

    programs = {**honest.PROGRAMS, **flawed.PROGRAMS, **operators.PROGRAMS, **extras.PROGRAMS}
    only = [n for n in options.only.split(",") if n]
    counts = {"one_launch": [0, 0], "several": [0, 0]}
    for name, clock_us in clock_times(options.times).items():
        if name not in programs or (only and name not in only):
            continue
        row = {"program": name, "clock_us": round(clock_us, 2), **one(name, programs[name], options.calls)}
        if times := row.pop("sums", None):
            row["kernel_us"] = round(statistics.median(times), 2)
            row["difference_us"] = round(row["clock_us"] - row["kernel_us"], 2)
            row["near"] = abs(row["difference_us"]) <= max(3.0, 0.02 * row["kernel_us"])
            kind = counts["one_launch" if row["launches"] <= 1 else "several"]
            kind[0], kind[1] = kind[0] + 1, kind[1] + row["near"]
        print(json.dumps(row), flush=True)
    print(json.dumps({kind: {"programs": total, "near": near} for kind, (total, near) in counts.items()}))
    return 0 if counts["one_launch"][0] == counts["one_launch"][1] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
