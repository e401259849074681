"""On a machine with a GPU: plays and times tapes with kbx-clock; prints one JSON line a result.

    python tests/gpu/clock.py KBX_CLOCK COMMAND [options] [FOLDER [FOLDER]]

Folders hold NAME.tape, as tests/gpu/probe.py writes them, and perhaps NAME.inputs and NAME.outputs. Commands:

    hello                   what the card says of itself, its floors, its reachable bandwidth
    check FOLDER            every tape: plays it on the saved inputs against the saved outputs, and on two drawn seeds
    time FOLDER [REFERENCES]  every tape against REFERENCES/NAME.tape (another arena base), else alone; and plain launches
    aa FOLDER FOLDER2       the same tapes at two bases, reloaded N times: how often the interval holds 1.0
    known FOLDER FOLDER2 --pairs "A,B;A,C"   FOLDER/A.tape against FOLDER2/B.tape: how often the interval holds 1.0
    steps FOLDER            a tape alone with preparation steps left out one by one
    cost FOLDER REFERENCES  wall time of load, inputs, verify, time and unload

Options: --nvrtc PATH, --cache DIR, --card N, --only NAME,.., --count N, --half-width X, --cap-ms X, --pairs "A,B;A,C"
Exit code 1 when a check fails, 77 where there is no GPU.
"""

import argparse
import json
import math
import os
import pathlib
import socket
import statistics
import struct
import subprocess
import sys
import time

