"""Runs every case of cases.py on the IR machine and compares with torch: KBX_WORKER_LIB=lib.so python run_cases.py [name]."""
import sys

import torch

import cases
import front
import machine

FLAGS = machine.UNDEFINED | machine.RACES | machine.COUNTS | machine.ALIGNMENT


def run(m, name, threads):
    """'' if the values are torch's and nothing was found, else what is wrong."""
    torch.manual_seed(0)
    case = cases.CASES[name]()
    text, values = front.lower(case.kernel, case.args, case.constexprs)
    report = m.launch(text, case.grid, values, FLAGS, threads)
    trouble = m.found(report)
    for got, want, tolerance in case.expect:
        if not torch.allclose(got.double(), want.double(), rtol=tolerance, atol=tolerance, equal_nan=True):
            trouble.append(f"got {got.flatten()[:8].tolist()} want {want.flatten()[:8].tolist()}")
    return "; ".join(trouble)


def main():
    front.install()
    m = machine.Machine()
    names = sys.argv[1:] or list(cases.CASES)
    bad = 0
    for name in names:
        try:
            trouble = run(m, name, 1) or run(m, name, 2)
        except Exception as e:
            while e.__cause__ is not None:
                e = e.__cause__
            trouble = f"{type(e).__name__}: {' '.join(str(e).split())[-300:]}"
        bad += bool(trouble)
        print(f"{name:22} {trouble or 'ok'}", flush=True)
    print(f"{len(names) - bad} of {len(names)}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
