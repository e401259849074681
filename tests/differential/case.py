"""One generated kernel: its source, a launch of it, and what must be in the tensors afterwards."""

import importlib.util
import pathlib
from dataclasses import dataclass, field

import compare
import torch

HEADER = """import triton
import triton.language as tl
from triton.language.extra import libdevice

"""


@dataclass
class Expect:
    """ulps: how far a right machine may be off, in units of the last place of the expected value; gpu: a right GPU;
    absolute: added to both, for sums in any order."""

    values: torch.Tensor
    ulps: float = 0.0
    gpu: float = 0.0
    absolute: float = 0.0


@dataclass
class Case:
    family: str
    source: str
    grid: tuple
    args: dict  # parameter -> tensor or scalar, in order; then the constexprs
    constexprs: dict
    expect: dict  # parameter -> Expect
    note: str = ""
    options: dict = field(default_factory=dict)

    def function(self, folder, seed):
        """The kernel, imported from a file (Triton reads sources from files)."""
        path = pathlib.Path(folder) / ("generated_%d.py" % seed)
        path.write_text(HEADER + self.source)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.kernel

    def moved(self, device):
        return {n: v.clone().to(device) if isinstance(v, torch.Tensor) else v for n, v in self.args.items()}

    def wrong(self, args, on_gpu=False):
        """[(parameter, difference)] of what is not as expected; the arguments nobody writes must be untouched."""
        found = []
        for name, value in args.items():
            if not isinstance(value, torch.Tensor):
                continue
            expect = self.expect.get(name) or Expect(self.args[name])
            ulps = expect.gpu if on_gpu else expect.ulps
            gap = beyond(value.cpu(), expect.values, ulps, expect.absolute)
            if gap is not None:
                found.append((name, gap))
        return found


def beyond(got, want, ulps, absolute):
    """None if within bounds (NaN equals NaN, -0 is not +0), else what compare.difference says."""
    flat = [t.contiguous().reshape(-1) for t in (got, want)]
    found = compare.difference(flat[0].view(torch.uint8), flat[1].view(torch.uint8), want.dtype)
    if found is None:
        return signs(*flat) if ulps == 0 and absolute == 0 else None
    if (ulps == 0 and absolute == 0) or want.dtype not in compare.FLOATS:
        return found
    a, b = flat[0].double(), flat[1].double()
    same = (a == b) | (a.isnan() & b.isnan())
    bound = ulps * compare.unit(torch.where(b.isfinite(), b, 0.0), want.dtype) + absolute
    return None if bool((same | ((a - b).abs() <= bound)).all()) else found


def signs(got, want):
    if want.dtype not in compare.FLOATS or got.dtype != want.dtype:
        return None
    a, b = got.double(), want.double()
    wrong = (torch.signbit(a) != torch.signbit(b)) & ~b.isnan()
    if not bool(wrong.any()):
        return None
    at = int(wrong.double().argmax())
    count, of, ours, theirs = int(wrong.sum()), a.numel(), float(a[at]), float(b[at])
    return {"dtype": str(want.dtype), "signs_of_zero": count, "of": of, "at": at, "ours": ours, "theirs": theirs}
