"""The second look's device tensors: what a GPU refuses is refused and named so, and what works on a GPU works."""

import unittest

from case import WorkerCase, f32, floats, tearDownModule  # noqa: F401
from test_shim import EXPRESSIONS as SHIM_EXPRESSIONS

# True under the first shim only: these tensors cannot do it (nothing is charged for that).
LIMITS = ("backward()", "torch.equal(__import__")  # and a comparison with a CPU tensor

# One expression a line; each must be true. d is a device tensor (2, 3), h a CPU tensor of the same values.
EXPRESSIONS = """
d.device == torch.device("cuda:0") and d.is_cuda and not d.is_cpu and d.get_device() == 0
h.device.type == "cpu" and not h.is_cuda and h.is_cpu
torch.zeros(3).device.type == "cpu"
(d + d).is_cuda and not d.cpu().is_cuda and h.cuda().is_cuda and h.to(0).is_cuda and h.to(d).is_cuda
torch.equal((d * 2 + 1).cpu(), h * 2 + 1)
d.data_ptr() % 4 == 0 and d[1].data_ptr() == d.data_ptr() + 12 and d.untyped_storage().nbytes() == 24
torch.tensor([1.0, 2.0], device="cuda").is_cuda and torch.as_tensor([1], device=0).is_cuda and torch.asarray([1], device="cuda").is_cuda
torch.tensor(d).is_cuda and torch.as_tensor(d) is d and torch.tensor([d[0, 0], d[0, 1]]).is_cpu
torch.tensor(3, device="cuda", dtype=torch.float16).dtype == torch.float16
d.new_tensor([1.0]).is_cuda and d.new_zeros(2).is_cuda and d.new_empty(2, device="cpu").is_cpu
torch.zeros_like(d).is_cuda and torch.zeros_like(h).is_cpu and torch.empty_like(h, device="cuda").is_cuda
d.tolist() == h.tolist() and d[0, 1].item() == 2.0 and float(d.sum()) == 21.0 and bool((d > 0).all())
"%.1f" % d.sum() == "21.0" and f"{d.sum():.1f}" == "21.0" and "cuda:0" in repr(d)
d.cpu().numpy().sum() == 21.0
(d + torch.tensor(1.0)).is_cuda and torch.where(d > 1, d, torch.tensor(0.0)).is_cuda
d[torch.tensor([0, 1])].is_cuda and d[h > 2].numel() == 4
h.copy_(d) is h and d.copy_(h) is d
d.add_(0) is d and torch.add(d, d, out=torch.empty(0, device="cuda")).shape == (2, 3)
d.clone().resize_(6).shape == (6,) and d.clone().t_().shape == (3, 2) and d.clone().unsqueeze_(0).dim() == 3
setattr(d.clone(), "data", d) is None
d.t().contiguous().stride() == (2, 1) and d.view(-1)[::2].stride() == (2,)
torch.nn.Linear(3, 4).cuda()(d).is_cuda and torch.nn.Linear(3, 4, device="cuda")(d).shape == (2, 4)
torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)).to("cuda").eval()(d).is_cuda
isinstance(torch.nn.Parameter(d), torch.nn.Parameter) and torch.nn.Parameter(d).is_cuda
(torch.nn.Parameter(d) * 2).requires_grad and (torch.nn.Parameter(d) * 2).detach().is_cuda
copy.deepcopy(d).is_cuda and copy.deepcopy(torch.nn.Linear(3, 4).cuda()).weight.is_cuda
isinstance(copy.deepcopy(torch.nn.Parameter(d)), torch.nn.Parameter)
torch.view_as_real(torch.complex(d, d)).shape == (2, 3, 2) and torch.complex(d, d).conj().resolve_conj().imag.sum() == -21
Double.apply(d.detach().requires_grad_(True)).requires_grad
torch.randn(3, device="cuda", generator=torch.Generator("cuda").manual_seed(1)).is_cuda and torch.rand(3).is_cpu
torch.nn.functional.dropout(d, 0.5).is_cuda and torch.nn.functional.softmax(d, -1).sum().round() == 2
torch.nn.functional.embedding(torch.tensor([1], device="cuda"), d).is_cuda
h.pin_memory().is_cpu and h.pin_memory().to("cuda", non_blocking=True).is_cuda
torch.empty(3, pin_memory=True).is_cpu
default("cuda", lambda: torch.empty(3).is_cuda and torch.tensor([1.0]).is_cuda and torch.tensor([1.0], device="cpu").is_cpu)
autocast(lambda: torch.mm(d, d.t()).dtype == torch.bfloat16)
torch.stack([d, d]).is_cuda and torch.cat([d, d]).shape == (4, 3) and d.unbind(0)[1].is_cuda
torch.linalg.svd(d)[1].is_cuda and torch.sort(d)[0].is_cuda and torch.topk(d, 2).indices.is_cuda
torch._foreach_add([d, d], 1.0)[1].is_cuda
adam().is_cuda
torch.fft.rfft(d).is_cuda and torch.einsum("ij,kj->ik", d, d).shape == (2, 2)
doubled(d).is_cuda and torch.equal(doubled(d).cpu(), h * 2) and doubled(d, d.t()).shape == (3, 2)
doubled(torch.nn.Parameter(d)).is_cuda and doubled(d[:0]).numel() == 0
doubled(d, torch.empty(0)).numel() == 0 and doubled(h.pin_memory(), d.clone()).is_cuda
torch.equal(by_descriptor(d16).cpu(), d16.cpu() * 2) if has_descriptors else True
doubled(triton.reinterpret(d, tl.float32), d.clone()).is_cuda
""".strip().split("\n")

