"""On a machine with a GPU: records the programs of tests/gpu/programs with libkbxprobe.so and says what is in each tape.

    python tests/gpu/probe.py LIBKBXPROBE FOLDER [--only NAME,...] [--base HEX] [--worker FOLDER] [--data BYTES] [--reference]

FOLDER gets NAME.tape and NAME.json (inputs, outputs, what was expected and found). With --data, programs whose inputs and
outputs are together at most so large also get NAME.inputs and NAME.outputs: fresh inputs that the recorder never saw, in
the order of the JSON, and torch's results on them, dense and row-major. --reference records torch's own function instead.
One JSON line a program; each runs in a process of its own. The last line counts. Exit code 1 if anything was not as
expected, 77 where there is no GPU.
"""

import argparse
import json
import os
import pathlib
import signal
import statistics
import sys
import time
import traceback

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"
HERE = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("folder")
    parser.add_argument("--only", default="")
    parser.add_argument("--base", default="500000000000")
    parser.add_argument("--worker", default=str(HERE.parent.parent / "src" / "worker" / "python"))
    parser.add_argument("--cupti", default="")
    parser.add_argument("--data", type=int, default=0)
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--seconds", type=int, default=120)
    return parser.parse_args()


class Memory:
    """Stands for the arena that kbx gives a child."""

    def __init__(self, size):
        import torch

        self._data = torch.empty(size, dtype=torch.uint8)

    def reserve(self, count):
        if count > self._data.numel():
            from values import OutputTooLarge

            raise OutputTooLarge("the tape has %d bytes" % count)
        return 0

    def bytes_at(self, at, count):
        return self._data[at : at + count]


class Decoded:
    """Stands for a decoded call."""

    def __init__(self, tensors):
        self.paths = [("input[%d]" % n, tensor) for n, tensor in enumerate(tensors)]
        self.generators = []
        self.storages = {n: tensor.untyped_storage() for n, tensor in enumerate(tensors)}


def text_of(library, data):
    """What the supervisor's reader says about the bytes."""
    import ctypes

    check = ctypes.CDLL(library).kbx_probe_check
    check.argtypes, check.restype = [ctypes.c_void_p, ctypes.c_uint64], ctypes.c_char_p
    return (check(ctypes.c_char_p(data), len(data)) or b"").decode()


def figures_of(library):
    import ctypes

    out = (ctypes.c_uint64 * 4)()
    ctypes.CDLL(library).kbx_probe_figures(out)
    return dict(zip(("mapped_bytes", "images", "entries", "callback_us"), out))


def median_us(run, synchronize, count=20):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e6)
        synchronize()
    return round(statistics.median(times), 1)


def differences(expect, text):
    """What the tape does not say as expected."""
    head, _, trouble = text.partition(" trouble=")
    found = dict(pair.split("=", 1) for pair in head.split() if "=" in pair)
    found["trouble"] = trouble
    wrong = [] if text.startswith("ok") else [text]
    for name, value in expect.items():
        same = value in trouble and bool(value) == bool(trouble) if name == "trouble" else found.get(name) == str(value)
        if not same:
            wrong.append("%s: expected %r, found %r" % (name, value, found.get(name)))
    if "trouble" not in expect and trouble:
        wrong.append("trouble: " + trouble)
    return wrong


def describe(tensors):
    from values import NAMES

    return [
        {"name": path, "dtype": NAMES[t.dtype], "shape": list(t.shape), "bytes": t.numel() * t.element_size()}
        for path, t in tensors
    ]


def save_data(folder, name, program, limit, outputs_of, row):
    """Fresh inputs and torch's results."""
    import torch

    tensors = program.inputs(torch.Generator(device="cuda").manual_seed(4242))
    given = [t.detach().clone() for t in tensors]
    results = [t for _, t in outputs_of(program.reference(*given)) if isinstance(t, torch.Tensor)]
    size = sum(t.numel() * t.element_size() for t in tensors + results)
    if size > limit:
        return
    for suffix, list_ in (("inputs", tensors), ("outputs", results)):
        with open(folder / (name + "." + suffix), "wb") as file:
            for t in list_:
                file.write(bytes(t.contiguous().cpu().view(-1).view(torch.uint8).numpy().data))
    row["data_bytes"] = size


