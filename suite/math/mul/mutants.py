"""Plausible wrong implementations of input * other; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def sum_not_product(input, other, out=None):
    """The wrong operation."""
    return _give(torch.add(input, other), out)


def in_memory_order(input, other, out=None):
    """Reads the operands as they lie in memory, whatever their strides are."""
    if not isinstance(other, torch.Tensor) or input.shape != other.shape or 0 in input.stride() + other.stride():
        return _give(torch.mul(input, other), out)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (input, other))
    return _give(torch.mul(x, y), out)


def broadcast_from_the_left(input, other, out=None):
    """Lines the dimensions of other up with the first ones of input where that is possible."""
    if isinstance(other, torch.Tensor) and other.dim() < input.dim() and other.numel() > 1:
        left = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
        if all(a == b or b == 1 for a, b in zip(input.shape, left.shape)):
            other = left
    return _give(torch.mul(input, other), out)


def other_repeats(input, other, out=None):
    """Takes other's elements by the flat index modulo its size: right for rows only."""
    if not isinstance(other, torch.Tensor) or other.numel() == 0:
        return _give(torch.mul(input, other), out)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    index = torch.arange(x.numel(), device=x.device) % other.numel()
    return _give(torch.mul(x, other.reshape(-1)[index].view(shape)), out)


def first_number_for_all(input, other, out=None):
    """Loads one element of other and takes it for a scalar."""
    if isinstance(other, torch.Tensor) and other.numel() > 0:
        other = other.reshape(-1)[:1].view((1,) * other.dim())
    return _give(torch.mul(input, other), out)


def complex_by_parts(input, other, out=None):
    """Multiplies real parts and imaginary parts."""
    if not input.is_complex() or not isinstance(other, torch.Tensor) or not other.is_complex():
        return _give(torch.mul(input, other), out)
    return _give(torch.complex(input.real * other.real, input.imag * other.imag), out)


def complex_conjugated(input, other, out=None):
    """The sign of the imaginary products is wrong: the conjugate of other is used."""
    other = other.conj() if isinstance(other, torch.Tensor) else other
    return _give(torch.mul(input, other).resolve_conj(), out)


def imaginary_part_dropped(input, other, out=None):
    """Treats complex numbers as their real part."""
    result = torch.mul(input, other)
    return _give(torch.complex(result.real, torch.zeros_like(result.real)) if result.is_complex() else result, out)


def dtype_of_input(input, other, out=None):
    """No promotion: the result has input's dtype."""
    return _give(torch.mul(input, other).to(input.dtype), out)


def other_to_dtype_of_input(input, other, out=None):
    """Converts other to input's dtype before the product: 0.25 becomes 0 beside integers."""
    result = torch.mul(input, other)
    other = other.to(input.dtype) if isinstance(other, torch.Tensor) else torch.tensor(other).to(input.dtype).item()
    return _give(torch.mul(input, other).to(result.dtype), out)


def through_float32(input, other, out=None):
    """Computes integers in float32: large ones lose digits and do not wrap."""
    result = torch.mul(input, other)
    if result.is_complex() or result.is_floating_point():
        return _give(result, out)
    other = other.float() if isinstance(other, torch.Tensor) else other
    return _give(torch.mul(input.float(), other).to(result.dtype), out)


def double_through_float32(input, other, out=None):
    """Stores float64 products as if they were float32: beyond its range they become inf."""
    result = torch.mul(input, other)
    return _give(result.float().double() if result.dtype == torch.float64 else result, out)


def out_not_written(input, other, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.mul(input, other)


def one_block(input, other, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.mul(input, other).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, other, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.mul(input, other).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def out_in_float32_only(input, other, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.mul(input, other)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
