"""Every difference between the Triton, torch and numpy releases that the worker meets. Nothing else asks for a version.

Triton 3.2 to 3.9, torch >= 2.6, python 3.10 to 3.13. numpy matters to torch's own interface only: the worker does not
use Triton's interpreter, which is the one that fails with numpy >= 2.4 under Triton 3.6.
"""

import builtins
import importlib.util
import inspect
import os
import re

__builtins__ = dict(vars(builtins))  # as trusted.py; this file must also load where torch does not

OLDEST = {"torch": (2, 6), "triton": (3, 2), "python": (3, 10)}
# Options that a candidate chooses; every other option of a compilation follows from the target.
USER_OPTIONS = (
    "num_warps",
    "num_stages",
    "num_ctas",
    "maxnreg",
    "cluster_dims",
    "enable_fp_fusion",
    "debug",
    "launch_cooperative_grid",
    "launch_pdl",
    "sanitize_overflow",
    "ir_override",
)


def version_tuple(text):
    """(3, 6) for "3.6.0", "3.6.0+git1234"; (0, 0) for what is no version."""
    match = re.match(r"(\d+)\.(\d+)", str(text))
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def triton_key():
    """Hashes Triton's own sources once, so that children inherit the answer (moved in 3.5)."""
    try:
        from triton.runtime.cache import triton_key as key
    except ImportError:
        from triton.compiler.compiler import triton_key as key
    return key()


def make_ir(src, target, options, codegen, modules, context):
    """The front end: `target` came as a first argument in 3.5."""
    if "target" in inspect.signature(src.make_ir).parameters:
        return src.make_ir(target, options, codegen, modules, context)
    return src.make_ir(options, codegen, modules, context)


def codegen_implementation(backend, options):
    """3.2 takes no options here."""
    method = backend.get_codegen_implementation
    return method(options) if inspect.signature(method).parameters else method()


def make_ttir(backend, module, options, capability):
    """The passes to TTIR, with or without the capability argument (3.2 has none)."""
    method = backend.make_ttir
    if len(inspect.signature(method).parameters) >= 4:
        return method(module, {}, options, capability)
    return method(module, {}, options)


def run_passes(manager, module):
    """pass_manager.run takes a name for the reproducer since 3.5."""
    try:
        manager.run(module, "kbx")
    except TypeError:
        manager.run(module)


def module_text(module):
    """The module with locations: str() is a method of every release's module object."""
    return module.str() if hasattr(module, "str") else str(module)


def has_descriptors(module):
    text = module.str_nodebug() if hasattr(module, "str_nodebug") else module_text(module)
    return "tensordesc" in text or "tt.descriptor" in text


def rewrite_descriptors(module):
    """sm_90 keeps tensor descriptors in TTIR; rewrite them to pointers as sm_80 does. Not there before 3.4."""
    from triton._C.libtriton import ir, passes

    add = getattr(passes.ttir, "add_rewrite_tensor_descriptor_to_pointer", None)
    if add is None:
        return False
    manager = ir.pass_manager(module.context)
    add(manager)
    run_passes(manager, module)
    return True


def loaded_binary():
    """What utils.load_binary returns: handles, registers, spills and, since 3.3, the most threads."""
    import triton

    return (1, 1, 0, 0, 1024) if version_tuple(triton.__version__) >= (3, 3) else (1, 1, 0, 0)


def replace_subprocess(stand_in):
    """Gives Triton's NVIDIA backend another `subprocess`. 3.2 loads that file apart from the module of its name."""
    from triton.backends import backends

    backends["nvidia"].compiler.make_cubin.__globals__["subprocess"] = stand_in


def newest_arch():
    """The newest compute capability this Triton compiles for; beyond it LLVM aborts the process."""
    import triton

    return 90 if version_tuple(triton.__version__) < (3, 3) else 10**6


def runtime_arguments(src, values):
    """(name, type, value) of the arguments that reach the kernel. 3.2 keeps constants apart from the signature and by
    name; later releases write "constexpr" into the signature and pass every bound argument."""
    constants = src.constants
    for (name, kind), value in zip(src.signature.items(), values):
        if kind != "constexpr" and name not in constants:
            yield name, kind, value


def flatten_kind(kind, value):
    """Nested tuples of (type, value) as leaves, constants left out (tuples came in 3.3)."""
    if isinstance(kind, (tuple, list)):
        for inner_kind, inner in zip(kind, value):
            yield from flatten_kind(inner_kind, inner)
    elif kind != "constexpr":
        yield kind, value


def cuda_driver():
    """Triton's own driver. Its launcher_cls may be replaced before anything is launched."""
    from triton.backends.nvidia.driver import CudaDriver

    driver = CudaDriver()
    if hasattr(driver, "get_benchmarker"):
        driver.get_benchmarker = lambda: _brief_benchmark
    return driver


def _brief_benchmark(kernel_call, **options):
    """Triton's own benchmark for its autotuner with a fifth of the repeats: the card is held for nobody else meanwhile."""
    from triton.testing import do_bench

    return do_bench(kernel_call, **{"warmup": 5, "rep": 20, **options})


