"""Arguments for calls of an entry: those of a task's cases, drawn by torch, or guesses from a bare signature.

The numbers are not those that kbx draws (Philox by path); shapes, dtypes, layouts and value ranges are the task's.
"""

import inspect
import math
import re
import tomllib

import torch

DTYPES = {
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8,
    "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool,
    "c64": torch.complex64, "c128": torch.complex128, "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2,
}  # fmt: skip
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf, "-0.0": -0.0}


def matrix(spec, shape, g):
    """spd, conditioned, symmetric, triangular, low_rank, orthogonal: float64, the last two dims."""
    kind, rows, columns = spec["dist"], shape[-2], shape[-1]
    n = torch.randn(shape, generator=g, dtype=torch.float64)
    if kind == "symmetric":
        return (n + n.mT) / 2
    if kind == "low_rank":
        rank = spec["rank"]
        left = torch.randn((*shape[:-1], rank), generator=g, dtype=torch.float64)
        return left @ torch.randn((*shape[:-2], rank, columns), generator=g, dtype=torch.float64) / rank**0.5
    if kind == "triangular":
        part = n.triu() if spec.get("upper") else n.tril()
        return part + torch.eye(rows, dtype=torch.float64) * (rows**0.5 + 2)
    small = min(rows, columns)
    left = torch.linalg.qr(torch.randn((*shape[:-2], rows, small), generator=g, dtype=torch.float64))[0]
    right = torch.linalg.qr(torch.randn((*shape[:-2], columns, small), generator=g, dtype=torch.float64))[0]
    if kind == "orthogonal":
        return left
    spread = torch.logspace(0, math.log10(spec.get("cond", 10.0)), max(small, 1), dtype=torch.float64)[:small]
    return (left * spread) @ (left.mT if kind == "spd" else right.mT)


