"""Plausible wrong implementations of a bitwise AND; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def bitwise_or(input, other, out=None):
    """The wrong operation."""
    return _give(torch.bitwise_or(input, other), out)


def in_memory_order(input, other, out=None):
    """Reads the operands as they lie in memory, whatever their strides are."""
    if not isinstance(other, torch.Tensor) or input.shape != other.shape or 0 in input.stride() + other.stride():
        return _give(torch.bitwise_and(input, other), out)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (input, other))
    return _give(torch.bitwise_and(x, y), out)


def broadcast_from_the_left(input, other, out=None):
    """Lines the dimensions of other up with the first ones of input where that is possible."""
    if isinstance(other, torch.Tensor) and other.dim() < input.dim() and other.numel() > 1:
        left = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
        if all(a == b or b == 1 for a, b in zip(input.shape, left.shape)):
            other = left
    return _give(torch.bitwise_and(input, other), out)


def other_repeats(input, other, out=None):
    """Takes other's elements by the flat index modulo its size: right for rows only."""
    if not isinstance(other, torch.Tensor) or other.numel() == 0:
        return _give(torch.bitwise_and(input, other), out)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    index = torch.arange(x.numel(), device=x.device) % other.numel()
    return _give(torch.bitwise_and(x, other.reshape(-1)[index].view(shape)), out)


def first_number_for_all(input, other, out=None):
    """Loads one element of other and takes it for a scalar."""
    if isinstance(other, torch.Tensor) and other.numel() > 0:
        other = other.reshape(-1)[:1].view((1,) * other.dim())
    return _give(torch.bitwise_and(input, other), out)


def logical_and(input, other, out=None):
    """1 where both are not zero."""
    result = torch.bitwise_and(input, other)
    both = (input != 0) & (other != 0 if isinstance(other, torch.Tensor) else bool(other))
    return _give(both.expand(result.shape).to(result.dtype), out)


def low_byte_only(input, other, out=None):
    """Computes the lowest eight bits."""
    result = torch.bitwise_and(input, other)
    return _give(result & 255 if result.dtype in (torch.int16, torch.int32, torch.int64) else result, out)


def low_word_only(input, other, out=None):
    """Loads 64-bit integers as 32-bit ones."""
    result = torch.bitwise_and(input, other)
    return _give(result.to(torch.int32).to(result.dtype), out)


def through_float32(input, other, out=None):
    """Converts the operands to float32 on the way: 24 bits remain."""
    result = torch.bitwise_and(input, other)
    if result.dtype not in (torch.int32, torch.int64):
        return _give(result, out)
    return _give(torch.bitwise_and(input.float().double().long(), other).to(result.dtype), out)


def zero_extended(input, other, out=None):
    """Extends a narrower other by zeros instead of its sign."""
    if isinstance(other, torch.Tensor) and input.dtype == torch.int64 and other.dtype == torch.int32:
        other = other.long() & 0xFFFFFFFF
    return _give(torch.bitwise_and(input, other), out)


def bool_is_all_ones(input, other, out=None):
    """Takes True for a word of ones."""
    if isinstance(other, torch.Tensor) and other.dtype == torch.bool and input.dtype != torch.bool:
        other = -other.to(input.dtype)
    return _give(torch.bitwise_and(input, other), out)


def magnitudes(input, other, out=None):
    """Forgets the sign bit."""
    result = torch.bitwise_and(input, other)
    return _give(result.abs() if result.dtype != torch.bool else result, out)


def always_int32(input, other, out=None):
    """The result is int32 whatever the operands are."""
    return _give(torch.bitwise_and(input, other).to(torch.int32), out)


def out_not_written(input, other, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.bitwise_and(input, other)


def one_block(input, other, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.bitwise_and(input, other).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, other, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.bitwise_and(input, other).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)