# What a GPU refuses: (expression, part of the message).
REFUSED = [
    ("d + h", "same device"),
    ("torch.mm(d, h.t())", "same device"),
    ("d.index_put_((torch.tensor([0]),), torch.ones(3))", "same device"),
    ("h[torch.tensor([0], device='cuda')]", "same device"),
    ("torch.cat([d, h])", "same device"),
    ("torch.nn.Linear(3, 4)(d)", "same device"),
    ("torch.where(h > 1, d, d)", "same device"),
    ("d.numpy()", "can't convert cuda:0"),
    ("np.asarray(d)", "can't convert cuda:0"),
    ("np.abs(d)", "can't convert cuda:0"),
    ("doubled(h, d.clone())", "`x`"),
    ("doubled(d, torch.tensor([1.0, 2.0]))", "`y`"),
    ("by_descriptor(torch.ones(16, 16))", "cpu tensor?"),
]

SOURCE = '''
import copy, contextlib
import numpy as np
import torch, triton
import triton.language as tl
at_import = torch.ones(3, device="cuda")
assert at_import.is_cuda

@triton.jit
def double_kernel(x, y, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) * 2, mask=o < n)

def doubled(x, y=None):
    y = torch.empty_like(x) if y is None else y
    n = y.numel()
    double_kernel[(max(1, triton.cdiv(n, 4)),)](x, y, n, B=4)
    return y

has_descriptors = hasattr(tl, "make_tensor_descriptor")
if has_descriptors:
    from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def descriptor_kernel(x, y, B: tl.constexpr):
    y.store([0, 0], x.load([0, 0]) * 2)

def by_descriptor(x):
    if not has_descriptors:
        return doubled(x, torch.empty(x.shape, device="cuda"))
    y = torch.empty(x.shape, device="cuda")
    descriptor_kernel[(1,)](TensorDescriptor.from_tensor(x, [16, 16]), TensorDescriptor.from_tensor(y, [16, 16]), B=16)
    return y

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return doubled(x)

def default(device, what):
    with torch.device(device):
        inside = what()
    torch.set_default_device(device)
    try:
        return inside and what()
    finally:
        torch.set_default_device(None)

def autocast(what):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return what()

def adam():
    p = torch.nn.Parameter(torch.ones(3, device="cuda"))
    p.grad = torch.ones(3, device="cuda")
    torch.optim.AdamW([p]).step()
    return p

def run(text):
    h = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    d = h.to("cuda")
    d16 = torch.arange(256.0).view(16, 16).cuda()
    return bool(eval(text, dict(globals(), h=h, d=d, d16=d16)))
'''

DOUBLE = '''
import torch, triton
import triton.language as tl

@triton.jit
def double_kernel(x, y, f, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + o, tl.load(x + o, mask=o < n) * tl.load(f), mask=o < n)

def run(x, out=None):
    y = torch.empty_like(x)
    factor = torch.tensor([2.0]%s)
    double_kernel[(triton.cdiv(x.numel(), 4),)](x, y, factor, x.numel(), B=4)
    return y if out is None else out.copy_(y)
'''


