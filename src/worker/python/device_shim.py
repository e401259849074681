"""Code written for cuda runs on CPU tensors: names of torch are replaced so that device arguments mean the CPU, while
tensors say that they are on cuda:0. Tables below; docs/nogpu.md says what a candidate can still tell.

enter() before the candidate is imported, leave() before the worker looks at results (its own functions come from
trusted.py and are not concerned). C++ never sees the lie.
"""

import functools
import types

import memory_answers
import torch
from errors import NotJudged
from host_reads import watched_methods
from stub_driver import DEVICES
from trusted import Torch, private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file

CUDA = torch.device("cuda", 0)
CPU = torch.device("cpu")
MEMORY = 80 << 30

# Functions that take device= (and positionally, for a few): the device becomes the CPU.
FACTORIES = """empty zeros ones full rand randn randint randperm normal arange range linspace logspace eye tensor
 as_tensor asarray empty_strided empty_permuted scalar_tensor tril_indices triu_indices empty_like zeros_like ones_like
 full_like rand_like randn_like randint_like sparse_coo_tensor sparse_csr_tensor sparse_compressed_tensor hann_window
 hamming_window blackman_window bartlett_window kaiser_window load set_default_device""".split()
METHODS = "new_empty new_zeros new_ones new_full new_tensor new_empty_strided to".split()
MODULE_METHODS = ("to", "to_empty")


def names_cuda(device):
    if isinstance(device, str):
        return device.split(":")[0] == "cuda"
    return isinstance(device, torch.device) and device.type == "cuda"


def to_cpu(args, kwargs):
    """The same arguments with every mention of a cuda device replaced."""
    device = kwargs.get("device")
    if device is not None and (names_cuda(device) or type(device) is int):
        kwargs["device"] = CPU
    if any(type(arg) in (str, torch.device) and names_cuda(arg) for arg in args):
        args = tuple(CPU if type(arg) in (str, torch.device) and names_cuda(arg) else arg for arg in args)
    return args, kwargs


