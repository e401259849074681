"""A kernel's source -> the generic text of its TTIR, by the real front end and passes.

MLIR prints a module that does not verify in its generic form, one grammar for every operation. A private function with
an empty block makes it so; self_test() pins the trick, since no release promises it.
"""

import compat
from triton._C.libtriton import ir
from triton.compiler.compiler import make_backend
from trusted import private_builtins

__builtins__ = private_builtins  # what a candidate does to python's own does not reach this file


class LoweringError(Exception):
    """The trick does not work with this Triton: the harness's fault, never the candidate's."""


def generic_text(module, context):
    builder = ir.builder(context)
    builder.set_loc("kbx", 0, 0)
    kind = builder.get_function_ty([], [])
    function = builder.get_or_insert_function(module, "kbx_unverifiable", kind, "private", False)
    function.add_entry_block()
    module.push_back(function)
    return compat.module_text(module)


def lower(src, target, options):
    """The generic TTIR text of an ASTSource. Raises what the compiler raises."""
    backend = make_backend(target)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    options = backend.parse_options(dict(options, **src.parse_options()))
    codegen = compat.codegen_implementation(backend, options)
    module = compat.make_ir(src, target, options, codegen, backend.get_module_map(), context)
    compat.make_ttir(backend, module, options, target.arch)
    if compat.has_descriptors(module):
        compat.rewrite_descriptors(module)
    return generic_text(module, context), options


def self_test(text):
    """Raises unless `text` is the generic form: quoted operations, an entry function, source locations."""
    for part in ('"tt.func"', '"tt.load"', '"tt.store"', '"tt.return"', "loc("):
        if part not in text:
            raise LoweringError("this Triton does not print the generic form: no %s in the text" % part)
