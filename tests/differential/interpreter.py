"""Triton's own interpreter beside the compiled path, in one process, with its known faults corrected (triton 3.6).

run(jit_function, grid, arguments) interprets one launch on the memory of its CPU tensors. Each correction below names
what is wrong upstream; docs/ir-agreement.md lists them with the effect. Nothing outside a launch is changed.
"""

import ast
import builtins
import contextlib
import inspect

import numpy as np
import torch
import triton.language as tl
import triton.runtime.interpreter as upstream
from interpreter_bf16 import Bf16, fused, narrow, widen
from interpreter_math import extern
from kinds import to_integer
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as cuda_libdevice
from triton.runtime.jit import JITFunction

Handle, Builder = upstream.TensorHandle, upstream.InterpreterBuilder


def signed_zero_fix(op, x, y, r):
    """max(-0, +0) = +0 and min = -0, as the hardware has it; numpy takes either."""
    zeros = (x == 0) & (y == 0)
    if not np.any(zeros):
        return r
    pick = np.signbit(x) & np.signbit(y) if op is np.fmax else np.signbit(x) | np.signbit(y)
    return np.where(zeros, np.where(pick, -0.0, 0.0).astype(r.dtype), r)


def to_tf32(handle):
    bits = np.ascontiguousarray(handle.data).view(np.uint32).astype(np.uint64)
    cut = (bits & 0xFFFFE000).astype(np.uint32)  # tensor cores do not round
    return Handle(cut.view(np.float32), handle.dtype)


class Corrected(Bf16, Builder):
    """The builder with corrections. Upstream's tables are class attributes that look `binary_op` up on self."""

    def __init__(self):
        super().__init__()
        self.options = upstream.InterpreterOptions(sanitize_overflow=False)  # upstream computes a shadow and drops it

    def min_max(self, x, y, op):
        def both(a, b):
            return signed_zero_fix(op, a, b, op(a, b))

        return self.binary_op(x, y, both)

    def create_maxnumf(self, x, y):  # upstream lets a NaN through
        return self.min_max(x, y, np.fmax)

    def create_minnumf(self, x, y):
        return self.min_max(x, y, np.fmin)

    def create_clampf(self, x, low, high, propagate):  # upstream lets a NaN through
        if propagate == upstream._ir.PROPAGATE_NAN.ALL:
            return super().create_clampf(x, low, high, propagate)
        return self.create_minnumf(self.create_maxnumf(x, low), high)

    def get_all_ones_value(self, kind):  # upstream: -1 does not fit an unsigned type
        return Handle(np.invert(np.zeros(1, dtype=upstream._get_np_dtype(kind))), kind.scalar)

    def create_lshr(self, x, y):  # upstream shifts what is signed arithmetically
        unsigned = np.dtype("u%d" % x.data.dtype.itemsize)
        return Handle((x.data.view(unsigned) >> y.data.view(unsigned)).view(x.data.dtype), x.dtype.scalar)

    def create_idiv(self, x, y):  # upstream's form overflows
        wide = [v.data.astype(object) for v in (x, y)]
        safe = np.where(y.data == 0, 1, wide[1])
        quotient = np.abs(wide[0]) // np.abs(safe) * np.where((wide[0] < 0) != (safe < 0), -1, 1)
        bits = x.data.dtype.itemsize * 8
        low = (quotient & ((1 << bits) - 1)).astype(np.uint64).astype("u%d" % x.data.dtype.itemsize)
        return Handle(np.where(y.data == 0, low.dtype.type(2**bits - 1), low).view(x.data.dtype), x.dtype.scalar)

    def create_srem(self, x, y):
        safe = np.where(y.data == 0, 1, y.data).astype(y.data.dtype)
        return Handle(np.where(y.data == 0, x.data, np.fmod(x.data, safe)), x.dtype.scalar)

    create_urem = create_srem

    def cast_float_to_int(self, src, kind):
        array = np.dtype(upstream._get_np_dtype(kind.scalar)).type
        return Handle(to_integer(src.data, array, src.data.dtype == np.float64), kind.scalar)

    def create_fp_to_si(self, src, kind):  # upstream: INT_MIN for NaN and all that does not fit
        return self.cast_float_to_int(self.up(src), kind)

    create_fp_to_ui = create_fp_to_si

    def create_fp_to_fp(self, src, kind, mode):
        """fp8 (upstream is one unit off in 2 % of the values) and bf16 by torch's tables, fp8 saturating."""
        rtz = mode == upstream._ir.ROUNDING_MODE.RTZ
        fp8 = {tl.float8e4nv: (torch.float8_e4m3fn, 448.0), tl.float8e5: (torch.float8_e5m2, 57344.0)}
        have, want = src.dtype.scalar, kind.scalar
        if (
            rtz
            or not ({have, want} & {tl.bfloat16, *fp8})
            or not ({have, want} <= {tl.bfloat16, tl.float16, tl.float32, tl.float64, *fp8})
        ):
            return super().create_fp_to_fp(src, kind, mode)
        data = self.up(src).data
        if have in fp8:
            data = torch.from_numpy(np.ascontiguousarray(data)).view(fp8[have][0]).float().numpy()
        if want in fp8:
            dtype, largest = fp8[want]
            data = torch.from_numpy(np.ascontiguousarray(data.astype(np.float32))).clamp(-largest, largest).to(dtype)
            return Handle(data.view(torch.uint8).numpy(), want)
        if want == tl.bfloat16:
            return Handle(narrow(data), want)
        return Handle(data.astype(upstream._get_np_dtype(want)), want)

    def create_dot(self, a, b, acc, precision, imprecise):
        """f32 operands are rounded to tf32 by default; fp8 and bf16 operands are widened, sums are f32."""
        if a.dtype.scalar == tl.float32 and precision == upstream._ir.INPUT_PRECISION.TF32:
            a, b = to_tf32(a), to_tf32(b)
        if acc.data.dtype.kind in "iu":
            return Handle(np.matmul(a.data.astype(np.int32), b.data.astype(np.int32)) + acc.data, acc.dtype.scalar)
        wide = np.float64 if acc.data.dtype == np.float64 else np.float32
        left, right, start = (self.floats(h).astype(wide) for h in (a, b, acc))
        result = np.matmul(left, right) + start
        return (
            Handle(narrow(result), tl.bfloat16)
            if acc.dtype.scalar == tl.bfloat16
            else Handle(result.astype(acc.data.dtype), acc.dtype.scalar)
        )

    def create_erf(self, x):  # upstream loops over math.erf
        return Handle(torch.erf(torch.from_numpy(np.ascontiguousarray(x.data))).numpy(), x.dtype.scalar)

    def create_rsqrt(self, x):
        return Handle((1 / np.sqrt(x.data.astype(np.float64))).astype(x.data.dtype), x.dtype.scalar)

    def create_umulhi(self, x, y):  # upstream takes the high half of a signed product
        unsigned = np.dtype("u%d" % x.data.dtype.itemsize)
        a, b = (v.data.view(unsigned).astype(object) for v in (x, y))
        return Handle(((a * b) >> (8 * unsigned.itemsize)).astype(unsigned).view(x.data.dtype), x.dtype.scalar)

    def create_fma(self, x, y, z):  # upstream rounds twice
        if z.dtype.scalar == tl.float64:
            return super().create_fma(x, y, z)
        a, b, c = (self.up(v).data.astype(np.float64) for v in (x, y, z))
        exact = fused(a, b, c)
        return Handle(narrow(exact) if z.dtype.scalar == tl.bfloat16 else exact.astype(z.data.dtype), z.dtype.scalar)

    def create_extern_elementwise(self, library, path, symbol, args, kind, pure):  # upstream has none
        values = [widen(h.data) if h.dtype.scalar == tl.bfloat16 else h.data for h in args]
        return Handle(extern(symbol, values).astype(upstream._get_np_dtype(kind.scalar)), kind.scalar)


