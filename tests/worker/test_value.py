"""The value role: candidates run on CPU tensors, their launches on the IR machine."""

import math
import struct
import unittest

import numpy as np

import sources
from case import WorkerCase, f32, floats, tearDownModule  # noqa: F401


class Right(WorkerCase):
    def test_adds_and_reports_the_launch(self):
        child = self.loaded(self.start(), sources.ADD)
        x, y = ([math.sin(k * step) for k in range(1000)] for step in (0.3, 0.7))
        reply = child.call(child.tensor("x", "f32", [1000], f32(x)), child.tensor("y", "f32", [1000], f32(y)))
        self.assertTrue(reply["ok"], reply)
        want = (np.array(x, np.float32) + np.array(y, np.float32)).tolist()
        self.assertEqual(floats(child.read(reply["result"])), want)
        self.assertEqual(
            (reply["result"]["dtype"], reply["result"]["shape"], reply["result"]["alias"]), ("f32", [1000], None)
        )
        (launch,) = reply["launches"]
        self.assertEqual((launch["kernel"], launch["grid"], launch["programs"]), ("add_kernel", [16, 1, 1], 16))
        self.assertEqual((launch["load_bytes"], launch["store_bytes"], launch["outputs"]), (8000, 4000, True))
        self.assertEqual((reply["findings"], reply["ops"]), ([], {"empty_like": 1}))
        self.end(child)

    def test_softmax_of_a_strided_view(self):
        child = self.loaded(self.start(), sources.SOFTMAX)
        data = np.random.default_rng(1).standard_normal((7, 128)).astype(np.float32)
        reply = child.call(child.tensor("x", "f32", [7, 100], data.tobytes(), stride=[128, 1], offset=20))
        x = data[:, 20:120]
        want = np.exp(x - x.max(1, keepdims=True))
        want /= want.sum(1, keepdims=True)
        got = np.frombuffer(child.read(reply["result"]), np.float32).reshape(7, 100)
        self.assertLess(np.abs(got - want).max(), 1e-6)
        self.assertEqual(reply["findings"], [])
        self.end(child)

    def test_autotuned_matmul_with_heuristics(self):
        child = self.loaded(self.start(), sources.MATMUL)
        rng = np.random.default_rng(2)
        a, b = rng.standard_normal((70, 50)).astype(np.float16), rng.standard_normal((50, 90)).astype(np.float16)
        reply = child.call(
            child.tensor("a", "f16", [70, 50], a.tobytes()), child.tensor("b", "f16", [50, 90], b.tobytes())
        )
        self.assertTrue(reply["ok"], reply)
        got = np.frombuffer(child.read(reply["result"]), np.float16).reshape(70, 90).astype(np.float32)
        self.assertLess(np.abs(got - a.astype(np.float32) @ b.astype(np.float32)).max(), 0.02)
        self.assertEqual((len(reply["launches"]), self.rules(reply)), (1, []))
        self.end(child)

    def test_in_place_change_is_seen_in_the_arena_and_the_view_is_an_alias(self):
        child = self.loaded(self.start(), sources.IN_PLACE)
        x = child.tensor("x", "f32", [10], f32(range(10)))
        reply = child.call(x, mutates=["x"])
        self.assertEqual(floats(child.read(x)), [2.0 * k for k in range(10)])
        self.assertEqual((reply["result"]["alias"], reply["result"]["shape"]), ("x", [3]))
        self.assertTrue(reply["launches"][0]["outputs"])
        zone = bytes(child.arena[x["at"] + 40 : x["at"] + 40 + 256])
        self.assertEqual(zone, b"\xa5" * 256)
        self.end(child)

    def test_second_call_of_one_child_sees_new_inputs(self):
        child = self.loaded(self.start(), sources.ADD)
        for scale in (1.0, 3.0):
            x = child.tensor("x", "f32", [5], f32([scale * k for k in range(5)]))
            reply = child.call(x, x)
            self.assertEqual(floats(child.read(reply["result"])), [2 * scale * k for k in range(5)])
            self.assertEqual(reply["launch_count"], 1)
        self.end(child)


