"""The GPU child's repeated calls, without a GPU: the recorder's library is replaced, and the device is the CPU."""

import ctypes
import math
import os
import pathlib
import sys
import unittest

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "src" / "worker" / "python"
sys.path.insert(0, str(PYTHON))

import device_recorder  # noqa: E402
from drive import drive  # noqa: E402
import drawn  # noqa: E402
import gpu_role  # noqa: E402
import torch  # noqa: E402
from values import Arena  # noqa: E402

OUT_AT, SIZE = 1 << 16, 1 << 20
TAPE = b"tape" * 25
TENSOR = {"t": "tensor", "dtype": "f32", "shape": [4, 4], "stride": [4, 1], "offset": 0, "at": 256, "bytes": 64}
DRAWN = {"t": "tensor", "dtype": "bf16", "shape": [4, 6], "stride": [1, 4], "at": 0, "bytes": 0, "name": "p[0]"}
NORMAL = {"dist": "normal", "params": {"mean": 0.0, "std": 1.0}, "values": []}


class Probe(device_recorder.Probe):
    """Takes down what it is asked for."""

    def __init__(self):
        self.log, self.own = [], False

    def call(self, name, *arguments):
        self.log.append((name, *arguments[:2]) if name == "tensor" else (name, *arguments))

    def scratch(self, on):
        self.own = on

    def size(self):
        return len(TAPE)

    def write(self, address, capacity):
        ctypes.memmove(address, TAPE, len(TAPE))
        return len(TAPE)

    def names(self):
        return [entry[0] for entry in self.log]


class Case(unittest.TestCase):
    def setUp(self):
        self.probe, self.calls = Probe(), 0
        recorder = device_recorder.DeviceRecorder(None, "none")
        recorder.trouble, recorder._probe = None, self.probe
        recorder._synchronize = recorder._forget_workspaces = lambda: None
        recorder._current_stream = lambda device: 0
        self.role = gpu_role.GpuRole(None, {})
        self.role._recorder, self.role._cuda, self.role._synchronize = recorder, torch.device("cpu"), lambda: None
        fd = os.memfd_create("arena")
        os.ftruncate(fd, SIZE)
        self.arena = Arena(fd, OUT_AT, SIZE - OUT_AT)
        os.close(fd)
        self.arena.bytes_at(256, 64).copy_(torch.arange(16, dtype=torch.float32).view(torch.uint8))

    def call(self, function, args, **fields):
        return drive(self.role.call(function, {"id": 1, "args": args, **fields}, self.arena))


class Recorded(Case):
    def test_every_call_starts_with_the_inputs_as_they_came(self):
        sums = []

        def function(x):
            sums.append(float(x.sum()))
            return x.add_(1)

        reply, error = self.call(function, [{**TENSOR, "name": "x"}], record={"warm": 3}, host_calls=2, mutates=["x"])
        self.assertIsNone(error)
        self.assertEqual(sums, [120.0] * (1 + 3 + 1 + 2))
        self.assertEqual(reply["ops"].get("add_"), 1)
        self.assertGreater(reply["host_seconds"], 0)

    def test_a_dry_run_tells_the_memory_and_the_next_counts(self):
        self.call(lambda x: x + 1, [{**TENSOR, "name": "x"}], record={"warm": 1})
        self.assertEqual(
            self.probe.names(), ["reset", "tensor", "start", "stop", "snapshot", "start", "stop", "trouble"]
        )
        self.assertEqual(self.probe.log[-1], ("trouble", b"result lies on the cpu"))

    def test_the_tape_lies_behind_the_results(self):
        reply, _ = self.call(lambda x: x + 1, [{**TENSOR, "name": "x"}], record={"warm": 1})
        place = reply["device_tape"]
        self.assertGreaterEqual(place["at"], reply["result"]["at"] + 64)
        self.assertEqual(bytes(self.arena.bytes_at(place["at"], place["bytes"]).numpy().data), TAPE)

    def test_generators_start_anew(self):
        seen = []
        generator = {"t": "generator", "v": 7}
        self.call(lambda g: seen.append(float(torch.rand(1, generator=g))), [generator], record={"warm": 2})
        self.assertEqual(len(set(seen)), 1)

    def test_what_a_repeated_call_raises_is_no_verdict(self):
        def function(x):
            self.calls += 1
            if self.calls > 1:
                raise RuntimeError("only once")
            return x

        reply, error = self.call(function, [{**TENSOR, "name": "x"}], record={"warm": 1})
        self.assertIsNone(error)
        self.assertIn("only once", reply["device_tape_trouble"])

    def test_a_recording_ends_whatever_the_call_raises(self):
        def function(x):
            self.calls += 1
            if self.calls == 3:
                raise SystemExit(0)
            return x

        self.call(function, [{**TENSOR, "name": "x"}], record={"warm": 1})
        self.assertEqual(self.probe.names().count("start"), self.probe.names().count("stop"))

    def test_without_a_recorder_the_call_is_judged_and_the_reason_said(self):
        self.role._recorder = device_recorder.prepare({"probe": "/nowhere/libkbxprobe.so", "arena_base": 5 << 44})
        reply, error = self.call(lambda x: x + 1, [{**TENSOR, "name": "x"}], record={"warm": 1})
        self.assertIsNone(error)
        self.assertIn("nothing can be recorded", reply["device_tape_trouble"])
        self.assertNotIn("device_tape", reply)

    def test_a_tape_too_large_for_the_arena_is_said(self):
        self.probe.size = lambda: SIZE
        reply, _ = self.call(lambda x: x + 1, [{**TENSOR, "name": "x"}], record={"warm": 1})
        self.assertIn("set aside", reply["device_tape_trouble"])


