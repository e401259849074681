"""Writes tests/ir/fixtures from cases.py and findings.py with Triton's own front end (made with triton 3.6.0).

NAME.ttir is the generic text; NAME.json, for cases, holds grid, arguments and torch's results as hexadecimal bytes.
Run it again only when a kernel changes: python tests/ir/make_fixtures.py
"""
import json
import pathlib
import re

import torch

import cases
import findings
import front

OUT = pathlib.Path(__file__).parent / "fixtures"
DTYPES = {
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float64: "f64",
    torch.float8_e4m3fn: "e4m3",
    torch.float8_e5m2: "e5m2",
    torch.int8: "i8",
    torch.uint8: "u8",
    torch.int32: "i32",
    torch.int64: "i64",
}


def bench_kernels():
    """The five kernels whose times the design documents quote."""
    f, h = torch.zeros(64), torch.zeros(64).half()
    big = 1 << 20
    return {
        "bench_add": (cases.k_add, (f, f, f, big), dict(B=1024)),
        "bench_softmax": (cases.k_softmax, (f, f, 1024), dict(B=1024)),
        "bench_layernorm": (cases.k_layernorm, (f, f, f, f, 1024, 1e-5), dict(B=1024)),
        "bench_matmul": (cases.k_matmul, (h, h, h, 512, 512, 512), dict(BM=64, BN=64, BK=32)),
        "bench_lse": (cases.k_lse, (f, f), dict(B=1024)),
    }


def neutral(text):
    """No path of this machine: files by their base name, Triton's library under triton/language/."""

    def short(match):
        path = match.group(1)
        name = path.rsplit("/", 1)[-1]
        return f'loc("/triton/language/{name}"' if "/triton/language/" in path else f'loc("{name}"'

    return re.sub(r'loc\("(/[^"]*)"', short, text)


def hexadecimal(tensor):
    return tensor.contiguous().view(-1).view(torch.uint8).numpy().tobytes().hex()


def describe(case, values):
    """The launch as JSON."""
    wanted = {t.data_ptr(): (w, tolerance) for t, w, tolerance in case.expect}
    arguments = []
    for v in values:
        if not isinstance(v, torch.Tensor):
            arguments.append({"number": 0 if v is None else v})
            continue
        one = {"dtype": DTYPES[v.dtype], "bytes": hexadecimal(v)}
        if v.data_ptr() in wanted:
            want, one["tolerance"] = wanted[v.data_ptr()]
            one["expect"] = hexadecimal(want.to(v.dtype))
        arguments.append(one)
    return {"grid": [*case.grid, 1, 1][:3], "arguments": arguments}


def main():
    front.install()
    OUT.mkdir(exist_ok=True)
    for name, make in cases.CASES.items():
        torch.manual_seed(0)
        case = make()
        text, values = front.lower(case.kernel, case.args, case.constexprs)
        (OUT / f"{name}.ttir").write_text(neutral(text))
        (OUT / f"{name}.json").write_text(json.dumps(describe(case, values)) + "\n")
    for name, (kernel, args, constexprs) in (findings.kernels() | bench_kernels()).items():
        text, _ = front.lower(kernel, args, constexprs)
        (OUT / f"{name}.ttir").write_text(neutral(text))
    print(f"{len(list(OUT.glob('*.ttir')))} texts in {OUT}")


if __name__ == "__main__":
    main()
