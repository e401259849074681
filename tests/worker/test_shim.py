"""The device shim: code written for cuda runs on CPU tensors and sees cuda."""

import unittest

from case import WorkerCase, f32, tearDownModule  # noqa: F401

# One expression a line; each must be true in a value child.
EXPRESSIONS = """
torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
torch.cuda.get_device_capability() == (9, 0)
torch.cuda.get_device_properties(0).multi_processor_count == 132
torch.zeros(3, device="cuda").device == torch.device("cuda:0")
torch.empty(3, device=torch.device("cuda", 0)).is_cuda
torch.ones(3, device=0).is_cuda
torch.tensor([1.0], device="cuda:0").get_device() == 0
torch.zeros(3).cuda().is_cuda and torch.zeros(3).to("cuda").is_cuda and torch.zeros(3).to(torch.device("cuda")).is_cuda
torch.zeros(3).to("cuda", torch.float16).dtype == torch.float16
torch.zeros(3).new_empty(4, device="cuda").is_cuda
torch.empty_like(torch.zeros(3), device="cuda").is_cuda
not torch.zeros(3, device="cuda").is_cpu
isinstance(torch.Generator(device="cuda"), torch.Generator)
torch.randn(4, generator=torch.Generator(device="cuda").manual_seed(0), device="cuda").shape == (4,)
torch.nn.Linear(3, 4).cuda()(torch.ones(2, 3, device="cuda")).shape == (2, 4)
torch.nn.Linear(3, 4).to("cuda").weight.is_cuda
torch.nn.Conv2d(1, 2, 3, device="cuda")(torch.ones(1, 1, 5, 5)).shape == (1, 2, 3, 3)
torch.ones(3, device="cuda").cpu().numpy().sum() == 3
torch.cuda.synchronize() is None and torch.cuda.Event(enable_timing=True).elapsed_time(None) >= 0
torch.cuda.current_stream().cuda_stream == 0
torch.device("cuda").type == "cuda"
torch.manual_seed(3) is not None and torch.cuda.manual_seed(3) is None
torch.autocast("cuda", dtype=torch.bfloat16).__enter__() is not None
triton.testing.do_bench(lambda: 1 / 0) > 0
triton.runtime.driver.active.get_current_target().arch == 90
triton.runtime.driver.active.get_active_torch_device().type == "cuda"
triton.runtime.driver.active.utils.get_device_properties(0)["multiprocessor_count"] == 132
repr(torch.ones(2, device="cuda")) != ""
torch.equal(__import__("copy").deepcopy(torch.ones(2, device="cuda")), torch.ones(2))
torch.ones(2, requires_grad=True, device="cuda").sum().backward() is None
torch.testing.assert_close(torch.ones(2, device="cuda"), torch.ones(2, device="cuda")) is None
torch.nn.functional.scaled_dot_product_attention(*[torch.ones(1, 1, 4, 8, device="cuda")] * 3).shape == (1, 1, 4, 8)
torch.linalg.svd(torch.eye(3, device="cuda"))[1].sum() == 3
torch.fft.fft(torch.ones(4, device="cuda"))[0] == 4
torch.arange(3, device="cuda").tolist() == [0, 1, 2]
torch.full((2,), 3, device="cuda").sum().item() == 6
torch.nn.Parameter(torch.ones(2, device="cuda")).is_cuda
torch.from_numpy(__import__("numpy").ones(2)).to("cuda").dtype == torch.float64
torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated(0) == torch.cuda.memory.memory_reserved("cuda") == 0
torch.cuda.memory_stats()["allocated_bytes.all.current"] == torch.cuda.memory_stats()["num_ooms"] == 0
"CUDA OOMs: 0" in torch.cuda.memory_summary() and "Allocated memory" in torch.cuda.memory_summary(abbreviated=True)
torch.cuda.memory_snapshot() == [] and torch.cuda.memory.memory_snapshot() == []
torch.cuda.reset_peak_memory_stats() is None and torch.cuda.reset_accumulated_memory_stats() is None
torch.cuda.set_per_process_memory_fraction(0.5) is None and torch.cuda.memory.get_per_process_memory_fraction() == 0.5
torch.cuda.empty_cache() is None and torch.cuda.memory.empty_cache() is None
torch.cuda.mem_get_info() == torch.cuda.memory.mem_get_info() and torch.cuda.mem_get_info()[1] > 0
torch.accelerator.memory_allocated() == 0 if hasattr(torch.accelerator, "memory_allocated") else True
""".strip().split("\n")


class Shim(WorkerCase):
    @classmethod
    def setUpClass(cls):
        from case import zygote

        cls.child = zygote().fork()
        source = "import torch, triton\ndef run(text): return bool(eval(text))"
        assert cls.child.load(source)["ok"]

    @classmethod
    def tearDownClass(cls):
        cls.child.finish()
        cls.child.wait()

    def test_expressions(self):
        for text in EXPRESSIONS:
            with self.subTest(text):
                reply = self.child.call({"t": "str", "v": text})
                self.assertTrue(reply["ok"], reply.get("error"))
                self.assertTrue(reply["result"]["v"])


if __name__ == "__main__":
    unittest.main()
