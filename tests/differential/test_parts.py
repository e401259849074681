"""The parts of the differential tests: a wrong value is seen, a seed gives one kernel, roundings are right."""

import sys
import tempfile
import unittest

import compare
import generate
import kinds
import numpy as np
import run
import torch
import verdict


class Generated(unittest.TestCase):
    def test_the_same_seed_gives_the_same_kernel_and_values(self):
        for seed in range(30):
            one, two = generate.generate(seed), generate.generate(seed)
            self.assertEqual(one.source, two.source)
            for name, expect in one.expect.items():
                pair = [e.values.contiguous().view(torch.uint8) for e in (expect, two.expect[name])]
                self.assertTrue(torch.equal(*pair))

    def test_every_family_runs_and_a_changed_value_is_seen_in_each(self):
        with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
            runner = run.Runner(folder, use_interpreter=False)
            for index, family in enumerate(sorted(generate.FAMILIES)):
                case = generate.generate(index, family)
                args = case.moved("cpu")
                case.function(folder, index)[case.grid](*args.values(), **case.constexprs)
                if runner.machine.refused:
                    continue
                self.assertEqual(case.wrong(args), [], family)
                name = next(iter(case.expect))
                bits = args[name].contiguous().view(torch.uint8).flatten()
                bits[-1] ^= 0x40  # the top byte of the last element
                args[name] = bits.view(args[name].dtype).reshape(args[name].shape)
                self.assertNotEqual(case.wrong(args), [], family)

    def test_an_argument_that_nobody_writes_must_be_untouched(self):
        case = generate.generate(0, "strided")
        args = {n: v.clone() if isinstance(v, torch.Tensor) else v for n, v in case.args.items()}
        args["out"] = case.expect["out"].values.clone()
        self.assertEqual(case.wrong(args), [])
        args["x"].view(torch.uint8)[0] ^= 1
        self.assertEqual([name for name, _ in case.wrong(args)], ["x"])


class Roundings(unittest.TestCase):
    def test_bf16_of_a_double_is_rounded_once(self):
        tie = np.array([1 + 2.0**-8, 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8 - 2.0**-40, 1 + 3 * 2.0**-8])
        self.assertEqual(kinds.to_bf16(tie).tolist(), [1.0, 1 + 2.0**-7, 1.0, 1 + 2.0**-6])

    def test_casts_to_integers_are_those_of_an_h200(self):
        values = np.array([np.nan, np.inf, -np.inf, 300.7, -300.7, 70000.0, 3e9, -1.9])
        table = [  # measured: integer type, from 32 bits, what a NaN of 64 bits gives
            (np.int8, [0, -1, 0, 44, -44, -1, -1, -1], 0),
            (np.uint8, [0, 255, 0, 44, 0, 255, 255, 0], 0),
            (np.int16, [0, 32767, -32768, 300, -300, 32767, 32767, -1], -32768),
            (np.uint16, [0, 65535, 0, 300, 0, 65535, 65535, 0], 32768),
            (np.int32, [0, 2**31 - 1, -(2**31), 300, -300, 70000, 2**31 - 1, -1], -(2**31)),
            (np.uint32, [0, 2**32 - 1, 0, 300, 0, 70000, 3000000000, 0], 2**31),
            (np.int64, [-(2**63), 2**63 - 1, -(2**63), 300, -300, 70000, 3000000000, -1], -(2**63)),
            (np.uint64, [2**63, 2**64 - 1, 0, 300, 0, 70000, 3000000000, 0], 2**63),
        ]
        for array, want, nan in table:
            self.assertEqual(kinds.to_integer(values, array, False).tolist(), want, array)
            self.assertEqual(kinds.to_integer(values, array, True).tolist(), [nan, *want[1:]], array)

    def test_fp8_saturates(self):
        got = kinds.rounded(np.array([1e9, -np.inf, 17.0, 19.0]), kinds.KINDS["e4m3"])
        self.assertEqual(got.tolist(), [448.0, -448.0, 16.0, 20.0])


class Compared(unittest.TestCase):
    def test_nan_equals_nan_and_differs_from_a_number(self):
        nan, one = torch.tensor([1.0, float("nan")]), torch.tensor([1.0, 2.0])
        self.assertIsNone(compare.difference(nan.view(torch.uint8), nan.clone().view(torch.uint8), torch.float32))
        found = compare.difference(nan.view(torch.uint8), one.view(torch.uint8), torch.float32)
        self.assertEqual((found["count"], found["special"]), (1, 1))

    def test_a_difference_far_beyond_the_noise_stays_unexplained(self):
        t = compare.difference(
            torch.tensor([1.0]).view(torch.uint8), torch.tensor([1.1]).view(torch.uint8), torch.float32
        )
        noise = {**t, "max_abs": 1e-3}
        self.assertEqual(verdict.cause(t, noise, None, {"ops": ["order", "approximate"]}), "unexplained")


if __name__ == "__main__":
    sys.exit(unittest.main())