def record(options, name, program, row):
    import device_recorder
    import torch

    start = time.perf_counter()
    fields = {"probe": options.library, "arena_base": int(options.base, 16), "cupti": [p for p in options.cupti.split(",") if p]}
    recorder = device_recorder.prepare(fields)
    if recorder.trouble:
        raise RuntimeError(recorder.trouble)
    row["probe_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    torch.cuda.init()
    torch.empty(1, device="cuda")
    torch.cuda.synchronize()
    row["ready_ms"] = round((time.perf_counter() - start) * 1e3, 1)

    tensors = program.inputs(torch.Generator(device="cuda").manual_seed(1))
    function = program.reference if options.reference else program.run
    run = lambda: function(*tensors)  # noqa: E731
    inputs = device_recorder.Inputs(Decoded(tensors), recorder)
    start = time.perf_counter()
    run()
    torch.cuda.synchronize()
    row["first_call_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    inputs.restore()
    start = time.perf_counter()
    memory = Memory(256 << 20)
    result = recorder.record(run, inputs, [], 1)
    row["record_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    start = time.perf_counter()
    place = recorder.write(memory)
    row["write_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    row.update(figures_of(options.library))
    data = bytes(memory.bytes_at(0, place["bytes"]).numpy().data)
    folder = pathlib.Path(options.folder)
    (folder / (name + ".tape")).write_bytes(data)
    row["tape_bytes"], row["tape"] = len(data), text_of(options.library, data)
    row["inputs"] = describe(inputs._paths)
    row["outputs"] = describe([(p, t) for p, t in device_recorder.outputs_of(result) if isinstance(t, torch.Tensor)])
    row["wrong"] = differences({} if options.reference else program.expect, row["tape"])
    in_process(program, result, inputs, tensors, row)
    inputs.restore()
    row["submit_us"] = median_us(run, torch.cuda.synchronize)
    recorder._probe.call("start", None)
    row["submit_recording_us"] = median_us(run, torch.cuda.synchronize, 10)
    recorder._probe.call("stop")
    inputs.restore()
    if options.data:
        save_data(folder, name, program, options.data, device_recorder.outputs_of, row)


def in_process(program, result, inputs, tensors, row):
    """The result of the recorded call against torch, where the program ran."""
    import device_recorder
    import torch

    found = [t.clone() for _, t in device_recorder.outputs_of(result) if isinstance(t, torch.Tensor)]
    inputs.restore()
    expected = [t for _, t in device_recorder.outputs_of(program.reference(*tensors)) if isinstance(t, torch.Tensor)]
    errors = [
        float((a.double() - b.double()).abs().max()) if a.shape == b.shape and a.numel() else float(a.shape != b.shape)
        for a, b in zip(found, expected)
    ]
    row["in_process_error"] = errors
    if not all(e <= program.tolerance for e in errors):
        row["wrong"].append("differs from torch by %r" % errors)


def child(options, name, program, descriptor):
    row = {"program": name}
    try:
        signal.alarm(options.seconds)
        record(options, name, program, row)
    except BaseException as error:
        row["error"] = "%s: %s" % (type(error).__name__, str(error)[:600])
        row["trace"] = traceback.format_exc(limit=-4)[-1500:]
    row["right"] = not row.get("wrong") and "error" not in row
    row["replays"] = program.replays
    row["tolerance"] = program.tolerance
    try:
        (pathlib.Path(options.folder) / (name + ".json")).write_text(json.dumps(row))
    except OSError as error:
        row["error"] = str(error)
    data = json.dumps(row).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
    os._exit(0)


def one(options, name, program):
    """Forks; returns the row, whatever became of the process."""
    read, write = os.pipe()
    start = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        child(options, name, program, write)
    os.close(write)
    parts = []
    while part := os.read(read, 65536):
        parts.append(part)
    os.close(read)
    _, status = os.waitpid(pid, 0)
    try:
        row = json.loads(b"".join(parts))
    except ValueError:
        row = {"program": name, "error": "the process ended with status %d" % status, "right": False}
    row["wall_s"] = round(time.perf_counter() - start, 2)
    return row


def main():
    options = arguments()
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    options.library = os.path.abspath(options.library)
    os.makedirs(options.folder, exist_ok=True)
    sys.path[:0] = [str(HERE / "programs"), options.worker]
    import extras
    import flawed
    import honest
    import operators

    programs = {**honest.PROGRAMS, **flawed.PROGRAMS, **operators.PROGRAMS, **extras.PROGRAMS}
    only = [n for n in options.only.split(",") if n]
    right = total = 0
    for name, program in programs.items():
        if only and name not in only:
            continue
        row = one(options, name, program)
        total, right = total + 1, right + bool(row.get("right"))
        print(json.dumps(row), flush=True)
    print(json.dumps({"programs": total, "right": right}))
    return 0 if right == total else 1


if __name__ == "__main__":
    sys.exit(main())