def loop_range(*bounds, **options):
    """A loop variable is an i32, not a Python int: `i.to()`, `i // 2` below zero."""
    steps = [int(b) if isinstance(b, (tl.tensor, tl.constexpr)) else b for b in bounds]
    for i in builtins.range(*steps):
        yield tl.tensor(Handle(np.array([i], dtype=np.int32), tl.int32), tl.int32)


def logical(a, other, is_and):
    """`and` and `or` of blocks are logical operations in the compiler; Python would return the last operand."""
    if isinstance(a, tl.tensor) and a.type.is_block():
        b = other()
        b = b if isinstance(b, tl.tensor) else upstream.interpreter_semantic.to_tensor(b)
        combine = upstream.interpreter_semantic.logical_and if is_and else upstream.interpreter_semantic.logical_or
        return combine(a, b)
    return (a and other()) if is_and else (a or other())


class Rewrite(ast.NodeTransformer):
    """`for .. in range` and `and`/`or` as the compiler reads them."""

    def visit_For(self, node):
        self.generic_visit(node)
        call = node.iter
        if isinstance(call, ast.Call):
            name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
            if name == "range":
                call.func, call.keywords = ast.Name("__kbx_range", ast.Load()), []
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        result = node.values[0]
        for value in node.values[1:]:
            nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
            thunk = ast.Lambda(nothing, value)
            is_and = ast.Constant(isinstance(node.op, ast.And))
            result = ast.Call(ast.Name("__kbx_logical", ast.Load()), [result, thunk, is_and], [])
        return ast.copy_location(result, node)


def with_semantic(builtin):
    """A function of triton.language as Python may call it."""

    def call(*args, **kwargs):
        return builtin(*args, **{**kwargs, "_semantic": SEMANTIC})

    call.__triton_builtin__ = True
    return call


REWRITTEN = {}


