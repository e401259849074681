"""The worked examples of prompts/corpus compute what they say: each on odd sizes, in Triton's interpreter, against torch."""

import importlib.util
import os
import sys
from pathlib import Path

os.environ["TRITON_INTERPRET"] = "1"  # before triton is imported

import torch

CORPUS = Path(__file__).resolve().parents[2] / "prompts" / "corpus"


def moving_average(x: torch.Tensor, radius: int) -> torch.Tensor:
    """The mean over a window, with zeros beyond the ends."""
    padded = torch.nn.functional.pad(x, (radius, radius))
    return padded.unfold(0, 2 * radius + 1, 1).mean(-1)


def rotate_pairs(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Both halves of a row as the coordinates of rotated points."""
    first, second = x.chunk(2, dim=1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=1)


def cases() -> dict[str, tuple[tuple, torch.Tensor]]:
    """Arguments and the expected result of every example."""
    torch.manual_seed(7)
    x, y = torch.randn(3, 1100), torch.randn(3, 1100)
    m, a, b = torch.randn(77, 45), torch.randn(50), torch.randn(131)
    angle = torch.randn(5, 12)
    pairs = torch.randn(5, 24)
    values = torch.randint(-2, 12, (2500,))
    q = torch.randint(-128, 128, (3, 1030), dtype=torch.int8)
    scale, zero = torch.rand(3), torch.randn(3)
    return {
        "saxpy": ((1.5, x, y), 1.5 * x + y),
        "swish_gate": ((x.half(), y.half()), torch.nn.functional.silu(x.half().float()).mul(y.half().float()).half()),
        "row_range": ((x.t()[:700:3].t(),), x[:, :700:3].amax(1) - x[:, :700:3].amin(1)),
        "row_center": ((x,), x - x.mean(1, keepdim=True)),
        "column_energy": ((m,), (m * m).sum(0)),
        "tile_transpose": ((m[:, ::2],), m[:, ::2].t().contiguous()),
        "outer_difference": ((a, b), a[:, None] - b[None, :]),
        "rotate_pairs": ((pairs, angle.cos(), angle.sin()), rotate_pairs(pairs, angle.cos(), angle.sin())),
        "count_values": ((values, 10), torch.bincount(values[(values >= 0) & (values < 10)], minlength=10).int()),
        "gram_matrix": ((m,), m.t() @ m),
        "running_total": ((x,), x.cumsum(1)),
        "moving_average": ((a, 2), moving_average(a, 2)),
        "dequantize_rows": ((q, scale, zero), ((q.float() - zero[:, None]) * scale[:, None]).half()),
    }


def load(name: str):
    """The example's function, which has the file's name."""
    spec = importlib.util.spec_from_file_location(name, CORPUS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def main() -> int:
    """Run every example; all files must have a case."""
    wanted = cases()
    files = {path.stem for path in CORPUS.glob("*.py")}
    faults = [f"{name}: no case here, or no file there" for name in files ^ set(wanted)]
    for name in sorted(files & set(wanted)):
        arguments, expected = wanted[name]
        got = load(name)(*arguments)
        same = got.dtype == expected.dtype and got.shape == expected.shape
        if not same or not torch.allclose(got.double(), expected.double(), rtol=2e-3, atol=1e-3):
            faults.append(f"{name}: a wrong result")
    print("\n".join(faults) or f"{len(files)} examples are right")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
