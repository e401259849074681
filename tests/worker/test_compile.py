"""The compile role: every launch is compiled for six architectures; nothing runs."""

import unittest

import numpy as np

import sources
from case import WorkerCase, tearDownModule, zygote  # noqa: F401
from harness import ARCHS


class Compile(WorkerCase):
    def table(self, source, *shapes, dtype="f32", **load):
        child = self.loaded(self.start("compile"), source, **load)
        args = [
            child.tensor(
                "a%d" % k, dtype, shape, np.zeros(shape, {"f32": np.float32, "f16": np.float16}[dtype]).tobytes()
            )
            for k, shape in enumerate(shapes)
        ]
        reply = child.call(*args)
        self.end(child)
        return reply

    def test_table_for_six_architectures(self):
        reply = self.table(sources.ADD, [1000], [1000])
        self.assertTrue(reply["ok"], reply)
        rows = reply["compiled"]
        self.assertEqual(sorted(row["arch"] for row in rows), ARCHS)
        self.assertEqual(rows[0]["arch"], 90)
        newest = 90 if tuple(map(int, zygote().hello["triton"].split(".")[:2])) < (3, 3) else 10**6
        for row in rows:
            if row["arch"] > newest:
                self.assertIn("cannot compile for sm_%d" % row["arch"], row["error"])
                continue
            self.assertTrue(row["ok"], row)
            self.assertEqual(
                (row["kernel"], row["num_warps"], row["stack"], row["spill_stores"], row["spill_loads"], row["shared"]),
                ("add_kernel", 4, 0, 0, 0, 0),
            )
            self.assertTrue(8 <= row["registers"] <= 64, row)

    def test_autotuner_compiles_its_trials_for_the_deciding_architecture_only(self):
        reply = self.table(sources.MATMUL, [64, 64], [64, 64], dtype="f16")
        archs = [row["arch"] for row in reply["compiled"]]
        self.assertEqual((archs.count(90), len(archs)), (2, 7))
        self.assertEqual(reply["launches"], [{"kernel": "matmul_kernel", "grid": [2, 2, 1], "count": 1}])

    def test_same_kernel_twice_is_compiled_once(self):
        reply = self.table(sources.ADD + "\nonce = run\ndef run(x, y): return once(once(x, y), y)", [1000], [1000])
        self.assertEqual(len(reply["compiled"]), 6)
        self.assertEqual(reply["launches"][0]["count"], 2)

    def test_refusal_by_the_front_end(self):
        reply = self.table(sources.BAD_KERNEL, [64])
        self.assertEqual((reply["ok"], reply["error"]["kind"]), (False, "compile_error"))
        rows = reply["compiled"]
        self.assertEqual(sorted(row["arch"] for row in rows), ARCHS)  # asked everywhere, refused everywhere
        line = next(n for n, text in enumerate(sources.BAD_KERNEL.splitlines(), 1) if "while" in text or "for " in text)
        for row in rows:
            self.assertFalse(row["ok"])
            self.assertIn("loop", row["error"])
            self.assertTrue(row["error"].startswith("line %d: " % line), row["error"])

    LARGE = (
        sources.MATMUL.replace('triton.Config({"BN": 32}, num_warps=4), ', "")
        .replace('{"BN": 64}, num_warps=8', '{"BN": 128}, num_warps=8, num_stages=3')
        .replace("BM=32, BK=32", "BM=128, BK=128")
    )

    FP8 = """import torch, triton
import triton.language as tl

@triton.jit
def eight(x, out, N: tl.constexpr):
    at = tl.arange(0, N)
    small = tl.load(x + at).to(tl.float8e4nv)
    tl.store(out + at, small.to(tl.float32))

def run(x):
    out = torch.empty_like(x)
    eight[(1,)](x, out, N=64)
    return out
"""

    def test_too_much_shared_memory_for_some(self):
        reply = self.table(self.LARGE, [128, 1024], [1024, 128], dtype="f16")
        verdicts = {row["arch"]: row["ok"] for row in reply["compiled"]}
        self.assertTrue(verdicts[90])
        self.assertFalse(verdicts[86])
        self.assertIn("shared memory", [row["error"] for row in reply["compiled"] if row["arch"] == 86][0])

    def test_out_of_resources_on_the_deciding_architecture(self):
        reply = self.table(self.LARGE, [128, 1024], [1024, 128], dtype="f16", arch=86)
        self.assertEqual(
            (reply["ok"], reply["error"]["kind"], reply["error"]["type"]), (False, "compile_error", "OutOfResources")
        )
        verdicts = {row["arch"]: row["ok"] for row in reply["compiled"]}
        self.assertEqual(verdicts, {80: True, 86: False, 89: False, 90: True, 100: True, 120: False})

    SOME = sources.MATMUL.replace(
        '[triton.Config({"BN": 32}, num_warps=4), ', '[triton.Config({"BN": 128}, num_warps=8, num_stages=3), '
    ).replace("BM=32, BK=32", "BM=128, BK=128")

    def test_a_configuration_that_the_autotuner_passes_over_is_no_refusal(self):
        reply = self.table(self.SOME, [128, 1024], [1024, 128], dtype="f16", arch=86)
        self.assertTrue(reply["ok"], reply)
        self.assertEqual({(row["arch"], row["ok"]) for row in reply["compiled"]}, {(arch, True) for arch in ARCHS})

    def test_what_the_autotuner_cannot_compile_at_all_is_told_for_all(self):
        source = sources.BAD_KERNEL.replace(
            "@triton.jit", '@triton.autotune(configs=[triton.Config({"B": 64}), triton.Config({"B": 32})], key=["n"])\n@triton.jit'
        ).replace("3, B=64", "3")
        reply = self.table(source, [64])
        self.assertEqual((reply["ok"], reply["error"]["kind"]), (False, "compile_error"))
        self.assertEqual({row["arch"] for row in reply["compiled"] if not row["ok"]}, set(ARCHS))

    def test_what_an_older_architecture_refuses_is_compiled_for_the_newer_ones(self):
        reply = self.table(self.FP8, [64], arch=80)
        self.assertEqual((reply["ok"], reply["error"]["kind"]), (False, "compile_error"))
        verdicts = {row["arch"]: row["ok"] for row in reply["compiled"]}
        self.assertEqual(verdicts, {80: False, 86: False, 89: True, 90: True, 100: True, 120: True})

    def test_what_a_newer_architecture_runs_is_refused_by_the_older_ones(self):
        reply = self.table(self.FP8, [64])
        self.assertTrue(reply["ok"], reply)
        refused = {row["arch"]: row["error"] for row in reply["compiled"] if not row["ok"]}
        self.assertEqual(sorted(refused), [80, 86])
        for error in refused.values():
            self.assertTrue(error.startswith("line 7: "), error)


if __name__ == "__main__":
    unittest.main()
