"""What the reciting model answers: for every method's questions about some tasks of the suite, texts with known ends.

The right kernels are the suite's own witnesses; a wrong one is a witness with one word misspelt, so that it does not compile.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from recitation import Route

SUITE = Path(__file__).resolve().parents[2] / "suite"
# Small elementwise tasks: quick to judge without a GPU.
TASKS = """math/erf math/abs math/cos math/log math/sqrt_exp math/reciprocal math/rsqrt math/exp_sqrt fusion/fused_cos_signbit activation/relu math/sqrt_tanh
math/rad2deg_sqrt activation/sigmoid math/erfc_sqrt math/floor activation/leaky_relu math/trunc fusion/fused_relu_sqrt activation/tanh activation/relu_fp16
activation/gelu activation/relu_bf16 activation/sigmoid_fp16 activation/sigmoid_bf16""".split()


def fenced(code: str, before: str = "") -> str:
    """A reply of prose and one block."""
    return f"{before}\n```python\n{code}```\n"


def answer(strategy: str, code: str) -> str:
    """A reply in GEAK's form."""
    return json.dumps({"strategy": strategy, "code": code})


def misspelt(code: str, word: str) -> str:
    """The kernel with its first load misspelt."""
    assert "tl.load" in code
    return code.replace("tl.load", word, 1)


def routes_of(task: str, place: int) -> list[Route]:
    """Fails, is reflected on, is mended, is made better; one worker of three wins; one answer of four is wrong."""
    folder = SUITE / task
    right = (folder / "witness.py").read_text()
    summary = tomllib.loads((folder / "task.toml").read_text())["summary"].split('"')[0].split("\\")[0]
    name = folder.name
    better = right + f"\n# {name}: read once, written once.\n"
    marks = {k: 0.5 for k in "fits_contract right_values masks_and_tails strides_and_types numerics memory_traffic parallelism launch_cost clarity".split()}

    def when(*words: str) -> list[str]:
        return [summary, *words]

    return [
        Route(when("You cannot run it: read it."), json.dumps(marks | {"reasoning": f"{name} was read, not run."})),
        Route(when("Why did it fail?"), f"{name}: tl.laod does not exist; the load is misspelt and must be tl.load. Nothing else is wrong.\n"),
        Route(when("Sum up its strategy"), f"{name}: one program a block, one load and one store an element. It is bound by memory; larger blocks promise most.\n"),
        Route(when("## Kernels that are right"), answer(f"{name}: larger blocks", better)),
        Route(when("Reply with one JSON object", "## Earlier attempts"), answer(f"{name}: the load spelt right", right)),
        Route(when("Reply with one JSON object"), answer(f"{name}: one program a block", misspelt(right, "tl.laod"))),
        Route(when("Find the cause of the failure", "tl.lood"), fenced(right, f"{name}: the load was misspelt.")),
        Route(when("Find the cause of the failure", "tl.laod"), fenced(misspelt(right, "tl.lowd"), f"{name}: another spelling.")),
        Route(when("Find the cause of the failure"), fenced(misspelt(right, "tl.laod"), f"{name}: yet another spelling.")),
        Route(when("The simplest kernel that keeps"), fenced(misspelt(right, "tl.laod"), f"{name}, simple.")),
        Route(when("First decide what one program computes"), fenced(misspelt(right, "tl.lood"), f"{name}, decided.")),
        Route(when("Think of what breaks most kernels"), fenced(misspelt(right, "tl.lead"), f"{name}, thought over.")),
        Route(
            when("Reply with one complete Python file"),
            (f"<think>\n{name}: perhaps tl.laod?\n</think>\n" if place % 2 else "")
            + fenced(misspelt(right, "tl.laad") if place % 4 == 3 else right, f"Here is {name}."),
        ),
    ]  # fmt: skip


def standard(count: int = len(TASKS)) -> list[Route]:
    """All routes for the first `count` tasks."""
    return [r for k, task in enumerate(TASKS[:count]) for r in routes_of(task, k)] + [Route([], "I have no answer to that.")]
