"""Would a card take the grids that the honest candidates launch at the performance sizes? Looked up without one.

Usage: at_size.py [--only WORD] [--list]. Needs a python with torch and triton.

The host code runs on tensors of the sizes of [[perf]] that have no memory (torch's meta device), and launches are written
down instead of made, with every configuration of an autotuner. Charged are grids that CUDA refuses. A number that the host
reads of a tensor is made up. Files that cannot be followed so are those of UNSEEN and no others.
"""

import argparse
import contextlib
import importlib.util
import inspect
import pathlib
import sys
import tempfile
import tomllib
import warnings

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(REPO / "src" / "worker" / "python")]

import torch  # noqa: E402
import triton  # noqa: E402
from device_shim import DeviceShim  # noqa: E402
from run import header  # noqa: E402
from stub_driver import StubDriver  # noqa: E402
from triton.runtime.autotuner import Autotuner  # noqa: E402
from triton.runtime.jit import JITFunction  # noqa: E402

LIMITS = (2**31 - 1, 65535, 65535)
DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "i8": "int8", "i16": "int16", "i32": "int32",
          "i64": "int64", "u8": "uint8", "bool": "bool", "c64": "complex64", "c128": "complex128"}  # fmt: skip
UNSEEN = {  # they need memory, or a device with a name, while they are read or called
    "exp_sqrt/lru_cache_config.py", "exp_sqrt/table_at_import.py", "structure/slots_and_getattr.py", "torch_api/library_impl.py",
}  # fmt: skip


def value(spec):
    """An argument of a case."""
    if isinstance(spec, list):
        return [value(item) for item in spec]
    if not isinstance(spec, dict):
        return spec
    if "shape" in spec:
        return torch.empty(spec["shape"], dtype=getattr(torch, DTYPES[spec["dtype"]]), device="meta")
    if "list" in spec:
        return [value(item) for item in spec["list"]]
    if "tuple" in spec:
        return tuple(value(item) for item in spec["tuple"])
    if "torch_dtype" in spec:
        return getattr(torch, spec["torch_dtype"])
    return torch.device("meta") if "device" in spec else torch.Generator() if "generator" in spec else None


def call(function, args):
    """As kbx passes arguments: what has no default by position."""
    positional, keyword, made = [], {}, {name: value(spec) for name, spec in args.items()}
    for name, spec in args.items():
        if isinstance(spec, dict) and "copy_of" in spec:
            made[name] = made[spec["copy_of"]]
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in made:
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += made[name]
        elif parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            positional.append(made[name])
        else:
            keyword[name] = made[name]
    return function(*positional, **keyword)


class Launches:
    """Stands where Triton launches: what would have run is in `rows`."""

    def __init__(self):
        self.rows = []

        def run(fn, *args, grid, warmup=False, **kwargs):
            names = dict(zip(fn.arg_names, args)) | kwargs
            sizes = grid(names) if callable(grid) else grid
            self.rows.append((fn.__name__, tuple(int(n) for n in sizes)))

        def tuned(tuner, *args, **kwargs):
            for config in tuner.configs:
                tuner.fn.run(*args, **(kwargs | config.all_kwargs()))

        JITFunction.run, Autotuner.run = run, tuned


def stand_in():
    """Meta tensors that say they are on a card, and whose contents are made up."""
    triton.runtime.driver.set_active(StubDriver(90))
    tensor = torch.Tensor
    tensor.is_cuda = property(lambda this: True)
    tensor.item = tensor.__int__ = tensor.__index__ = lambda this: 1
    tensor.__bool__, tensor.__float__ = lambda this: True, lambda this: 1.0
    tensor.cpu = tensor.pin_memory = lambda this: this
    tensor.is_pinned, tensor.record_stream = lambda this: False, lambda this, stream: None
    shim = DeviceShim(90)
    shim._cuda()
    shim._functions()


def loaded(path, folder):
    """The candidate as a module: triton reads the source of its kernels from a file."""
    copy = folder / ("%s_%s" % (path.parent.name, path.name))
    copy.write_text(path.read_text())
    spec = importlib.util.spec_from_file_location(copy.stem, copy)
    module = sys.modules[copy.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def launched(path, launches, folder):
    """(size, kernel, grid) of every launch. Raises what the candidate raises."""
    (task_file,) = REPO.glob("suite/*/%s/task.toml" % header(path)["task"])
    task = tomllib.loads(task_file.read_text())
    function = getattr(loaded(path, folder), task["entry"].split("(")[0])
    found = []
    for size in task["perf"]:
        launches.rows.clear()
        call(function, size["args"])
        found += [(size["name"], kernel, grid) for kernel, grid in launches.rows]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true", help="every grid")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    launches, failed, unseen, count = Launches(), 0, set(), 0
    stand_in()
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(p for p in HERE.glob("*/*.py") if p.parent.name != "packages"):
            name = str(path.relative_to(HERE))
            if options.only not in name:
                continue
            count += 1
            try:
                with contextlib.redirect_stdout(None):
                    found = launched(path, launches, pathlib.Path(folder))
            except Exception as error:
                unseen.add(name)
                if name not in UNSEEN or options.list:
                    print("unseen %s: %s: %s" % (name, type(error).__name__, str(error)[:200]))
                continue
            for size, kernel, grid in found:
                refused = any(n > limit for n, limit in zip(grid, LIMITS))
                failed += refused
                if refused or options.list:
                    print("%s %s, size %s: %s%s" % ("FAIL" if refused else "    ", name, size, kernel, grid))
    new, followed = unseen - UNSEEN, {name for name in UNSEEN if options.only in name} - unseen
    for name in sorted(followed):
        print("FAIL %s can be followed: it is UNSEEN no more" % name)
    print("%d files, %d unseen, %d grids that a card refuses" % (count, len(unseen), failed))
    return 1 if failed or new or followed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
