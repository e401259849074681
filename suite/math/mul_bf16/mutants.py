"""Plausible wrong implementations of a product of bfloat16 tensors; each must be rejected."""
import torch


def sum_not_product(input, other):
    """The wrong operation."""
    return torch.add(input, other)


def in_memory_order(input, other):
    """Reads the operands as they lie in memory, whatever their strides are."""
    if not isinstance(other, torch.Tensor) or input.shape != other.shape or 0 in input.stride() + other.stride():
        return torch.mul(input, other)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (input, other))
    return torch.mul(x, y)


def broadcast_from_the_left(input, other):
    """Lines the dimensions of other up with the first ones of input where that is possible."""
    if isinstance(other, torch.Tensor) and other.dim() < input.dim() and other.numel() > 1:
        left = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
        if all(a == b or b == 1 for a, b in zip(input.shape, left.shape)):
            other = left
    return torch.mul(input, other)


def other_repeats(input, other):
    """Takes other's elements by the flat index modulo its size: right for rows only."""
    if not isinstance(other, torch.Tensor) or other.numel() == 0:
        return torch.mul(input, other)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    index = torch.arange(x.numel(), device=x.device) % other.numel()
    return torch.mul(x, other.reshape(-1)[index].view(shape))


def first_number_for_all(input, other):
    """Loads one element of other and takes it for a scalar."""
    if isinstance(other, torch.Tensor) and other.numel() > 0:
        other = other.reshape(-1)[:1].view((1,) * other.dim())
    return torch.mul(input, other)


def returns_float32(input, other):
    """Forgets to round back: the result is float32."""
    return torch.mul(input.float(), other)


def through_float16(input, other):
    """Computes in float16: factors beyond its range become inf or 0."""
    other = other.half() if isinstance(other, torch.Tensor) else other
    return torch.mul(input.half(), other).to(input.dtype)


def eight_bit_factors(input, other):
    """Rounds the factors to float8 first."""
    def coarse(t):
        return t.to(torch.float8_e5m2).to(t.dtype) if isinstance(t, torch.Tensor) else t
    return torch.mul(coarse(input), coarse(other))


def one_block(input, other):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.mul(input, other).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input, other):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.mul(input, other).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return result
