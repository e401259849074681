"""Generated kernels on a GPU: its values against the reference and the IR machine's; a child runs some seeds."""

import json
import tempfile

import generate
import numpy as np
import torch
from case import Case
from one import short


def allocator(size, alignment, stream):
    return torch.empty(size, dtype=torch.int8, device="cuda")


def one(watcher, folder, seed):
    """{generated: seed, family, note, broken | gpu: [...], machine_against_gpu: [...]}"""
    case: Case = generate.generate(seed)
    row = {"generated": seed, "family": case.family, "note": case.note}
    before = len(watcher.rows)
    try:
        args = case.moved("cuda")
        case.function(folder, seed)[case.grid](*args.values(), **case.constexprs, enable_fp_fusion=False)
        row["gpu"] = case.wrong(
            {n: v.cpu() if isinstance(v, torch.Tensor) else v for n, v in args.items()}, on_gpu=True
        )
    except Exception as error:
        row["broken"] = short(error)
    launches = watcher.rows[before:]
    row["skipped"] = [r["skipped"] for r in launches if "skipped" in r]
    row["machine_against_gpu"] = [t for r in launches for t in r.get("tensors", []) if t]
    row["order"] = [t for r in launches for t in r.get("order", []) if t]
    return row


def work(make_watcher):
    """The function that pool.run() takes; an item is (first seed, how many)."""

    def run_some(item, path):
        import triton

        if hasattr(triton, "set_allocator"):
            triton.set_allocator(allocator)
        watcher = make_watcher()
        watcher.install()
        with tempfile.TemporaryDirectory() as folder, path.open("a") as out, np.errstate(all="ignore"):
            for seed in range(item[0], item[0] + item[1]):
                out.write(json.dumps(one(watcher, folder, seed)) + "\n")
                out.flush()
            out.write(json.dumps({"end": "done"}) + "\n")

    return run_some