def listed(spec, shape, dtype):
    real = dtype.is_floating_point
    info = torch.finfo(dtype) if real else None if dtype in (torch.bool,) or dtype.is_complex else torch.iinfo(dtype)
    known = dict(SPECIAL)
    if info is not None:
        known.update(max=info.max, min=info.min, tiny=getattr(info, "tiny", 1), denormal=getattr(info, "tiny", 1) / 4)
    values = [known.get(v, v) if isinstance(v, str) else v for v in spec["values"]]
    count = math.prod(shape)
    return (values * (count // max(len(values), 1) + 1))[:count]


def drawn(spec, shape, dtype, g):
    """A contiguous tensor of the logical shape."""
    kind, options = spec["dist"], {"generator": g}
    if kind == "values":
        values = listed(spec, shape, dtype)
        exact = torch.int64 if not (dtype.is_floating_point or dtype.is_complex or dtype == torch.bool) else dtype
        return torch.tensor(values, dtype=exact).reshape(shape).to(dtype)
    if kind in ("spd", "conditioned", "symmetric", "triangular", "low_rank", "orthogonal"):
        return matrix(spec, shape, g).to(dtype)
    if kind in ("randint", "class_index"):
        low, high = (spec["low"], spec["high"]) if kind == "randint" else (0, spec["classes"])
        return torch.randint(low, high, shape, **options).to(dtype)
    if kind == "permutation":
        return torch.rand(shape, **options).argsort(spec.get("dim", -1)).to(dtype)
    if kind == "bernoulli":
        return (torch.rand(shape, **options) < spec.get("p", 0.5)).to(dtype)
    if kind == "constant":
        return torch.full(shape, spec["value"]).to(dtype)
    if kind == "poison":
        return torch.full(shape, math.nan if dtype.is_floating_point or dtype.is_complex else 97).to(dtype)
    if kind == "linspace":
        return torch.linspace(spec["low"], spec["high"], math.prod(shape), dtype=torch.float64).reshape(shape).to(dtype)
    if kind == "ties":
        return torch.randint(-2, 2, shape, **options).to(dtype)
    uniform = torch.rand(shape, generator=g, dtype=torch.float64)
    if kind in ("uniform", "grid"):
        low, high = (
            spec.get("low", 0.0 if kind == "uniform" else -1.1),
            spec.get("high", 1.0 if kind == "uniform" else 1.1),
        )
        return (low + uniform * (high - low)).to(dtype)
    if kind == "positive":
        low, high = math.log(spec.get("low", 0.1)), math.log(spec.get("high", 4.0))
        return (low + uniform * (high - low)).exp().to(dtype)
    wide = torch.complex128 if dtype.is_complex else torch.float64
    normal = torch.randn(shape, generator=g, dtype=wide) * spec.get("std", 1.0) + spec.get("mean", 0.0)
    if kind == "lognormal":
        normal = normal.exp()
    if kind == "sorted":
        normal = normal.sort(-1)[0]
    if kind == "outliers":
        normal = torch.where(uniform < spec.get("prob", 0.01), normal * spec.get("scale", 50.0), normal)
    if kind == "edge":
        edges = torch.tensor([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan], dtype=torch.float64)
        normal.view(-1)[::3] = edges.repeat(normal.numel() // 7 + 1)[: normal.view(-1)[::3].numel()]
    if not (dtype.is_floating_point or dtype.is_complex):
        normal = normal.round()
    return normal.to(dtype)


def laid_out(tensor, layout, device):
    """The same logical values in another storage, on the device."""
    tensor = tensor.to(device)
    name, numbers = layout.split("(")[0], [int(n) for n in re.findall(r"-?\d+", layout)]
    if name == "transposed":
        return tensor.transpose(*numbers).contiguous().transpose(*numbers)
    if name == "strided":
        store = torch.zeros((*tensor.shape[:-1], tensor.shape[-1] * numbers[0]), dtype=tensor.dtype, device=device)
        view = store[..., :: numbers[0]]
        return view.copy_(tensor)
    if name == "expanded":
        return tensor.narrow(numbers[0], 0, 1).clone().expand(tensor.shape) if tensor.shape[numbers[0]] else tensor
    if name == "offset":
        store = torch.zeros(tensor.numel() + numbers[0], dtype=tensor.dtype, device=device)
        return store[numbers[0] :].view(tensor.shape).copy_(tensor)
    return tensor.contiguous(memory_format=torch.channels_last) if name == "channels_last" else tensor


def built(spec, g, device, done):
    """A value of docs/task_format.md."""
    if isinstance(spec, list):
        return [built(item, g, device, done) for item in spec]
    if not isinstance(spec, dict):
        return spec
    if "shape" in spec:
        dtype = DTYPES[spec["dtype"]]
        value = laid_out(drawn(spec, tuple(spec["shape"]), dtype, g), spec.get("layout", "contiguous"), device)
        return value.requires_grad_() if spec.get("requires_grad") else value
    if spec.get("none"):
        return None
    if "torch_dtype" in spec:
        return getattr(torch, spec["torch_dtype"])
    if spec.get("device"):
        return torch.device(device)
    if "generator" in spec:
        return torch.Generator(device=device).manual_seed(spec["generator"])
    if "copy_of" in spec:
        return done[spec["copy_of"]]
    if "tuple" in spec:
        return tuple(built(item, g, device, done) for item in spec["tuple"])
    return [built(item, g, device, done) for item in spec["list"]]


class Task:
    """One task.toml: names, signature and the calls of its cases."""

    def __init__(self, path):
        self.folder = path.parent
        self.toml = tomllib.loads(path.read_text())
        name, rest = self.toml["entry"].split("(", 1)
        scope = {}
        exec("from __future__ import annotations\ndef entry(%s: pass" % (rest.rsplit(" ->", 1)[0] + ""), scope)
        self.signature = inspect.signature(scope["entry"])
        self.names = [name, self.toml["name"], *self.toml.get("aliases", [])]

    def calls(self, device, seed=0):
        """(case name, a function that makes (args, kwargs) afresh)"""
        for index, case in enumerate(self.toml.get("case", [])):
            yield case["name"], lambda case=case, index=index: self._call(case, device, seed * 1000 + index)

    def _call(self, case, device, seed):
        g = torch.Generator().manual_seed(seed)
        done = {}
        for name, spec in case["args"].items():
            done[name] = built(spec, g, device, done)
        args, kwargs = [], {}
        for name, parameter in self.signature.parameters.items():
            if name not in done:
                continue
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += done[name]
            elif parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY:
                args.append(done[name])
            else:
                kwargs[name] = done[name]
        return args, kwargs


SETTINGS = ("square", "vector", "image", "batched", "half", "columns")
NUMBERS = {
    "dim": -1, "axis": -1, "kernel_size": 2, "p": 0.5, "eps": 1e-5, "num_groups": 2, "output_size": (4, 4), "k": 2,
    "normalized_shape": 32, "alpha": 1.0, "beta": 1.0, "n": 2, "repeats": 2, "value": 0.5, "min": -0.5, "max": 0.5,
    "n_clusters": 3, "upscale_factor": 2, "dropout_p": 0.0, "lr": 0.01, "step": 1, "scale": 0.5, "dims": (0,),
    "offset": 1, "diagonal": 0, "size": (32, 32), "shape": (32, 32), "exponent": 2.0, "sections": 2, "chunks": 2,
}  # fmt: skip
WHOLE = ("index", "indices", "target", "targets", "labels", "input_indices")


def guessed(signature, setting, device, seed=0):
    """Arguments for the parameters without a default, by their names; what does not fit fails in the candidate."""
    g = torch.Generator().manual_seed(seed)
    shape = {"vector": (1000,), "image": (2, 4, 16, 16), "batched": (4, 32, 32), "columns": (33, 65)}.get(
        setting, (32, 32)
    )
    args = []
    for name, parameter in signature.parameters.items():
        if parameter.default is not parameter.empty or parameter.kind not in (0, 1):
            continue
        if name in NUMBERS:
            args.append(NUMBERS[name])
        elif name in WHOLE:
            args.append(torch.randint(0, 16, shape[:1], generator=g).to(device))
        elif "mask" in name:
            args.append((torch.rand(shape, generator=g) < 0.5).to(device))
        elif name in ("tensors", "params"):
            args.append([torch.randn(shape, generator=g).to(device) for _ in range(2)])
        else:
            now = (8, 4, 3, 3) if setting == "image" and name.startswith("weight") else shape
            now = shape[-1:] if name in ("bias", "vec", "running_mean", "running_var", "gamma") else now
            args.append(torch.randn(now, generator=g).abs_().add_(0.1).to(device))
            if setting == "half":
                args[-1] = args[-1].half()
    return args, {}