class Expressions(WorkerCase):
    @classmethod
    def setUpClass(cls):
        from case import zygote

        cls.child = zygote().fork()
        reply = cls.child.load(SOURCE, strict=True)
        assert reply["ok"], reply

    @classmethod
    def tearDownClass(cls):
        cls.child.finish()
        cls.child.wait()

    def ask(self, text):
        return self.child.call({"t": "str", "v": text})

    def test_what_works_on_a_gpu(self):
        for text in EXPRESSIONS:
            with self.subTest(text):
                reply = self.ask(text)
                self.assertTrue(reply["ok"], reply.get("error"))
                self.assertTrue(reply["result"]["v"])

    def test_what_the_first_shim_answers(self):
        for text in SHIM_EXPRESSIONS:
            if any(limit in text for limit in LIMITS):
                continue
            with self.subTest(text):
                reply = self.ask(text.replace("torch.ones(1, 1, 5, 5)", "torch.ones(1, 1, 5, 5).cuda()"))
                self.assertTrue(reply["ok"], reply.get("error"))

    def test_what_a_gpu_refuses(self):
        for text, part in REFUSED:
            with self.subTest(text):
                reply = self.ask(text)
                self.assertFalse(reply["ok"])
                self.assertEqual(reply["error"]["kind"], "strict_device", reply["error"])
                self.assertIn(part, reply["error"]["message"])

    def test_limits_of_these_tensors_are_no_refusals(self):
        for text in ("torch.nn.Parameter(d).sum().backward()", "d.to_sparse()", "d.set_(d)", "1 / 0"):
            with self.subTest(text):
                reply = self.ask(text)
                self.assertFalse(reply["ok"])
                self.assertNotEqual(reply["error"]["kind"], "strict_device", reply["error"])


class Calls(WorkerCase):
    def ask(self, source, strict=True, call=None, **load):
        child = self.loaded(self.start(), source, strict=strict, **load)
        x = child.tensor("x", "f32", [6], f32([1, 2, 3, 4, 5, 6]), requires_grad=load.get("requires_grad", False))
        reply = child.call(x, **(call(child) if call else {}))
        values = floats(child.read(reply["result"])) if reply["ok"] and reply["result"]["t"] == "tensor" else None
        self.end(child)
        return reply, values

    def test_honest_kernel_in_every_order(self):
        for order in ("forward", "reverse"):
            reply, values = self.ask(DOUBLE % ', device="cuda"', order=order)
            self.assertEqual(values, [2, 4, 6, 8, 10, 12])
            self.assertEqual(reply["findings"], [])
            self.assertEqual(reply["result"]["device"], "cuda")
            self.assertTrue(reply["launches"][0]["outputs"])
            self.assertEqual(reply["ops"]["empty_like"], 1)

    def test_cpu_tensor_in_a_kernel_is_seen_by_the_strict_run_only(self):
        reply, values = self.ask(DOUBLE % "", strict=False)
        self.assertEqual(values, [2, 4, 6, 8, 10, 12])
        reply, _ = self.ask(DOUBLE % "")
        self.assertEqual((reply["error"]["kind"], reply["error"]["type"]), ("strict_device", "ValueError"))
        self.assertEqual(reply["error"]["line"], 13)

    def test_a_result_on_the_cpu_is_a_finding(self):
        reply, values = self.ask("def run(x): return x.cpu() * 2")
        self.assertEqual(values, [2, 4, 6, 8, 10, 12])
        self.assertEqual(reply["result"]["device"], "cpu")
        self.assertEqual([(f["rule"], f["severity"]) for f in reply["findings"]], [("strict_device", "warn")])

    def test_result_that_is_the_input_and_mutation_through_the_arena(self):
        reply, values = self.ask("def run(x):\n    x.mul_(2)\n    return x")
        self.assertEqual((values, reply["result"]["alias"]), ([2, 4, 6, 8, 10, 12], "x"))

    def test_memory_nobody_wrote_is_still_followed(self):
        source = DOUBLE.replace("torch.tensor([2.0]%s)", 'torch.empty(1, device="cuda")')
        reply, _ = self.ask(source)
        self.assertIn("undefined_read", {f["rule"] for f in reply["findings"]})

    def test_no_module_is_imported_that_a_plain_child_lacks(self):
        source = "import sys\n" + DOUBLE % ', device="cuda"' + "\ndouble = run\n"
        source += "def run(x):\n    double(x)\n    return '\\n'.join(sorted(sys.modules))\n"
        modules = []
        for strict in (False, True):
            child = self.loaded(self.start(), source, strict=strict)
            reply = child.call(child.tensor("x", "f32", [6], f32([1, 2, 3, 4, 5, 6])))
            modules.append(set(reply["result"]["v"].split("\n")))
            self.end(child)
        self.assertEqual(modules[1] - modules[0], set())

    def test_a_caught_refusal_is_no_error(self):
        reply, values = self.ask(
            "def run(x):\n    try:\n        x.numpy()\n    except TypeError:\n        return x * 2\n    return x"
        )
        self.assertEqual(values, [2, 4, 6, 8, 10, 12])
        self.assertEqual(reply["findings"], [])


if __name__ == "__main__":
    unittest.main()