def on_cpu(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        args, kwargs = to_cpu(args, kwargs)
        return function(*args, **kwargs)

    return call


class Nothing:
    """Stream, Event, device context, graph: everything is already complete."""

    cuda_stream = 0
    device = CUDA
    device_index = 0
    priority = 0
    idx = 0

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __call__(self, function):
        return function

    def record(self, *args):
        pass

    wait = wait_stream = wait_event = synchronize = record_event = reset = record

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0


class Graph(Nothing):
    """A capture runs at once; what a replay would run is not known here."""

    def replay(self):
        raise NotJudged("the replay of a CUDA graph")


def properties(cc):
    shared, processors, cache = DEVICES.get(cc, DEVICES[90])
    return types.SimpleNamespace(
        name="kbx machine sm_%d" % cc,
        major=cc // 10,
        minor=cc % 10,
        total_memory=MEMORY,
        warp_size=32,
        multi_processor_count=processors,
        regs_per_multiprocessor=65536,
        max_threads_per_multi_processor=2048,
        max_threads_per_block=1024,
        shared_memory_per_block=49152,
        shared_memory_per_block_optin=shared,
        shared_memory_per_multiprocessor=shared + 1024,
        L2_cache_size=cache,
        gcnArchName="",
        is_integrated=0,
        is_multi_gpu_board=0,
    )


def cuda_answers(cc):
    """torch.cuda.NAME(...) -> constant."""
    return {
        "is_available": True,
        "current_device": 0,
        "device_count": 1,
        "synchronize": None,
        "set_device": None,
        "is_initialized": True,
        "init": None,
        "get_device_properties": properties(cc),
        "get_device_capability": (cc // 10, cc % 10),
        "get_device_name": properties(cc).name,
        "mem_get_info": (MEMORY - (10 << 30), MEMORY),
        "ipc_collect": None,
        "is_bf16_supported": True,
        "is_tf32_supported": True,
        "is_current_stream_capturing": False,
        "seed": None,
        "can_device_access_peer": False,
        "get_arch_list": ["sm_%d" % cc],
        "utilization": 0,
    }


class DeviceShim:
    """`host_read(tensor)` is called when a method hands a tensor's memory to the host; `bench(call)` for do_bench."""

    def __init__(self, cc, host_read=None, bench=None):
        self._cc, self._host_read, self._bench = cc, host_read, bench
        self._saved = []

    def enter(self):
        self._cuda()
        self._generators()
        self._autocast()
        self._testing()
        self._functions()
        self._tensors()
        self._watch()

    # What the strict shim does otherwise: how arguments become the candidate's tensors, and those kernels and results.
    outer = argument = inner = None

    def watched(self, mode):
        """The context in which a call runs under an operator watcher."""
        return mode

    def leave(self):
        while self._saved:
            owner, name, value, had = self._saved.pop()
            if had:
                setattr(owner, name, value)
            else:
                delattr(owner, name)

    def _put(self, owner, name, value):
        had = name in vars(owner)
        self._saved.append((owner, name, vars(owner).get(name), had))
        setattr(owner, name, value)

    def _cuda(self):
        cuda = torch.cuda
        for name, answer in cuda_answers(self._cc).items():
            self._put(cuda, name, lambda *args, _answer=answer, **kwargs: _answer)
        self._memory()
        for name in (
            "Stream",
            "Event",
            "ExternalStream",
            "device",
            "device_of",
            "stream",
            "graph",
            "StreamContext",
        ):
            self._put(cuda, name, Nothing)
        self._put(cuda, "CUDAGraph", Graph)
        for name in ("current_stream", "default_stream"):
            self._put(cuda, name, lambda *args, **kwargs: Nothing())
        seed = torch.default_generator.manual_seed  # torch.manual_seed calls cuda.manual_seed_all: no recursion
        for name in ("manual_seed", "manual_seed_all"):
            self._put(cuda, name, lambda value: seed(int(value)) and None)
        self._put(cuda, "get_rng_state", lambda *args, **kwargs: torch.get_rng_state())
        self._put(cuda, "set_rng_state", lambda state, *args, **kwargs: torch.set_rng_state(state))
        self._put(cuda, "default_generators", (torch.default_generator,))
        self._put(torch.version, "cuda", torch.version.cuda or "12.8")

    def _memory(self):
        """torch.cuda.memory's own functions, whoever imports them from where, with the answers that a card gives, too."""
        memory = torch.cuda.memory
        memory_answers.install(self._put, missing=True)
        for name, answer in (("is_initialized", True), ("_lazy_init", None), ("mem_get_info", torch.cuda.mem_get_info())):
            self._put(memory, name, lambda *args, _answer=answer, **kwargs: _answer)
        self._put(torch._C, "_accelerator_getDeviceIndex", lambda: 0)

    def _generators(self):
        plain = torch.Generator

        class Plain(type(plain)):  # isinstance(x, torch.Generator) keeps working
            def __instancecheck__(cls, value):
                return isinstance(value, plain)

        class Generator(plain, metaclass=Plain):
            def __new__(cls, device="cpu"):
                return plain.__new__(plain, CPU if names_cuda(device) else device)

        self._put(torch, "Generator", Generator)

    def _autocast(self):
        def cpu_autocast(original):
            def __init__(this, device_type="cuda", *args, **kwargs):
                original(this, "cpu" if names_cuda(device_type) else device_type, *args, **kwargs)

            return __init__

        self._put(torch.autocast, "__init__", cpu_autocast(torch.autocast.__init__))
        plain = vars(torch.autocast)["__init__"]

        def cuda_amp(this, enabled=True, dtype=torch.float16, cache_enabled=True):
            plain(this, "cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)

        self._put(torch.cuda.amp.autocast, "__init__", cuda_amp)

        def about_cpu(original):
            def asked(*device_type):
                return original(*("cpu" if names_cuda(name) else name for name in device_type))

            return asked

        for name in ("get_autocast_dtype", "is_autocast_enabled"):  # they want a name: a torch.device is refused
            self._put(torch, name, about_cpu(getattr(torch, name)))

    def _testing(self):
        import triton.testing

        def do_bench(call, *args, quantiles=None, return_mode="mean", **kwargs):
            if self._bench is not None:
                self._bench(call)
            return [1.0] * len(quantiles) if quantiles else [1.0] if return_mode == "all" else 1.0

        for name in ("do_bench", "do_bench_cudagraph"):
            self._put(triton.testing, name, do_bench)

    def _functions(self):
        for name in FACTORIES:
            function = getattr(torch, name, None)
            if function is not None:
                self._put(torch, name, on_cpu(function))
        for name in MODULE_METHODS:
            self._put(torch.nn.Module, name, on_cpu(getattr(torch.nn.Module, name)))
        self._put(torch.nn.Module, "cuda", lambda module, *args, **kwargs: module)

    def _tensors(self):
        tensor = torch.Tensor
        for name in METHODS:
            self._put(tensor, name, on_cpu(getattr(tensor, name)))
        device_of = Torch.device_of
        for name, answer in (("cuda", None), ("record_stream", None), ("pin_memory", None), ("get_device", 0)):
            self._put(tensor, name, lambda this, *args, _answer=answer, **kwargs: this if _answer is None else _answer)
        self._put(tensor, "is_cuda", property(lambda this: device_of(this).type == "cpu"))
        self._put(tensor, "is_cpu", property(lambda this: False))
        self._put(tensor, "device", property(lambda this: CUDA if device_of(this).type == "cpu" else device_of(this)))

    def _watch(self):
        if self._host_read is not None:
            for name, method in watched_methods(self._host_read):
                self._put(torch.Tensor, name, method)