class Findings(WorkerCase):
    def call(self, source, n=100, **load):
        child = self.loaded(self.start(), source, **load)
        reply = child.call(child.tensor("x", "f32", [n], f32([0.5 + k for k in range(n)])))
        child.finish()
        child.wait()
        return reply

    def test_out_of_bounds_store_names_argument_line_and_distance(self):
        reply = self.call(sources.OUT_OF_BOUNDS)
        (finding,) = [f for f in reply["findings"] if f["rule"] == "out_of_bounds"]
        self.assertEqual(finding["severity"], "reject")
        self.assertIn("`dst`", finding["message"])
        self.assertIn("(1, 0, 0)", finding["message"])
        self.assertIn("400 bytes", finding["message"])
        self.assertEqual(sources.OUT_OF_BOUNDS.split("\n")[finding["line"] - 1].strip(), "tl.store(dst + p, v)")

    def test_read_modify_write_of_one_cell_is_a_race(self):
        self.assertEqual(self.rules(self.call(sources.RACE)), ["data_race"])

    def test_one_program_is_no_race(self):
        reply = self.call(sources.RACE, n=60)
        self.assertEqual(reply["findings"], [])

    def test_values_nobody_wrote_are_followed(self):
        reply = self.call(sources.UNWRITTEN, n=64)
        self.assertIn("undefined_read", {f["rule"] for f in reply["findings"]})

    def test_endless_kernel_is_a_timeout(self):
        reply = self.call(sources.ENDLESS_KERNEL, n=1, kernel_seconds=0.5)
        self.assertFalse(reply["ok"])
        self.assertEqual(reply["error"]["kind"], "timeout")
        self.assertIn("time_limit", {f["rule"] for f in reply["findings"]})

    def test_unknown_operation_is_not_judged_even_when_swallowed(self):
        reply = self.call(sources.INLINE_ASM, n=64)
        self.assertFalse(reply["ok"])
        self.assertEqual(reply["error"]["kind"], "not_judged")
        self.assertIn("inline_asm", reply["error"]["message"])

    def test_compiler_refusal_is_a_compile_error_with_the_line(self):
        reply = self.call(sources.BAD_KERNEL, n=64)
        self.assertEqual(reply["error"]["kind"], "compile_error")
        self.assertIn("loop", reply["error"]["message"] + reply["error"]["traceback"])
        line = sources.BAD_KERNEL.split("\n")[reply["error"]["line"] - 1]
        self.assertTrue("for k" in line or "acc +=" in line, line)


class Delegation(WorkerCase):
    def outputs(self, source):
        child = self.loaded(self.start(), source)
        reply = child.call(child.tensor("x", "f32", [60], f32([k / 60 for k in range(60)])))
        self.end(child)
        return [launch["outputs"] for launch in reply["launches"]], reply["ops"]

    def test_decoy_kernel_reaches_no_output(self):
        outputs, ops = self.outputs(sources.DECOY)
        self.assertEqual(outputs, [False])
        self.assertIn("_softmax", ops)

    def test_chain_through_torch_operators_reaches_the_output(self):
        self.assertEqual(self.outputs(sources.CHAIN)[0], [True, True, False])