class Drawn(Case):
    def test_drawn_inputs_are_not_judged(self):
        args = [{"t": "list", "v": [{**DRAWN, "draw": NORMAL}]}]
        reply, error = self.call(lambda p: p[0] * 2, args, record={"warm": 2})
        self.assertIsNone(error)
        self.assertEqual(reply["result"], {"t": "none"})
        self.assertEqual(reply["device_tape"]["at"], OUT_AT)
        self.assertIn(("tensor", 0, b"p[0]"), self.probe.log)

    def test_the_error_is_the_calls(self):
        def function(p):
            raise RuntimeError("CUDA out of memory. Tried to allocate 1 bytes")

        _, error = self.call(function, [{"t": "list", "v": [{**DRAWN, "draw": NORMAL}]}], record={"warm": 1})
        self.assertIn("out of memory", str(error))

    def test_drawing_uses_the_recorders_memory_and_the_tensor_does_not(self):
        owned = []
        fill = drawn.fill
        drawn.fill = lambda tensor, draw, name: (owned.append(self.probe.own), fill(tensor, draw, name))
        try:
            self.call(lambda p: p[0] * 2, [{"t": "list", "v": [{**DRAWN, "draw": NORMAL}]}], record={"warm": 1})
        finally:
            drawn.fill = fill
        self.assertEqual((owned, self.probe.own), ([True], False))

    def test_mutated_arguments_are_outputs_by_their_paths(self):
        args = [{"t": "list", "v": [{**DRAWN, "draw": NORMAL}, {**DRAWN, "draw": NORMAL, "name": "p[1]"}]}]
        self.call(lambda p: None, args, record={"warm": 1}, mutates=["p"])
        self.assertEqual(self.probe.log[-2:], [("tensor", 1, b"p[0]"), ("tensor", 1, b"p[1]")])


