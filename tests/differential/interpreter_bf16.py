"""bf16 for Triton's interpreter, which keeps it as uint16 and computes on the bits: every operation through float32,
rounded to nearest even."""

import numpy as np
import triton.language as tl
import triton.runtime.interpreter as upstream

Handle = upstream.TensorHandle
BITWISE = (np.bitwise_and, np.bitwise_or, np.bitwise_xor)


def widen(bits):
    return (np.ascontiguousarray(bits).astype(np.uint32) << 16).view(np.float32)


def odd(values, residue):
    """The last bit set where something was cut off, so that the next rounding is right about ties."""
    bits = values.view("i%d" % values.itemsize)
    step = np.where((residue > 0) == (values > 0), 1, -1).astype(bits.dtype)
    cut = (residue != 0) & np.isfinite(residue) & np.isfinite(values) & (values != 0) & ((bits & 1) == 0)
    return np.where(cut, bits + step, bits).view(values.dtype)


def fused(x, y, z):
    """x * y + z as a double, to odd: exact for operands of at most 24 bits."""
    product = x * y
    total = product + z
    part = total - product
    return odd(total, (product - (total - part)) + (z - part))


def narrow(values):
    wide = np.ascontiguousarray(values)
    values = wide.astype(np.float32)
    if wide.dtype == np.float64:
        values = odd(values, wide - values.astype(np.float64))
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), rounded)


def is_bf16(handle):
    return handle.dtype.scalar == tl.bfloat16 and not handle.dtype.is_ptr()


class Bf16:
    """Comes before upstream's builder in the order of classes."""

    @staticmethod
    def up(handle):
        return Handle(widen(handle.data), tl.float32) if is_bf16(handle) else handle

    @staticmethod
    def down(handle):
        return Handle(narrow(handle.data), tl.bfloat16)

    @staticmethod
    def floats(handle):
        """The values of a dot operand as a float array."""
        import torch

        kinds = {tl.float8e4nv: torch.float8_e4m3fn, tl.float8e5: torch.float8_e5m2}
        if handle.dtype.scalar in kinds:
            return torch.from_numpy(np.ascontiguousarray(handle.data)).view(kinds[handle.dtype.scalar]).float().numpy()
        return widen(handle.data) if is_bf16(handle) else handle.data

    def binary_op(self, x, y, op):
        if not (is_bf16(x) and is_bf16(y)) or op in BITWISE:
            return super().binary_op(x, y, op)
        result = op(widen(x.data), widen(y.data))
        return Handle(result, tl.bfloat16) if result.dtype == bool else Handle(narrow(result), tl.bfloat16)

    def unary_op(self, x, op):
        return self.down(super().unary_op(self.up(x), op)) if is_bf16(x) else super().unary_op(x, op)

    def cast_impl(self, src, kind):
        if kind.scalar == tl.bfloat16 and not src.dtype.is_ptr():
            data = src.data if src.data.dtype == np.float64 else src.data.astype(np.float32)
            return src if is_bf16(src) else Handle(narrow(data), tl.bfloat16)
        src = self.up(src)
        return src if kind.scalar == tl.float32 and src.dtype.scalar == tl.float32 else super().cast_impl(src, kind)

    def create_clampf(self, x, low, high, propagate):
        result = super().create_clampf(self.up(x), self.up(low), self.up(high), propagate)
        return self.down(result) if is_bf16(x) else result

    def get_bf16(self, value):
        return Handle(narrow(np.array([value], dtype=np.float32)), tl.bfloat16)

    def create_atomic_rmw(self, op, pointer, value, mask, sem, scope):
        """Programs run one after another, so a bf16 add is a load, an add and a store, lane by lane."""
        if not is_bf16(value):
            return super().create_atomic_rmw(op, pointer, value, mask, sem, scope)
        load, store = upstream._interpreter.load, upstream._interpreter.store
        shape, yes = value.data.shape, np.array([True])
        places, values, masks = (
            np.array(np.broadcast_to(z, shape)).ravel() for z in (pointer.data, value.data, mask.data)
        )
        old = np.zeros(values.size, np.uint16)
        for i in np.flatnonzero(masks):
            old[i] = load(places[i : i + 1], yes, np.zeros(1, np.uint16), np.dtype(np.uint16))[0]
            store(places[i : i + 1], narrow(widen(old[i : i + 1]) + widen(values[i : i + 1])), yes)
        return Handle(old.reshape(shape), tl.bfloat16)

    @staticmethod
    def around(apply):
        """A reduction or scan that widens bf16 operands and rounds its results: sums are f32 here, bf16 in the IR."""

        def apply_impl(this, operands):
            if not any(x.dtype == tl.bfloat16 for x in operands):
                return apply(this, operands)

            def retyped(x, handle, element):
                kind = x.type.with_element_ty(element) if x.type.is_block() else element
                return tl.core.tensor(handle, kind)

            wide = tuple(retyped(x, Bf16.up(x.handle), tl.float32) if x.dtype == tl.bfloat16 else x for x in operands)
            results = apply(this, wide)
            results = list(results) if isinstance(results, (list, tuple)) else [results]
            for i, x in enumerate(operands[: len(results)]):
                if x.dtype == tl.bfloat16 and results[i].dtype == tl.float32:
                    results[i] = retyped(results[i], Bf16.down(results[i].handle), tl.bfloat16)
            return results if len(results) > 1 else results[0]

        return apply_impl