class Values(WorkerCase):
    def echo(self, body, *args, **kwargs):
        child = self.loaded(self.start(), "import torch\n" + body)
        reply = child.call(*args, **kwargs)
        self.end(child)
        return reply

    def test_scalars_names_and_nesting_arrive_and_return(self):
        args = [
            {"t": "none"},
            {"t": "bool", "v": True},
            {"t": "int", "v": 3},
            {"t": "float", "v": "-inf"},
            {"t": "str", "v": "mean"},
            {"t": "dtype", "v": "bf16"},
            {"t": "list", "v": [{"t": "tuple", "v": [{"t": "int", "v": 1}]}]},
            {"t": "dict", "k": ["a"], "v": [{"t": "float", "v": 0.5}]},
        ]
        reply = self.echo("def run(*args): return list(args)", *args)
        self.assertEqual(reply["result"]["v"], args)

    def test_subclasses_and_foreign_objects_are_objects(self):
        body = "class T(torch.Tensor): pass\nclass I(int): pass\n"
        body += "def run(): return [torch.ones(2).as_subclass(T), I(3), object(), 1j, {1: 2}]"
        kinds = [item["t"] for item in self.echo(body)["result"]["v"]]
        self.assertEqual(kinds, ["object"] * 5)

    def test_device_and_generator(self):
        body = "def run(d, g):\n    drawn = torch.rand(1, device=d, generator=g)\n"
        body += "    return [d.type, str(d), isinstance(g, torch.Generator), drawn.is_cuda]"
        reply = self.echo(body, {"t": "device"}, {"t": "generator", "v": 7})
        self.assertEqual([item["v"] for item in reply["result"]["v"]], ["cuda", "cuda:0", True, True])

    def test_transposed_result_is_copied_row_major(self):
        child = self.loaded(self.start(), "def run(x): return x.t()")
        reply = child.call(child.tensor("x", "i64", [2, 3], struct.pack("<6q", *range(6))))
        self.assertEqual(struct.unpack("<6q", child.read(reply["result"])), (0, 3, 1, 4, 2, 5))
        self.assertEqual((reply["result"]["alias"], reply["result"]["shape"]), ("x", [3, 2]))
        self.end(child)

    def test_a_storage_of_its_own_over_an_inputs_memory_is_an_alias_too(self):
        child = self.loaded(self.start(), "import torch\ndef run(x): return torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x[2:]))")
        reply = child.call(child.tensor("x", "f32", [5], f32(range(5))))
        self.assertIsNone(reply.get("error"))
        self.assertEqual(floats(child.read(reply["result"])), [2.0, 3.0, 4.0])
        self.assertEqual(reply["result"]["alias"], "x")
        self.end(child)

    def test_same_object_twice(self):
        child = self.loaded(self.start(), "def run(x, y): return x is y")
        reply = child.call(child.tensor("x", "f32", [1], f32([1])), {"t": "copy_of", "v": "x"})
        self.assertTrue(reply["result"]["v"])
        self.end(child)

    def test_torch_empty_reads_as_poison(self):
        reply = self.echo("def run(): return torch.empty(3, device='cuda').isnan().all().item()")
        self.assertTrue(reply["result"]["v"])

    def test_every_dtype_arrives(self):
        child = self.loaded(self.start(), "def run(*xs): return [str(x.dtype) for x in xs]")
        import harness

        args = [
            child.tensor("a%d" % k, name, [2], b"\0" * (2 * size))
            for k, (name, size) in enumerate(harness.SIZES.items())
        ]
        reply = child.call(*args)
        self.assertEqual(reply["result"]["v"][5]["v"], "torch.float8_e5m2")
        self.assertEqual(len(reply["result"]["v"]), 14)
        self.end(child)

    def test_too_large_a_result_is_an_error(self):
        reply = self.echo("def run(): return torch.zeros(1 << 24)")
        self.assertEqual((reply["ok"], reply["error"]["type"]), (False, "OutputTooLarge"))


class Optimizer(WorkerCase):
    SOURCE = """
import torch
class Descent:
    def __init__(self, params, lr): self.params, self.lr, self.steps = list(params), lr, 0
    def step(self):
        self.steps += 1
        with torch.no_grad():
            for p in self.params: p -= self.lr * self.steps * p.grad
def run(params, lr=1.0): return Descent(params, lr)
"""

    def test_object_is_built_and_stepped(self):
        for role in ("value", "reference"):
            child = self.loaded(self.start(role), self.SOURCE, protocol="optimizer")
            params = {"t": "list", "v": [child.tensor("p", "f32", [2], f32([1, 2]), requires_grad=True)]}
            steps = [{"t": "list", "v": [child.tensor("g%d" % k, "f32", [2], f32([k, 1]))]} for k in (1, 2)]
            keywords = {"lr": {"t": "float", "v": 0.5}, "grads": {"t": "list", "v": steps}}
            reply = child.call(params, kwargs=keywords)
            self.assertTrue(reply["ok"], reply)
            # 1 - 0.5 * (1 * 1 + 2 * 2), 2 - 0.5 * (1 + 2)
            self.assertEqual(floats(child.read(reply["result"]["v"][0])), [-1.5, 0.5])
            self.end(child)


if __name__ == "__main__":
    unittest.main()