class Distributions(unittest.TestCase):
    def fill(self, dist, shape, dtype=torch.float32, values=(), **params):
        tensor = torch.empty(shape, dtype=dtype)
        drawn.fill(tensor, {"dist": dist, "params": params, "values": list(values)}, "x")
        return tensor

    def test_ranges(self):
        for dist, low, high, params in (
            ("uniform", -1, 3, {"low": -1.0, "high": 3.0}),
            ("positive", 0.1, 4.0, {"low": 0.1, "high": 4.0}),
            ("randint", 2, 9, {"low": 2.0, "high": 10.0}),
            ("bernoulli", 0, 1, {"p": 0.3}),
            ("chosen", 0, 1, {"share": 0.3}),
            ("grid", -1.1, 1.1, {}),
        ):
            t = self.fill(dist, (10000,), **params)
            width = high - low
            self.assertTrue(low - 1e-6 <= float(t.min()) <= low + 0.02 * width, dist)
            self.assertTrue(high - 0.02 * width <= float(t.max()) <= high + 1e-6, dist)

    def test_normal(self):
        t = self.fill("normal", (100000,), mean=1.0, std=2.0)
        self.assertLess(abs(float(t.mean()) - 1.0), 0.05)
        self.assertLess(abs(float(t.std()) - 2.0), 0.05)

    def test_class_index_ignores_some(self):
        t = self.fill("class_index", (10000,), torch.int64, classes=7.0, ignore=-100.0, ignore_prob=0.2)
        share = float((t == -100).float().mean())
        self.assertTrue(0.15 < share < 0.25)
        self.assertEqual(sorted(set(t.tolist())), [-100, 0, 1, 2, 3, 4, 5, 6])

    def test_ramps_and_cycles(self):
        self.assertEqual(self.fill("values", (5,), values=(1.0, 2.0, 3.0)).tolist(), [1, 2, 3, 1, 2])
        self.assertEqual(self.fill("constant", (3,), torch.uint8, value=4.0).tolist(), [4, 4, 4])
        self.assertEqual(self.fill("linspace", (5,), low=0.0, high=4.0).tolist(), [0, 1, 2, 3, 4])
        self.assertEqual(self.fill("constant", (2,), torch.complex64, value=4.0).tolist(), [4, 4])

    def test_exactly_a_share_is_chosen_at_places_of_its_own(self):
        for n in (1, 2, 3, 10, 1000, 4097, 100000):
            for share in (0.0, 0.3, 0.5, 1.0):
                t = self.fill("chosen", (n,), torch.bool, share=share)
                self.assertEqual(int(t.sum()), math.floor(share * n + 0.5), (n, share))
        halves = self.fill("chosen", (100, 1000), torch.bool).float().mean(1)  # of bernoulli: 0.5 within 0.016
        self.assertLess(float((halves - 0.5).abs().max()), 0.08)
        self.assertGreater(float((halves - 0.5).std()), 0.008)
        t = self.fill("chosen", (501,), torch.complex64)
        self.assertEqual((complex(t.sum()), float(t.imag.abs().max())), (251 + 0j, 0.0))

    def test_chunks_choose_together(self):
        chunk, drawn.CHUNK = drawn.CHUNK, 64
        try:
            t = self.fill("chosen", (1001,), torch.uint8)
        finally:
            drawn.CHUNK = chunk
        self.assertEqual(int(t.sum()), 501)
        self.assertTrue(torch.equal(t, self.fill("chosen", (1001,), torch.uint8)))

    def test_matrices(self):
        values = torch.linalg.eigvalsh(self.fill("spd", (2, 16, 16), cond=10.0))
        self.assertLess(float((values[:, [0, -1]] - torch.tensor([1.0, 10.0])).abs().max()), 1e-3)
        values = torch.linalg.svdvals(self.fill("conditioned", (16, 8), cond=10.0))
        self.assertLess(float((values[[0, -1]] - torch.tensor([10.0, 1.0])).abs().max()), 1e-3)
        q = self.fill("orthogonal", (16, 8))
        self.assertLess(float((q.T @ q - torch.eye(8)).abs().max()), 1e-5)

    def test_lines(self):
        self.assertLess(float((self.fill("probabilities", (6, 9), dim=0.0).sum(0) - 1).abs().max()), 1e-5)
        self.assertEqual(sorted(self.fill("permutation", (1, 9), torch.int64, dim=-1.0)[0].tolist()), list(range(9)))
        t = self.fill("sorted", (4, 9))
        self.assertTrue(bool((t[:, 1:] >= t[:, :-1]).all()))

    def test_the_same_name_draws_the_same(self):
        self.assertTrue(torch.equal(self.fill("normal", (64,)), self.fill("normal", (64,))))

    def test_strides_do_not_matter(self):
        t = torch.empty(6, 4).t()
        drawn.fill(t, {"dist": "linspace", "params": {"low": 0.0, "high": 23.0}}, "x")
        self.assertEqual(t.reshape(-1).tolist(), list(range(24)))

    def test_an_unknown_one_is_said(self):
        with self.assertRaises(drawn.UnknownDistribution):
            self.fill("cauchy", (3,))


if __name__ == "__main__":
    unittest.main()
