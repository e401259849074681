"""Questions about the card's memory under the recorder's allocator, which answers none: without a GPU, by putting functions
that refuse as torch's do where a torch with CUDA has its own."""

import contextlib
import pathlib
import re
import sys
import unittest
from unittest import mock

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "src" / "worker" / "python"
sys.path.insert(0, str(PYTHON))

import memory_answers  # noqa: E402
import torch  # noqa: E402

# What a pluggable allocator refuses, in every torch from 2.6 to 2.13 that has it.
REFUSED = """_cuda_memoryStats _cuda_resetAccumulatedMemoryStats _cuda_resetPeakMemoryStats _cuda_memorySnapshot
 _cuda_getMemoryFraction _cuda_record_memory_history _cuda_isHistoryEnabled _cuda_attach_out_of_memory_observer
 _accelerator_getDeviceStats _accelerator_resetAccumulatedStats _accelerator_resetPeakStats""".split()
ABSENT = "_cuda_isHistoryEnabled"  # as if this torch had it not


def refuse(*args):
    raise RuntimeError("CUDAPluggableAllocator does not yet support this.")


@contextlib.contextmanager
def card(patch, answers=True):
    """A torch with CUDA in use and a pluggable allocator, as far as python can see; `answers`: kbx's are installed."""
    names = set(memory_answers.ANSWERS) | set(REFUSED)
    with contextlib.ExitStack() as stack:
        for name in names - {ABSENT}:
            stack.enter_context(patch(torch._C, name, refuse, create=True))
        for owner, name, answer in (
            (torch.cuda, "is_available", True),
            (torch.cuda, "current_device", 0),
            (torch.cuda.memory, "is_initialized", True),
            (torch.cuda.memory, "_lazy_init", None),
        ):
            stack.enter_context(patch(owner, name, lambda *args, _answer=answer: _answer))
        if answers:
            memory_answers.install()
        yield


def told():
    cuda = torch.cuda
    return [cuda.memory_allocated(), sorted(cuda.memory_stats().items()), cuda.memory_summary(), cuda.memory_snapshot()]


class Memory(unittest.TestCase):
    def test_without_answers_the_allocator_refuses(self):
        with card(mock.patch.object, answers=False), self.assertRaisesRegex(RuntimeError, "does not yet support"):
            torch.cuda.memory_allocated()

    def test_every_question_has_an_answer(self):
        cuda = torch.cuda
        with card(mock.patch.object):
            for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
                self.assertEqual(getattr(cuda, name)(), 0, name)
                self.assertEqual(getattr(cuda.memory, name)(0), 0, name)
            for name in ("reset_peak_memory_stats", "reset_accumulated_memory_stats", "empty_cache"):
                self.assertIsNone(getattr(cuda, name)(), name)
            self.assertEqual(cuda.memory_snapshot(), [])
            self.assertEqual(cuda.memory._snapshot()["segments"], [])
            cuda.set_per_process_memory_fraction(0.25)
            self.assertEqual(cuda.memory.get_per_process_memory_fraction(), 0.25)
            cuda.memory._record_memory_history(enabled=None)

    def test_tables_are_whole(self):
        with card(mock.patch.object):
            stats = torch.cuda.memory_stats()
            for pool in ("all", "large_pool", "small_pool"):
                self.assertEqual(stats["allocated_bytes.%s.peak" % pool], 0)
            self.assertIn("GPU reserved memory", torch.cuda.memory_summary())  # it looks up every number that it shows
            if hasattr(torch.accelerator, "memory_stats"):
                self.assertEqual(torch.accelerator.memory_stats(0), stats)
                self.assertEqual(torch.accelerator.max_memory_reserved(0), 0)

    def test_what_this_torch_has_not_stays_away(self):
        with card(mock.patch.object):
            self.assertFalse(hasattr(torch._C, ABSENT))

    def test_all_that_is_refused_is_answered(self):
        self.assertEqual(set(REFUSED) - set(memory_answers.ANSWERS), set())

    def test_python_of_this_torch_asks_for_nothing_else_about_statistics(self):
        text = pathlib.Path(torch.cuda.memory.__file__).read_text()
        asked = set(re.findall(r"_C\.(_cuda_\w*(?:[sS]tats|[sS]napshot|Fraction|history\w*|emptyCache))\b", text))
        self.assertGreater(len(asked), 5)
        self.assertEqual(asked - set(memory_answers.ANSWERS), set())


if __name__ == "__main__":
    unittest.main()