HEADER = struct.Struct("<4sIQ")
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "f8e4m3": 1, "f8e5m2": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1}
SIZES.update({"bool": 1, "c64": 8, "c128": 16})
FORMATS = {"f16": "e", "f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "u8": "B", "bool": "B", "c64": "f", "c128": "d"}
TOLERANCE = {"f16": 4e-3, "bf16": 3e-2, "f32": 1e-4, "f64": 1e-9, "c64": 1e-4, "c128": 1e-9}


class Clock:
    """One kbx-clock process."""

    def __init__(self, options):
        self.options = options
        self.start()

    def start(self):
        ours, theirs = socket.socketpair()
        command = [self.options.program, "--card", str(self.options.card)]
        command += ["--nvrtc", self.options.nvrtc] if self.options.nvrtc else []
        command += ["--cache", self.options.cache] if self.options.cache else []
        shell = ["/bin/bash", "-c", 'exec 3<&%d; exec "$0" "$@"' % theirs.fileno()]
        begun = time.perf_counter()
        self.process = subprocess.Popen(shell + command, pass_fds=[theirs.fileno()])
        theirs.close()
        self.socket = ours
        self.greeting, _ = self.receive()
        self.ready_seconds = time.perf_counter() - begun
        if "hello" not in self.greeting:
            raise SystemExit("kbx-clock: %s" % json.dumps(self.greeting))

    def take(self, count):
        parts, left = [], count
        while left:
            part = self.socket.recv(min(left, 1 << 20))
            if not part:
                raise EOFError("kbx-clock ended")
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def receive(self):
        magic, json_bytes, blob_bytes = HEADER.unpack(self.take(HEADER.size))
        assert magic == b"KBXC"
        text = self.take(json_bytes)
        return json.loads(text), self.take(blob_bytes)

    def ask(self, command, blob=b""):
        text = json.dumps(command).encode()
        self.socket.sendall(HEADER.pack(b"KBXC", len(text), len(blob)) + text + blob)
        answer, data = self.receive()
        if not answer["ok"] and answer["fault"] in ("device", "timeout"):
            self.process.wait()
            self.start()
        return answer, data

    def must(self, command, blob=b""):
        answer, data = self.ask(command, blob)
        if not answer["ok"]:
            raise Refused(answer)
        return answer, data


class Refused(Exception):
    """A fault, as the clock said it."""


def draw_of(tensor, key):
    """A plausible input: normal floats, small integers that are good indices of anything."""
    dtype = tensor["dtype"]
    dist, params = ("normal", {"mean": 0, "std": 1}) if dtype[0] in "fbc" and dtype != "bool" else ("randint", {"low": 0, "high": 2})
    count = tensor["storage_bytes"] // SIZES[dtype]
    return {"name": tensor["name"], "draw": {"dist": dist, "params": params, "dtype": dtype, "count": count, "shape": [count], "key": [key, 7], "salt": len(tensor["name"])}}


def load(clock, side, path):
    return clock.must({"do": "load", "side": side}, path.read_bytes())[0]


def draw(clock, loaded, seeds=(1, 2)):
    for number, key in enumerate(seeds):
        clock.must({"do": "inputs", "set": number, "inputs": [draw_of(t, key) for t in loaded["inputs"]]})


def outputs_of(loaded):
    return [
        {"name": t["name"], "atol": 1e-30, "rtol": TOLERANCE.get(t["dtype"], 0), "rtol_rms": TOLERANCE.get(t["dtype"], 0), "exact": t["dtype"] not in TOLERANCE}
        for t in loaded["outputs"]
    ]


def numbers(dtype, data):
    if dtype == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[k : k + 2])[0] for k in range(0, len(data), 2)]
    if dtype not in FORMATS:
        return list(data)
    width = struct.calcsize(FORMATS[dtype])
    return struct.unpack("<%d%s" % (len(data) // width, FORMATS[dtype]), data)


def difference(dtype, got, expected):
    """Largest difference over the size of what was expected, and how many NaN differ."""
    worst, nan = 0.0, 0
    a, b = numbers(dtype, got), numbers(dtype, expected)
    scale = math.sqrt(sum(y * y for y in b if math.isfinite(y)) / max(1, len(b))) or 1.0
    for x, y in zip(a, b):
        if math.isnan(x) or math.isnan(y):
            nan += math.isnan(x) != math.isnan(y)
        elif x != y:
            worst = max(worst, abs(x - y) / max(scale, abs(y)))
    return worst, nan + abs(len(a) - len(b))


def saved_inputs(folder, name, loaded, clock):
    """The inputs that the recorder's script saved, as a set; False: there are none."""
    path, description = folder / (name + ".inputs"), folder / (name + ".json")
    if not path.exists() or not description.exists():
        return False
    data, at, places = path.read_bytes(), 0, {}
    for tensor in json.loads(description.read_text())["inputs"]:
        places[tensor["name"]] = (at, tensor["bytes"])
        at += tensor["bytes"]
    inputs = [{"name": t["name"], "at": places[t["name"]][0], "bytes": places[t["name"]][1]} for t in loaded["inputs"]]
    clock.must({"do": "inputs", "set": 0, "inputs": inputs}, data)
    return True


def check(clock, folder, name, row):
    loaded = load(clock, "candidate", folder / (name + ".tape"))
    row.update(launches=loaded["launches"], notes=loaded["notes"])
    if saved_inputs(folder, name, loaded, clock):
        answer, blob = clock.must({"do": "play", "side": "candidate", "set": 0})
        row.update(guard_words=answer["guard_words"], guard_at=answer["guard_at"])
        expected, at = (folder / (name + ".outputs")).read_bytes(), 0
        own = json.loads((folder / (name + ".json")).read_text()).get("tolerance", 0)  # tf32 and the like
        for output in answer["outputs"]:
            piece = expected[at : at + output["bytes"]]
            worst, nan = difference(output["dtype"], blob[output["at"] : output["at"] + output["bytes"]], piece)
            at += output["bytes"]
            row.setdefault("differences", []).append([output["name"], worst, nan])
            row["ok"] = row.get("ok", True) and nan == 0 and worst <= max(own, TOLERANCE.get(output["dtype"], 0))
    draw(clock, loaded)
    for number in (0, 1):
        answer, _ = clock.must({"do": "play", "side": "candidate", "set": number})
        row.setdefault("drawn_guard_words", []).append(answer["guard_words"])


def time_row(clock, folder, references, name, options, row):
    loaded = load(clock, "candidate", folder / (name + ".tape"))
    if references:
        load(clock, "reference", references / (name + ".tape"))
    draw(clock, loaded)
    question = {"half_width": options.half_width, "cap_ms": options.cap_ms}
    if references:
        for number in (0, 1):
            answer, _ = clock.must({"do": "verify", "set": number, "outputs": outputs_of(loaded)})
            row.setdefault("verify", []).append([[o["mismatches"], o["count"], o["max_abs"]] for o in answer["outputs"]])
        row.update(clock.must({"do": "time", **question})[0])
    else:
        row.update(clock.must({"do": "time_one", "side": "candidate", **question})[0])
    row["plain_us"] = clock.must({"do": "plain", "side": "candidate", "runs": 30})[0]["median_us"]


def experiments(clock, first, second, options):
    """One question again and again, both sides loaded anew each time: the ratios, and how often the interval holds 1."""
    rows = []
    for k in range(options.count):
        loaded = load(clock, "candidate", first)
        load(clock, "reference", second)
        draw(clock, loaded, (2 * k + 1, 2 * k + 2))
        rows.append(clock.must({"do": "time", "half_width": options.half_width, "cap_ms": options.cap_ms})[0])
        clock.must({"do": "unload"})
    logs = [math.log(r["speedup"]) for r in rows]
    return {
        "n": len(rows),
        "candidate_us": statistics.mean(r["candidate_us"] for r in rows),
        "ratio": math.exp(statistics.mean(logs)),
        "sd_percent": 100 * statistics.stdev(logs) if len(logs) > 1 else 0,
        "inside": sum(r["low"] <= 1 <= r["high"] for r in rows),
        "half_width_percent": 100 * statistics.median(r["half_width"] for r in rows),
        "spent_ms": statistics.median(r["spent_ms"] + r["wait_ms"] for r in rows),
        "groups": statistics.median(r["groups"] for r in rows),
        "spikes": sum(r["spikes"] for r in rows),
        "gates": sum(r["gates"] for r in rows),
        "wait_ms": sum(r["wait_ms"] for r in rows),
    }


def cost(clock, folder, references, name, options, row):
    begun = [time.perf_counter()]

    def lap(what):
        now = time.perf_counter()
        row[what + "_ms"] = round((now - begun[0]) * 1e3, 2)
        begun[0] = now

    loaded = load(clock, "candidate", folder / (name + ".tape"))
    load(clock, "reference", references / (name + ".tape"))
    lap("load")
    draw(clock, loaded)
    lap("inputs")
    for number in (0, 1):
        clock.must({"do": "verify", "set": number, "outputs": outputs_of(loaded)})
    lap("verify")
    timed = clock.must({"do": "time", "half_width": options.half_width, "cap_ms": options.cap_ms})[0]
    lap("time")
    clock.must({"do": "unload"})
    lap("unload")
    row.update(speedup=timed["speedup"], candidate_us=timed["candidate_us"], groups=timed["groups"])


def steps(clock, folder, name, options, row):
    loaded = load(clock, "candidate", folder / (name + ".tape"))
    draw(clock, loaded)
    for left_out in ["", "C", "Z", "S", "I", "P", "R", "IPR"]:
        letters = "".join(c for c in "CZSIPR" if c not in left_out)
        answer, _ = clock.must({"do": "time_one", "side": "candidate", "steps": letters, "half_width": options.half_width, "cap_ms": options.cap_ms})
        row["us_" + (letters or "none")] = round(answer["mean_us"], 3)


def names_of(folder, options):
    names = sorted(p.stem for p in folder.glob("*.tape"))
    return [n for n in names if not options.only or n in options.only.split(",")]


def each_tape(clock, options, folder, references, work):
    failed = 0
    for name in names_of(folder, options):
        row = {"name": name}
        try:
            if references and not (references / (name + ".tape")).exists():
                continue
            work(name, row)
        except (Refused, EOFError) as error:
            row["refused"] = error.args[0] if error.args else "ended"
            failed += 1
            if isinstance(error, EOFError):
                clock.start()
        failed += not row.get("ok", True)
        print(json.dumps(row), flush=True)
        try:
            clock.must({"do": "unload"})
        except (Refused, EOFError, OSError):
            clock.start()
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("command", choices=["hello", "check", "time", "aa", "known", "steps", "cost"])
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--nvrtc", default="")
    parser.add_argument("--cache", default="")
    parser.add_argument("--card", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--pairs", default="")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--half-width", type=float, default=0.01)
    parser.add_argument("--cap-ms", type=float, default=80)
    options = parser.parse_args()
    if not os.path.exists("/dev/nvidiactl") and "KBX_LIBCUDA" not in os.environ:
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    clock = Clock(options)
    folder, references = (options.folders + [None, None])[:2]
    if options.command == "hello":
        print(json.dumps(clock.greeting))
        print(json.dumps({"ready_seconds": clock.ready_seconds, **clock.must({"do": "memory"})[0], "bandwidth": clock.must({"do": "bandwidth"})[0]}))
        return 0
    if options.command == "known":
        for pair in options.pairs.split(";"):
            first, second = pair.split(",")
            print(json.dumps({"known": pair, **experiments(clock, folder / (first + ".tape"), references / (second + ".tape"), options)}), flush=True)
        return 0
    work = {
        "check": lambda name, row: check(clock, folder, name, row),
        "time": lambda name, row: time_row(clock, folder, references, name, options, row),
        "aa": lambda name, row: row.update(experiments(clock, folder / (name + ".tape"), references / (name + ".tape"), options)),
        "steps": lambda name, row: steps(clock, folder, name, options, row),
        "cost": lambda name, row: cost(clock, folder, references, name, options, row),
    }[options.command]
    return 1 if each_tape(clock, options, folder, references if options.command in ("time", "aa", "cost") else None, work) else 0


if __name__ == "__main__":
    sys.exit(main())
