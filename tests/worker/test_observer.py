"""The observer: fresh memory, what was written, and which launch a result depends on. No zygote needed."""

import unittest

import torch

import harness

observer, wire = harness.worker_module("observer"), harness.worker_module("wire")
tape = harness.worker_module("tape")


class Fresh(unittest.TestCase):
    def setUp(self):
        self.watch = observer.Observer()

    def undefined(self, tensor):
        entry = self.watch._maps.get(self.watch.key(tensor))
        return [] if entry is None else entry.tolist()

    def test_allocations_are_poisoned_and_marked(self):
        with observer.ObserverMode(self.watch):
            made = [
                torch.empty(3),
                torch.empty_like(torch.ones(3)),
                torch.ones(1).new_empty(3),
                torch.empty_strided((3,), (1,)),
            ]
        for tensor in made:
            self.assertTrue(tensor.isnan().all())
            self.assertEqual(self.undefined(tensor), [1] * 12)

    def test_poison_of_every_dtype(self):
        with observer.ObserverMode(self.watch):
            for dtype in (
                torch.float16,
                torch.bfloat16,
                torch.float64,
                torch.float8_e4m3fn,
                torch.float8_e5m2,
                torch.complex64,
            ):
                self.assertTrue(torch.empty(4, dtype=dtype).to(torch.complex64).isnan().all(), dtype)
            self.assertEqual(torch.empty(3, dtype=torch.int16).tolist(), [wire.POISON] * 3)
            self.assertTrue(torch.empty(3, dtype=torch.bool).all())

    def test_a_write_defines_the_span_of_its_view(self):
        with observer.ObserverMode(self.watch):
            x = torch.empty(4, dtype=torch.int16)
            x[1:3] = 5
        self.assertEqual(self.undefined(x), [1, 1, 0, 0, 0, 0, 1, 1])

    def test_zeros_and_results_are_defined(self):
        with observer.ObserverMode(self.watch):
            x = torch.zeros(4) + 1
        self.assertEqual(self.undefined(x), [])

    def test_maps_of_dead_storages_are_dropped(self):
        limit, observer.MAX_MAP_BYTES = observer.MAX_MAP_BYTES, 1 << 20
        try:
            with observer.ObserverMode(self.watch):
                keep = torch.empty(1 << 14)
                for _ in range(200):
                    torch.empty(1 << 14)
        finally:
            observer.MAX_MAP_BYTES = limit
        self.assertLess(len(self.watch._maps), 20)
        self.assertEqual(sum(self.undefined(keep)), 1 << 16)


class Flow(unittest.TestCase):
    """a -> launch 0 -> b -> torch -> c; a -> launch 1 -> d."""

    def setUp(self):
        self.watch = observer.Observer()
        with observer.ObserverMode(self.watch):
            self.a, self.b, self.d = torch.ones(4), torch.ones(4), torch.ones(4)
            key = self.watch.key
            self.watch.log((key(self.a), key(self.b)), (key(self.b),), 0)
            self.watch.log((key(self.a), key(self.d)), (key(self.d),), 1)
            self.c = (self.b.view(2, 2) * 2).sum()

    def test_only_what_the_result_depends_on(self):
        self.assertEqual(self.watch.reaching([self.c], 2), {0})
        self.assertEqual(self.watch.reaching([self.d], 2), {1})
        self.assertEqual(self.watch.reaching([self.a], 2), set())

    def test_a_host_read_counts(self):
        with observer.ObserverMode(self.watch):
            self.d.sum().item()
        self.assertEqual(self.watch.reaching([self.a], 2), {1})

    def test_a_later_overwrite_is_still_a_dependency_by_storage(self):
        with observer.ObserverMode(self.watch):
            self.c.add_(self.d.sum())
        self.assertEqual(self.watch.reaching([self.c], 2), {0, 1})

    def test_operators_are_counted_by_name(self):
        self.assertEqual((self.watch.ops["ones"], self.watch.ops["mul"], self.watch.ops["sum"]), (3, 1, 1))


class FromTheHost(unittest.TestCase):
    """What the host puts into a call, where a replay cannot show that it is right for other inputs."""

    def ops(self, call):
        roll = tape.Tape()
        watch = observer.Observer(tape=roll)
        watch.start_call()
        roll.start_call({})
        with observer.ObserverMode(watch):
            call(torch.ones(4))
        roll.finish([])
        watch.end_call()
        return watch.ops

    def test_a_table_beside_a_read_is_charged(self):
        self.assertIn("host_made", self.ops(lambda x: (x[0].item(), torch.tensor([float(k) for k in range(600)]))))

    def test_fills_one_by_one_count(self):
        def call(x):
            x[0].item()
            for k in range(1, 600):
                x[:1].fill_(k)

        self.assertIn("host_made", self.ops(call))

    def test_a_small_table_beside_a_read_is_fine(self):
        self.assertNotIn("host_made", self.ops(lambda x: (x[0].item(), torch.tensor([float(k) for k in range(400)]))))

    def test_a_table_that_a_replay_can_judge_is_fine(self):
        self.assertNotIn("host_made", self.ops(lambda x: torch.tensor([float(k) for k in range(600)])))


class OwnOperators(unittest.TestCase):
    """What a candidate registers with torch.library is its own code: what runs inside counts, not its name."""

    def test_the_kernel_of_an_own_operator_is_watched(self):
        @torch.library.custom_op("kbxtest::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return torch.sigmoid(x) * 2

        watch = observer.Observer()
        with observer.ObserverMode(watch):
            made = twice(torch.ones(600))
        self.assertNotIn("twice", watch.ops)
        self.assertNotIn("unseen_tensor", watch.ops)
        self.assertEqual((watch.ops["sigmoid"], watch.ops["mul"]), (1, 1))
        self.assertEqual(made.shape, (600,))

    def test_so_is_one_that_has_a_kernel_for_cuda_only(self):
        library = torch.library.Library("kbxtest_cuda", "DEF")
        library.define("half(Tensor x) -> Tensor")
        library.impl("half", lambda x: x / 2, "CUDA")
        watch = observer.Observer()
        with observer.ObserverMode(watch):
            torch.ops.kbxtest_cuda.half(torch.ones(3))
        self.assertEqual(watch.ops.get("div"), 1)
        self.assertNotIn("half", watch.ops)


if __name__ == "__main__":
    unittest.main()
