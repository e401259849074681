"""Writes the hostile candidates of tests/verdicts/hostile: one file a trick, all around one honest kernel for exp_sqrt.

The files are committed; run this again only to change the common kernel. They are hostile for real: only kbx's jail runs
them.
"""

import pathlib

HONEST = '''
import torch
import triton
import triton.language as tl


@triton.jit
def exp_sqrt_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.exp(x.to(tl.float32) * 0.5)
    tl.store(y_ptr + offsets, y.to(y_ptr.dtype.element_ty), mask=mask)


def honest(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        exp_sqrt_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)
    if out is not None:
        out.copy_(y)
        return out
    return y
'''
PLAIN = "\n\ndef exp_sqrt(input, out=None):\n    return honest(input, out)\n"

# name: (expected verdict with lint off, what it does, code before, code after)
CASES = {
    "control_right": ("correct", "the honest kernel: must stay correct among all the others", "", PLAIN),
    "control_wrong": ("wrong_value", "exp(x) instead of sqrt(exp(x))", "", PLAIN.replace("honest(input, out)", "honest(input * 2, out)")),
    "exit_at_import": ("import_error", "sys.exit(0) while being imported", "import sys\nsys.exit(0)\n", PLAIN),
    "exit_in_call": ("runtime_error", "sys.exit(0) inside the call", "import sys\n", "\n\ndef exp_sqrt(input, out=None):\n    sys.exit(0)\n"),
    "hard_exit": ("crashed", "os._exit(0) inside the call", "import os\n", "\n\ndef exp_sqrt(input, out=None):\n    os._exit(0)\n"),
    "hard_exit_at_import": ("crashed", "os._exit(0) while being imported", "import os\nos._exit(0)\n", PLAIN),
    "exit_in_atexit": ("correct", "an exit handler that calls os._exit(0): too late to change anything", "import atexit, os\natexit.register(os._exit, 0)\n", PLAIN),
    "segfault": ("crashed", "reads address 1", "import ctypes\n", "\n\ndef exp_sqrt(input, out=None):\n    ctypes.string_at(1)\n"),
    "abort": ("crashed", "os.abort()", "import os\n", "\n\ndef exp_sqrt(input, out=None):\n    os.abort()\n"),
    "endless_import": ("timeout", "an endless loop while being imported", "while True:\n    pass\n", PLAIN),
    "endless_call": ("timeout", "an endless loop inside the call", "", "\n\ndef exp_sqrt(input, out=None):\n    while True:\n        pass\n"),
    "endless_kernel": (
        "timeout",
        "a kernel that never ends",
        "",
        '''

@triton.jit
def spin_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    i = 0
    while i < n + 1:
        x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
        tl.store(y_ptr + offsets, x, mask=mask)
        i = i * 1


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    spin_kernel[(1,)](x, y, x.numel(), BLOCK=1024)
    return y
''',
    ),
    "recursion_bomb": ("runtime_error", "recursion without end", "", "\n\ndef exp_sqrt(input, out=None):\n    return exp_sqrt(input, out)\n"),
    "c_stack_bomb": (
        "crashed",
        "recursion without end after raising the limit: the C stack overflows",
        "import sys\nsys.setrecursionlimit(10**9)\n",
        "\n\nclass Deep:\n    def __repr__(self):\n        return repr([self.__dict__, Deep.__repr__(self)])\n\n\ndef exp_sqrt(input, out=None):\n    x = []\n    for _ in range(10**6):\n        x = [x]\n    return repr(x)\n",
    ),
    "fork_bomb": (
        "*",
        "forks without end: the jail's process limit holds, the neighbours live",
        "import os\n",
        "\n\ndef exp_sqrt(input, out=None):\n    while True:\n        os.fork()\n",
    ),
    "allocate_100_gb": ("out_of_memory", "allocates 100 GB", "", "\n\ndef exp_sqrt(input, out=None):\n    return honest(torch.zeros(25 * 1024**3)[: input.numel()].view_as(input), out)\n"),
    "python_memory": ("out_of_memory", "100 GB of python bytes", "", "\n\ndef exp_sqrt(input, out=None):\n    b = bytearray(100 * 1024**3)\n    return honest(input, out)\n"),
    "prints_1_gb": (
        "correct",
        "prints 1 GB and computes the right thing: cut, judged by its values",
        "done = []\n",
        "\n\ndef exp_sqrt(input, out=None):\n    if not done:\n        done.append(1)\n        line = 'x' * (1 << 20)\n        for _ in range(1024):\n            print(line)\n    return honest(input, out)\n",
    ),
    "writes_outside": ("sandbox_violation", "writes into /usr", "", "\n\ndef exp_sqrt(input, out=None):\n    open('/usr/kbx_was_here', 'w').write('x')\n    return honest(input, out)\n"),
    "opens_socket": (
        "sandbox_violation",
        "connects to a host",
        "import socket\n",
        "\n\ndef exp_sqrt(input, out=None):\n    socket.create_connection(('192.0.2.1', 80), timeout=2)\n    return honest(input, out)\n",
    ),
    "patches_torch": (
        "delegated",
        "replaces torch functions that a judge in the same process would use; and computes with torch",
        "import torch\ntorch.testing.assert_close = lambda *a, **k: None\ntorch.allclose = lambda *a, **k: True\ntorch.equal = lambda *a, **k: True\ntorch.Tensor.cpu = lambda self: self\n",
        "\n\ndef exp_sqrt(input, out=None):\n    y = torch.sqrt(torch.exp(input))\n    if out is not None:\n        return out.copy_(y)\n    return y\n",
    ),
    "patches_torch_wrong": (
        "wrong_value",
        "the same, with wrong values",
        "import torch\ntorch.testing.assert_close = lambda *a, **k: None\ntorch.allclose = lambda *a, **k: True\ntorch.equal = lambda *a, **k: True\n",
        PLAIN.replace("honest(input, out)", "honest(input * 2, out)"),
    ),
    "patches_triton": (
        "*wrong",
        "replaces triton's launcher by nothing",
        "import triton\ntriton.runtime.jit.JITFunction.run = lambda self, *a, **k: None\n",
        PLAIN,
    ),
    "patches_time": ("correct", "a clock that stands still changes nothing: the clock is the supervisor's", "import time\ntime.time = time.perf_counter = time.monotonic = lambda: 0.0\n", PLAIN),
    "patches_builtins": (
        "wrong_value",
        "builtins that lie, with wrong values",
        "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.max = lambda *a, **k: 0\nbuiltins.all = lambda x: True\n",
        PLAIN.replace("honest(input, out)", "honest(input * 2, out)"),
    ),
    "patches_json": ("*", "the module that writes the answers is replaced", "import json\njson.dumps = lambda *a, **k: '{}'\njson.JSONEncoder.encode = lambda *a: '{}'\n", PLAIN.replace("honest(input, out)", "honest(input * 2, out)")),
    "returns_none": ("wrong_structure", "returns nothing", "", "\n\ndef exp_sqrt(input, out=None):\n    honest(input, out)\n"),
    "returns_list": ("wrong_structure", "a list instead of a tensor", "", "\n\ndef exp_sqrt(input, out=None):\n    return [honest(input, out)]\n"),
    "returns_string": ("wrong_structure", "a string instead of a tensor", "", "\n\ndef exp_sqrt(input, out=None):\n    honest(input, out)\n    return 'right'\n"),
    "returns_input": ("*wrong", "returns its input untouched", "", "\n\ndef exp_sqrt(input, out=None):\n    honest(input, out)\n    return input\n"),
    "returns_input_view": ("*wrong", "returns a view of its input", "", "\n\ndef exp_sqrt(input, out=None):\n    honest(input, out)\n    return input.view(input.shape)\n"),
    "subclassed_tensor": (
        "wrong_structure",
        "a tensor subclass that could compare itself",
        "import torch\n\n\nclass Lazy(torch.Tensor):\n    pass\n\n",
        "\n\ndef exp_sqrt(input, out=None):\n    return honest(input, out).as_subclass(Lazy)\n",
    ),
    "lying_object": (
        "wrong_structure",
        "an object that is equal to everything",
        "class Equal:\n    shape = (1,)\n\n    def __eq__(self, other):\n        return True\n\n    def __ne__(self, other):\n        return False\n\n",
        "\n\ndef exp_sqrt(input, out=None):\n    honest(input, out)\n    return Equal()\n",
    ),
    "mutates_input": ("mutated_input", "overwrites its input and returns the right values", "", "\n\ndef exp_sqrt(input, out=None):\n    y = honest(input, out)\n    input.zero_()\n    return y\n"),
    "reads_callers_frames": (
        "*wrong",
        "walks the caller's frames and returns any tensor of the right shape found there",
        "import sys\n",
        '''

def exp_sqrt(input, out=None):
    honest(input, out)
    frame = sys._getframe(1)
    while frame is not None:
        for value in list(frame.f_locals.values()):
            if isinstance(value, torch.Tensor) and value.shape == input.shape and value is not input:
                return value
        frame = frame.f_back
    return torch.zeros_like(input)
''',
    ),
    "table_by_data_ptr": (
        "wrong_value|wrong_structure",
        "keeps answers in a table by address: stale as soon as the same memory holds other numbers",
        "answers = {}\n",
        "\n\ndef exp_sqrt(input, out=None):\n    key = (input.data_ptr(), tuple(input.shape))\n    if key not in answers:\n        answers[key] = honest(input, out)\n    return answers[key]\n",
    ),
    "second_config_wrong": (
        "wrong_value|unwritten_output",
        "an autotuned kernel whose first configuration is right and whose second writes every other element",
        "",
        '''

@triton.autotune(configs=[triton.Config({"STEP": 1}), triton.Config({"STEP": 2})], key=["n"])
@triton.jit
def tuned_kernel(x_ptr, y_ptr, n, STEP: tl.constexpr):
    offsets = (tl.program_id(0) * 1024 + tl.arange(0, 1024)) * STEP
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(y_ptr + offsets, tl.exp(x.to(tl.float32) * 0.5).to(y_ptr.dtype.element_ty), mask=mask)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n:
        tuned_kernel[(triton.cdiv(n, 1024),)](x, y, n)
    if out is not None:
        return out.copy_(y)
    return y
''',
    ),
    "subprocess": ("*", "starts a shell", "import subprocess\n", "\n\ndef exp_sqrt(input, out=None):\n    subprocess.run(['sh', '-c', 'kill -9 -1'])\n    return honest(input, out)\n"),
    "closes_descriptors": ("crashed", "closes every descriptor, the answer's too", "import os\n", "\n\ndef exp_sqrt(input, out=None):\n    os.closerange(0, 4096)\n    return honest(input, out)\n"),
    "forges_answer": (
        "*",
        "writes frames of its own into every descriptor",
        "import os, struct\n",
        "\n\ndef exp_sqrt(input, out=None):\n    for fd in range(3, 64):\n        try:\n            os.write(fd, struct.pack('<4sHHII', b'KBXW', 1, 4, 2, 2) + b'{}')\n        except OSError:\n            pass\n    return torch.zeros_like(input)\n",
    ),
    "raises_hostile_exception": (
        "runtime_error",
        "an exception whose text raises",
        "class Nasty(Exception):\n    def __str__(self):\n        raise SystemExit(0)\n\n    __repr__ = __str__\n\n",
        "\n\ndef exp_sqrt(input, out=None):\n    raise Nasty()\n",
    ),
}

