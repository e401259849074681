"""A kernel of ours -> generic TTIR text, by Triton's own front end, on a machine without a GPU."""
import os

os.environ.setdefault("TRITON_CACHE_DIR", "/tmp/kbx_ir_tests_cache")

import torch
import triton
from triton._C.libtriton import ir, passes
from triton.backends.compiler import GPUTarget
from triton.runtime import driver


class _Utils:
    def get_device_properties(self, device=0):
        return dict(max_shared_mem=232448, multiprocessor_count=132, max_num_regs=65536, warpSize=32)

    def __getattr__(self, name):
        return lambda *a, **k: None


class StubDriver:
    """What the front end asks a driver for; nothing is ever launched through it."""

    def __init__(self, capability=90):
        self.capability = capability
        self.utils = _Utils()

    def get_current_target(self):
        return GPUTarget("cuda", self.capability, 32)

    def get_current_device(self):
        return self.capability

    def get_current_stream(self, device=0):
        return 0

    def get_device_capability(self, device=0):
        return divmod(self.capability, 10)

    def get_active_torch_device(self):
        return torch.device("cpu")

    def map_python_to_cpp_type(self, ty):
        return "x"


def install():
    """Makes the stub the active driver."""
    driver.set_active(StubDriver())


def generic_text(module, context):
    """MLIR prints a module that does not verify in its generic form: a function without a terminator does it."""
    builder = ir.builder(context)
    builder.set_loc("kbx", 0, 0)
    f = builder.get_or_insert_function(
        module, "kbx_unverifiable", builder.get_function_ty([], []), "private", False
    )
    f.add_entry_block()
    module.push_back(f)
    return module.str()


def lower(fn, args, kwargs):
    """(generic text, the runtime values in the order of the TTIR function's arguments)."""
    kwargs = dict(kwargs)
    kwargs["debug"] = kwargs.get("debug", False)
    kwargs.setdefault("instrumentation_mode", "")
    _, _, target, backend, binder = fn.device_caches[driver.active.get_current_device()]
    bound, specialization, options = binder(*args, **kwargs)
    options, signature, constexprs, attrs = fn._pack_args(backend, kwargs, bound, specialization, options)
    source = fn.ASTSource(fn, signature, constexprs, attrs)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    options = backend.parse_options(dict(options.__dict__, **source.parse_options()))
    module = source.make_ir(
        target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    backend.make_ttir(module, {}, options, 90)
    if "tt.descriptor" in module.str_nodebug():
        manager = ir.pass_manager(module.context)
        passes.ttir.add_rewrite_tensor_descriptor_to_pointer(manager)
        manager.run(module, "kbx")
    values = [v for sig, value in zip(signature.values(), bound.values()) for v in _flat(sig, value)]
    return generic_text(module, context), [e for v in values for e in _expand(v)]


def _flat(signature, value):
    if isinstance(signature, tuple):
        for s, v in zip(signature, value):
            yield from _flat(s, v)
    elif signature != "constexpr":
        yield value


def _expand(value):
    """A host tensor descriptor becomes pointer, shape, strides, padding, shape, strides (triton 3.6)."""
    if not hasattr(value, "block_shape"):
        return [value]
    return [value.base, *value.shape, *value.strides, value.padding == "nan", *value.shape, *value.strides]
