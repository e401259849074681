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
        (row,) = reply["compiled"]
        self.assertFalse(row["ok"])
        self.assertIn("loop", row["error"])

    LARGE = (
        sources.MATMUL.replace('triton.Config({"BN": 32}, num_warps=4), ', "")
        .replace('{"BN": 64}, num_warps=8', '{"BN": 128}, num_warps=8, num_stages=3')
        .replace("BM=32, BK=32", "BM=128, BK=128")
    )

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


if __name__ == "__main__":
    unittest.main()
