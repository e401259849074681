"""The reference role: trusted source in eager, truth and permuted mode."""

import unittest

import numpy as np

import sources
from case import WorkerCase, f32, floats, tearDownModule  # noqa: F401

X = np.random.default_rng(3).standard_normal((3, 5)).astype(np.float32)


class Reference(WorkerCase):
    def setUp(self):
        self.child = self.loaded(self.start("reference"), sources.REFERENCE, entries=[])
        self.x = self.child.tensor("input", "f32", [3, 5], X.tobytes())

    def tearDown(self):
        self.end(self.child)

    def array(self, result, kind):
        return np.frombuffer(self.child.read(result), kind).reshape(result["shape"])

    def test_eager_is_plain_cpu_torch(self):
        reply = self.child.call(self.x)
        self.assertEqual((reply["ok"], reply["result"]["dtype"], reply["result"]["device"]), (True, "f32", "cpu"))
        self.assertEqual(reply["launches"], [])

    def test_truth_is_float64_even_where_a_dtype_was_named(self):
        reply = self.child.call(self.x, kwargs={"dtype": {"t": "dtype", "v": "f16"}}, mode="truth")
        self.assertEqual(reply["result"]["dtype"], "f64")
        e = np.exp(X.astype(np.float64) - X.max(1, keepdims=True))
        self.assertLess(np.abs(self.array(reply["result"], np.float64) - e / e.sum(1, keepdims=True)).max(), 1e-15)

    def test_permuted_reorders_the_named_dim(self):
        plain = self.array(self.child.call(self.x)["result"], np.float32).copy()
        reply = self.child.call(self.x, mode="permuted", permute=[["input", -1]], permute_seed=5)
        got = self.array(reply["result"], np.float32)
        self.assertFalse(np.array_equal(got, plain))
        self.assertLess(np.abs(np.sort(got, 1) - np.sort(plain, 1)).max(), 1e-6)

    def test_mutated_inputs_come_back_in_every_mode(self):
        two = {"t": "float", "v": 2.0}
        truth = self.child.call(self.x, two, entry="scale", mode="truth", mutates=["input"])
        self.assertEqual(truth["mutated"]["input"]["dtype"], "f64")
        self.assertTrue(np.array_equal(self.array(truth["mutated"]["input"], np.float64), 2 * X.astype(np.float64)))
        self.assertEqual(floats(self.child.read(self.x)), X.ravel().tolist())
        self.child.call(self.x, two, entry="scale", mutates=["input"])
        self.assertEqual(floats(self.child.read(self.x)), (2 * X).ravel().tolist())

    def test_nested_results(self):
        result = self.child.call(self.x, {"t": "float", "v": 2.0}, entry="scale")["result"]
        self.assertEqual([item["t"] for item in result["v"]], ["tensor", "dict", "tuple"])
        self.assertEqual(result["v"][2]["v"], [{"t": "none"}, {"t": "bool", "v": True}, {"t": "float", "v": "nan"}])

    def test_missing_entry(self):
        self.assertEqual(self.child.call(self.x, entry="magnitude")["error"]["kind"], "entry_missing")


if __name__ == "__main__":
    unittest.main()