def rewritten(function):
    """The function that interprets `function`, over a copy of its globals (upstream writes into the module's)."""
    if function not in REWRITTEN:
        rewriter = upstream.FunctionRewriter(function)
        lines, _ = inspect.getsourcelines(function)
        rewriter.filename, rewriter.def_file_lineno = rewriter._get_jit_fn_file_line()
        rewriter.def_lineno = rewriter._find_def(lines)
        tree = Rewrite().visit(rewriter._transform_ast(rewriter._prepare_source(lines)))
        scope = dict(vars(upstream))
        scope.update(function.__globals__)
        scope.update({k: c.cell_contents for k, c in zip(function.__code__.co_freevars, function.__closure__ or ())})
        scope.update({k: with_semantic(v) for k, v in scope.items() if inspect.isfunction(v) and tl.core.is_builtin(v)})
        scope.update(__kbx_range=loop_range, __kbx_logical=logical, interpreter_semantic=upstream.interpreter_semantic)
        local = {}
        exec(compile(ast.fix_missing_locations(tree), rewriter.filename, "exec"), scope, local)
        REWRITTEN[function] = local[function.__name__]
    return REWRITTEN[function]


class Session:
    """What is replaced in triton.language while one launch is interpreted."""

    def __init__(self):
        self._scopes, self._patched, self._members = [], set(), []

    def function(self, python_function):
        """The interpretable function, with the languages that its globals name patched (once a launch, not a call)."""
        ready = rewritten(python_function)
        key = id(python_function.__globals__)
        if key not in self._patched:
            self._patched.add(key)
            names = [v for v in ready.__globals__.values() if v is tl or v is tl.core]
            if names:
                self._scopes.append(upstream._patch_lang(ready))
        return ready

    def member(self, owner, name, value):
        self._members.append((owner, name, vars(owner)[name]))
        setattr(owner, name, value)

    def enter(self):
        session = self

        def call(jit, *args, **kwargs):
            return session.function(jit.fn)(*args, **kwargs)

        self.member(JITFunction, "__call__", call)
        for name, member in list(vars(tl.tensor).items()):
            if isinstance(member, JITFunction):  # x.sum(0): upstream's class is only right when TRITON_INTERPRET is set
                self.member(tl.tensor, name, lambda this, *a, _jit=member, **k: call(_jit, this, *a, **k))
        for name, builtin in list(vars(cuda_libdevice).items()):  # upstream: "_semantic" is missing
            if inspect.isfunction(builtin) and tl.core.is_builtin(builtin):
                for module in (cuda_libdevice, libdevice):
                    if name in vars(module):
                        self.member(module, name, with_semantic(builtin))

    def leave(self):
        for scope in reversed(self._scopes):
            scope.restore()
        for owner, name, old in reversed(self._members):
            setattr(owner, name, old)


@contextlib.contextmanager
def corrected():
    """Upstream's module with the corrected builder, reductions and conversions; as it was afterwards."""
    saved = {name: getattr(upstream, name) for name in ("interpreter_builder", "interpreter_semantic", "_implicit_cvt")}
    plain, patch_tensor, apply_reduce, apply_scan = (
        upstream._implicit_cvt,
        upstream._patch_lang_tensor,
        upstream.ReduceOps.apply_impl,
        upstream.ScanOps.apply_impl,
    )
    upstream.interpreter_builder = BUILDER
    upstream.interpreter_semantic = SEMANTIC

    def convert(value):  # bool arguments are unknown upstream; float arguments are f32 in a kernel, not double
        if isinstance(value, bool):
            return tl.tensor(Handle(np.array([value], dtype=bool), tl.int1), tl.int1)
        if isinstance(value, float):
            return tl.tensor(Handle(np.array([value], dtype=np.float32), tl.float32), tl.float32)
        return plain(value)

    def index(tensor, scope):  # numpy >= 2.4 refuses int() of an array of one
        patch_tensor(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda this: int(this.handle.data.reshape(-1)[0]))

    upstream._implicit_cvt, upstream._patch_lang_tensor = convert, index
    upstream.ReduceOps.apply_impl, upstream.ScanOps.apply_impl = Bf16.around(apply_reduce), Bf16.around(apply_scan)
    try:
        yield
    finally:
        for name, value in saved.items():
            setattr(upstream, name, value)
        upstream._patch_lang_tensor = patch_tensor
        upstream.ReduceOps.apply_impl, upstream.ScanOps.apply_impl = apply_reduce, apply_scan


BUILDER = Corrected()
SEMANTIC = type(upstream.interpreter_semantic)(BUILDER)


def run(jit, grid, arguments, stop=lambda: None):
    """Interprets one launch. arguments: {name: value}, all parameters. stop() may raise between programs."""
    grid = tuple(int(g) for g in (list(grid) + [1, 1, 1])[:3])
    session = Session()
    with corrected(), np.errstate(all="ignore"):
        try:
            session.enter()
            function = session.function(jit.fn)
            constants = {p.name for p in jit.params if p.is_constexpr}
            ready = {n: v if n in constants else upstream._implicit_cvt(v) for n, v in arguments.items()}
            BUILDER.set_grid_dim(*grid)
            for x in range(grid[0]):
                for y in range(grid[1]):
                    for z in range(grid[2]):
                        stop()
                        BUILDER.set_grid_idx(x, y, z)
                        function(**ready)
        finally:
            session.leave()