def has_libcuda():
    """Whether Triton finds the CUDA driver's library (by ldconfig; the answer is kept for the children)."""
    try:
        from triton.backends.nvidia.driver import libcuda_dirs

        return bool(libcuda_dirs())
    except Exception:  # an assertion, or no ldconfig
        return False


def cuda_utils_source():
    from triton.backends.nvidia import driver

    return os.path.join(os.path.dirname(os.path.realpath(driver.__file__)), "driver.c")


def build_cuda_utils():
    """Builds and loads what Triton's driver needs, without a context."""
    from triton.backends.nvidia.driver import CudaUtils

    CudaUtils()


def compiled_launcher():
    """The launcher class where each signature has a launcher of its own, built with gcc (before 3.8); else None."""
    from triton.backends.nvidia import driver

    return driver.CudaLauncher if hasattr(driver, "make_launcher") and has_libcuda() else None


def warm_lookups(archs):
    """What Triton asks programs for once a process: compiler versions, the platform. Children inherit the answers."""
    from triton.backends import backends

    version = backends["nvidia"].compiler.make_cubin.__globals__.get("get_ptxas_version")
    takes_arch = version is not None and bool(inspect.signature(version).parameters)
    for arguments in [(arch,) for arch in archs] if takes_arch else [()]:
        try:
            version(*arguments)
        except Exception:
            pass  # a Triton that does not know the architecture
    try:
        from triton.runtime.build import platform_key

        platform_key()
    except ImportError:
        pass


def set_active_driver(driver):
    from triton.runtime import driver as config

    config.set_active(driver)


def patch_compile(function):
    """Every JITFunction picks `compile` up from triton.compiler when it makes its binder (3.2 to 3.9)."""
    import triton.compiler

    original = triton.compiler.compile
    triton.compiler.compile = function
    return original


def rotate_configs():
    """On a GPU any configuration of an autotuner may win, so all must be right. Trials take no time here and the first
    one wins: each tuning of the same autotuner starts with the next configuration, so that the cases see all of them."""
    from triton.runtime.autotuner import Autotuner

    prune, turns = Autotuner.prune_configs, {}

    def rotated(self, kwargs):
        configs = list(prune(self, kwargs))
        turn = turns.get(id(self), 0)
        turns[id(self)] = turn + 1
        at = turn % len(configs) if configs else 0
        return configs[at:] + configs[:at]

    Autotuner.prune_configs = rotated


def alike(src, options):
    """A key that two launches share when one compilation answers for both: same function, argument types, user's
    constants and options; not the JIT's own specialisation on divisibility and on arguments equal to 1."""
    constants = getattr(src, "constants", None) or getattr(src, "constexprs", None) or {}
    names, types, values = [p.name for p in src.fn.params], [], []
    for param in src.fn.params:
        kind = src.signature.get(param.name, "constexpr")
        if param.is_constexpr:
            path = (names.index(param.name),)
            values.append(repr(constants.get(path, constants.get(param.name))))
        else:
            types.append("i32" if kind in ("constexpr", "i1") else kind)
    return (id(src.fn), str(types), str(values), str(sorted((options or {}).items(), key=str)))


def compile_errors():
    """The exception classes with which Triton refuses a kernel."""
    from triton.compiler import errors
    from triton.runtime.errors import OutOfResources

    found = [OutOfResources, errors.CompilationError]
    for module, name in (
        ("triton.runtime.errors", "PTXASError"),
        ("triton.compiler.errors", "UnsupportedLanguageConstruct"),
        ("triton.compiler.errors", "CompileTimeAssertionFailure"),
    ):
        try:
            found.append(getattr(__import__(module, fromlist=[name]), name))
        except (ImportError, AttributeError):
            pass
    return tuple(found)


def problems():
    """[(message, hint)] about the releases found: what cannot work at all."""
    import sys

    found = []
    if sys.version_info[:2] < OLDEST["python"]:
        found.append(("python %d.%d is too old" % sys.version_info[:2], "use python 3.10 or newer"))
    absent = [name for name in ("numpy", "torch", "triton") if not importlib.util.find_spec(name)]
    if absent:
        said = "%s: this python has no %s" % (sys.executable, ", ".join(absent))
        found.append((said, "%s -m pip install %s" % (sys.executable, " ".join(absent))))
    for name in ("numpy", "torch", "triton"):
        if name in absent:
            continue
        try:
            module = __import__(name)
        except Exception as error:  # a broken install fails in many ways
            found.append(
                (
                    "%s cannot be imported: %s: %s" % (name, type(error).__name__, error),
                    "install it anew: %s -m pip install --force-reinstall %s" % (sys.executable, name),
                )
            )
            continue
        oldest = OLDEST.get(name)
        if oldest and version_tuple(module.__version__) < oldest:
            found.append(("%s %s is too old" % (name, module.__version__), "install %s >= %d.%d" % (name, *oldest)))
    return found