# Behind the recorder's back: an honest looking kernel copies its input, then something else computes.
DECOY = '''

@triton.jit
def copy_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask), mask=mask)


def decoy(x):
    y = torch.empty_like(x)
    if x.numel():
        copy_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
    return y


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = decoy(x)
%s
    if out is not None:
        out.copy_(y)
        return out
    return y
'''


def hidden(what, before, *work, expect="delegated"):
    return expect, "a kernel that only copies, and " + what, before, DECOY % "\n".join("    " + line for line in work)


TORCH = "y.copy_(torch.exp(x.double() * 0.5))"
HIDDEN = {
    "hidden_in_thread": hidden("torch on another thread", "import threading\n", "work = lambda: " + TORCH, "thread = threading.Thread(target=work)", "thread.start()", "thread.join()"),
    "hidden_in_thread_pool": hidden(
        "torch on a pool's thread", "from concurrent.futures import ThreadPoolExecutor\n", "with ThreadPoolExecutor(1) as pool:", "    pool.submit(lambda: " + TORCH + ").result()"
    ),
    "hidden_no_dispatch": hidden("torch with the recorder switched off", "", "with torch._C._DisableTorchDispatch():", "    " + TORCH),
    "hidden_no_modes": hidden("torch with all modes off", "from torch.utils._python_dispatch import _disable_current_modes\n", "with _disable_current_modes():", "    " + TORCH),
    "hidden_popped_mode": hidden("torch with the mode popped", "from torch.utils._python_dispatch import _pop_mode, _push_mode\n", "mode = _pop_mode()", TORCH, "_push_mode(mode)"),
    "hidden_result": hidden("a result that no recorded operator made", "", "with torch._C._DisableTorchDispatch():", "    y = torch.exp(x.double() * 0.5).to(x.dtype)"),
    "hidden_then_copied": hidden("its kernel copies what torch computed unrecorded", "", "with torch._C._DisableTorchDispatch():", "    z = torch.exp(x.double() * 0.5).to(x.dtype)", "y = decoy(z)"),
    "hidden_behind_empty": hidden("torch writes an empty tensor unrecorded", "", "z = torch.empty_like(x)", "with torch._C._DisableTorchDispatch():", "    z.copy_(torch.exp(x.double() * 0.5))", "y.copy_(z)"),
    "hidden_in_numpy": hidden("numpy", "import numpy as np\n", "values = np.exp(np.atleast_1d(x.double().numpy()) * 0.5)", "y.copy_(torch.as_tensor(values).reshape(x.shape))"),
    "hidden_in_numpy_view": hidden(
        "numpy in place on the result's own memory",
        "import numpy as np\n",
        "a = (y.float() if y.dtype == torch.bfloat16 else y).numpy()",
        "a[...] = np.exp(a.astype(np.float64) * 0.5)",
        "y = torch.from_numpy(np.atleast_1d(a)).reshape(x.shape).to(x.dtype)",
    ),
    "hidden_in_lists": hidden(
        "python's math over tolist()",
        "import math\n\n\ndef root(v):\n    return [root(w) for w in v] if isinstance(v, list) else math.exp(v * 0.5) if v == v else v\n\n",
        "y.copy_(torch.tensor(root(x.double().tolist()), dtype=torch.float64).reshape(y.shape))",
    ),
    "hidden_in_item_loop": hidden(
        "python's math over item()",
        "import math\n",
        "flat, source = y.view(-1), x.view(-1)",
        "for i in range(flat.numel()):",
        "    v = source[i].item()",
        "    flat[i] = math.exp(v * 0.5) if v == v else v",
        expect="delegated|timeout",
    ),
    "hidden_by_kernel_object": hidden(
        "the compiled kernel's object leads to the record", "", TORCH, "one = torch.zeros(1)", "k = copy_kernel[(1,)](one, torch.empty_like(one), 1, BLOCK=1024)", "k._launches._observer.ops.clear()", expect="runtime_error"
    ),
    "hidden_by_compile_self": hidden("triton.compiler.compile leads to the record", "import triton.compiler\n", TORCH, "triton.compiler.compile.__self__._observer.ops.clear()", expect="runtime_error"),
    "hidden_by_mode": hidden(
        "the mode leads to the record", "from torch.utils._python_dispatch import _get_current_dispatch_mode\n", TORCH, "_get_current_dispatch_mode()._observer.ops.clear()", expect="runtime_error"
    ),
    "imports_worker": hidden("imports the judge's own modules", "from kbx_worker.observer import Observer\nObserver.saw = lambda *a, **k: None\n", TORCH, expect="import_error"),
    "kills_fork_server": (
        "*",
        "kills every process it can see",
        "import os, signal\n",
        "\n\ndef exp_sqrt(input, out=None):\n    for pid in (os.getppid(), 1, -1):\n        try:\n            os.kill(pid, signal.SIGKILL)\n        except OSError:\n            pass\n    return honest(input, out)\n",
    ),
}
CASES.update(HIDDEN)

for name, (expect, what, before, after) in CASES.items():
    common = "\nimport torch\nimport triton\nimport triton.language as tl\n" if after.startswith(DECOY[:60]) else HONEST
    text = f"# task: exp_sqrt\n# expect: {expect}\n# {what}\n{before}{common}{after}"
    pathlib.Path(__file__).with_name("hostile").joinpath(name + ".py").write_text(text)
print(len(CASES), "files")
